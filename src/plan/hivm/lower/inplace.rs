//! In-place merging: which buffers share one storage entry (HIVM spec, sections 3.1 and 3.2).

use std::collections::BTreeSet;

use super::classes::Classes;
use super::groups::Groups;
use super::vf::reuse_in_call;
use super::walk::Walk;
use crate::ir::hivm::PassKind;
use crate::ir::mlir::ValueId;
use crate::plan::hivm::BufferNo;

/// Pairs in the order found; the first of a pair moves into the second.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub(super) pairs: Vec<(BufferNo, BufferNo)>,
    /// How many of them are alias pairs, which come first.
    pub(super) mandatory: usize,
    /// Pairs that must not share for a stall, smaller number first.
    pub(super) stall: BTreeSet<(BufferNo, BufferNo)>,
}

/// Both steps over the outcome of a walk.
pub(super) fn pairs(walk: &Walk<'_>, classes: &Classes) -> Pairs {
    let mut merger = Merger {
        walk,
        classes,
        found: Pairs::default(),
        excluded: walk.excluded.iter().copied().collect::<Vec<_>>(),
        groups: Groups::new(walk.facts.buffers.len()),
    };
    merger.aliases();
    merger.found.mandatory = merger.found.pairs.len();
    merger.ops();
    merger.found
}

/// The state of the search.
pub(super) struct Merger<'a> {
    pub(super) walk: &'a Walk<'a>,
    pub(super) classes: &'a Classes,
    pub(super) found: Pairs,
    pub(super) groups: Groups,
    excluded: Vec<bool>,
}

impl Merger<'_> {
    pub(super) fn value(&self, buffer: BufferNo) -> ValueId {
        self.walk.facts.buffers.value(buffer)
    }

    fn bits(&self, buffer: BufferNo) -> u64 {
        self.walk.extents[buffer as usize].bits
    }

    fn unique(&self, buffer: BufferNo) -> bool {
        self.walk.mark[buffer as usize].unique
    }

    fn is_excluded(&self, buffer: BufferNo) -> bool {
        self.excluded[self.value(buffer).0 as usize]
    }

    fn exclude(&mut self, buffer: BufferNo) {
        let value = self.value(buffer);
        self.excluded[value.0 as usize] = true;
    }

    /// 3.1: allocs that are one another's unconditional aliases (D.5: also a buffer its own).
    fn aliases(&mut self) {
        let buffers = &self.walk.facts.buffers;
        let mut taken = BTreeSet::new();
        for (buffer, &value) in (0..).zip(&buffers.values) {
            for &(alias, conditional) in self.walk.aliases.of(value) {
                let Some(other) = buffers.number(alias) else { continue };
                let pair = (buffer.min(other), buffer.max(other));
                let barred = conditional || self.unique(buffer) || self.unique(other);
                if barred || !taken.insert(pair) {
                    continue;
                }
                self.found.pairs.push((buffer, other));
                self.exclude(buffer);
                self.exclude(other);
            }
        }
    }

    /// 3.2: at each op, what is first written there may take the memory of what dies there.
    fn ops(&mut self) {
        let mut seen = vec![false; self.walk.facts.function.ops.len()];
        for entry in &self.walk.entries {
            if entry.gens.is_empty() && entry.kills.is_empty() {
                continue;
            }
            if std::mem::replace(&mut seen[entry.op.0 as usize], true) {
                continue;
            }
            if !entry.gens.is_empty() && !entry.kills.is_empty() {
                self.entry(entry);
            }
        }
    }

    fn entry(&mut self, entry: &super::time::Entry) {
        let regbase = self.walk.facts.options.pass == PassKind::Regbase;
        let mut gens = entry.gens.clone();
        gens.sort_by_key(|&g| std::cmp::Reverse(self.bits(g)));
        let mut consumed = vec![false; entry.kills.len()];
        let call = reuse_in_call(self.walk.facts, entry.op);
        for g in gens {
            if self.is_excluded(g) || (regbase && self.unique(g)) {
                continue;
            }
            for (at, &k) in entry.kills.iter().enumerate() {
                let barred = consumed[at] || self.is_excluded(k) || (regbase && self.unique(k));
                if barred || self.bits(k) < self.bits(g) {
                    continue;
                }
                if self.may_share_in_call(&call, g, k) || self.may_share(entry.op, g, k) {
                    consumed[at] = true;
                    self.found.pairs.push((g, k));
                    self.groups.unite(g, k);
                    break;
                }
            }
        }
    }
}
