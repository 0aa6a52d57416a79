//! Mutants, and what became of them.

use std::collections::BTreeMap;

use super::classes::Classes;

/// What became of the mutants of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    pub(crate) found: u64,
    /// Not found, and harmless in every order.
    pub(crate) harmless: u64,
    /// Not found; there are too many orders to try, but the checker had called the sync redundant.
    pub(crate) redundant: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Survivors {
    pub(crate) fates: BTreeMap<&'static str, Fate>,
    pub(crate) names: Vec<String>,
}

impl Survivors {
    /// Judges one mutant: what the checker said, what the oracle says, and whether the checker had
    /// called redundant what is missing.
    pub(crate) fn judge(
        &mut self,
        kind: &'static str,
        name: &str,
        said: &Classes,
        truth: Option<&Classes>,
        redundant: bool,
    ) {
        let fate = self.fates.entry(kind).or_default();
        match (said.is_empty(), truth) {
            (false, Some(truth)) => {
                assert!(!truth.is_empty(), "{kind} {name}: {said:?} is a false alarm");
                fate.found += 1;
            }
            (false, None) => fate.found += 1,
            (true, Some(truth)) => {
                assert!(truth.is_empty(), "{kind} {name} survives and is wrong: {truth:?}");
                fate.harmless += 1;
                self.names.push(format!("{kind} {name}: harmless"));
            }
            (true, None) => {
                assert!(redundant, "{kind} {name} survives, and nobody knows whether it should");
                fate.redundant += 1;
                self.names.push(format!("{kind} {name}: redundant"));
            }
        }
    }

    /// Compares with what is pinned: kind; found, harmless, redundant.
    pub(crate) fn pinned(&self, expected: &[(&str, u64, u64, u64)]) {
        let is: Vec<_> =
            self.fates.iter().map(|(k, f)| (*k, f.found, f.harmless, f.redundant)).collect();
        for name in &self.names {
            println!("{name}");
        }
        assert_eq!(is, expected);
    }
}
