//! Where addresses lie (2.1).

/// A part of the address space of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// Plain memory of the process.
    User,
    /// Pinned host memory.
    HostPin,
    /// Managed memory (5.9); not handed out here.
    Uvm,
    /// Pools (5.15); not handed out here.
    Soma,
    /// Allocations and imports.
    Svm,
    /// Allocations in pages of 2 MiB.
    SvmHuge,
    /// The window in which a reserve may name its address.
    Reserve,
    /// Addresses that registrations make.
    Dynamic,
}

/// 4 KiB.
pub(crate) const NORMAL_PAGE: u64 = 1 << 12;
/// 2 MiB.
pub(crate) const HUGE_PAGE: u64 = 1 << 21;
/// 1 GiB.
pub(crate) const GIANT_PAGE: u64 = 1 << 30;
/// Larger requests are aligned to 1 GiB.
pub(crate) const HALF_HEAP: u64 = 1 << 29;
/// Largest allocation by the source (Q-ALLOC-1), and largest DMA registration (5.8).
pub(crate) const SVM_BYTES: u64 = 8 * TIB;
/// Largest allocation of pages that lie side by side.
pub(crate) const MAX_CONTIGUOUS: u64 = 4 << 20;
/// The device number that means the host.
pub(crate) const HOST_DEVICE: u32 = 64;

const TIB: u64 = 1 << 40;

impl Zone {
    /// The first byte, and the first byte behind it. The last three of shared virtual
    /// memory overlap; see [`Zone::search_from`].
    pub fn bounds(self) -> (u64, u64) {
        match self {
            Self::User => (4 * TIB, 7 * TIB),
            Self::HostPin => (7 * TIB, 8 * TIB),
            Self::Uvm => (9 * TIB, 12 * TIB),
            Self::Soma => (12 * TIB, 14 * TIB),
            Self::Svm | Self::SvmHuge => (16 * TIB, 24 * TIB),
            Self::Reserve => (20 * TIB, 24 * TIB),
            Self::Dynamic => (24 * TIB, 256 * TIB),
        }
    }

    /// Where the first address is handed out (our choice). The first TiB of the reserve window is left
    /// to those who name addresses, and freed huge pages lie behind it in the window, as they can in the real one.
    pub fn search_from(self) -> u64 {
        match self {
            Self::Reserve => 21 * TIB,
            Self::SvmHuge => 22 * TIB,
            _ => self.bounds().0,
        }
    }

    /// Whose address it is: managed memory and pools have zones of their own, everything else that has
    /// an address is here.
    pub fn of(address: u64) -> Option<Self> {
        [Self::User, Self::HostPin, Self::Uvm, Self::Soma, Self::Svm, Self::Dynamic]
            .into_iter()
            .find(|zone| zone.contains(address))
    }

    /// True for an address inside.
    pub fn contains(self, address: u64) -> bool {
        let (start, end) = self.bounds();
        (start..end).contains(&address)
    }

    /// True when some of the bytes are inside and some are not.
    pub fn crossed_by(self, address: u64, len: u64) -> bool {
        let (start, end) = self.bounds();
        let last = address.saturating_add(len.saturating_sub(1));
        self.contains(address) != self.contains(last) || (address < start && last >= end)
    }
}

/// Rounds up to a multiple; stays where it is when the result does not fit.
pub(crate) fn round_up(bytes: u64, multiple: u64) -> u64 {
    bytes.checked_next_multiple_of(multiple).unwrap_or(u64::MAX)
}
