//! Allocations and frees as actions of their own (13.4).

use std::collections::BTreeMap;

use super::cell::Access;
use crate::diag::Code;
use crate::runtime::watch::At;

/// One allocation of bytes.
#[derive(Clone, Copy, Debug)]
struct Life {
    end: u64,
    generation: u32,
    born: Access,
    died: Option<Access>,
    /// The free of the generation before.
    before: Option<Access>,
}

/// Who has had the bytes of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Lives {
    runs: BTreeMap<u64, Life>,
}

/// What is wrong, and with what.
pub(super) type Wrong = (Code, Access);

impl Lives {
    fn cut(&mut self, at: u64) {
        let Some((_, life)) = self.runs.range_mut(..at).next_back() else { return };
        if life.end > at {
            let right = *life;
            life.end = at;
            self.runs.insert(at, right);
        }
    }

    /// Bytes are given out.
    pub(super) fn alloc(
        &mut self,
        at: &At<'_>,
        start: u64,
        end: u64,
        generation: u32,
    ) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        if start >= end {
            return wrong;
        }
        self.cut(start);
        self.cut(end);
        let mut before = None;
        let old: Vec<u64> = self.runs.range(start..end).map(|(&begin, _)| begin).collect();
        for begin in old {
            let Some(life) = self.runs.remove(&begin) else { continue };
            // Who hands out bytes that were never given back has lost count; the free, when it
            // comes, is what has no order.
            let last = life.died.unwrap_or(life.born);
            if last.races(at) {
                note(&mut wrong, Code::ReplayReuseUnsafe, last);
            }
            before = Some(last);
        }
        let life = Life { end, generation, born: Access::of(at), died: None, before };
        self.runs.insert(start, life);
        wrong
    }

    /// Bytes are given back.
    pub(super) fn free(
        &mut self,
        at: &At<'_>,
        start: u64,
        end: u64,
        generation: u32,
    ) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        if start >= end {
            return wrong;
        }
        self.cut(start);
        self.cut(end);
        for (_, life) in self.runs.range_mut(start..end) {
            if life.generation != generation {
                continue;
            }
            if life.born.races(at) {
                note(&mut wrong, Code::ReplayFreeBeforeAlloc, life.born);
            }
            match life.died {
                Some(died) => note(&mut wrong, Code::ReplayDoubleFree, died),
                None => life.died = Some(Access::of(at)),
            }
        }
        wrong
    }

    /// Bytes are touched under an address of that generation.
    pub(super) fn touch(&self, at: &At<'_>, start: u64, end: u64, generation: u32) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        if start >= end || generation == 0 {
            return wrong;
        }
        let first = self.runs.range(..=start).next_back().map_or(start, |(&begin, _)| begin);
        for (_, life) in self.runs.range(first..end).filter(|(_, life)| life.end > start) {
            if life.generation != generation {
                if let Some(before) = life.before.filter(|_| generation < life.generation) {
                    note(&mut wrong, Code::ReplayUaf, before);
                }
                continue;
            }
            if life.born.races(at) {
                note(&mut wrong, Code::ReplayUseBeforeAlloc, life.born);
            }
            if let Some(died) = life.died.filter(|died| died.epoch != at.epoch) {
                note(&mut wrong, Code::ReplayUaf, died);
            }
        }
        wrong
    }
}

fn note(wrong: &mut Vec<Wrong>, code: Code, access: Access) {
    if !wrong.contains(&(code, access)) {
        wrong.push((code, access));
    }
}
