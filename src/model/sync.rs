//! Synchronisation that a program carries: flags, barriers, cross-core flags (5.17).

use super::{LoopId, PipeId};

/// What an op that synchronises does; it touches no bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Queued on `from`: raises the flag when all earlier instructions of that pipe are done.
    Set {
        /// The pipe that raises.
        from: PipeId,
        /// The pipe that waits.
        to: PipeId,
        /// Which of the pair's flags.
        id: FlagId,
    },
    /// Queued on `to`: blocks that pipe until the flag is up, then takes it down.
    Wait {
        /// The pipe that raises.
        from: PipeId,
        /// The pipe that waits.
        to: PipeId,
        /// Which of the pair's flags.
        id: FlagId,
    },
    /// Later instructions of a pipe start when its earlier ones are done; `None`: of all pipes.
    Barrier(Option<PipeId>),
    /// Raises a cross-core flag when the pipe's earlier instructions are done.
    CrossSet {
        /// The pipe that raises; `None` where nobody says.
        pipe: Option<PipeId>,
        /// Which flag.
        id: FlagId,
    },
    /// Blocks a pipe until a cross-core flag is up.
    CrossWait {
        /// The pipe that waits; `None`: the scalar pipe.
        pipe: Option<PipeId>,
        /// Which flag.
        id: FlagId,
    },
    /// Enters an ordered critical section of blocks.
    Lock(FlagId),
    /// Leaves it.
    Unlock(FlagId),
}

/// Which flag of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagId {
    /// Always this one.
    Constant(u64),
    /// In trip `t` of a loop, number `t mod n` of a list of `n`, which is not empty.
    Rotating {
        /// The loop; trips are counted from each entry.
        within: LoopId,
        /// The flags.
        ids: Vec<u64>,
    },
    /// Computed by the program; nothing here knows it.
    Unknown,
}

/// Between whom something synchronises; decided function by function, level by level (13.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SyncLevel {
    /// Pipes of one core.
    Pipe,
    /// Cores.
    Core,
}

impl Sync {
    /// The level at which it orders.
    pub fn level(&self) -> SyncLevel {
        match self {
            Self::Set { .. } | Self::Wait { .. } | Self::Barrier(_) => SyncLevel::Pipe,
            Self::CrossSet { .. } | Self::CrossWait { .. } | Self::Lock(_) | Self::Unlock(_) => {
                SyncLevel::Core
            }
        }
    }

    /// The flag that it names.
    pub fn flag(&self) -> Option<&FlagId> {
        match self {
            Self::Set { id, .. }
            | Self::Wait { id, .. }
            | Self::CrossSet { id, .. }
            | Self::CrossWait { id, .. }
            | Self::Lock(id)
            | Self::Unlock(id) => Some(id),
            Self::Barrier(_) => None,
        }
    }
}
