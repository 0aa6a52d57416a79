//! What a replay shows besides findings: edges that a placement owes, and where the time goes.

use super::ByteRange;
use crate::diag::Loc;

/// What a finding of a replay rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What happened first, or is written first.
    pub earlier: Option<Witness>,
    /// At what it shows.
    pub later: Option<Witness>,
    /// The bytes by their logical name: `x[0, 4096)`, `x@3+128`.
    pub logical: Option<String>,
    /// The bytes where they lie: `ub[8192, 9472)`.
    pub physical: Option<String>,
    /// The edge that is missing, or the bound that is violated.
    pub missing: Option<String>,
    /// A schedule that shows the wrong value, for `--schedule`.
    pub schedule: Option<String>,
}

/// One operation that a finding points at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Its label, or the name of an op.
    pub op: String,
    /// Its position in the trace or program, from 0.
    pub index: u64,
    /// Who does it: `p0.h0`, `stream A`, `aiv0.MTE2`.
    pub actor: String,
    /// What it does: `reads a@1[0, 4096)`.
    pub what: String,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// An ordering that a placement makes necessary (13.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwedEdge {
    /// The function.
    pub function: String,
    /// The scope in which the bytes lie.
    pub scope: String,
    /// The op that has to be complete.
    pub first: String,
    /// Before this one starts.
    pub second: String,
    /// The buffer that `first` touches.
    pub first_buffer: String,
    /// The buffer that `second` touches.
    pub second_buffer: String,
    /// The bytes that both touch; sorted, disjoint.
    pub bytes: Vec<ByteRange>,
    /// The pipes of the two, by name.
    pub pipes: (String, String),
    /// True when they differ: one waits for the other.
    pub stall: bool,
    /// Trips of the innermost common loop from the first to the second; 0 in one trip or no loop.
    pub distance: u64,
    /// What would do: `set_flag(MTE3, V) after st, wait_flag(MTE3, V) before v1`.
    pub edge: String,
    /// Where the first op is written.
    pub first_loc: Option<Loc>,
    /// Where the second op is written.
    pub second_loc: Option<Loc>,
}

/// Where the time of one function, or of a trace, goes. Ticks by the machine's cost table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The function; empty for a trace.
    pub function: String,
    /// The end of the last slice.
    pub makespan: u64,
    /// The end without the owed edges.
    pub without_reuse: u64,
    /// True when loops were cut, so that it is the time of a prefix.
    pub prefix: bool,
    /// Everything that took time, in the order of the program.
    pub slices: Vec<Slice>,
    /// Owed edges that delay something, with the ticks that the makespan loses without them alone;
    /// largest first. Positions in the list of owed edges.
    pub delays: Vec<(usize, u64)>,
}

/// One bar of a timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// The track: a pipe, stream or thread.
    pub track: String,
    /// The op.
    pub name: String,
    /// When it starts.
    pub start: u64,
    /// When it ends.
    pub end: u64,
}
