//! The thing that is placed.

use super::{AccessMode, Bytes, Live, LoopId, PipeId, ScopeId, ValueId};
use crate::diag::Loc;

/// How long a buffer lives whatever the ops say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LifetimeClass {
    /// From its first write to its last read.
    #[default]
    Local,
    /// Given by the caller and not ours to overwrite: the whole function.
    Parameter,
    /// Handed to the caller: from its first write to the end of the function.
    Output,
    /// Filled before the function starts: the whole function.
    Constant,
    /// Given by the caller and ours to reuse: from the start to its last read.
    Donated,
    /// Keeps its contents between runs: the whole function.
    Persistent,
    /// One copy a thread, alive for the whole function.
    ThreadLocal,
}

/// The element type and dimensions a size was computed from, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementShape {
    /// Elements in each dimension.
    pub dims: Vec<u64>,
    /// Strides in elements, where rows are padded.
    pub strides: Option<Vec<u64>>,
    /// `f16`, `i4`, ...
    pub dtype: String,
    /// Bits of one element.
    pub bits: u64,
}

/// A pipe that touches a buffer; for buffers whose live ranges are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PipeUse {
    /// The pipe.
    pub pipe: PipeId,
    /// How it touches the bytes.
    pub mode: AccessMode,
}

/// A buffer of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name; may repeat within a function (the id does not).
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// The memory it is placed in.
    pub scope: ScopeId,
    /// Bytes of one slot, before rounding; 0 is normal.
    pub size: Bytes,
    /// What the size was computed from.
    pub shape: Option<ElementShape>,
    /// The offset of every slot is a multiple of this; at least 1.
    pub alignment: u64,
    /// Copies used in rotation; at least 1.
    pub slots: u32,
    /// True when a plan may give it more offsets than it has slots (HIVM: merged in place with a
    /// multi-buffer). Outside of every loop the first one counts.
    pub spare_slots: bool,
    /// The loop whose trips the slots rotate with; trip `t` uses slot `t mod slots`.
    pub rotates_in: Option<LoopId>,
    /// Fixed offsets, one a slot.
    pub pin: Option<Vec<u64>>,
    /// True when it shares bytes with nobody.
    pub unique: bool,
    /// The owner whose partition it lies in.
    pub owner: Option<String>,
    /// How long it lives whatever the ops say.
    pub class: LifetimeClass,
    /// True for memory that only one op needs (a hidden temporary).
    pub temporary: bool,
    /// True when it lives through the whole loop it is used in.
    pub preload: bool,
    /// Pairs the two sides of a cube/vector coupled buffer.
    pub coupling: Option<u32>,
    /// Live ranges as given; `None` when they are derived from the ops.
    pub live: Option<Vec<Live>>,
    /// The loop that its life belongs to, for buffers whose live ranges are given.
    pub lives_in: Option<LoopId>,
    /// Pipes as given, for buffers whose live ranges are given.
    pub pipes: Vec<PipeUse>,
    /// The value that stands for the whole buffer.
    pub value: ValueId,
}

impl LifetimeClass {
    /// True when the buffer holds data before the function starts.
    pub fn filled_at_entry(self) -> bool {
        matches!(
            self,
            Self::Parameter | Self::Constant | Self::Donated | Self::Persistent | Self::ThreadLocal
        )
    }

    /// True when its data is wanted after the function ends.
    pub fn wanted_at_exit(self) -> bool {
        matches!(
            self,
            Self::Parameter | Self::Constant | Self::Output | Self::Persistent | Self::ThreadLocal
        )
    }
}

impl Buffer {
    /// A buffer of `size` bytes in one copy, whose live ranges are given; nothing else is asked of it.
    pub fn given(
        name: String,
        scope: ScopeId,
        size: Bytes,
        alignment: u64,
        live: Vec<Live>,
    ) -> Self {
        Self {
            name,
            loc: None,
            scope,
            size,
            shape: None,
            alignment,
            slots: 1,
            spare_slots: false,
            rotates_in: None,
            pin: None,
            unique: false,
            owner: None,
            class: LifetimeClass::Local,
            temporary: false,
            preload: false,
            coupling: None,
            live: Some(live),
            lives_in: None,
            pipes: Vec::new(),
            value: ValueId(0),
        }
    }
}
