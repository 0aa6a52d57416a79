//! Addresses as a process sees them.

use super::objects::Piece;
use super::status::Remark;

/// An address that a call has answered with.
///
/// It remembers which allocation it was made for, so that an address that is used again is not
/// taken for the old one (runtime-model section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    /// The process, by its position in the trace.
    pub process: u32,
    /// The address.
    pub address: u64,
    /// Counts allocations, over all processes.
    pub generation: u32,
}

/// Who touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// A host thread.
    Host,
    /// Something that runs on a device.
    Device(u32),
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It needs what is there.
    Read,
    /// It replaces what is there.
    Write,
}

/// What an access meets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The bytes, in the order of the addresses. Bytes that cannot be reached are left out.
    pub pieces: Vec<Piece>,
    /// What is wrong with the access (`oob`, `uaf`, `unmapped_access`, `perm`, ..).
    pub wrong: Vec<Remark>,
}

impl Pointer {
    /// The address so many bytes further.
    #[must_use]
    pub fn offset(self, bytes: u64) -> Self {
        Self { address: self.address.saturating_add(bytes), ..self }
    }
}
