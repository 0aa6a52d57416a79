//! Values that share bytes, and when each of them is alive.

use std::collections::BTreeMap;

use crate::analyze::hlo::{Event, EventKind, ValueId};

/// A value with the steps in which it holds its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan::xla) struct Member {
    /// The value.
    pub(in crate::plan::xla) value: ValueId,
    /// The step of the event that gives it bytes: the event's index in the list.
    pub(in crate::plan::xla) start: u64,
    /// The step of the event that frees it; the end of the list for a value that nobody frees.
    pub(in crate::plan::xla) end: u64,
}

/// A value that was allocated and all that share its bytes, directly or by way of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plan::xla) struct Group {
    /// Bytes that the first member was allocated with.
    pub(in crate::plan::xla) own: u64,
    /// The most bytes that a member asks for.
    pub(in crate::plan::xla) size: u64,
    /// The members in order of their starts; the first is the one that was allocated.
    pub(in crate::plan::xla) members: Vec<Member>,
}

impl Group {
    /// The value that was allocated.
    pub(in crate::plan::xla) fn root(&self) -> Member {
        // A group is made with its root in it.
        self.members[0]
    }

    /// The first step and the last step of the group.
    pub(super) fn hull(&self) -> (u64, u64) {
        let end = self.members.iter().map(|member| member.end).max();
        (self.root().start, end.unwrap_or_default())
    }

    /// Steps in which a member is alive: `[start, end)` of each, joined.
    pub(in crate::plan::xla) fn spans(&self) -> Vec<(u64, u64)> {
        let mut spans: Vec<(u64, u64)> = Vec::new();
        // Members stand in order of their starts.
        for member in &self.members {
            match spans.last_mut() {
                Some(last) if member.start <= last.1 => last.1 = last.1.max(member.end),
                _ => spans.push((member.start, member.end)),
            }
        }
        spans
    }
}

/// The groups in order of their allocation, and the values that ask for no bytes: those take no part
/// (8.3).
///
/// A value that shares with one that holds no bytes is allocated; a value that gets bytes twice keeps
/// the first.
pub(in crate::plan::xla) fn groups(events: &[Event]) -> (Vec<Group>, Vec<ValueId>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut empty = Vec::new();
    // Where each value stands: its group and its place in it.
    let mut at: BTreeMap<ValueId, (usize, usize)> = BTreeMap::new();
    let last = events.len() as u64;
    for (step, event) in events.iter().enumerate() {
        let (step, value, size) = (step as u64, event.value, event.size);
        let member = Member { value, start: step, end: last };
        let with = match event.kind {
            EventKind::Free => {
                if let Some(&(group, place)) = at.get(&value) {
                    groups[group].members[place].end = step;
                }
                continue;
            }
            EventKind::Alloc => None,
            EventKind::Share(with) => at.get(&with).map(|&(group, _)| group),
        };
        if at.contains_key(&value) {
            continue;
        }
        match with {
            _ if size == 0 => empty.push(value),
            None => {
                at.insert(value, (groups.len(), 0));
                groups.push(Group { own: size, size, members: vec![member] });
            }
            Some(group) => {
                let of = &mut groups[group];
                at.insert(value, (group, of.members.len()));
                of.size = of.size.max(size);
                of.members.push(member);
            }
        }
    }
    (groups, empty)
}
