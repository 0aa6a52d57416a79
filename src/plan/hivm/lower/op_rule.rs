//! When the destination of one op may take the memory of a source (HIVM spec, section 3.2).

use super::inplace::Merger;
use super::reaches::Reach;
use crate::ir::hivm::{PassKind, op_allows};
use crate::ir::mlir::OpId;
use crate::plan::hivm::BufferNo;

impl Merger<'_> {
    /// The op rule: all eleven steps.
    pub(super) fn may_share(&mut self, op: OpId, g: BufferNo, k: BufferNo) -> bool {
        let facts = self.walk.facts;
        let (function, options) = (facts.function, facts.options);
        let pair = (self.value(g), self.value(k));
        let root = |value| facts.roots.of(value);
        op_allows(function, op, options, &root, pair)
            && !(options.pass == PassKind::Base && self.stalls(g, k))
    }

    /// Step 11: a rotating buffer that is loaded and one that is stored would wait for each other.
    fn stalls(&mut self, g: BufferNo, k: BufferNo) -> bool {
        if !self.rotates(g) || !self.rotates(k) {
            return false;
        }
        let stalls = Reach::new(self, "hivm.hir.store").finds(self.value(g))
            && Reach::new(self, "hivm.hir.load").finds(self.value(k));
        if stalls {
            self.found.stall.insert((g.min(k), g.max(k)));
        }
        stalls
    }

    /// More than one slot, its own or of a buffer that it is paired with (D.9: one step).
    fn rotates(&self, buffer: BufferNo) -> bool {
        let many = |b: BufferNo| self.walk.mark[b as usize].slots() > 1;
        many(buffer)
            || self.found.pairs.iter().any(|&(first, second)| {
                (first == buffer && many(second)) || (second == buffer && many(first))
            })
    }
}
