//! Sections of a JIT linker in one mapping: code, read-only data, writable data
//! (xla-memory 17).
//!
//! [`Layout`] says where the three lie, [`Manager`] hands out their bytes and protects them.

mod layout;
mod manager;
#[cfg(test)]
mod tests;

pub use self::layout::{Layout, Placed, RELATIVE_REACH, SLACK_PAGES};
pub use self::manager::{Finalized, Given, Manager, Protection};

use crate::diag::Code;
use crate::model::trace::Section;

/// Why a manager does not do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// A second reserve: the linker ends the program.
    #[error("the sections are reserved already: a manager reserves once")]
    Twice,
    /// An alignment that a mapping does not have: the linker ends the program.
    #[error("{} is to be aligned to {align} bytes, more than a page of {page}", section.name())]
    Alignment {
        /// The section.
        section: Section,
        /// What is asked for, in bytes.
        align: u64,
        /// A page, in bytes.
        page: u64,
    },
    /// The sizes do not fit 64 bits.
    #[error("the sizes of the sections do not fit 64 bits")]
    TooLarge,
    /// A section has too little room: the linker is given NULL.
    #[error("{size} bytes aligned to {align} are asked for, {} has {free} of {reserved} free", section.name())]
    Full {
        /// The section.
        section: Section,
        /// Bytes asked for.
        size: u64,
        /// Their alignment.
        align: u64,
        /// Bytes left.
        free: u64,
        /// Bytes reserved.
        reserved: u64,
    },
    /// The operating system does not change the protection of a section.
    #[error("{} cannot be made {protection}", section.name())]
    Protect {
        /// The section.
        section: Section,
        /// What it is to be.
        protection: Protection,
    },
}

impl SectionError {
    /// The class of the finding, where there is one of its own.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Twice => Some(Code::ReplaySectionTwice),
            Self::Alignment { .. } => Some(Code::ReplaySectionAlignment),
            Self::Full { .. } => Some(Code::ReplaySectionFull),
            Self::TooLarge | Self::Protect { .. } => None,
        }
    }
}
