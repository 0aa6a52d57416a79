//! The cells of one object: an ordered map of runs, cut where accesses begin and end.

use std::collections::BTreeMap;

use super::cell::{Cell, Data, Reads};

/// All cells of one object. Bytes without a cell were never touched.
#[derive(Clone, Debug)]
pub(super) struct Shadow {
    cells: BTreeMap<u64, Cell>,
    /// What bytes hold that were never touched.
    untouched: Data,
}

impl Shadow {
    pub(super) fn new(untouched: Data) -> Self {
        Self { cells: BTreeMap::new(), untouched }
    }

    fn fresh(&self, end: u64) -> Cell {
        Cell { end, data: self.untouched, write: None, reads: Reads::None }
    }

    /// Cuts cells so that one begins at `at`, if any covers it.
    fn cut(&mut self, at: u64) {
        let Some((_, cell)) = self.cells.range_mut(..at).next_back() else { return };
        if cell.end > at {
            let right = cell.clone();
            cell.end = at;
            self.cells.insert(at, right);
        }
    }

    /// Shows every cell of a range to `f`, made where there is none. Ranges may be empty.
    #[inline]
    pub(super) fn each(&mut self, start: u64, end: u64, mut f: impl FnMut(u64, &mut Cell)) {
        if start >= end {
            return;
        }
        // Most accesses meet the cell that the last one left.
        if let Some(cell) = self.cells.get_mut(&start)
            && cell.end == end
        {
            return f(start, cell);
        }
        self.cut(start);
        self.cut(end);
        let mut gaps = Vec::new();
        let mut at = start;
        for (&begin, cell) in self.cells.range(start..end) {
            if begin > at {
                gaps.push((at, begin));
            }
            at = cell.end;
        }
        if at < end {
            gaps.push((at, end));
        }
        for (from, to) in gaps {
            let cell = self.fresh(to);
            self.cells.insert(from, cell);
        }
        for (&begin, cell) in self.cells.range_mut(start..end) {
            f(begin, cell);
        }
    }

    /// Shows every cell of a range to `f`, then makes the range one cell.
    #[inline]
    pub(super) fn replace(
        &mut self,
        start: u64,
        end: u64,
        mut f: impl FnMut(u64, &Cell),
        cell: Cell,
    ) {
        if start >= end {
            return;
        }
        if let Some(old) = self.cells.get_mut(&start)
            && old.end == end
        {
            f(start, old);
            *old = cell;
            return;
        }
        self.cut(start);
        self.cut(end);
        let mut old = Vec::new();
        for (&begin, cell) in self.cells.range(start..end) {
            f(begin, cell);
            old.push(begin);
        }
        for begin in old {
            self.cells.remove(&begin);
        }
        self.cells.insert(start, cell);
    }

    /// What a range holds, in runs.
    pub(super) fn data(&self, start: u64, end: u64) -> Vec<(u64, u64, Data)> {
        let mut runs = Vec::new();
        let mut at = start;
        let first = self.cells.range(..=start).next_back().map_or(start, |(&begin, _)| begin);
        for (&begin, cell) in self.cells.range(first..end) {
            if cell.end <= at {
                continue;
            }
            if begin > at {
                runs.push((at, begin, self.untouched));
                at = begin;
            }
            let to = cell.end.min(end);
            runs.push((at, to, cell.data));
            at = to;
        }
        if at < end {
            runs.push((at, end, self.untouched));
        }
        runs
    }
}
