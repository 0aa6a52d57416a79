//! What a budget file says about one kernel.

use std::collections::BTreeMap;

use super::base::{Base, is_like};
use crate::format::budget::{Budget, Entry, Limit, Rules};
use crate::model::Kernel;

/// A budget with the place from which its names are seen; without a budget everything counts as an error
/// and nothing is allowed on top.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The budget.
    pub budget: Budget,
    /// Where it stands.
    pub base: Base,
}

/// What holds for one kernel.
pub(super) struct Held<'a> {
    /// Positions of the entries that are for it, the most general first.
    pub(super) entries: Vec<usize>,
    /// How measures are judged.
    pub(super) rules: Rules,
    /// What it may take, by scope.
    pub(super) scopes: BTreeMap<&'a str, Limit>,
}

impl Limits {
    /// What holds for a kernel: entries are laid over each other, the most general first. `baseline` puts
    /// the rules for baselines between the top of the file and its entries. `moved` is an entry of
    /// another input that is for this kernel.
    pub(super) fn of(&self, kernel: &Kernel, baseline: bool, moved: Option<usize>) -> Held<'_> {
        self.laid(kernel, baseline, moved, None)
    }

    /// The same without the scopes of one entry.
    pub(super) fn laid(
        &self,
        kernel: &Kernel,
        baseline: bool,
        moved: Option<usize>,
        without: Option<usize>,
    ) -> Held<'_> {
        let name = self.base.name(&kernel.input);
        let all = self.budget.entries.iter().enumerate();
        let ours = all.filter(|(at, e)| Some(*at) == moved || is_for(e, &name, &kernel.name));
        let mut entries: Vec<usize> = ours.map(|(at, _)| at).collect();
        entries.sort_by_key(|&at| (general(&self.budget.entries[at]), at));
        let mut rules = self.budget.rules.clone();
        if baseline {
            rules = rules.under(&self.budget.baseline.rules);
        }
        let mut scopes: BTreeMap<&str, Limit> = BTreeMap::new();
        for &at in &entries {
            let entry = &self.budget.entries[at];
            rules = rules.under(&entry.rules);
            for (scope, limit) in entry.scopes.iter().filter(|_| Some(at) != without) {
                let held = scopes.entry(scope).or_default();
                held.peak = limit.peak.or(held.peak);
                held.level = limit.level.or(held.level);
                held.stalls = limit.stalls.or(held.stalls);
                held.owed = limit.owed.or(held.owed);
            }
        }
        Held { entries, rules, scopes }
    }

    /// For each kernel without an entry of its own, the entry of another input that is for its function,
    /// where there is one only on both sides: the file moved.
    pub(super) fn moved(&self, kernels: &[Kernel]) -> Vec<Option<usize>> {
        let names: Vec<String> = kernels.iter().map(|k| self.base.name(&k.input)).collect();
        let entries = &self.budget.entries;
        let own =
            |e: &Entry, at: usize| !e.is_pattern() && is_for(e, &names[at], &kernels[at].name);
        let mut lone: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(function) = entry.function.as_deref().filter(|_| !entry.is_pattern()) else {
                continue;
            };
            if !(0..kernels.len()).any(|k| own(entry, k)) {
                lone.entry(function).or_default().push(at);
            }
        }
        let mut asking: BTreeMap<&str, usize> = BTreeMap::new();
        let homeless = |at: usize| !entries.iter().any(|e| own(e, at));
        let homeless: Vec<bool> = (0..kernels.len()).map(homeless).collect();
        for (kernel, _) in kernels.iter().zip(&homeless).filter(|(_, homeless)| **homeless) {
            *asking.entry(&kernel.name).or_default() += 1;
        }
        let found = kernels.iter().zip(&homeless).map(|(kernel, homeless)| {
            let name = kernel.name.as_str();
            match lone.get(name).map(Vec::as_slice) {
                Some([one]) if *homeless && asking.get(name) == Some(&1) => Some(*one),
                _ => None,
            }
        });
        found.collect()
    }
}

/// True when an entry is for a kernel.
fn is_for(entry: &Entry, input: &str, function: &str) -> bool {
    let file = match entry.input.as_deref() {
        Some(pattern) if entry.is_pattern() => is_like(pattern, input),
        Some(name) => plain(name) == input,
        None => true,
    };
    file && entry.function.as_deref().is_none_or(|name| name == function)
}

/// A name without `./` in front.
fn plain(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// Sorts patterns before names, all functions before one, short patterns before long ones.
fn general(entry: &Entry) -> (bool, bool, usize) {
    let length = entry.input.as_deref().map_or(0, str::len);
    (!entry.is_pattern(), entry.function.is_some(), length)
}
