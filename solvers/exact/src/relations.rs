//! What the instance says about each pair of items, looked up in one step.

use memplan_packing::{Instance, ItemId};

use crate::model::Block;

const SEPARATE: u8 = 1;
const EXCLUSIVE: u8 = 2;
const INPLACE: u8 = 4;
const JOINED: u8 = 8;
const GROUPED: u8 = 16;
const MEETS: u8 = 32;
const ALONE: u8 = 64;

/// What two blocks ask of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// Nothing.
    None,
    /// Disjoint bytes, or one offset: an in-place pair.
    UnlessEqual,
    /// Disjoint bytes.
    Always,
}

/// One byte of flags per ordered pair; the limit on items keeps it at a few megabytes.
#[derive(Clone)]
pub(crate) struct Relations {
    n: usize,
    flags: Vec<u8>,
}

impl Relations {
    pub(crate) fn new(instance: &Instance) -> Self {
        let n = instance.items.len();
        let mut relations = Self { n, flags: vec![0; n * n] };
        for &(a, b) in &instance.separate {
            relations.mark(a, b, SEPARATE);
        }
        for &(a, b) in &instance.exclusive {
            relations.mark(a, b, EXCLUSIVE);
        }
        for i in &instance.inplace {
            relations.mark(i.from, i.into, INPLACE);
        }
        let groups = instance.groups().unwrap_or_default();
        for b in 0..n {
            for a in 0..b {
                if groups.get(a).map(|g| g.0) == groups.get(b).map(|g| g.0) {
                    relations.mark(a as ItemId, b as ItemId, GROUPED);
                }
                if instance.items[a].meets(&instance.items[b]) {
                    relations.mark(a as ItemId, b as ItemId, MEETS);
                }
                if instance.items[a].alone || instance.items[b].alone {
                    relations.mark(a as ItemId, b as ItemId, ALONE);
                }
            }
        }
        relations
    }

    /// A promotion is in force: the pair no longer conflicts and pays nothing.
    pub(crate) fn join(&mut self, a: ItemId, b: ItemId) {
        self.mark(a, b, JOINED);
    }

    pub(crate) fn joined(&self, a: ItemId, b: ItemId) -> bool {
        self.of(a, b) & JOINED != 0
    }

    /// What two items ask of each other when no promotion is in force.
    pub(crate) fn items(&self, a: ItemId, b: ItemId) -> Conflict {
        let flags = self.of(a, b);
        if a == b || flags & GROUPED != 0 {
            return Conflict::None;
        }
        Self::apart(flags)
    }

    /// What two blocks ask of each other; copies of promoted singles stand on a slot.
    pub(crate) fn blocks(&self, x: &Block, y: &Block) -> Conflict {
        let flags = self.of(x.item, y.item);
        if x.item == y.item {
            // Copies of one single are disjoint unless their slots are names of one thing.
            let same = x.slot.zip(y.slot).is_none_or(|(s, t)| self.grouped(s, t));
            return if same { Conflict::None } else { Conflict::Always };
        }
        if flags & JOINED != 0 {
            // A copy lies as if colocated with its slot; other slots are not `separate` from it.
            let (on, slot) = if x.slot.is_some() { (x.slot, y.item) } else { (y.slot, x.item) };
            let own = on.is_some_and(|on| self.grouped(on, slot));
            return if flags & ALONE != 0 && !own { Conflict::Always } else { Conflict::None };
        }
        if flags & GROUPED != 0 && x.slot.is_none() && y.slot.is_none() {
            return Conflict::None;
        }
        Self::apart(flags)
    }

    fn apart(flags: u8) -> Conflict {
        if flags & (SEPARATE | ALONE) != 0 {
            Conflict::Always
        } else if flags & MEETS == 0 || flags & EXCLUSIVE != 0 {
            Conflict::None
        } else if flags & INPLACE != 0 {
            Conflict::UnlessEqual
        } else {
            Conflict::Always
        }
    }

    fn grouped(&self, a: ItemId, b: ItemId) -> bool {
        a == b || self.of(a, b) & GROUPED != 0
    }

    fn of(&self, a: ItemId, b: ItemId) -> u8 {
        self.flags[a as usize * self.n + b as usize]
    }

    fn mark(&mut self, a: ItemId, b: ItemId, flag: u8) {
        self.flags[a as usize * self.n + b as usize] |= flag;
        self.flags[b as usize * self.n + a as usize] |= flag;
    }
}
