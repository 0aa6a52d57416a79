//! Which slot of a multi-buffer a trip uses.

use crate::model::{BufferId, IdVec, LoopId};

/// How many slots each buffer has, and the loop they rotate in: trip `t` uses slot `t mod count`.
///
/// Trips are counted from each entry of the loop. Outside its loop a buffer stands for the slot
/// of the last trip of the loop's last entry; for slot 0 if that made none. A buffer with several slots and no
/// loop may be in any of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Slots of each buffer, at least 1.
    pub count: IdVec<BufferId, u32>,
    /// The loop, for buffers with several slots.
    pub rotates: IdVec<BufferId, Option<LoopId>>,
}

impl Slots {
    /// The number of trips after which all slots of the loop are where they were.
    pub(super) fn periods(&self, loops: usize) -> IdVec<LoopId, u64> {
        let mut periods = IdVec::filled(1u64, loops);
        for (buffer, rotates) in self.rotates.enumerate() {
            let Some(period) = rotates.filter(|&l| (l.0 as usize) < loops) else { continue };
            let count = u64::from(self.count[buffer].max(1));
            let all = periods[period];
            // Past 2^64 trips nothing ever repeats, and the trip itself is its own phase.
            periods[period] = (all / gcd(all, count)).saturating_mul(count);
        }
        periods
    }
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
