//! From a function to what the placer asks: lives, in-place merging, classes (HIVM spec, sections
//! 2, 3, 4.5, 4.9 and 5).
//!
//! ```text
//!   facts (once):      nest, roots (traceback), liveness, buffers, classes, anchors, coupled
//!   attempt (a seed):  walk = gen_kill + marks + alias + time   -> lives
//!                      inplace = aliases, then op_rule (reaches) and vf (groups) -> pairs
//!                      merge                                    -> Lowered
//! ```

mod alias;
mod anchor;
mod buffers;
mod classes;
mod coupled;
mod gen_kill;
mod groups;
mod inplace;
mod liveness;
mod marks;
mod nest;
mod op_rule;
mod reaches;
mod time;
mod traceback;
mod vf;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::buffers::Buffers;
use self::classes::Classes;
use self::inplace::Pairs;
use self::liveness::Liveness;
pub use self::marks::Side;
use self::nest::Nest;
use self::traceback::Roots;
use self::walk::Walk;
use super::{Buffer, BufferNo, Entry, Input, Life, Scope, merge};
use crate::ir::hivm::{PassOptions, TargetNumbers, extra_buffers};
use crate::ir::mlir::{Chunk, Function, OpId};

/// A function as the placer sees it, and what reports need besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// What to place.
    pub input: Input,
    /// The alloc of each buffer.
    pub buffers: Vec<OpId>,
    /// Size of each buffer in bits.
    pub bits: Vec<u64>,
    /// Slots of each buffer as marked, before merging.
    pub slots: Vec<u32>,
    /// True for each buffer that is scratch of some op (`is_tmpbuf` of section 6.5).
    pub temporary: Vec<bool>,
    /// First and last entry of each buffer before merging, both inclusive; the last is -1 for a
    /// buffer that is never killed. None for a buffer that is never written.
    pub lives: Vec<Option<(i64, i64)>>,
    /// Buffers that share memory, in the order found.
    pub pairs: Vec<Pair>,
    /// Marks with a coupling id, in the order of the walk.
    pub coupled: Vec<Coupled>,
    /// False when every seed gives the same.
    pub shuffled: bool,
    /// The op of each entry of linear time; for an omitted terminator the op around it.
    pub steps: Vec<OpId>,
}

/// Two buffers that share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The one that moves: the destination.
    pub first: BufferNo,
    /// The one that it moves into.
    pub second: BufferNo,
    /// True for two names of the same memory, false for reuse by one op.
    pub mandatory: bool,
}

/// A mark that couples a buffer with one of the other core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupled {
    /// The buffer.
    pub buffer: BufferNo,
    /// What both sides call it.
    pub id: i64,
    /// The side that this function is on.
    pub side: Side,
}

/// Where the pass gives up; no other seed is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fatal {
    /// What it says at last.
    pub message: String,
    /// The op that it was at.
    pub at: OpId,
    /// The error that it reports on that op before, if any.
    pub error: Option<String>,
}

impl Fatal {
    fn new(message: &str, at: OpId) -> Self {
        Self { message: message.to_owned(), at, error: None }
    }

    /// An error on an op that ends the walk.
    fn traversal(error: &str, at: OpId) -> Self {
        let message = "PlanMemory Traverse IR Failed! ".to_owned();
        Self { message, at, error: Some(error.to_owned()) }
    }
}

/// What does not depend on the seed.
pub(super) struct Facts<'a> {
    chunk: &'a Chunk,
    function: &'a Function,
    options: &'a PassOptions,
    target: &'a TargetNumbers,
    nest: Nest,
    roots: Roots,
    liveness: Liveness,
    buffers: Buffers,
    scopes: Vec<Scope>,
}

/// Facts that the walk does not need; it may end before they are asked for.
pub(super) struct Traits {
    classes: Classes,
    anchors: Vec<Option<u32>>,
    coupled_pairs: BTreeSet<(i64, i64)>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        chunk: &'a Chunk,
        function: &'a Function,
        options: &'a PassOptions,
        target: &'a TargetNumbers,
    ) -> Self {
        let nest = Nest::new(function);
        let liveness = Liveness::new(function, &nest);
        let buffers = Buffers::new(function, options.mode);
        let scopes = buffers::scopes(function, &buffers, options, target);
        let roots = Roots::new(function);
        Self { chunk, function, options, target, nest, roots, liveness, buffers, scopes }
    }

    /// Classes, anchors and allowed pairs; a fatal error where a pipe is unknown.
    pub(super) fn traits(&self) -> Result<Traits, Fatal> {
        let anchors = self.buffers.values.iter().map(|&v| anchor::anchor(self.function, v));
        Ok(Traits {
            classes: classes::classify(self)?,
            anchors: anchors.map(|found| found.map(|op| op.0)).collect(),
            coupled_pairs: coupled::allowed(self),
        })
    }

    /// One attempt. `traits` is filled by the first one that needs it.
    pub(super) fn attempt(&self, traits: &mut Option<Traits>, seed: u32) -> Result<Lowered, Fatal> {
        let walk = Walk::run(self, seed)?;
        let traits = match traits {
            Some(traits) => traits,
            None => traits.insert(self.traits()?),
        };
        let found = inplace::pairs(&walk, &traits.classes);
        Ok(self.lowered(walk, traits, found))
    }

    /// Buffers behind temporaries of ops with the extra-buffer interface.
    fn temporary(&self) -> Vec<bool> {
        let mut temporary = vec![false; self.buffers.len()];
        for value in self.function.ops.iter().flat_map(extra_buffers) {
            if let Some(buffer) = self.buffers.number(self.roots.of(value)) {
                temporary[buffer as usize] = true;
            }
        }
        temporary
    }

    fn lowered(&self, walk: Walk<'_>, traits: &Traits, found: Pairs) -> Lowered {
        let time = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let lives: Vec<Option<(i64, i64)>> = walk
            .starts
            .iter()
            .zip(&walk.ends)
            .map(|(start, end)| Some((time((*start)?), end.map_or(-1, time))))
            .collect();
        let written = walk.entries.iter().flat_map(|entry| entry.gens.iter().copied());
        let entries = written.filter_map(|buffer| {
            let at = buffer as usize;
            let (start, end) = lives[at]?;
            Some(Entry {
                scope: walk.extents[at].scope,
                buffers: vec![buffer],
                bits: walk.extents[at].bits,
                slots: walk.mark[at].slots(),
                lives: vec![Life { start, end, buffer }],
            })
        });
        let entries = merge(entries.collect(), &found.pairs);
        let buffer = |(value, at): (_, usize)| Buffer {
            unique: walk.mark[at].unique,
            dma: traits.classes.is_dma(value),
            scalar: traits.classes.scalar[value],
            anchor: traits.anchors[at],
            coupled: walk.mark[at].coupled,
        };
        let input = Input {
            scopes: self.scopes.clone(),
            buffers: self.buffers.values.iter().copied().zip(0..).map(buffer).collect(),
            entries,
            stall_pairs: found.stall,
            coupled_pairs: traits.coupled_pairs.clone(),
            pass: self.options.pass,
            largest_first: self.options.largest_first,
            patience: None,
        };
        let pair = |(at, &(first, second)): (usize, &(BufferNo, BufferNo))| Pair {
            first,
            second,
            mandatory: at < found.mandatory,
        };
        let coupled = walk.coupled.iter().map(|&(buffer, id)| Coupled {
            buffer,
            id,
            side: marks::side(self.function, self.buffers.value(buffer)),
        });
        Lowered {
            input,
            buffers: self.buffers.ops.clone(),
            bits: walk.extents.iter().map(|e| e.bits).collect(),
            slots: walk.mark.iter().map(|m| m.slots()).collect(),
            temporary: self.temporary(),
            lives,
            pairs: found.pairs.iter().enumerate().map(pair).collect(),
            coupled: coupled.collect(),
            shuffled: walk.shuffled,
            steps: walk.entries.iter().map(|entry| entry.op).collect(),
        }
    }
}

/// One attempt at a function, which is `chunk.functions[function]`.
///
/// `target` holds the capacities as they count for the function, the SIMT rule applied.
pub fn lower(
    chunk: &Chunk,
    function: usize,
    options: &PassOptions,
    target: &TargetNumbers,
    seed: u32,
) -> Result<Lowered, Fatal> {
    Facts::new(chunk, &chunk.functions[function], options, target).attempt(&mut None, seed)
}
