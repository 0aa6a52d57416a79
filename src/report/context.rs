//! What a report needs beside the answer: the problem, its texts, its name.

use std::collections::BTreeMap;

use crate::diag::{Loc, Sources};
use crate::model::{
    Buffer, Bytes, Finding, Function, OwedEdge, Placement, Problem, Scope, Timeline,
};

/// One input, as reports see it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its name, as given on the command line.
    pub name: &'a str,
    /// Its texts.
    pub sources: &'a Sources,
    /// What was read from it.
    pub problem: &'a Problem,
}

/// What a replay left behind, as reports see it.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    /// The machine's name.
    pub machine: &'a str,
    /// Everything found.
    pub findings: &'a [Finding],
    /// Edges that the trace does not have.
    pub owed: &'a [OwedEdge],
    /// Where the time goes.
    pub timeline: &'a Timeline,
    /// Name, value, what is counted.
    pub counters: Vec<(&'static str, u64, &'static str)>,
    /// The orders that were run.
    pub schedule: &'a str,
    /// How many.
    pub runs: u64,
    /// True when these are all orders that matter.
    pub complete: bool,
    /// What calls answered, by label.
    pub answers: &'a [(String, String)],
}

impl Input<'_> {
    /// `file:line:column` of a place.
    pub fn place(&self, loc: Option<Loc>) -> Option<String> {
        loc.map(|loc| self.sources.place(loc))
    }

    /// The line of a place; with the file's name where it is another file than the input.
    pub fn line(&self, loc: Option<Loc>) -> String {
        let Some(loc) = loc else { return String::new() };
        let Some(source) = self.sources.get(loc.file) else { return String::new() };
        let (line, _) = source.line_column(loc.start);
        if source.name == self.name { line.to_string() } else { format!("{}:{line}", source.name) }
    }
}

/// Bytes of one slot, rounded up where the scope says so.
pub fn slot_bytes(scope: &Scope, buffer: &Buffer) -> u64 {
    let Bytes(size) = buffer.size;
    if scope.round_up {
        size.checked_next_multiple_of(buffer.alignment.max(1)).unwrap_or(size)
    } else {
        size
    }
}

/// The offsets of each placed buffer, by its ordinal.
pub fn offsets<'a>(function: &Function, placements: &'a [Placement]) -> BTreeMap<u32, &'a [u64]> {
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    // A plan of our own gives all ids.
    if placements.iter().any(|p| p.id.is_none()) {
        for (id, buffer) in function.buffers.enumerate() {
            names.entry(&buffer.name).or_insert(id.0);
        }
    }
    let known = |p: &'a Placement| {
        let id = p.id.or_else(|| names.get(p.name.as_str()).copied())?;
        Some((id, p.offsets.as_slice()))
    };
    placements.iter().filter_map(known).collect()
}

/// What one runtime makes of a plan.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The runtime.
    pub runtime: &'static str,
    /// The arenas.
    pub arenas: Vec<Arena<'a>>,
    /// The most device memory that was in use, in bytes.
    pub peak: u64,
    /// Bytes saved by taking turns on one handle.
    pub saved: u64,
    /// Page faults.
    pub faults: u64,
    /// Bytes moved between host and device.
    pub moved: u64,
    /// The end of the last action, in ticks.
    pub makespan: u64,
    /// Names, values and meanings of all counters.
    pub counters: Vec<(&'static str, u64, &'static str)>,
}

/// One arena.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a> {
    /// The function.
    pub function: &'a str,
    /// The scope.
    pub scope: &'a str,
    /// Bytes that the plan needs.
    pub planned: u64,
    /// Bytes that the runtime holds for it.
    pub held: u64,
    /// The most bytes of a pool with a block for each buffer.
    pub per_buffer: Option<u64>,
}
