//! Where sections lie in their mapping (xla-memory 17, `reserve`).

use super::SectionError;
use crate::model::trace::{Section, SectionSize};

/// Pages that are mapped beyond the three sections.
pub const SLACK_PAGES: u64 = 3;

/// How far behind the code read-only data may end for image-relative relocations, in bytes.
pub const RELATIVE_REACH: u64 = 2 << 30;

/// A section in the mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its first byte, counted from the start of the mapping.
    pub offset: u64,
    /// Bytes reserved: those wanted and their alignment, in whole pages.
    pub reserved: u64,
    /// Bytes reserved and not wanted.
    pub padding: u64,
}

/// The mapping of three sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Code, read-only data, writable data, in this order.
    pub sections: [Placed; 3],
    /// Bytes to spare at the end.
    pub slack: u64,
    /// Bytes of the mapping.
    pub total: u64,
}

impl Layout {
    /// The layout of code, read-only data and writable data. `page` is not 0.
    ///
    /// # Errors
    /// `Alignment` for an alignment beyond a page, `TooLarge` when the sum does not fit 64 bits.
    pub fn of(wanted: [SectionSize; 3], page: u64) -> Result<Self, SectionError> {
        for (section, size) in Section::ALL.into_iter().zip(wanted) {
            if size.align > page {
                return Err(SectionError::Alignment { section, align: size.align, page });
            }
        }
        Self::fitting(wanted, page).ok_or(SectionError::TooLarge)
    }

    fn fitting(wanted: [SectionSize; 3], page: u64) -> Option<Self> {
        let mut offset = 0_u64;
        let mut sections = [Placed { offset: 0, reserved: 0, padding: 0 }; 3];
        for (placed, size) in sections.iter_mut().zip(wanted) {
            let reserved = size.bytes.checked_add(size.align)?.checked_next_multiple_of(page)?;
            *placed = Placed { offset, reserved, padding: reserved - size.bytes };
            offset = offset.checked_add(reserved)?;
        }
        let slack = page.checked_mul(SLACK_PAGES)?;
        Some(Self { sections, slack, total: offset.checked_add(slack)? })
    }

    /// Bytes of the mapping that no section has asked for.
    pub fn waste(&self) -> u64 {
        self.sections.iter().fold(self.slack, |sum, placed| sum.saturating_add(placed.padding))
    }

    /// From the first byte of the code to the end of the read-only data.
    pub fn reach(&self) -> u64 {
        let [_, ro, _] = self.sections;
        ro.offset.saturating_add(ro.reserved)
    }
}
