//! Instructions that touch bytes.

use super::code::{Issue, Memory, Operand, What};
use super::launch::{Bar, Ground, Launch, MAX_BARS};
use crate::runtime::clock::Epoch;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::How;
use crate::runtime::watch::{At, LineId, Touched, Watch};

impl<G: Ground> Launch<'_, G> {
    /// Runs one instruction; false when it has to wait.
    #[inline]
    pub(super) fn one(&mut self, c: usize, p: usize, issue: &Issue, trips: &[u64]) -> bool {
        let line = issue.line;
        match &issue.what {
            What::Copy { src, dst } => {
                self.begin(c, p);
                let from = self.operand(c, p, line, src, trips, How::Read);
                let to = self.operand(c, p, line, dst, trips, How::Write);
                self.moves(c, p, line, &from, &to);
                self.end_work(c, p, issue, src.len);
            }
            What::Exec { r, w, accumulate } => {
                self.begin(c, p);
                let mut bytes = 0;
                for (list, how) in [(r, How::Read), (w, How::Write)] {
                    for operand in list {
                        bytes = operand.len.max(bytes);
                        self.access(c, p, line, operand, trips, how, *accumulate);
                    }
                }
                self.end_work(c, p, issue, bytes);
            }
            What::Set { to, ids } => self.set(c, p, line, usize::from(*to), ids.id(trips)),
            What::Wait { from, ids } => {
                return self.wait(c, p, line, usize::from(*from), ids.id(trips));
            }
            What::Barrier => self.barrier(c, p, line),
            What::CrossSet { mode, flag } => self.cross_set(c, p, line, *mode, *flag),
            What::CrossWait { mode, flag } => return self.cross_wait(c, p, line, *mode, *flag),
        }
        self.ran += 1;
        true
    }

    pub(super) fn begin(&mut self, c: usize, p: usize) {
        let pipe = &mut self.cores[c].pipes[p];
        pipe.n += 1;
        pipe.work = pipe.n;
    }

    pub(super) fn end_work(&mut self, c: usize, p: usize, issue: &Issue, bytes: u64) {
        let cost = issue.cost.unwrap_or_else(|| self.prices.of_bytes(p, bytes));
        let pipe = &mut self.cores[c].pipes[p];
        let start = pipe.time;
        pipe.time = start.saturating_add(cost);
        if !pipe.weak {
            pipe.clock.raise(pipe.actor, pipe.n);
        }
        if self.bars.len() < MAX_BARS {
            self.bars.push(Bar { actor: pipe.actor, line: issue.line, start, end: pipe.time });
        }
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one access, in full")]
    pub(super) fn access(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        operand: &Operand,
        trips: &[u64],
        how: How,
        accumulate: bool,
    ) {
        if let Memory::Core(scope) = operand.at {
            let core = &self.cores[c];
            let pipe = &core.pipes[p];
            let epoch = Epoch { actor: pipe.actor, n: pipe.n };
            let at = At { line, epoch, clock: &pipe.clock };
            let piece = Piece {
                object: core.scopes[scope],
                start: operand.address(trips),
                len: operand.len,
            };
            let touched = Touched { piece, generation: 0, val: operand.val, adds: accumulate };
            match how {
                How::Read => self.ground.watch().read(&at, &touched),
                How::Write => self.ground.watch().write(&at, &touched),
            }
            return;
        }
        let pieces = self.operand(c, p, line, operand, trips, how);
        let core = &self.cores[c];
        let pipe = &core.pipes[p];
        let at = At { line, epoch: Epoch { actor: pipe.actor, n: pipe.n }, clock: &pipe.clock };
        for touched in &pieces {
            match how {
                How::Read => self.ground.watch().read(&at, touched),
                How::Write => self.ground.watch().write(&at, touched),
            }
        }
    }

    /// The bytes of an operand.
    pub(super) fn operand(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        operand: &Operand,
        trips: &[u64],
        how: How,
    ) -> Vec<Touched> {
        let address = operand.address(trips);
        let core = &self.cores[c];
        match operand.at {
            Memory::Core(scope) => {
                let piece = Piece { object: core.scopes[scope], start: address, len: operand.len };
                vec![Touched { piece, generation: 0, val: operand.val, adds: false }]
            }
            Memory::Global(name) => {
                let pipe = &core.pipes[p];
                let epoch = Epoch { actor: pipe.actor, n: pipe.n };
                let at = At { line, epoch, clock: &pipe.clock };
                self.scratch.clear();
                let out = &mut self.scratch;
                self.ground.global(&at, name, address, operand.len, how, out);
                let mut voff = operand.val.map_or(0, |(_, voff)| voff);
                let touched = |&(piece, generation): &(Piece, u32)| {
                    let val = operand.val.map(|(val, _)| (val, voff));
                    voff = voff.saturating_add(piece.len);
                    Touched { piece, generation, val, adds: false }
                };
                self.scratch.iter().map(touched).collect()
            }
        }
    }

    pub(super) fn moves(
        &mut self,
        c: usize,
        p: usize,
        line: LineId,
        from: &[Touched],
        to: &[Touched],
    ) {
        let pipe = &self.cores[c].pipes[p];
        let at = At { line, epoch: Epoch { actor: pipe.actor, n: pipe.n }, clock: &pipe.clock };
        for (from, to) in pairs(from, to) {
            self.ground.watch().copy(&at, &from, &to);
        }
    }
}

/// Two lists of pieces of the same bytes, cut where either is cut.
pub(crate) fn pairs(from: &[Touched], to: &[Touched]) -> Vec<(Touched, Touched)> {
    let (mut a, mut b) = (0, 0);
    let (mut done_a, mut done_b) = (0, 0);
    let mut out = Vec::with_capacity(from.len().max(to.len()));
    while let (Some(x), Some(y)) = (from.get(a), to.get(b)) {
        let len = (x.piece.len - done_a).min(y.piece.len - done_b);
        if len > 0 {
            out.push((part(x, done_a, len), part(y, done_b, len)));
        }
        done_a += len;
        done_b += len;
        if done_a >= x.piece.len {
            (a, done_a) = (a + 1, 0);
        }
        if done_b >= y.piece.len {
            (b, done_b) = (b + 1, 0);
        }
    }
    out
}

fn part(whole: &Touched, from: u64, len: u64) -> Touched {
    let piece = Piece { start: whole.piece.start.saturating_add(from), len, ..whole.piece };
    let val = whole.val.map(|(val, voff)| (val, voff.saturating_add(from)));
    Touched { piece, val, ..*whole }
}
