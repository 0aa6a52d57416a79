//! A manager of sections: hands out bytes, then protects them (xla-memory 17).

use std::fmt;

use super::{Layout, SectionError};
use crate::model::trace::{Section, SectionSize};
use crate::runtime::pointer::How;

/// What may be done with the bytes of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// Read and written.
    ReadWrite,
    /// Read only.
    Read,
    /// Read and run.
    ReadExecute,
}

/// One section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// Bytes reserved.
    reserved: u64,
    /// The first address that is free.
    free_base: u64,
    /// Bytes free from there on.
    free: u64,
    protection: Protection,
}

/// The sections of one linker. It is asked to reserve before it is asked for anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manager {
    reserved: bool,
    base: u64,
    blocks: [Block; 3],
    finalized: bool,
}

/// Bytes of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The first address.
    pub address: u64,
    /// The same, counted from the start of the mapping.
    pub offset: u64,
    /// Bytes skipped in front.
    pub padding: u64,
    /// Bytes of the section that are still free.
    pub free: u64,
}

/// What `finalize` has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finalized {
    /// Protections of code, of read-only data, of writable data.
    pub protections: [Protection; 3],
    /// Bytes of code whose instruction cache was flushed.
    pub flushed: u64,
}

impl Default for Manager {
    /// Nothing is reserved: all sections are empty.
    fn default() -> Self {
        let empty = Block { reserved: 0, free_base: 0, free: 0, protection: Protection::ReadWrite };
        Self { reserved: false, base: 0, blocks: [empty; 3], finalized: false }
    }
}

impl Manager {
    /// True for every manager of this kind: linkers ask before they say what they need.
    pub fn needs_to_reserve(&self) -> bool {
        true
    }

    /// What has to be mapped for code, read-only data and writable data, on pages
    /// of so many bytes. That a mapping fails afterwards changes nothing about this having been the
    /// only time.
    ///
    /// # Errors
    /// `Twice` when it was done before, else those of [`Layout::of`].
    pub fn reserve(&mut self, wanted: [SectionSize; 3], page: u64) -> Result<Layout, SectionError> {
        if self.reserved {
            return Err(SectionError::Twice);
        }
        let layout = Layout::of(wanted, page);
        self.reserved = !matches!(layout, Err(SectionError::Alignment { .. }));
        layout
    }

    /// The mapping is there: sections of this layout from an address on, which has room for all of
    /// it.
    pub fn mapped(&mut self, base: u64, layout: &Layout) {
        self.base = base;
        for (block, placed) in self.blocks.iter_mut().zip(layout.sections) {
            *block = Block {
                reserved: placed.reserved,
                free_base: base.saturating_add(placed.offset),
                free: placed.reserved,
                protection: Protection::ReadWrite,
            };
        }
    }

    /// Bytes of a section; an alignment of 0 is 1.
    ///
    /// # Errors
    /// `Full` when they do not fit; nothing changes then.
    pub fn allocate(
        &mut self,
        section: Section,
        size: u64,
        align: u64,
    ) -> Result<Given, SectionError> {
        let base = self.base;
        let block = self.block_mut(section);
        let (free, reserved) = (block.free, block.reserved);
        let start = block.free_base.checked_next_multiple_of(align.max(1));
        let need = start.and_then(|start| (start - block.free_base).checked_add(size));
        let (Some(start), Some(need)) = (start, need.filter(|&need| need <= free)) else {
            return Err(SectionError::Full { section, size, align, free, reserved });
        };
        let padding = need - size;
        block.free_base = block.free_base.saturating_add(need);
        block.free -= need;
        Ok(Given { address: start, offset: start - base, padding, free: block.free })
    }

    /// Code can be run from now on, and neither it nor read-only data be written; the
    /// instruction cache of the code is flushed. `protect` is asked for each change whether it is
    /// possible; the first that is not ends the call.
    ///
    /// # Errors
    /// `Protect` for a change that is not possible. Those before it stay.
    pub fn finalize(
        &mut self,
        mut protect: impl FnMut() -> bool,
    ) -> Result<Finalized, SectionError> {
        let wanted = [(Section::Code, Protection::ReadExecute), (Section::Ro, Protection::Read)];
        for (section, protection) in wanted {
            if !protect() {
                return Err(SectionError::Protect { section, protection });
            }
            self.block_mut(section).protection = protection;
        }
        self.finalized = true;
        let [code, ..] = &self.blocks;
        let flushed = code.reserved;
        Ok(Finalized { protections: self.blocks.map(|block| block.protection), flushed })
    }

    /// True once `finalize` has gone through: what lies in the instruction cache is the code.
    pub fn is_finalized(&self) -> bool {
        self.finalized
    }

    /// What may be done with a section.
    pub fn protection(&self, section: Section) -> Protection {
        self.block(section).protection
    }

    /// Bytes of a section that are still free.
    pub fn free(&self, section: Section) -> u64 {
        self.block(section).free
    }

    fn block(&self, section: Section) -> &Block {
        let [code, ro, rw] = &self.blocks;
        match section {
            Section::Code => code,
            Section::Ro => ro,
            Section::Rw => rw,
        }
    }

    fn block_mut(&mut self, section: Section) -> &mut Block {
        let [code, ro, rw] = &mut self.blocks;
        match section {
            Section::Code => code,
            Section::Ro => ro,
            Section::Rw => rw,
        }
    }
}

impl Protection {
    /// Whether an access is allowed.
    pub fn allows(self, how: How) -> bool {
        how == How::Read || self == Self::ReadWrite
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReadWrite => "rw-",
            Self::Read => "r--",
            Self::ReadExecute => "r-x",
        })
    }
}
