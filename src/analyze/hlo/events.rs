//! The heap simulator's events: what is allocated, freed and shared, in order (spec/xla-memory.md 8.1),
//! and how many bytes are alive (8.2).

use super::ValueId;

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// It gets bytes.
    Alloc,
    /// Its bytes are no longer needed by it.
    Free,
    /// It takes the bytes of another value.
    Share(ValueId),
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// To which value.
    pub value: ValueId,
    /// Bytes of the value's whole must-alias group.
    pub size: u64,
}
