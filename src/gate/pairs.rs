//! Which buffer of today is which of then.

use std::collections::BTreeMap;

use super::schedule::{Fate, Schedule};
use crate::model::{Kernel, KernelBuffer};

/// A buffer of a kernel: the position of its scope, and its own in there.
pub(super) type At = (usize, usize);

/// The buffers of two kernels, matched.
#[derive(Default)]
pub(super) struct Pairs {
    /// Those that both have, then and now, in the order of now.
    pub(super) both: Vec<(At, At)>,
    /// Those that are gone, in the order of then.
    pub(super) gone: Vec<At>,
    /// Those that are new, in the order of now.
    pub(super) new: Vec<At>,
}

/// Matches buffers: in their scope those that are the same in everything; then numbered names (`%alloc_3`)
/// whose number alone is another; then equal names; then those that differ in their names alone; and at
/// last equal names in other scopes.
pub(super) fn match_buffers(old: &Kernel, new: &Kernel, schedule: Option<&Schedule>) -> Pairs {
    let mut matching = Matching::new(old, new);
    let same = |a: &KernelBuffer, b: &KernelBuffer| alike(a, b, schedule);
    let shaped = |scope: &str, name: String, b: &KernelBuffer| {
        let (size, slots) = (b.size?, b.slots?);
        Some((scope.to_owned(), name, Some((size, slots))))
    };
    matching.round(|s, b| shaped(s, b.name.clone(), b), same);
    // Numbers shift where there are more or fewer of them than before.
    let (then, now) = (stems(old), stems(new));
    let shifted = |s: &str, b: &KernelBuffer| {
        let key = (s, stem(&b.name));
        then.get(&key) != now.get(&key)
    };
    matching.round(
        |s, b| shaped(s, stem(&b.name), b).filter(|_| shifted(s, b)),
        |a, b| numbered(a, b) && same(a, b),
    );
    matching.round(|s, b| Some((s.to_owned(), b.name.clone(), None)), |_, _| true);
    matching.round(|s, b| shaped(s, String::new(), b), same);
    matching.round(|_, b| Some((String::new(), b.name.clone(), None)), |_, _| true);
    matching.end()
}

/// True when two buffers of the same shape live beside the same ops, as far as that is known.
fn alike(a: &KernelBuffer, b: &KernelBuffer, schedule: Option<&Schedule>) -> bool {
    match (&a.live, &b.live, schedule) {
        (Some(old), Some(new), Some(schedule)) => schedule.fate(old, new) == Fate::Same,
        (Some(old), Some(new), None) => old == new,
        _ => false,
    }
}

fn numbered(a: &KernelBuffer, b: &KernelBuffer) -> bool {
    a.name.ends_with(|c: char| c.is_ascii_digit()) || b.name.ends_with(|c: char| c.is_ascii_digit())
}

/// A name without the number that a printer gave it: `%alloc_3` and `%alloc` are `%alloc`.
fn stem(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = stem.strip_suffix(['_', '.', '#']).unwrap_or(stem);
    if stem.is_empty() { name.to_owned() } else { stem.to_owned() }
}

/// How many buffers of each scope and stem there are.
fn stems(kernel: &Kernel) -> BTreeMap<(&str, String), usize> {
    let mut stems = BTreeMap::new();
    for (_, scope, buffer) in all(kernel) {
        *stems.entry((scope, stem(&buffer.name))).or_default() += 1;
    }
    stems
}

/// What buffers of one pair have in common.
type Key = (String, String, Option<(u64, u32)>);

struct Matching<'a> {
    old: Vec<(At, &'a str, &'a KernelBuffer)>,
    new: Vec<(At, &'a str, &'a KernelBuffer)>,
    both: Vec<(At, At)>,
}

impl<'a> Matching<'a> {
    fn new(old: &'a Kernel, new: &'a Kernel) -> Self {
        Self { old: all(old), new: all(new), both: Vec::new() }
    }

    /// Pairs what has one key and passes the test, in order. What has no key sits out.
    fn round(
        &mut self,
        key: impl Fn(&str, &KernelBuffer) -> Option<Key>,
        test: impl Fn(&KernelBuffer, &KernelBuffer) -> bool,
    ) {
        let mut waiting: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (at, (_, scope, buffer)) in self.old.iter().enumerate() {
            if let Some(key) = key(scope, buffer) {
                waiting.entry(key).or_default().push(at);
            }
        }
        let mut taken = vec![false; self.old.len()];
        let (old, both) = (&self.old, &mut self.both);
        self.new.retain(|(now, scope, buffer)| {
            let group = key(scope, buffer).and_then(|key| waiting.get_mut(&key));
            let Some(group) = group else { return true };
            // A group may be large where all names are one; whoever is far down is not looked for.
            const FAR: usize = 64;
            let found = group.iter().take(FAR).position(|&at| test(old[at].2, buffer));
            let Some(found) = found else { return true };
            let at = group.remove(found);
            taken[at] = true;
            both.push((old[at].0, *now));
            false
        });
        let mut taken = taken.into_iter();
        self.old.retain(|_| taken.next() != Some(true));
    }

    fn end(mut self) -> Pairs {
        self.both.sort_unstable_by_key(|(_, now)| *now);
        let places = |all: Vec<(At, &str, &KernelBuffer)>| all.into_iter().map(|b| b.0).collect();
        Pairs { both: self.both, gone: places(self.old), new: places(self.new) }
    }
}

fn all(kernel: &Kernel) -> Vec<(At, &str, &KernelBuffer)> {
    let scopes = kernel.scopes.iter().enumerate();
    scopes
        .flat_map(|(s, scope)| {
            let buffers = scope.buffers.iter().enumerate();
            buffers.map(move |(b, buffer)| ((s, b), scope.name.as_str(), buffer))
        })
        .collect()
}
