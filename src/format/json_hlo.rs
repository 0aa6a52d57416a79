//! The JSON bodies of the commands about HLO modules: `schedule`, `stats`, `convert`, `diff`.

use schemars::JsonSchema;
use serde::Serialize;

/// `memplan schedule`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Schedule {
    /// One for each module.
    pub functions: Vec<Scheduled>,
}

/// The orders of one module.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Scheduled {
    /// The module's name.
    pub name: String,
    /// The input that it stands in.
    pub input: String,
    /// The orders that were tried, in the order of `--help`.
    pub orders: Vec<Order>,
    /// The order taken.
    pub chosen: String,
    /// Peak of the order of the text, in bytes, parameters and results included.
    pub peak_before: u64,
    /// Peak of the order taken.
    pub peak_after: u64,
    /// True when no order has a smaller peak.
    pub proven: bool,
}

/// One order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Order {
    /// Its name: `given`, `default`, `list`, `dfs`, `bfs`, `post`, `best`.
    pub order: String,
    /// The most bytes alive at once, values that must share counted once.
    pub peak: u64,
    /// The same by XLA's own count, which takes a value that takes over another's bytes twice.
    pub peak_xla: u64,
}

/// `memplan stats`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Stats {
    /// The totals of the module, or the sums of several.
    pub memory: Memory,
    /// What is alive when most is alive, largest first; of several modules of the one that needs most.
    pub peak: Vec<PeakValue>,
    /// One for each module.
    pub functions: Vec<ModuleStats>,
}

/// The statistics of one module.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModuleStats {
    /// The module's name.
    pub name: String,
    /// The input that it stands in.
    pub input: String,
    /// Totals.
    pub memory: Memory,
    /// Totals of each memory space.
    pub spaces: Vec<Space>,
    /// What is alive when most is alive, largest first.
    pub peak: Vec<PeakValue>,
    /// The instruction at which most is alive.
    pub peak_at: Option<String>,
}

/// Totals by XLA's names; bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[expect(
    missing_docs,
    reason = "the names are XLA's own (spec 16.2), explained in docs/FORMATS.md"
)]
pub struct Memory {
    pub generated_code_size_in_bytes: u64,
    pub argument_size_in_bytes: u64,
    pub output_size_in_bytes: u64,
    pub alias_size_in_bytes: u64,
    pub temp_size_in_bytes: u64,
    pub host_generated_code_size_in_bytes: u64,
    pub host_argument_size_in_bytes: u64,
    pub host_output_size_in_bytes: u64,
    pub host_alias_size_in_bytes: u64,
    pub host_temp_size_in_bytes: u64,
    /// Allocations whose life is not the run's, at their largest values, and the most that is alive
    /// in the heaps. XLA's CPU back-end prints the first part alone.
    pub peak_memory_in_bytes: u64,
    pub total_size_in_bytes: u64,
    pub total_allocation_bytes: u64,
    pub indefinite_allocations: u64,
    pub peak_unpadded_heap_bytes: u64,
}

/// Totals of one memory space.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Space {
    /// `S(n)` of layouts; 0 is the device's memory, 5 the host's.
    pub memory_space: u32,
    /// Bytes of all allocations.
    pub total: u64,
    /// Of those, temporaries.
    pub temp: u64,
    /// How many allocations.
    pub allocations: u64,
}

/// A value alive at the peak.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PeakValue {
    /// The value.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// What it is: `temp`, `parameter`, `output`, `constant`.
    pub kind: String,
    /// Its memory space.
    pub memory_space: u32,
    /// The operation of the source program.
    pub op_name: Option<String>,
    /// `file:line` in the source program where the dump says it, else the place in the dump.
    pub loc: Option<String>,
}

/// `memplan convert`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Convert {
    /// The module's name.
    pub name: String,
    /// The passes in the order in which they were run.
    pub passes: Vec<Pass>,
    /// Before the first pass.
    pub before: Measures,
    /// After the last.
    pub after: Measures,
}

/// What a pass did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Pass {
    /// Its name.
    pub pass: String,
    /// True when the module is another one now.
    pub changed: bool,
    /// What was done, and what was not and why.
    pub notes: Vec<String>,
}

/// What passes are judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Measures {
    /// Peak of the order of the text, in bytes.
    pub peak: u64,
    /// `copy` instructions that are executed.
    pub copies: u64,
    /// Bytes that they write.
    pub copy_bytes: u64,
    /// Outputs that lie on parameters.
    pub aliases: u64,
    /// Nodes of shapes outside of memory space 0.
    pub spaced: u64,
    /// Bytes of temporaries.
    pub temp: u64,
}

/// `memplan diff`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Diff {
    /// The first module.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// Bytes that `b` needs more at its peak; negative when it needs less.
    pub delta: i64,
    /// The values that make the difference, the largest difference first.
    pub values: Vec<Difference>,
}

/// One side of a comparison.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Side {
    /// The input.
    pub input: String,
    /// Bytes at the peak.
    pub peak: u64,
    /// Totals.
    pub memory: Memory,
}

/// Values of one origin on both sides.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The operation of the source program, else the name of the value.
    pub name: String,
    /// Where it is written in the source program.
    pub loc: Option<String>,
    /// Bytes alive at the peak of the first.
    pub a: u64,
    /// Bytes alive at the peak of the second.
    pub b: u64,
    /// `b` less `a`.
    pub delta: i64,
    /// The values, named as on the side that has more.
    pub values: Vec<String>,
}
