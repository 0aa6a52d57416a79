//! One process: its devices and its ranges.

use std::collections::BTreeMap;

use super::addresses::Addresses;
use super::range::{Body, Dead, Range};
use crate::runtime::pointer::Pointer;
use crate::runtime::share::KeyId;

/// A process and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// False after its end.
    pub alive: bool,
    /// When it started, on the scale of `Space::moment`.
    pub started: u64,
    /// Its devices, by number.
    pub devices: Vec<Opened>,
    /// Its addresses.
    pub addresses: Addresses,
    /// Live ranges by their first address.
    pub ranges: BTreeMap<u64, Range>,
    /// First addresses of live ranges by generation.
    pub places: BTreeMap<u32, u64>,
    /// Parts of ranges that are handed out one by one: the generation of the range by that of the
    /// part.
    pub parts: BTreeMap<u32, u32>,
    /// Ranges that are no longer, by generation.
    pub dead: BTreeMap<u32, Dead>,
    /// Open imports: first addresses by key and device.
    pub imports: BTreeMap<(KeyId, u32), u64>,
    /// True when it has asked for the granularity of handles.
    pub asked_granularity: bool,
}

/// A device as a process sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opened {
    /// Opens less closes.
    pub opens: u32,
    /// True when a close has failed: it cannot be opened again.
    pub broken: bool,
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found<'a> {
    /// A live range.
    Live(&'a Range),
    /// One that was.
    Dead(&'a Dead),
    /// Nothing that this process was ever given.
    Unknown,
}

impl Process {
    /// A process that starts at a moment.
    pub(crate) fn new(devices: u32, started: u64) -> Self {
        Self {
            alive: true,
            started,
            devices: (0..devices).map(|_| Opened::default()).collect(),
            addresses: Addresses::default(),
            ranges: BTreeMap::new(),
            places: BTreeMap::new(),
            parts: BTreeMap::new(),
            dead: BTreeMap::new(),
            imports: BTreeMap::new(),
            asked_granularity: false,
        }
    }

    /// True when a device is open.
    pub(crate) fn has_open(&self, device: u32) -> bool {
        self.devices.get(device as usize).is_some_and(|d| d.opens > 0 && !d.broken)
    }

    /// True when any device is open.
    pub(crate) fn has_any_open(&self) -> bool {
        self.devices.iter().any(|d| d.opens > 0 && !d.broken)
    }

    /// What a pointer of this process leads to.
    pub(crate) fn find(&self, pointer: Pointer) -> Found<'_> {
        let generation = self.whole(pointer.generation);
        let live = self.places.get(&generation).and_then(|start| self.ranges.get(start));
        match (live, self.dead.get(&generation)) {
            (Some(range), _) if pointer.address >= range.start => Found::Live(range),
            (None, Some(dead)) if pointer.address >= dead.start => Found::Dead(dead),
            _ => Found::Unknown,
        }
    }

    /// The live range of a pointer, for changes.
    pub(crate) fn range_mut(&mut self, generation: u32) -> Option<&mut Range> {
        let start = self.places.get(&self.whole(generation))?;
        self.ranges.get_mut(start)
    }

    /// The generation of the range around a part; any other stands for itself.
    fn whole(&self, generation: u32) -> u32 {
        self.parts.get(&generation).copied().unwrap_or(generation)
    }

    /// Adds a range whose addresses are taken already.
    pub(crate) fn add(&mut self, range: Range) {
        self.places.insert(range.generation, range.start);
        self.ranges.insert(range.start, range);
    }

    /// Takes a range out; its addresses stay taken when `keep_addresses`.
    pub(crate) fn remove(&mut self, start: u64, keep_addresses: bool) -> Option<Range> {
        let range = self.ranges.remove(&start)?;
        self.places.remove(&range.generation);
        if !keep_addresses {
            self.addresses.give(range.zone, start);
        }
        let dead =
            Dead { name: range.name.clone(), start, body: range.body.clone(), len: range.len };
        self.dead.insert(range.generation, dead);
        if let Body::Import(import) = &range.body {
            self.imports.remove(&(import.key, import.device));
        }
        Some(range)
    }
}
