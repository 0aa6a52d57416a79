//! What the pass knows about a function when it begins to place: liveness and in-place merging are
//! done (HIVM spec, sections 2 and 3; Appendix C).

use std::collections::BTreeSet;

use crate::ir::hivm::PassKind;

/// The ordinal of a buffer: the n-th planned alloc of the function, which is the [`crate::model::BufferId`] too.
pub type BufferNo = u32;

/// The input of section 4 for one attempt at one function. Sizes are in bits, as in the pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The scopes; entries name them by index.
    pub scopes: Vec<Scope>,
    /// All buffers, by ordinal; those without an entry get no storage.
    pub buffers: Vec<Buffer>,
    /// Storage entries after in-place merging (3.4), in list order, before slots are expanded.
    pub entries: Vec<Entry>,
    /// Stall pairs (3.2 step 11), smaller ordinal first.
    pub stall_pairs: BTreeSet<(BufferNo, BufferNo)>,
    /// Pairs of coupling ids that may share in spite of `unique` (section 7, rule 4), smaller first.
    pub coupled_pairs: BTreeSet<(i64, i64)>,
    /// Which pass.
    pub pass: PassKind,
    /// `plan-memory-strategy=largest-first`.
    pub largest_first: bool,
    /// Steps after which the multi-level machine gives up, where fewer are allowed than usual. Ours,
    /// not the pass's: for whoever asks for its plan as one candidate among others.
    pub patience: Option<u64>,
}

/// A scope of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The name that the pass prints: `ub`, `cbuf`, `cc`; the argument for a workspace.
    pub name: String,
    /// Capacity in bits; none for a workspace.
    pub capacity: Option<u64>,
    /// Alignment of sizes in bits; 1 where sizes are not rounded.
    pub alignment: u64,
    /// True for a workspace that is planned by running sums (section 5, the default).
    pub sequential_only: bool,
}

/// What is known of one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// `memoryUnique`.
    pub unique: bool,
    /// In a DMA set (4.5).
    pub dma: bool,
    /// A scalar buffer (4.5).
    pub scalar: bool,
    /// The anchor loop (4.9), by any number that is the same for the same loop.
    pub anchor: Option<u32>,
    /// The id of a tightly coupled buffer.
    pub coupled: Option<i64>,
}

/// An interval of an entry, both ends inclusive; `end == -1` for a buffer that is never killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Life {
    /// First entry of the linear time.
    pub start: i64,
    /// Last entry.
    pub end: i64,
    /// The buffer whose life it is (of the first part, after merging).
    pub buffer: BufferNo,
}

/// Buffers that share one set of offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The scope.
    pub scope: usize,
    /// Its buffers in merging order.
    pub buffers: Vec<BufferNo>,
    /// Size in bits, not rounded.
    pub bits: u64,
    /// Slots, at least 1.
    pub slots: u32,
    /// Sorted intervals.
    pub lives: Vec<Life>,
}

/// The outcome for one scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The scope.
    pub scope: usize,
    /// How it was planned.
    pub how: How,
    /// `max(offset + rounded size)` over all slots, in bits.
    pub peak: u64,
    /// Warning W1 (4.14), word for word.
    pub warning: Option<String>,
}

/// The three ways of 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Running sums.
    Sequential,
    /// The level-3-only plan fits.
    PipeOnly,
    /// The multi-level machine; the lowest level applied to any entry (3 to 0).
    Levels(u8),
}

/// A plan of all scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Success {
    /// Offsets in bits by buffer: first slot, other slots, promoted slots. None without storage.
    pub offsets: Vec<Option<Vec<u64>>>,
    /// The level applied to each buffer's entry by the multi-level machine, if it was that.
    pub levels: Vec<Option<u8>>,
    /// True when the machine placed some slot at level 1 (4.10).
    pub joint: bool,
    /// The scopes in the order planned.
    pub scopes: Vec<Placed>,
}

/// A scope that could not be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The scope.
    pub scope: usize,
    /// `N` of the message, in bits.
    pub need: u64,
    /// `M` of the message, in bits.
    pub capacity: u64,
    /// Warnings of scopes planned before it.
    pub warnings: Vec<String>,
    /// The message of 4.14, word for word.
    pub message: String,
}
