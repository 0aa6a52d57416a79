//! Pages that are there or not: the contents of an allocation of kind SVM (13.5).

use std::collections::BTreeMap;

use crate::runtime::memory::Bank;

/// Which pages of a range are present, and in which bank. Everything else is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pages {
    /// First byte to (first byte behind, bank); disjoint.
    runs: BTreeMap<u64, (u64, Bank)>,
}

/// Bytes of a range in one state; `None`: absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// First byte.
    pub start: u64,
    /// First byte behind.
    pub end: u64,
    /// Where they are.
    pub bank: Option<Bank>,
}

impl Pages {
    /// The states of `[start, end)`, in order, without gaps; neighbours differ.
    pub(crate) fn runs(&self, start: u64, end: u64) -> Vec<Run> {
        let mut list: Vec<Run> = Vec::new();
        let mut at = start;
        let before = self.runs.range(..=start).next_back().map(|(&first, _)| first);
        for (&first, &(behind, bank)) in self.runs.range(before.unwrap_or(start)..end.max(start)) {
            let (first, behind) = (first.max(at), behind.min(end));
            if first >= behind {
                continue;
            }
            if at < first {
                list.push(Run { start: at, end: first, bank: None });
            }
            match list.last_mut() {
                Some(Run { end, bank: last, .. }) if *last == Some(bank) => *end = behind,
                _ => list.push(Run { start: first, end: behind, bank: Some(bank) }),
            }
            at = behind;
        }
        if at < end {
            list.push(Run { start: at, end, bank: None });
        }
        list
    }

    /// Puts `[start, end)` into a bank, whatever it was.
    pub(crate) fn put(&mut self, start: u64, end: u64, bank: Bank) {
        let before = self.runs.range(..start).next_back().map(|(&first, _)| first);
        let met: Vec<_> = self
            .runs
            .range(before.unwrap_or(start)..end.max(start))
            .map(|(&first, &(behind, bank))| (first, behind, bank))
            .filter(|&(_, behind, _)| behind > start)
            .collect();
        for (first, behind, old) in met {
            self.runs.remove(&first);
            if first < start {
                self.runs.insert(first, (start, old));
            }
            if behind > end {
                self.runs.insert(end, (behind, old));
            }
        }
        if start < end {
            self.runs.insert(start, (end, bank));
        }
    }

    /// All pages that are present.
    pub(crate) fn present(&self) -> impl Iterator<Item = Run> + '_ {
        self.runs.iter().map(|(&start, &(end, bank))| Run { start, end, bank: Some(bank) })
    }
}
