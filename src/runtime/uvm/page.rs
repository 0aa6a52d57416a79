//! The state of a page (section 4).

use crate::model::trace::Location;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::Who;

/// Everything that is known of a page. Equal neighbours are one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The first page of its allocation; keeps runs of two allocations apart.
    pub(super) alloc: u64,
    /// Who has it.
    pub(super) home: Home,
    /// True when its host copy lies in the swap area (Q-UVM-20).
    pub(super) area: bool,
    /// What was advised.
    pub(super) preferred: Option<Location>,
    /// What was advised.
    pub(super) access_by: Places,
    /// The target of the last prefetch.
    pub(super) last_prefetch: Option<Location>,
    /// Where prefetches brought it, and nobody has touched it there since.
    pub(super) unused: Places,
    /// When it was swapped out, if no device has asked for it since.
    pub(super) swapped_at: Option<u64>,
    /// Unfinished tasks that use it; a page in use is no victim (13.5).
    pub(super) holds: u32,
    /// Who took turns on it.
    pub(super) turns: Turns,
}

/// The legal configurations of section 4; no other can be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// U: nobody.
    Unmapped,
    /// H: the host, which may write.
    Host,
    /// D: one device, which may write.
    Device(Replica),
    /// The host and these devices, sorted, none of which may write: R, and H of a read-mostly page
    /// where there are none.
    ReadMostly(Vec<Replica>),
}

/// A device's copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Replica {
    /// The device.
    pub(super) device: u32,
    /// Scans of the device before it was last used: its age is the scans since, less one.
    pub(super) seen: u64,
    /// It was never filled.
    pub(super) stale: bool,
}

/// Places as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Bit d: device d.
    pub(super) devices: u64,
    /// The host.
    pub(super) host: bool,
}

/// Who had the page, and which bytes of it he used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tenure {
    who: Who,
    lo: u64,
    hi: u64,
}

/// Tenures of a page; none where the whole page was used, which is not apart from anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turns {
    now: Option<Tenure>,
    before: Option<Tenure>,
    count: u32,
}

impl Page {
    /// Of a new allocation.
    pub(super) fn new(alloc: u64) -> Self {
        Self {
            alloc,
            home: Home::Unmapped,
            area: false,
            preferred: None,
            access_by: Places::default(),
            last_prefetch: None,
            unused: Places::default(),
            swapped_at: None,
            holds: 0,
            turns: Turns::default(),
        }
    }

    /// True when READ_MOSTLY is in force.
    pub(super) fn read_mostly(&self) -> bool {
        matches!(self.home, Home::ReadMostly(_))
    }

    /// True when the host has a copy.
    pub(super) fn on_host(&self) -> bool {
        matches!(self.home, Home::Host | Home::ReadMostly(_))
    }

    /// The copies of devices, sorted by device.
    pub(super) fn replicas(&self) -> &[Replica] {
        match &self.home {
            Home::Device(one) => std::slice::from_ref(one),
            Home::ReadMostly(all) => all,
            Home::Unmapped | Home::Host => &[],
        }
    }

    /// The copy of a device.
    pub(super) fn replica(&self, device: u32) -> Option<Replica> {
        self.replicas().iter().copied().find(|one| one.device == device)
    }

    /// Changes all copies of devices.
    pub(super) fn each_replica(&mut self, mut change: impl FnMut(&mut Replica)) {
        match &mut self.home {
            Home::Device(one) => change(one),
            Home::ReadMostly(all) => all.iter_mut().for_each(change),
            Home::Unmapped | Home::Host => {}
        }
    }

    /// Who owns the page (`page_map`): the host for every read-mostly page.
    pub(super) fn owner(&self) -> Option<Bank> {
        match &self.home {
            Home::Unmapped => None,
            Home::Host | Home::ReadMostly(_) => Some(Bank::Host),
            Home::Device(one) => Some(Bank::Device(one.device)),
        }
    }

    /// With a copy more, in the place of an older one of that device.
    pub(super) fn with_replica(&self, new: Replica) -> Self {
        let mut all: Vec<Replica> =
            self.replicas().iter().copied().filter(|one| one.device != new.device).collect();
        let at = all.partition_point(|one| one.device < new.device);
        all.insert(at, new);
        Self { home: Home::ReadMostly(all), ..self.clone() }
    }

    /// Without the copy of a device.
    pub(super) fn without_replica(&self, device: u32) -> Self {
        let all = self.replicas().iter().copied().filter(|one| one.device != device).collect();
        Self { home: Home::ReadMostly(all), ..self.clone() }
    }

    /// With another home.
    pub(super) fn with_home(&self, home: Home) -> Self {
        Self { home, ..self.clone() }
    }
}

impl Replica {
    /// A good copy, used now.
    pub(super) fn new(device: u32, seen: u64) -> Self {
        Self { device, seen, stale: false }
    }
}

impl Places {
    /// The place alone; nothing for a NUMA node, which ACCESS_BY does not take (5.10).
    pub(super) fn of(location: Location) -> Self {
        match location {
            Location::Device(device) => {
                Self { devices: 1u64.checked_shl(device).unwrap_or(0), host: false }
            }
            Location::Host => Self { devices: 0, host: true },
            Location::Invalid | Location::HostNuma(_) => Self::default(),
        }
    }

    /// The side that somebody is on, or that a prefetch is for.
    pub(super) fn side(device: Option<u32>) -> Self {
        Self::of(device.map_or(Location::Host, Location::Device))
    }

    /// How many places there are.
    pub(super) fn count(self) -> u64 {
        u64::from(self.devices.count_ones()) + u64::from(self.host)
    }

    /// True when some place is in both.
    pub(super) fn meets(self, other: Self) -> bool {
        self.devices & other.devices != 0 || self.host && other.host
    }

    /// Both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { devices: self.devices | other.devices, host: self.host || other.host }
    }

    /// What is in both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { devices: self.devices & other.devices, host: self.host && other.host }
    }

    /// What is in the first only.
    pub(super) fn less(self, other: Self) -> Self {
        Self { devices: self.devices & !other.devices, host: self.host && !other.host }
    }
}

impl Turns {
    /// `who` used the bytes `[lo, hi)` of a page of so many bytes; `moved` when it had to come to him.
    pub(super) fn used(&mut self, who: Who, (lo, hi): (u64, u64), page: u64, moved: bool) {
        match &mut self.now {
            Some(now) if now.who == who => {
                now.lo = now.lo.min(lo);
                now.hi = now.hi.max(hi);
            }
            _ if moved => {
                self.count = self.falsely();
                self.before = self.now;
                self.now = Some(Tenure { who, lo, hi });
            }
            // A reader of a replica takes nothing away.
            _ => {}
        }
        self.now = self.now.filter(|now| now.lo > 0 || now.hi < page);
    }

    /// How often it went to somebody who used none of the bytes that the one before him used.
    pub(super) fn falsely(&self) -> u32 {
        let apart = match (self.before, self.now) {
            (Some(a), Some(b)) => a.who != b.who && (a.hi <= b.lo || b.hi <= a.lo),
            _ => false,
        };
        self.count.saturating_add(u32::from(apart))
    }
}
