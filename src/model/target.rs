//! What the silicon offers: scopes and pipes. Kept apart from what the program asks.

use super::ByteRange;
use crate::diag::Loc;

/// Where scopes and pipes came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    /// The name of the target file, such as `ascend910b`.
    pub name: String,
    /// The profile in force, if one was asked for.
    pub profile: Option<String>,
}

/// How many bytes a scope has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// This many.
    Bytes(u64),
    /// As many as the plan needs: the answer is the size (a workspace).
    Unbounded,
    /// Nobody knows; a spec that uses the scope must say.
    Unknown,
}

/// A byte range of a scope that nobody may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The bytes.
    pub range: ByteRange,
    /// Who holds them, where that is known.
    pub why: Option<String>,
}

/// A byte range of a scope that one owner may use, and nobody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The owner; buffers name it.
    pub owner: String,
    /// The bytes.
    pub range: ByteRange,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// A memory that buffers are placed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// `ub`, `l1`, `workspace:%arg0`, ...
    pub name: String,
    /// Physical size.
    pub capacity: Capacity,
    /// Default alignment of its buffers in bytes, at least 1.
    pub alignment: u64,
    /// True when sizes are rounded up to the alignment (all Ascend scopes).
    pub round_up: bool,
    /// Bytes that nobody may use: sorted, disjoint.
    pub reserved: Vec<Reserved>,
    /// Parts that belong to an owner: sorted, disjoint.
    pub partitions: Vec<Partition>,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// Where the spec mentions it; none when only the target does.
    pub loc: Option<Loc>,
}

/// What a pipe does; decides who may share bytes at level `pipe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PipeKind {
    /// Moves data between memories; runs ahead of the others (MTE1 MTE2 MTE3 FIX).
    Dma,
    /// The vector unit (V).
    Vector,
    /// The matrix unit (M).
    Cube,
    /// The scalar unit (S).
    Scalar,
}

/// A queue of the core that runs its ops in order, beside the other queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// `MTE2`, `V`, ...
    pub name: String,
    /// What it does.
    pub kind: PipeKind,
}

impl Scope {
    /// The capacity in bytes, if it is bounded and known.
    pub fn bytes(&self) -> Option<u64> {
        match self.capacity {
            Capacity::Bytes(bytes) => Some(bytes),
            Capacity::Unbounded | Capacity::Unknown => None,
        }
    }

    /// The capacity less the reserved bytes inside it.
    pub fn usable(&self) -> Option<u64> {
        let all = ByteRange::new(0, self.bytes()?);
        let taken = self.reserved.iter().filter_map(|r| r.range.overlap(all)).map(ByteRange::len);
        Some(all.len() - taken.sum::<u64>())
    }
}
