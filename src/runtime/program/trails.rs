//! How execution came to a place: trips of loops, sides of branches.

use crate::model::{BranchId, Function, LoopId};

/// A place in [`Trails`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrailId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Trip(LoopId, u64),
    Side(BranchId, bool),
}

/// All trails of a run, each an enclosing trail and one more turn.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    turns: Vec<(TrailId, Turn)>,
}

impl Trails {
    /// The trail of what lies in no loop and no branch.
    pub const START: TrailId = TrailId(0);

    pub(super) fn trip(&mut self, inside: TrailId, id: LoopId, trip: u64) -> TrailId {
        self.push(inside, Turn::Trip(id, trip))
    }

    pub(super) fn side(&mut self, inside: TrailId, id: BranchId, then: bool) -> TrailId {
        self.push(inside, Turn::Side(id, then))
    }

    // The run's budget keeps the table far below 2^32 entries.
    fn push(&mut self, inside: TrailId, turn: Turn) -> TrailId {
        self.turns.push((inside, turn));
        TrailId(u32::try_from(self.turns.len()).unwrap_or(0))
    }

    /// The trail in words, outermost first: `trip 2 of loop rows, branch tail taken`; trips are
    /// counted from 1. Empty at the start.
    pub fn describe(&self, function: &Function, id: TrailId) -> String {
        let mut words = Vec::new();
        let mut next = id;
        while let Some(&(inside, turn)) =
            (next.0 as usize).checked_sub(1).and_then(|at| self.turns.get(at))
        {
            words.push(match turn {
                Turn::Trip(id, trip) => {
                    format!("trip {} of loop {}", trip.saturating_add(1), function.loops[id].name)
                }
                Turn::Side(id, true) => format!("branch {} taken", function.branches[id].name),
                Turn::Side(id, false) => format!("branch {} not taken", function.branches[id].name),
            });
            next = inside;
        }
        words.reverse();
        words.join(", ")
    }
}
