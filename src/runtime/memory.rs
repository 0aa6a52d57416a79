//! Physical memory by the byte: who has how much of which bank.

use std::collections::BTreeMap;

use super::status::{Refused, Status};
use crate::diag::Code;

/// A bank of physical memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bank {
    /// The host's.
    Host,
    /// A device's.
    Device(u32),
}

/// What physical memory is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Allocations (5.2).
    Svm,
    /// Handles (5.5).
    Vmm,
    /// Managed pages (5.9).
    Uvm,
    /// Blocks of pools, cached ones included (5.15).
    Soma,
    /// Freed, and kept by the library (Q-ALLOC-2); given back under pressure.
    Cache,
}

/// The banks of a machine. `used <= capacity` always holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    banks: BTreeMap<Bank, Use>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Use {
    capacity: u64,
    by: BTreeMap<Purpose, u64>,
    high: u64,
}

impl Memory {
    /// A host and so many devices, all empty.
    pub fn new(devices: u32, device_bytes: u64, host_bytes: u64) -> Self {
        let bank = |capacity| Use { capacity, ..Use::default() };
        let mut banks: BTreeMap<Bank, Use> =
            (0..devices).map(|d| (Bank::Device(d), bank(device_bytes))).collect();
        banks.insert(Bank::Host, bank(host_bytes));
        Self { banks }
    }

    /// True when the bank exists.
    pub fn exists(&self, bank: Bank) -> bool {
        self.banks.contains_key(&bank)
    }

    /// Bytes of a bank; 0 when it does not exist.
    pub fn capacity(&self, bank: Bank) -> u64 {
        self.banks.get(&bank).map_or(0, |b| b.capacity)
    }

    /// Bytes taken, for whatever purpose.
    pub fn used(&self, bank: Bank) -> u64 {
        self.banks.get(&bank).map_or(0, Use::used)
    }

    /// Bytes taken for one purpose.
    pub fn used_for(&self, bank: Bank, purpose: Purpose) -> u64 {
        self.banks.get(&bank).and_then(|b| b.by.get(&purpose)).copied().unwrap_or(0)
    }

    /// The most that was ever taken of a bank.
    pub fn high(&self, bank: Bank) -> u64 {
        self.banks.get(&bank).map_or(0, |b| b.high)
    }

    /// Bytes not taken.
    pub fn free(&self, bank: Bank) -> u64 {
        self.capacity(bank) - self.used(bank)
    }

    /// Takes bytes; what the library caches is given up first when there is no other room.
    ///
    /// # Errors
    /// `OutOfMemory` when fewer are free; nothing is taken then.
    pub fn take(&mut self, bank: Bank, purpose: Purpose, bytes: u64) -> Result<(), Refused> {
        let free = self.free(bank);
        let cached = self.used_for(bank, Purpose::Cache);
        let Some(room) = self.banks.get_mut(&bank) else {
            return Err(Refused::new(Status::InvalidDevice, format!("there is no {bank:?}")));
        };
        if bytes > free.saturating_add(cached) {
            let why = format!("{bytes} bytes are asked for, {free} are free");
            let code = match bank {
                Bank::Host => Code::ReplayOomHost,
                Bank::Device(_) => Code::ReplayOomDevice,
            };
            return Err(Refused::new(Status::OutOfMemory, why).finding(code));
        }
        if bytes > free {
            room.by.insert(Purpose::Cache, cached - (bytes - free));
        }
        *room.by.entry(purpose).or_insert(0) += bytes;
        room.high = room.high.max(room.used());
        Ok(())
    }

    /// Gives bytes back. Giving back more than was taken is a defect of the model; it is counted
    /// as all that was taken.
    pub fn give(&mut self, bank: Bank, purpose: Purpose, bytes: u64) {
        if let Some(taken) = self.banks.get_mut(&bank).and_then(|b| b.by.get_mut(&purpose)) {
            debug_assert!(*taken >= bytes, "{bank:?} {purpose:?}: {bytes} of {taken}");
            *taken = taken.saturating_sub(bytes);
        }
    }

    /// Changes what taken bytes are for.
    pub fn turn(&mut self, bank: Bank, from: Purpose, to: Purpose, bytes: u64) {
        self.give(bank, from, bytes);
        if let Some(room) = self.banks.get_mut(&bank) {
            *room.by.entry(to).or_insert(0) += bytes;
        }
    }
}

impl Use {
    fn used(&self) -> u64 {
        self.by.values().sum()
    }
}
