//! What a pass did, and what of it can be measured.

use std::fmt;

use super::aliases::Fate;
use super::copies::{Added, Kept};
use crate::ir::hlo::{Donor, Module, Opcode, ShapeIndex};

/// What a pass did to a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// True when the module is another one now.
    pub changed: bool,
    /// What was done, and what was looked at and left, in the order of the module.
    pub notes: Vec<Note>,
}

/// One thing that a pass did or left. Names are those of the module afterwards, where it still has
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A shape has another memory space or other split configurations.
    Space {
        /// The computation.
        computation: String,
        /// The instruction.
        instruction: String,
        /// The node of its shape.
        index: ShapeIndex,
        /// The layout's tags before, such as `S(0)`.
        from: String,
        /// The tags now, such as `S(5)SC(0:3)`.
        to: String,
    },
    /// An annotation became an internal call.
    Placed {
        /// The annotation, now gone.
        from: String,
        /// The call.
        to: String,
        /// What the annotation said.
        placement: &'static str,
        /// The target of the call.
        target: &'static str,
    },
    /// What became of a donated leaf.
    Donor {
        /// The leaf.
        donor: Donor,
        /// Its bytes.
        bytes: u64,
        /// What became of it.
        fate: Fate,
    },
    /// A copy was added.
    CopyAdded {
        /// The copy.
        copy: String,
        /// What it copies.
        source: String,
        /// Bytes.
        bytes: u64,
        /// Why it is needed.
        why: Added,
    },
    /// A copy was removed; its users use its source.
    CopyRemoved {
        /// The copy, now gone.
        copy: String,
        /// What they use now.
        source: String,
        /// Bytes.
        bytes: u64,
    },
    /// A copy was left.
    CopyKept {
        /// The copy.
        copy: String,
        /// What it copies.
        source: String,
        /// Bytes.
        bytes: u64,
        /// Why it cannot go.
        why: Kept,
    },
    /// An edge was added, since a removal counts on this order.
    Ordered {
        /// What runs first.
        first: String,
        /// What runs after it.
        then: String,
    },
}

/// What passes change about a module, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// `copy` instructions outside of fusions.
    pub copies: u64,
    /// Their bytes.
    pub copy_bytes: u64,
    /// Outputs that lie on parameters.
    pub aliases: u64,
    /// Bytes of those outputs.
    pub alias_bytes: u64,
    /// Donated leaves that no output lies on.
    pub donors: u64,
    /// Array leaves in memory spaces other than 0, of all instructions.
    pub spaced: u64,
    /// Calls of `annotate_device_placement`.
    pub annotations: u64,
    /// Calls of `MoveToHost`, `MoveToDevice`, `PinToDevice`, `PinToDeviceSram`.
    pub placements: u64,
}

impl Report {
    /// A report in which some note is a change.
    pub(super) fn of(notes: Vec<Note>) -> Self {
        Self { changed: notes.iter().any(Note::is_change), notes }
    }
}

impl Note {
    /// False for what was looked at and left.
    pub fn is_change(&self) -> bool {
        match self {
            Self::CopyKept { .. } => false,
            Self::Donor { fate, .. } => matches!(fate, Fate::Used { .. }),
            _ => true,
        }
    }
}

impl Measures {
    /// Measures a module.
    pub fn of(module: &Module) -> Self {
        let fused = super::fused(module);
        let mut out = Self {
            aliases: module.aliases.len() as u64,
            donors: module.donors.len() as u64,
            ..Self::default()
        };
        let root = &module.instructions[module.entry().root].shape;
        let aliased = module.aliases.iter().filter_map(|a| root.at(&a.output)?.bytes(8));
        out.alias_bytes = aliased.fold(0, u64::saturating_add);
        for (id, computation) in module.computations.enumerate() {
            for &at in &computation.instructions {
                let instruction = &module.instructions[at];
                let leaves = instruction.shape.leaves();
                out.spaced +=
                    leaves.iter().filter(|(_, leaf)| leaf.memory_space() != 0).count() as u64;
                if fused[id] {
                    continue;
                }
                match (&instruction.opcode, instruction.custom_call_target()) {
                    (Opcode::Copy, _) => {
                        let bytes = instruction.shape.bytes(8).unwrap_or(0);
                        out.copies += 1;
                        out.copy_bytes = out.copy_bytes.saturating_add(bytes);
                    }
                    (Opcode::CustomCall, Some("annotate_device_placement")) => out.annotations += 1,
                    (
                        Opcode::CustomCall,
                        Some("MoveToHost" | "MoveToDevice" | "PinToDevice" | "PinToDeviceSram"),
                    ) => out.placements += 1,
                    _ => (),
                }
            }
        }
        out
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Space { computation, instruction, index, from, to } => {
                write!(f, "`{instruction}`{index} of `{computation}`: {from} -> {to}")
            }
            Self::Placed { from, to, placement, target } => {
                write!(f, "`{from}` ({placement}) is `{to}` ({target})")
            }
            Self::Donor { donor, bytes, fate } => {
                let Donor { parameter, index } = donor;
                write!(f, "parameter {parameter}{index} ({bytes} bytes) {fate}")
            }
            Self::CopyAdded { copy, source, bytes, why } => {
                write!(f, "`{copy}` copies `{source}` ({bytes} bytes): {why}")
            }
            Self::CopyRemoved { copy, source, bytes } => {
                write!(f, "`{copy}` is gone, its users take `{source}` ({bytes} bytes)")
            }
            Self::CopyKept { copy, source, bytes, why } => {
                write!(f, "`{copy}` of `{source}` stays ({bytes} bytes): {why}")
            }
            Self::Ordered { first, then } => write!(f, "`{first}` runs before `{then}`"),
        }
    }
}
