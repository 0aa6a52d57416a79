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
    matching.round(|s, b| (s.to_owned(), b.name.clone(), shape(b)), same);
    matching
        .round(|s, b| (s.to_owned(), stem(&b.name), shape(b)), |a, b| numbered(a, b) && same(a, b));
    matching.round(|s, b| (s.to_owned(), b.name.clone(), None), |_, _| true);
    matching.round(|s, b| (s.to_owned(), String::new(), shape(b)), same);
    matching.round(|_, b| (String::new(), b.name.clone(), None), |_, _| true);
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

/// Size and slots, where both are known.
fn shape(buffer: &KernelBuffer) -> Option<(u64, u32)> {
    Some((buffer.size?, buffer.slots?))
}

/// A name without the number that a printer gave it: `%alloc_3` and `%alloc` are `%alloc`.
fn stem(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = stem.strip_suffix(['_', '.', '#']).unwrap_or(stem);
    if stem.is_empty() { name.to_owned() } else { stem.to_owned() }
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

    /// Pairs what has one key and passes the test, in order. A key without a shape where the round asks
    /// for one never gets here: its test fails.
    fn round(
        &mut self,
        key: impl Fn(&str, &KernelBuffer) -> Key,
        test: impl Fn(&KernelBuffer, &KernelBuffer) -> bool,
    ) {
        let mut waiting: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (at, (_, scope, buffer)) in self.old.iter().enumerate() {
            waiting.entry(key(scope, buffer)).or_default().push(at);
        }
        let mut taken = vec![false; self.old.len()];
        let (old, both) = (&self.old, &mut self.both);
        self.new.retain(|(now, scope, buffer)| {
            let Some(group) = waiting.get_mut(&key(scope, buffer)) else { return true };
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
