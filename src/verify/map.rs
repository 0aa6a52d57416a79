//! An interval map that is cheap to fork.
//!
//! ```text
//!   chunks    | first 0      | first 96               | first 640 ...
//!   runs      | 0: a   64: b | 96: a   128: c  512: - | 640: b ...
//! ```
//!
//! A run holds one value up to the start of the next run. Runs lie in chunks that forks share
//! until one of them writes; so a fork costs a pointer for each chunk, and comparing two forks
//! skips the chunks that both still share.

use std::rc::Rc;

/// Runs in a chunk before it is split: a write copies at most one chunk that a fork shares.
const MAX_RUNS: usize = 64;

/// A value for every key from 0 up to, but not including, `u128::MAX`.
#[derive(Clone, Debug)]
pub(super) struct Map<V> {
    /// Never empty; the first chunk starts at 0.
    chunks: Vec<Chunk<V>>,
}

#[derive(Clone, Debug)]
struct Chunk<V> {
    first: u128,
    /// Never empty; the first run starts at `first`.
    runs: Rc<Vec<(u128, V)>>,
}

/// A place in a map.
#[derive(Clone, Copy)]
struct Cursor {
    chunk: usize,
    run: usize,
}

impl<V: Clone + PartialEq + Default> Map<V> {
    /// The default value everywhere.
    pub(super) fn new() -> Self {
        Self { chunks: vec![Chunk { first: 0, runs: Rc::new(vec![(0, V::default())]) }] }
    }

    /// Visits the pieces of `[lo, hi)` in order, each with its value.
    pub(super) fn visit(&self, lo: u128, hi: u128, mut see: impl FnMut(u128, u128, &V)) {
        if lo >= hi {
            return;
        }
        let mut at = self.find(lo);
        let mut from = lo;
        while from < hi {
            let to = self.end(at).min(hi);
            see(from, to, &self.chunks[at.chunk].runs[at.run].1);
            from = to;
            at = self.next(at);
        }
    }

    /// Replaces the values of `[lo, hi)` piece by piece.
    pub(super) fn update(&mut self, lo: u128, hi: u128, mut new: impl FnMut(u128, u128, &V) -> V) {
        if lo >= hi {
            return;
        }
        let first = self.find(lo).chunk;
        let last = self.find(hi - 1).chunk;
        let end = self.chunks.get(last + 1).map_or(u128::MAX, |c| c.first);
        let start = self.chunks[first].first;
        let mut runs = Vec::new();
        for chunk in &mut self.chunks[first..=last] {
            let mut own = Rc::unwrap_or_clone(std::mem::take(&mut chunk.runs));
            if runs.is_empty() {
                runs = own;
            } else {
                runs.append(&mut own);
            }
        }
        let from = runs.partition_point(|r| r.0 <= lo) - 1;
        let to = runs.partition_point(|r| r.0 < hi);
        let mut fresh: Vec<(u128, V)> = Vec::with_capacity(to - from + 2);
        let mut add = |at: u128, value: V| {
            if fresh.last().is_none_or(|last| last.1 != value) {
                fresh.push((at, value));
            }
        };
        // What is left of the first run, or else the run before it, to grow into it.
        let keep = if runs[from].0 < lo { from } else { from.saturating_sub(1) };
        if runs[keep].0 < lo {
            add(runs[keep].0, runs[keep].1.clone());
        }
        let mut tail = end;
        for run in from..to {
            let stop = runs.get(run + 1).map_or(end, |r| r.0);
            let (a, b) = (runs[run].0.max(lo), stop.min(hi));
            add(a, new(a, b, &runs[run].1));
            tail = stop;
        }
        if tail > hi {
            add(hi, runs[to - 1].1.clone());
        } else if let Some(next) = runs.get(to) {
            add(next.0, next.1.clone());
        }
        let past = if tail > hi { to } else { (to + 1).min(runs.len()) };
        let keep = if runs[keep].0 < lo { keep } else { from };
        runs.splice(keep..past, fresh);
        self.put(first..last + 1, start, runs);
    }

    /// Puts runs in the place of chunks, split where they are too many for one.
    fn put(&mut self, place: std::ops::Range<usize>, first: u128, runs: Vec<(u128, V)>) {
        if runs.len() <= MAX_RUNS {
            let one = Chunk { first, runs: Rc::new(runs) };
            if place.len() == 1 {
                self.chunks[place.start] = one;
            } else {
                self.chunks.splice(place, [one]);
            }
            return;
        }
        let parts = runs.chunks(MAX_RUNS / 2);
        let parts: Vec<Chunk<V>> =
            parts.map(|p| Chunk { first: p[0].0, runs: Rc::new(p.to_vec()) }).collect();
        self.chunks.splice(place, parts);
    }

    /// Visits the pieces in which two maps differ, in order, until `see` returns false.
    pub(super) fn differences(
        &self,
        other: &Self,
        mut see: impl FnMut(u128, u128, &V, &V) -> bool,
    ) {
        let (mut a, mut b) = (Cursor { chunk: 0, run: 0 }, Cursor { chunk: 0, run: 0 });
        let mut from = 0;
        while from < u128::MAX {
            let (x, y) = (&self.chunks[a.chunk], &other.chunks[b.chunk]);
            let to;
            if a.run == 0 && b.run == 0 && Rc::ptr_eq(&x.runs, &y.runs) {
                // Shared chunks are equal as far as both reach.
                to = self.chunk_end(a).min(other.chunk_end(b));
                (a.run, b.run) = (x.runs.len() - 1, y.runs.len() - 1);
            } else {
                to = self.end(a).min(other.end(b));
                let (x, y) = (&x.runs[a.run].1, &y.runs[b.run].1);
                if x != y && !see(from, to, x, y) {
                    return;
                }
            }
            if self.end(a) <= to {
                a = self.next(a);
            }
            if other.end(b) <= to {
                b = other.next(b);
            }
            from = to;
        }
    }

    fn find(&self, key: u128) -> Cursor {
        let chunk = self.chunks.partition_point(|c| c.first <= key).saturating_sub(1);
        let run = self.chunks[chunk].runs.partition_point(|r| r.0 <= key).saturating_sub(1);
        Cursor { chunk, run }
    }

    fn end(&self, at: Cursor) -> u128 {
        self.chunks[at.chunk].runs.get(at.run + 1).map_or_else(|| self.chunk_end(at), |r| r.0)
    }

    fn chunk_end(&self, at: Cursor) -> u128 {
        self.chunks.get(at.chunk + 1).map_or(u128::MAX, |c| c.first)
    }

    fn next(&self, at: Cursor) -> Cursor {
        if at.run + 1 < self.chunks[at.chunk].runs.len() {
            Cursor { run: at.run + 1, ..at }
        } else {
            Cursor { chunk: at.chunk + 1, run: 0 }
        }
    }
}

impl<V: Clone + PartialEq + Default> PartialEq for Map<V> {
    fn eq(&self, other: &Self) -> bool {
        let mut equal = true;
        self.differences(other, |_, _, _, _| {
            equal = false;
            false
        });
        equal
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::Map;

    fn list(map: &Map<u8>, end: u128) -> Vec<u8> {
        let mut out = Vec::new();
        map.visit(0, end, |lo, hi, &v| out.extend((lo..hi).map(|_| v)));
        out
    }

    quickcheck! {
        /// The map is what a plain array is; forks are apart; differences are all differences.
        fn like_an_array(writes: Vec<(u16, u8, u8, bool)>) -> bool {
            const END: usize = 1100;
            let (mut map, mut plain) = (Map::new(), vec![0u8; END]);
            let (mut fork, mut fork_plain) = (map.clone(), plain.clone());
            for (at, len, value, swap) in writes {
                let (lo, hi) = (usize::from(at % 800), usize::from(at % 800) + usize::from(len));
                let value = value % 3;
                map.update(lo as u128, hi as u128, |a, b, old| {
                    assert!(plain[a as usize..b as usize].iter().all(|v| v == old));
                    (old + value) % 4
                });
                plain[lo..hi].iter_mut().for_each(|v| *v = (*v + value) % 4);
                if swap {
                    fork = map.clone();
                    fork_plain = plain.clone();
                }
            }
            let mut different = vec![false; END];
            map.differences(&fork, |a, b, _, _| {
                (a..b).for_each(|at| different[at as usize] = true);
                true
            });
            let expected: Vec<bool> = plain.iter().zip(&fork_plain).map(|(a, b)| a != b).collect();
            list(&map, END as u128) == plain
                && list(&fork, END as u128) == fork_plain
                && different == expected
                && (map == fork) == (plain == fork_plain)
        }
    }
}
