//! Allocations, and what lies in them (spec/xla-memory.md 9.1).

use crate::analyze::hlo::{Event, ValueId};
use crate::ir::hlo::ShapeIndex;
use crate::plan::xla::heap::Heap;

/// A value in an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    /// The value.
    pub value: ValueId,
    /// Where it begins, in bytes from the start of the allocation.
    pub offset: u64,
    /// Its own bytes.
    pub size: u64,
}

/// Bytes that the run gets in one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allocation {
    /// Bytes.
    pub size: u64,
    /// The memory space of all its values.
    pub memory_space: u32,
    /// The number and the node of the entry's parameter that the caller passes in it.
    pub parameter: Option<(u32, ShapeIndex)>,
    /// A parameter on which a result is written.
    pub aliased: bool,
    /// Holds a constant.
    pub constant: bool,
    /// Holds a part of the result.
    pub live_out: bool,
    /// Of a computation that is called for each element.
    pub thread_local: bool,
    /// Made for a tuple's table of pointers.
    pub tuple: bool,
    /// What lies in it, by id.
    pub values: Vec<Placed>,
}

/// The events of one memory space's heap, and what was made of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapTrace {
    /// The memory space.
    pub memory_space: u32,
    /// What is allocated, freed and shared, in order.
    pub events: Vec<Event>,
    /// Size and offsets.
    pub heap: Heap,
    /// The allocation that holds it.
    pub allocation: usize,
    /// Where it begins there, in bytes.
    pub base: u64,
}

/// An allocation and an offset for every value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// In XLA's order: temporaries last, one of each memory space.
    pub allocations: Vec<Allocation>,
    /// In the order of their allocations.
    pub heaps: Vec<HeapTrace>,
}

impl Allocation {
    pub(super) fn new(size: u64, memory_space: u32) -> Self {
        Self { size, memory_space, ..Self::default() }
    }

    /// True when it holds nothing that is there before or after the run, or once for a thread.
    pub fn is_temp(&self) -> bool {
        self.parameter.is_none() && !self.live_out && !self.thread_local && !self.constant
    }

    /// True when nothing may be written to it during the run.
    pub fn is_read_only(&self) -> bool {
        self.constant || (self.parameter.is_some() && !self.aliased)
    }
}
