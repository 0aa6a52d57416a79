//! Ranges of addresses, and what lies behind them.

use std::collections::{BTreeMap, BTreeSet};

use super::pages::Pages;
use super::zones::Zone;
use crate::model::trace::{AllocKind, MemoryFlags, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::Pointer;
use crate::runtime::share::KeyId;
use crate::runtime::vmm::HandleId;

/// A live range of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// What the author calls it.
    pub name: String,
    /// Its first address.
    pub start: u64,
    /// Addresses taken; a multiple of the page.
    pub len: u64,
    /// Bytes that may be used.
    pub usable: u64,
    /// Which allocation it is.
    pub generation: u32,
    /// Where its addresses are from.
    pub zone: Zone,
    /// What is behind it.
    pub body: Body,
    /// Valid keys that share bytes of it (5.6).
    pub keys: Vec<KeyId>,
    /// Registrations of bytes of it, oldest first (5.8).
    pub registrations: Vec<Registration>,
}

/// What is behind a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// An allocation (5.2).
    Block(Block),
    /// Reserved addresses (5.5).
    Reserve(Reserve),
    /// Memory of another process (5.6).
    Import(Import),
    /// The other side's view of registered memory (5.8).
    Window(Window),
}

/// An allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its bytes.
    pub object: ObjectId,
    /// Its kind.
    pub kind: AllocKind,
    /// Its device; for host memory the one named.
    pub device: u32,
    /// Where its pages are; for kind SVM see `pages`.
    pub bank: Bank,
    /// Bytes of a page.
    pub page: u64,
    /// Bytes of physical memory that it holds, `pages` left out.
    pub held: u64,
    /// Its flags.
    pub flags: MemoryFlags,
    /// True when other devices reach it.
    pub peers: bool,
    /// Pages of kind SVM.
    pub pages: Pages,
}

/// Reserved addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reserve {
    /// The side that the first map has bound it to (Q-VMM-3).
    pub side: Option<Bank>,
    /// By first byte, counted from the start of the range; disjoint.
    pub mappings: BTreeMap<u64, Mapping>,
}

/// A mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// Bytes.
    pub len: u64,
    /// What is mapped, from its first byte.
    pub handle: HandleId,
    /// Its bytes.
    pub object: ObjectId,
    /// Who may read and write.
    pub access: BTreeSet<Bank>,
}

/// Memory of another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The key that it was opened by.
    pub key: KeyId,
    /// The device that it was opened for.
    pub device: u32,
    /// Its bytes.
    pub pieces: Vec<Piece>,
    /// How often it was opened.
    pub opens: u32,
    /// Why its owner's memory is gone, where it is.
    pub stale: Option<&'static str>,
    /// True when other devices reach it.
    pub peers: bool,
}

/// The other side's view of registered memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Its bytes.
    pub pieces: Vec<Piece>,
    /// The device of the registration.
    pub device: u32,
    /// True when it is for the device, false for the host.
    pub for_device: bool,
    /// True when it may not be written.
    pub read_only: bool,
}

/// A registration of bytes of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registration {
    /// First byte, counted from the start of the range.
    pub offset: u64,
    /// Bytes, as asked for.
    pub len: u64,
    /// Its type.
    pub kind: Register,
    /// Its device.
    pub device: u32,
    /// True when the other side may not write.
    pub read_only: bool,
    /// The address on the other side.
    pub dst: Pointer,
    /// True when that is an address of its own.
    pub own_address: bool,
}

/// A range that is no longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dead {
    /// What the author called it.
    pub name: String,
    /// Its first address.
    pub start: u64,
    /// What it was.
    pub body: Body,
    /// Its bytes of address space.
    pub len: u64,
}

impl Range {
    /// True when an address lies in it.
    pub(crate) fn contains(&self, address: u64) -> bool {
        address >= self.start && address - self.start < self.len
    }

    /// A pointer to its first byte.
    pub(crate) fn pointer(&self, process: u32) -> Pointer {
        Pointer { process, address: self.start, generation: self.generation }
    }

    /// The allocation, where it is one.
    pub(crate) fn block(&self) -> Option<&Block> {
        match &self.body {
            Body::Block(block) => Some(block),
            _ => None,
        }
    }

    /// The reserved addresses, where it is that.
    pub(crate) fn reserve(&self) -> Option<&Reserve> {
        match &self.body {
            Body::Reserve(reserve) => Some(reserve),
            _ => None,
        }
    }

    /// The reserved addresses, where it is that.
    pub(crate) fn reserve_mut(&mut self) -> Option<&mut Reserve> {
        match &mut self.body {
            Body::Reserve(reserve) => Some(reserve),
            _ => None,
        }
    }
}

impl Reserve {
    /// The mapping around a byte: where it starts, and it.
    pub(crate) fn around(&self, offset: u64) -> Option<(u64, &Mapping)> {
        let (&start, mapping) = self.mappings.range(..=offset).next_back()?;
        (offset - start < mapping.len).then_some((start, mapping))
    }

    /// All mappings that meet `[start, end)`, with their starts.
    pub(crate) fn within(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, &Mapping)> {
        let from = self.around(start).map_or(start, |(first, _)| first);
        self.mappings.range(from..end.max(from)).map(|(&first, mapping)| (first, mapping))
    }
}

/// The bytes `[offset, offset + len)` of pieces that lie one after the other.
pub(crate) fn cut(pieces: &[Piece], offset: u64, len: u64) -> Vec<Piece> {
    let end = offset.saturating_add(len);
    let mut list = Vec::new();
    let mut at = 0_u64;
    for piece in pieces {
        let (from, to) = (offset.max(at), end.min(at.saturating_add(piece.len)));
        if from < to {
            list.push(Piece {
                object: piece.object,
                start: piece.start.saturating_add(from - at),
                len: to - from,
            });
        }
        at = at.saturating_add(piece.len);
    }
    list
}
