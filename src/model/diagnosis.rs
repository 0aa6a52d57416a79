//! Why a scope does not fit or is tight, and what would help: the verdict in three parts.
//!
//! | part | where |
//! |---|---|
//! | impossible | [`Ruling::Impossible`] with the numbers and the core in [`Overflow`] |
//! | possible, here it is | [`Ruling::Possible`], the plan is in the answer, [`Tight`] says what it costs |
//! | possible only if | [`Advice`], each one solved again |

use super::{BufferId, ByteRange, RelationKind, ReuseLevel, ScopeId, Step};

/// A change of the input that makes it fit, or makes a tight plan better; checked by solving again.
///
/// # The order of advice
/// Changes of the program come first, ranked by the bytes that they take from it ([`Self::cost`]), then by
/// what sharing costs in the plan with the change ([`Self::reuse_cost`]), then by kind in the order of
/// [`Change`]. Changes of the machine ([`Change::Move`], [`Change::Capacity`]) come last: nobody can make
/// them in the program alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The change.
    pub change: Change,
    /// Changes that have to be made together with it; without any one of them it is not enough.
    pub with: Vec<Change>,
    /// Bytes given up: what the changes take from the buffers, or the bytes given back to them.
    pub cost: u64,
    /// The peak with the change.
    pub peak: u64,
    /// The level with the change; none in sequential mode.
    pub level: Option<ReuseLevel>,
    /// Pairs that stall in the plan with the change.
    pub stalls: usize,
    /// The sum of their costs.
    pub reuse_cost: u64,
}

/// One change of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A pinned buffer that may lie elsewhere.
    Unpin {
        /// The buffer.
        buffer: BufferId,
    },
    /// A buffer that may share bytes with others.
    Share {
        /// The buffer, which the input has share with nobody.
        buffer: BufferId,
    },
    /// A rule about two buffers dropped.
    Relax {
        /// The rule.
        kind: RelationKind,
        /// One buffer.
        first: BufferId,
        /// The other.
        second: BufferId,
    },
    /// A weaker alignment; none between the two is enough.
    Align {
        /// The buffer.
        buffer: BufferId,
        /// Bytes now.
        from: u64,
        /// Bytes then: a divisor of `from`.
        to: u64,
    },
    /// Fewer slots for a buffer; no more are possible.
    Slots {
        /// The buffer.
        buffer: BufferId,
        /// Slots now.
        from: u32,
        /// Slots then.
        to: u32,
    },
    /// A smaller buffer; no larger size fits.
    Size {
        /// The buffer.
        buffer: BufferId,
        /// Bytes of a slot now.
        from: u64,
        /// The largest that fits.
        to: u64,
    },
    /// A reserved range given back.
    Reserved {
        /// The bytes.
        range: ByteRange,
        /// Who holds them, where that is known.
        why: Option<String>,
    },
    /// The part of an owner given back: everybody may use it, and its owner everything.
    Partition {
        /// The owner.
        owner: String,
        /// Bytes of the part.
        bytes: u64,
    },
    /// A lower reuse level.
    Level {
        /// The level at which it fits.
        to: ReuseLevel,
    },
    /// Another order of the program.
    Order {
        /// Its name, as `--order` takes it.
        to: String,
    },
    /// Another planner than the one that was asked for.
    Planner {
        /// Its name, as `--strategy` takes it.
        to: &'static str,
    },
    /// A buffer in another memory that has room for it.
    Move {
        /// The buffer.
        buffer: BufferId,
        /// The memory.
        to: ScopeId,
        /// Its name.
        name: String,
    },
    /// A larger scope.
    Capacity {
        /// Bytes then; the smallest for which a plan is known.
        to: u64,
        /// True when no smaller capacity works.
        proven: bool,
    },
}

/// How much the set of [`Overflow::core`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreIs {
    /// Irreducible: its buffers alone do not fit at the level asked, and drop any one of them and the
    /// rest fits.
    Proven,
    /// Its buffers alone do not fit; that each of them is needed for it was not shown within the budget.
    Witness,
    /// No such set was found within the budget.
    Unknown,
}

/// Why a scope does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// True when no plan exists; false when none was found.
    pub impossible: bool,
    /// The owner in whose part it does not fit; none where the buffers belong to nobody.
    pub owner: Option<String>,
    /// Bytes that the buffers may use: of the scope, or of their owner's partition.
    pub available: u64,
    /// The bytes required, and which number that is.
    pub requires: u64,
    /// `max_load`, `lower_bound` or `heuristic peak`.
    pub requires_is: &'static str,
    /// Buffers of a proof.
    pub core: Vec<BufferId>,
    /// What is known of them.
    pub core_is: CoreIs,
    /// The smallest capacity that did work, when one was found.
    pub works_at: Option<u64>,
    /// Changes that make it fit, cheapest first.
    pub advice: Vec<Advice>,
}

/// The verdict about a failed or tight scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Which of the parts it is.
    pub ruling: Ruling,
    /// What makes a plan tight; empty without a plan.
    pub tight: Vec<Tight>,
    /// Changes that make a tight plan better, cheapest first; those that make a failed one fit are in
    /// [`Overflow::advice`].
    pub advice: Vec<Advice>,
    /// Who holds bytes when most are in use, hidden memory apart; sums, largest first.
    pub holders: Vec<Holder>,
    /// Free bytes that are no room.
    pub fragmentation: Option<Fragmentation>,
    /// Questions asked of the planner on the way.
    pub tries: u32,
    /// False when the budget of questions ended before all changes were tried.
    pub complete: bool,
}

/// What is known about a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// No plan exists at the level asked.
    Impossible,
    /// There is a plan.
    Possible {
        /// Peak less proven bound, in bytes.
        excess: u64,
        /// Pairs that stall.
        stalls: usize,
        /// What they cost.
        reuse_cost: u64,
    },
    /// Neither a plan nor a proof was found.
    Open,
}

/// What makes a plan tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tight {
    /// It fits only with pairs that make one pipe wait for another.
    Stalls {
        /// How many pairs.
        pairs: usize,
        /// What they cost.
        cost: u64,
    },
    /// It fits only below the strictest level.
    Level {
        /// Its level.
        level: ReuseLevel,
    },
    /// Little is free.
    Slack {
        /// Bytes between the peak and the end of what may be used.
        free: u64,
        /// Bytes that may be used.
        usable: u64,
    },
}

/// A sum of bytes in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Whose.
    pub kind: HolderKind,
    /// Bytes.
    pub bytes: u64,
    /// How many buffers that is; 0 for bytes that are held back.
    pub buffers: usize,
}

/// Whose bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HolderKind {
    /// Buffers of the program.
    Buffers,
    /// Memory that one op needs for itself.
    Temporaries,
    /// The part of another owner.
    Owner(String),
    /// Reserved bytes, and why.
    Reserved(Option<String>),
    /// A workspace: not in this memory, but memory of the same function.
    Workspace(String),
}

/// Free bytes of a plan, and the largest hole: what does not fit in a hole fails although the sum would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragmentation {
    /// The scope.
    pub scope: ScopeId,
    /// Free bytes at the tightest step; for a buffer without a place, while it lives.
    pub free: u64,
    /// The largest of them in one piece.
    pub hole: u64,
    /// The step.
    pub at: Step,
    /// The buffer without a place; none in a complete plan, whose peak is above the load instead.
    pub wants: Option<BufferId>,
    /// The buffer in the way: the one that the smallest single move takes out of it.
    pub blocking: Option<BufferId>,
    /// That move.
    pub moved: Option<Moved>,
}

/// A move of one buffer in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The buffer.
    pub buffer: BufferId,
    /// Its slot.
    pub slot: u32,
    /// Its offset now.
    pub from: u64,
    /// Its offset then.
    pub to: u64,
    /// Where the buffer without a place then lies.
    pub place: Option<u64>,
    /// The peak of the plan then.
    pub new_peak: u64,
}

impl Change {
    /// The order of changes of equal cost.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Unpin { .. } => 0,
            Self::Share { .. } => 1,
            Self::Relax { .. } => 2,
            Self::Align { .. } => 3,
            Self::Slots { .. } => 4,
            Self::Size { .. } => 5,
            Self::Reserved { .. } => 6,
            Self::Partition { .. } => 7,
            Self::Level { .. } => 8,
            Self::Order { .. } => 9,
            Self::Planner { .. } => 10,
            Self::Move { .. } => 11,
            Self::Capacity { .. } => 12,
        }
    }

    /// The word of reports for its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unpin { .. } => "unpin",
            Self::Share { .. } => "share",
            Self::Relax { .. } => "relax",
            Self::Align { .. } => "align",
            Self::Slots { .. } => "slots",
            Self::Size { .. } => "size",
            Self::Reserved { .. } => "reserved",
            Self::Partition { .. } => "partition",
            Self::Level { .. } => "level",
            Self::Order { .. } => "order",
            Self::Planner { .. } => "planner",
            Self::Move { .. } => "move",
            Self::Capacity { .. } => "capacity",
        }
    }

    /// True for what asks for more of the machine instead of less of the program.
    pub fn of_machine(&self) -> bool {
        matches!(self, Self::Move { .. } | Self::Capacity { .. })
    }
}

impl CoreIs {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Witness => "load witness",
            Self::Unknown => "unknown",
        }
    }
}

impl Ruling {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::Possible { .. } => "possible",
            Self::Open => "open",
        }
    }
}

impl Tight {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stalls { .. } => "stalls",
            Self::Level { .. } => "level",
            Self::Slack { .. } => "slack",
        }
    }
}

impl HolderKind {
    /// The word of reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Buffers => "buffers",
            Self::Temporaries => "temporaries",
            Self::Owner(_) => "owner",
            Self::Reserved(_) => "reserved",
            Self::Workspace(_) => "workspace",
        }
    }
}
