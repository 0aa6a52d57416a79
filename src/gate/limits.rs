//! What a budget file says about one kernel.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Inputs of entries, as they are written there, that exist although no kernel is of them: they have not
    /// moved, and are not missing.
    pub elsewhere: BTreeSet<String>,
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
    /// where there is one only on both sides: the file moved. One that still exists has not, but for a
    /// whole folder that stands for another: there, files of one name are one. `strict` is without that.
    pub(super) fn moved(&self, kernels: &[Kernel], strict: bool) -> Vec<Option<usize>> {
        let names: Vec<String> = kernels.iter().map(|k| self.base.name(&k.input)).collect();
        let there = names.iter().zip(kernels).map(|(name, k)| (name.as_str(), k.name.as_str()));
        let there: BTreeSet<(&str, &str)> = there.collect();
        let mut homes: BTreeSet<(&str, Option<&str>)> = BTreeSet::new();
        let mut lone: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let entries = self.budget.entries.iter().enumerate().filter(|(_, e)| !e.is_pattern());
        for (at, entry) in entries {
            let Some(input) = entry.input.as_deref() else { continue };
            homes.insert((plain(input), entry.function.as_deref()));
            let Some(function) = entry.function.as_deref() else { continue };
            if !there.contains(&(plain(input), function)) {
                lone.entry(function).or_default().push(at);
            }
        }
        let mut asking: BTreeMap<&str, usize> = BTreeMap::new();
        let homeless = names.iter().zip(kernels).map(|(name, kernel)| {
            let own = [None, Some(kernel.name.as_str())];
            own.iter().all(|function| !homes.contains(&(name.as_str(), *function)))
        });
        let homeless: Vec<bool> = homeless.collect();
        for (kernel, _) in kernels.iter().zip(&homeless).filter(|(_, homeless)| **homeless) {
            *asking.entry(&kernel.name).or_default() += 1;
        }
        let may = |entry: usize, kernel: usize| {
            let input = self.budget.entries[entry].input.as_deref().unwrap_or_default();
            !self.elsewhere.contains(input) || !strict && file(input) == file(&names[kernel])
        };
        let found = kernels.iter().enumerate().map(|(at, kernel)| {
            let name = kernel.name.as_str();
            match lone.get(name).map(Vec::as_slice) {
                Some([one]) if homeless[at] && asking.get(name) == Some(&1) => {
                    Some(*one).filter(|one| may(*one, at))
                }
                _ => None,
            }
        });
        found.collect()
    }
}

/// True when an entry is for a kernel.
fn is_for(entry: &Entry, input: &str, function: &str) -> bool {
    // The cheap question first: there may be a thousand entries for each of a thousand kernels.
    if entry.function.as_deref().is_some_and(|name| name != function) {
        return false;
    }
    match entry.input.as_deref() {
        Some(pattern) if entry.is_pattern() => is_like(plain(pattern), input),
        Some(name) => plain(name) == input,
        None => true,
    }
}

/// A name without `./` in front.
fn plain(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// The name of the file.
fn file(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Sorts patterns before names, all functions before one, short patterns before long ones.
fn general(entry: &Entry) -> (bool, bool, usize) {
    let length = entry.input.as_deref().map_or(0, str::len);
    (!entry.is_pattern(), entry.function.is_some(), length)
}
