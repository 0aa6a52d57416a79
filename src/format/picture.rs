//! The data of a page of `memplan report`: what its script draws from. Not an interface: page and script
//! are made by one version of memplan, and the keys may change with it.
//!
//! Buffers are columns, so that 20,000 of them are about a megabyte of text. Positions count from 0 in
//! the column of their scope.

use schemars::JsonSchema;
use serde::Serialize;

/// All functions of a page.
#[derive(Debug, Default, Serialize)]
pub struct Page<'a> {
    /// In the order of the inputs.
    pub sheets: Vec<&'a Sheet>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// Its time.
    pub steps: Steps,
    /// Its scopes.
    pub maps: Vec<Map>,
    /// Where its time goes; null for functions whose ops do not run on pipes.
    pub pipes: Option<Pipes>,
}

/// The steps of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Steps {
    /// One past the last step.
    pub len: u64,
    /// Names of steps, each once.
    pub words: Vec<String>,
    /// For each step its position in `words`; empty where steps have no names.
    pub at: Vec<u32>,
    /// Loops and sides of branches.
    pub regions: Vec<Region>,
}

/// A part of the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Region {
    /// `loop rows`, `if cond`, `else cond`.
    pub name: String,
    /// Its first step.
    pub start: u64,
    /// One past its last.
    pub end: u64,
    /// Regions around it.
    pub depth: u32,
}

/// The memory of one scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Map {
    /// `ub`, `l1`, ...
    pub name: String,
    /// Physical size in bytes.
    pub capacity: Option<u64>,
    /// Capacity less the reserved bytes.
    pub usable: Option<u64>,
    /// Byte ranges that nobody may use.
    pub reserved: Vec<[u64; 2]>,
    /// Largest end of a placed buffer.
    pub peak: Option<u64>,
    /// Largest sum of bytes alive at once.
    pub max_load: u64,
    /// The step at which it occurs first.
    pub max_load_at: u64,
    /// A word for that step.
    pub max_load_name: Option<String>,
    /// The best proven bound on the peak.
    pub lower_bound: u64,
    /// The buffers.
    pub buffers: Columns,
    /// Without a plan: the buffers alive at each step, one on another.
    pub stack: Option<Stack>,
    /// Bytes in use from a step on, until the next.
    pub load: Vec<[u64; 2]>,
    /// Pairs that share bytes.
    pub shares: Shares,
}

/// Buffers, a column for each thing to know about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Columns {
    /// Ordinals in the function.
    pub id: Vec<u32>,
    /// Names.
    pub name: Vec<String>,
    /// Bytes of one slot.
    pub size: Vec<u64>,
    /// Bytes that one slot takes, where some scope rounds sizes up; empty where they are the sizes.
    pub taken: Vec<u64>,
    /// Copies in rotation, as the input has it.
    pub slots: Vec<u32>,
    /// The offset of each slot.
    pub offsets: Vec<Vec<u64>>,
    /// Half-open live ranges, start and end in turn.
    pub live: Vec<Vec<u64>>,
    /// Lines of the input; empty where the input has none.
    pub line: Vec<String>,
    /// Pipes that touch them: positions in `pipe_words`; empty where nobody knows.
    pub pipes: Vec<u32>,
    /// `MTE2`, `MTE2 V`, ...
    pub pipe_words: Vec<String>,
}

/// Rectangles of buffers that have no place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stack {
    /// Positions of buffers.
    pub buffer: Vec<u32>,
    /// From this step.
    pub start: Vec<u64>,
    /// To this step.
    pub end: Vec<u64>,
    /// Bytes below it.
    pub base: Vec<u64>,
}

/// Pairs that share bytes at different times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shares {
    /// Positions of the buffers alive first.
    pub first: Vec<u32>,
    /// Positions of the others.
    pub second: Vec<u32>,
    /// 0: free; 1: in place; 2: stalls.
    pub kind: Vec<u8>,
    /// By the cost model.
    pub cost: Vec<u64>,
    /// Positions in `words`.
    pub why: Vec<u32>,
    /// Pipes that are tied together, or the input's reason for a price.
    pub words: Vec<String>,
    /// Pairs left out.
    pub left_out: usize,
}

/// The timeline of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pipes {
    /// The end of the last slice in ticks.
    pub makespan: u64,
    /// Names of tracks.
    pub tracks: Vec<String>,
    /// Names of slices, each once.
    pub words: Vec<String>,
    /// For each slice its track.
    pub track: Vec<u32>,
    /// For each slice its name.
    pub name: Vec<u32>,
    /// For each slice when it starts.
    pub start: Vec<u64>,
    /// For each slice when it ends.
    pub end: Vec<u64>,
    /// Slices left out.
    pub left_out: usize,
    /// Owed edges that delay something: the slice waited for, the slice that waits, ticks lost.
    pub waits: Vec<[u64; 3]>,
}

/// The JSON body of `memplan report`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Written {
    /// The picture; null where none was asked for.
    pub picture: Option<String>,
    /// Its size in bytes.
    pub bytes: u64,
    /// The trace.
    pub trace: Option<String>,
    /// Functions on it.
    pub functions: usize,
    /// Buffers on it.
    pub buffers: usize,
}
