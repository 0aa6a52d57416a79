//! Items that conflict and share bytes.

use std::collections::BTreeSet;

use super::active::Active;
use super::pieces::{Piece, Pieces};
use crate::instance::{Instance, ItemId};

/// What was found.
pub(super) struct Found {
    /// Faulty pairs, the lower id first, sorted, each once.
    pub(super) pairs: Vec<(ItemId, ItemId)>,
    /// Promotions whose copies share bytes.
    pub(super) promotions: Vec<u32>,
}

/// Why two pieces that share bytes are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Because {
    /// Both are alive at some step.
    Meet,
    /// They are listed as separate.
    Separate,
    /// One of them is alone.
    Alone,
}

/// Finds all faulty pairs: a sweep over time finds those that meet, the lists find the others.
pub(super) fn find(instance: &Instance, pieces: &Pieces) -> Found {
    let mut judge = Judge::new(instance, pieces);
    let all = &pieces.all;
    let mut active = Active::new(all);

    // At one moment ends come before starts: spans are half-open.
    let mut events: Vec<(u64, bool, u32)> = Vec::new();
    for (p, piece) in all.iter().enumerate().filter(|(_, p)| p.lo < p.hi) {
        for span in &instance.items[piece.item as usize].live {
            events.push((span.start, true, p as u32));
            events.push((span.end, false, p as u32));
        }
    }
    events.sort_unstable();
    for (_, starts, p) in events {
        if starts {
            let piece = &all[p as usize];
            active.overlapping(piece, &mut |q| judge.look(piece, &all[q as usize], Because::Meet));
            active.insert(p, all);
        } else {
            active.remove(p);
        }
    }

    if instance.items.iter().any(|item| item.alone) {
        for (p, _) in all.iter().enumerate().filter(|(_, p)| p.lo < p.hi) {
            active.insert(p as u32, all);
        }
        for piece in all.iter().filter(|p| p.lo < p.hi && instance.items[p.item as usize].alone) {
            active.overlapping(piece, &mut |q| judge.look(piece, &all[q as usize], Because::Alone));
        }
    }

    for &(a, b) in &instance.separate {
        for p in pieces.of(a) {
            for q in pieces.of(b).iter().filter(|q| p.lo.max(q.lo) < p.hi.min(q.hi)) {
                judge.look(p, q, Because::Separate);
            }
        }
    }

    let mut found = judge.found;
    found.pairs.sort_unstable();
    found.pairs.dedup();
    found
}

struct Judge<'a> {
    instance: &'a Instance,
    pieces: &'a Pieces,
    exclusive: BTreeSet<(ItemId, ItemId)>,
    inplace: BTreeSet<(ItemId, ItemId)>,
    found: Found,
}

impl<'a> Judge<'a> {
    fn new(instance: &'a Instance, pieces: &'a Pieces) -> Self {
        Self {
            instance,
            pieces,
            exclusive: instance.exclusive.iter().map(|&(a, b)| sorted(a, b)).collect(),
            inplace: instance.inplace.iter().map(|i| sorted(i.from, i.into)).collect(),
            found: Found { pairs: Vec::new(), promotions: Vec::new() },
        }
    }

    /// Notes the pair of two pieces that share bytes unless something excuses them.
    fn look(&mut self, p: &Piece, q: &Piece, because: Because) {
        if p.item == q.item {
            self.copies(p, q);
            return;
        }
        if p.family == q.family
            || self.taken_place(p, q, because)
            || self.taken_place(q, p, because)
        {
            return;
        }
        let pair = sorted(p.item, q.item);
        let in_place = p.lo == q.lo && self.inplace.contains(&pair);
        if because == Because::Meet && (in_place || self.exclusive.contains(&pair)) {
            return;
        }
        self.found.pairs.push(pair);
    }

    /// Two copies of one promoted single are disjoint, unless the slots are names of one thing.
    fn copies(&mut self, p: &Piece, q: &Piece) {
        let group = |piece: &Piece| piece.slot.map(|s| self.pieces.group[s as usize]);
        if group(p) != group(q) {
            self.found.promotions.extend(self.pieces.promotion(p.item));
        }
    }

    /// True when `taker` took the place of the multi-buffer that `slot` belongs to, and that
    /// excuses the pair: fully on the slot itself, from `separate` on the other slots.
    fn taken_place(&self, taker: &Piece, slot: &Piece, because: Because) -> bool {
        let (Some(taken), Some(index)) = (taker.slot, self.pieces.promotion(taker.item)) else {
            return false;
        };
        if slot.slot.is_some()
            || !self.instance.promotions[index as usize].slots.contains(&slot.item)
        {
            return false;
        }
        let group = &self.pieces.group;
        because == Because::Separate || group[taken as usize] == group[slot.item as usize]
    }
}

fn sorted(a: ItemId, b: ItemId) -> (ItemId, ItemId) {
    (a.min(b), a.max(b))
}
