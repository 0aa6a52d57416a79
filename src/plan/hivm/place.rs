//! One attempt at one function: scope by scope, sequential, level 3 or multi-level (4.2).

use super::conflict::Rules;
use super::history::Area;
use super::levels::{LIFE, PIPE, SLOT};
use super::machine::{multi_level, single_level};
use super::messages;
use super::order::reorder;
use super::sequential::{need, sequential};
use super::slots::{Slot, align_up, by_scope, expand};
use super::{Failure, How, Input, Placed, Scope, Success};

/// Slots that a function may have in all; a limit of ours, so that a mark cannot exhaust memory.
const MOST_SLOTS: u64 = 1 << 20;

/// Places all entries, or says which scope does not fit. Offsets and sizes are bits.
///
/// Scopes are planned in order of first appearance; the first that does not fit ends the attempt.
pub fn place(input: &Input) -> Result<Success, Failure> {
    if let Some(failure) = too_many(input) {
        return Err(failure);
    }
    let rules = Rules::new(input);
    let mut slots = expand(input);
    let groups = by_scope(&slots);
    let mut run = Run { rules: &rules, slots: &mut slots, split: false };
    let mut scopes: Vec<Placed> = Vec::new();
    for (scope, list) in groups {
        let of = input.scopes.get(scope).ok_or_else(|| unknown(scope))?;
        match run.scope(of, &list) {
            Ok((how, peak, warning)) => scopes.push(Placed { scope, how, peak, warning }),
            Err(over) => {
                let message = messages::overflow(input.pass, &of.name, over.need, over.capacity);
                let warnings = scopes.into_iter().filter_map(|s| s.warning).collect();
                let Overflow { need, capacity } = over;
                return Err(Failure { scope, need, capacity, warnings, message });
            }
        }
    }
    Ok(success(input, &slots, scopes))
}

/// How, the peak, and warning W1.
type Planned = (How, u64, Option<String>);

struct Overflow {
    need: u64,
    capacity: u64,
}

/// What the scopes of one attempt share.
struct Run<'r, 'a> {
    rules: &'r Rules<'a>,
    slots: &'r mut [Slot<'a>],
    /// Set by a restart and never reset, so later scopes start in it (4.11).
    split: bool,
}

impl<'a> Run<'_, 'a> {
    fn scope(&mut self, scope: &Scope, list: &[usize]) -> Result<Planned, Overflow> {
        let Some(capacity) = scope.capacity else { return self.workspace(scope, list) };
        let need = need(self.slots, list);
        if need <= u128::from(capacity) {
            return Ok((How::Sequential, sequential(self.slots, list), None));
        }
        if list.len() == 1 {
            let need = u64::try_from(need).unwrap_or(u64::MAX);
            return Err(Overflow { need, capacity });
        }
        let order = match scope.name.as_str() {
            "ub" => reorder(self.rules.input, self.slots, list),
            _ => list.to_vec(),
        };
        let total = single_level(&mut self.area(u64::MAX), &order, PIPE);
        if let Some(total) = total.filter(|&t| t <= capacity) {
            return Ok((How::PipeOnly, total, None));
        }
        if self.levels(&order, capacity, PIPE) {
            let warning = messages::reused(&scope.name, total.unwrap_or(u64::MAX), capacity);
            return Ok((self.how(&order), self.peak(&order), Some(warning)));
        }
        let need = single_level(&mut self.area(u64::MAX), &order, LIFE);
        Err(Overflow { need: need.unwrap_or(u64::MAX), capacity })
    }

    /// A workspace has no capacity (section 5): sums, or the machine from level 0 on, which goes
    /// back to level 3 after the first child.
    fn workspace(&mut self, scope: &Scope, list: &[usize]) -> Result<Planned, Overflow> {
        if scope.sequential_only {
            return Ok((How::Sequential, sequential(self.slots, list), None));
        }
        if self.levels(list, u64::MAX, LIFE) {
            return Ok((self.how(list), self.peak(list), None));
        }
        Err(Overflow { need: u64::MAX, capacity: u64::MAX })
    }

    /// The multi-level machine; leaves split mode on if it restarted.
    fn levels(&mut self, order: &[usize], capacity: u64, level: u8) -> bool {
        let mut area = self.area(capacity);
        let placed = multi_level(&mut area, order, capacity, level);
        self.split = area.split;
        placed
    }

    fn area(&mut self, capacity: u64) -> Area<'_, 'a> {
        Area::new(self.rules, self.slots, capacity, self.split)
    }

    fn how(&self, order: &[usize]) -> How {
        How::Levels(order.iter().filter_map(|&s| self.slots[s].level).min().unwrap_or(PIPE))
    }

    fn peak(&self, order: &[usize]) -> u64 {
        order.iter().map(|&s| self.slots[s].peak()).max().unwrap_or(0)
    }
}

fn success(input: &Input, slots: &[Slot<'_>], scopes: Vec<Placed>) -> Success {
    let mut offsets = vec![None; input.buffers.len()];
    let mut levels = vec![None; input.buffers.len()];
    for (at, entry) in input.entries.iter().enumerate() {
        let first = &slots[at];
        let others = &slots[first.others.clone()];
        let all = || std::iter::once(first).chain(others);
        let mut places: Vec<u64> = all().map(|s| s.offset).collect();
        places.extend(&first.promoted);
        let by_level =
            scopes.iter().any(|s| s.scope == entry.scope && matches!(s.how, How::Levels(_)));
        // Of several slots the lowest; an entry without bytes has none.
        let level = all().filter_map(|s| s.level).min().filter(|_| by_level);
        for &no in &entry.buffers {
            if let (Some(o), Some(l)) = (offsets.get_mut(no as usize), levels.get_mut(no as usize))
            {
                *o = Some(places.clone());
                *l = level;
            }
        }
    }
    // The lowest of an entry's slots may hide that another was placed jointly.
    let joint = slots.iter().any(|s| s.level == Some(SLOT) || !s.promoted.is_empty());
    Success { offsets, levels, joint, scopes }
}

/// An entry in a scope that the input does not have: nothing is available there.
fn unknown(scope: usize) -> Failure {
    let message = format!("scope {scope} is not declared");
    Failure { scope, need: 0, capacity: 0, warnings: Vec::new(), message }
}

/// More slots than anybody means: the sum of their sizes, as if they were one entry.
fn too_many(input: &Input) -> Option<Failure> {
    let mut count = 0u64;
    let over = input.entries.iter().find(|e| {
        count += u64::from(e.slots.max(1));
        count > MOST_SLOTS
    })?;
    let scope = input.scopes.get(over.scope)?;
    let need = align_up(over.bits, scope.alignment).saturating_mul(u64::from(over.slots));
    let capacity = scope.capacity.unwrap_or(u64::MAX);
    let message = messages::overflow(input.pass, &scope.name, need, capacity);
    Some(Failure { scope: over.scope, need, capacity, warnings: Vec::new(), message })
}
