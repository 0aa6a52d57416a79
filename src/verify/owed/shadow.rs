//! Who touched which bytes last (13.1, steps 2 to 4).

use std::collections::BTreeMap;

use super::tape::Part;
use crate::model::BufferId;
use crate::runtime::clock::ActorId;
use crate::verify::map::Map;

/// A stage that touched bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its position.
    pub stage: u32,
    pub actor: ActorId,
    pub buffer: BufferId,
    pub object: u32,
}

/// What is known of bytes: the last write, and since then the last read of each pipe.
#[derive(Clone, Debug, Default, PartialEq)]
struct Cell {
    write: Option<Mark>,
    /// Sorted by actor.
    reads: Vec<Mark>,
}

/// How two stages depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hazard {
    /// A read of what was written.
    Raw,
    /// A write over what was read.
    War,
    /// A write over what was written.
    Waw,
}

/// A stage that has to be complete first, and why.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub stage: u32,
    pub hazard: Hazard,
    /// What the earlier and the later stage touch.
    pub buffers: (BufferId, BufferId),
    /// The bytes, in the order found.
    pub bytes: Vec<(u128, u128)>,
}

/// The last stage of each pipe that has to be complete first. A flag after it, or a barrier, retires
/// the earlier ones of its pipe as well.
pub(super) type Befores = BTreeMap<ActorId, Before>;

/// Accesses by byte, of the program's own bytes or of the plan's.
pub(super) struct Shadow {
    cells: Map<Cell>,
}

impl Shadow {
    pub(super) fn new() -> Self {
        Self { cells: Map::new() }
    }

    /// Adds what a touch of `[lo, hi)` depends on, as far as `counts`.
    pub(super) fn conflicts(
        &self,
        part: &Part,
        (lo, hi): (u128, u128),
        counts: impl Fn(&Mark) -> bool,
        to: &mut Befores,
    ) {
        self.cells.visit(lo, hi, |lo, hi, cell| {
            let mut add = |mark: &Mark, hazard| {
                if counts(mark) {
                    note(to, mark, hazard, part.buffer, (lo, hi));
                }
            };
            if let Some(write) = &cell.write {
                add(write, if part.writes { Hazard::Waw } else { Hazard::Raw });
            }
            if part.writes {
                cell.reads.iter().for_each(|read| add(read, Hazard::War));
            }
        });
    }

    /// A stage touches `[lo, hi)`.
    pub(super) fn touch(&mut self, (lo, hi): (u128, u128), mark: Mark, writes: bool) {
        self.cells.update(lo, hi, |_, _, cell| {
            if writes {
                return Cell { write: Some(mark), reads: Vec::new() };
            }
            let mut cell = cell.clone();
            match cell.reads.binary_search_by_key(&mark.actor, |read| read.actor) {
                Ok(at) => cell.reads[at] = mark,
                Err(at) => cell.reads.insert(at, mark),
            }
            cell
        });
    }
}

fn note(to: &mut Befores, mark: &Mark, hazard: Hazard, later: BufferId, bytes: (u128, u128)) {
    let new =
        || Before { stage: mark.stage, hazard, buffers: (mark.buffer, later), bytes: vec![bytes] };
    let before = to.entry(mark.actor).or_insert_with(new);
    if before.stage < mark.stage {
        *before = new();
    } else if before.stage == mark.stage {
        before.hazard = before.hazard.min(hazard);
        before.bytes.push(bytes);
    }
}
