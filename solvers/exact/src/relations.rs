//! What the instance says about each pair of items, looked up in one step.

use memplan_packing::{Instance, ItemId};

const SEPARATE: u8 = 1;
const EXCLUSIVE: u8 = 2;
const INPLACE: u8 = 4;
const JOINED: u8 = 8;
const GROUPED: u8 = 16;
const MEETS: u8 = 32;

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
                    relations.mark(a as ItemId, b as ItemId, SEPARATE);
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

    pub(crate) fn inplace(&self, a: ItemId, b: ItemId) -> bool {
        self.of(a, b) & INPLACE != 0
    }

    /// True when two items of non-zero size conflict, in-place pairs at one offset aside.
    pub(crate) fn conflict(&self, a: ItemId, b: ItemId) -> bool {
        let flags = self.of(a, b);
        if flags & (JOINED | GROUPED) != 0 || a == b {
            return false;
        }
        flags & SEPARATE != 0 || (flags & MEETS != 0 && flags & EXCLUSIVE == 0)
    }

    fn of(&self, a: ItemId, b: ItemId) -> u8 {
        self.flags[a as usize * self.n + b as usize]
    }

    fn mark(&mut self, a: ItemId, b: ItemId, flag: u8) {
        self.flags[a as usize * self.n + b as usize] |= flag;
        self.flags[b as usize * self.n + a as usize] |= flag;
    }
}
