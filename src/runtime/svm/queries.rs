//! Queries (5.4).

use super::Space;
use super::process::Found;
use super::range::{Block, Body};
use super::refusals::{invalid, no_device};
use super::zones::{GIANT_PAGE, HOST_DEVICE, HUGE_PAGE, NORMAL_PAGE, Zone};
use crate::diag::Code;
use crate::model::trace::{AllocKind, InfoKind};
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// The memory types of `drvMemGetAttribute` (2.3), with their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum MemoryType {
    Svm = 1,
    SvmHost = 2,
    SvmDevice = 4,
    LockHost = 8,
    LockDev = 0x10,
    Dvpp = 0x20,
    HostAgent = 0x40,
    UserMalloc = 0x80,
    UserRegister = 0x100,
    Uvm = 0x200,
    Soma = 0x400,
}

/// What `drvMemGetAttribute` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAttribute {
    /// The type.
    pub kind: MemoryType,
    /// The device, for memory of one.
    pub device: Option<u32>,
    /// Bytes of a page.
    pub page: u64,
    /// True when the memory was freed before (Q-QRY-1).
    pub stale: bool,
}

/// What `halMemGetInfo` answers, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryInfo {
    /// In pages of 4 KiB: those in use and those that could be.
    pub total: u64,
    /// The capacity less all that is used, what the library keeps included.
    pub free: u64,
    /// In pages of 2 MiB and 1 GiB: those in use and those that could be.
    pub huge_total: u64,
    /// What could be had in pages of 2 MiB.
    pub huge_free: u64,
    /// In pages of 1 GiB: those in use and those that could be.
    pub giant_total: u64,
    /// What could be had in pages of 1 GiB.
    pub giant_free: u64,
}

/// What `halMemGetAddressRange` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    /// The first address of the allocation.
    pub base: Pointer,
    /// Its bytes, rounded up to pages.
    pub size: u64,
}

/// What `aclrtPointerGetAttributes` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerPlace {
    /// Host memory that the runtime knows.
    Host,
    /// Memory of a device.
    Device(u32),
    /// Managed memory.
    Managed,
    /// Memory that the runtime does not know.
    Unregistered,
}

/// Addresses of one check.
const MAX_CHECKED: usize = 1024;

impl Space {
    /// `drvMemGetAttribute`. Not a test whether memory is allocated: in mode `source` it answers
    /// for freed memory too (Q-QRY-1).
    ///
    /// # Errors
    /// `InvalidValue` for NULL, `NotExist` for an address that is in no heap, for a reserved one that
    /// is not mapped, and in mode `spec` for a freed one.
    pub fn attribute(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<MemoryAttribute, Refused> {
        let this = self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let missing = |why: &str| Err(Refused::new(Status::NotExist, why));
        let managed = |kind, page| Ok(MemoryAttribute { kind, device: None, page, stale: false });
        if Zone::Uvm.contains(pointer.address) {
            return managed(MemoryType::Uvm, cx.machine.uvm_page);
        }
        if Zone::Soma.contains(pointer.address) {
            return managed(MemoryType::Soma, cx.machine.soma_page);
        }
        let (start, len, body, stale) = match self.find(process, pointer) {
            Found::Live(range) => (range.start, range.len, &range.body, false),
            Found::Dead(dead) => (dead.start, dead.len, &dead.body, true),
            Found::Unknown => return missing("the address is in no heap"),
        };
        let offset = pointer.address - start;
        if offset >= len {
            return missing("the address is behind the memory");
        }
        let registered = match self.find(process, pointer) {
            Found::Live(range) => !range.registrations.is_empty(),
            _ => false,
        };
        let Some((kind, device, page)) = self.describe(body, offset, registered) else {
            return missing("nothing that the runtime knows is there");
        };
        if stale {
            let heap_lives = device.map_or(this.has_any_open(), |d| this.has_open(d));
            cx.notes.remark(Code::ReplayLint, "asks for an attribute of memory that is freed");
            if !heap_lives {
                return missing("the heap is closed");
            }
            cx.notes.quirk(Quirk::Qry1);
            if !cx.source() {
                return missing("the memory is freed");
            }
        }
        Ok(MemoryAttribute { kind, device, page, stale })
    }

    fn describe(
        &self,
        body: &Body,
        offset: u64,
        registered: bool,
    ) -> Option<(MemoryType, Option<u32>, u64)> {
        Some(match body {
            Body::Block(block) => describe_block(block, offset, registered)?,
            Body::Reserve(reserve) => {
                let (_, mapping) = reserve.around(offset)?;
                match self.handle_location(mapping.handle)? {
                    Bank::Host => (MemoryType::LockHost, None, HUGE_PAGE),
                    Bank::Device(device) => (MemoryType::LockDev, Some(device), HUGE_PAGE),
                }
            }
            Body::Import(import) => (MemoryType::LockDev, Some(import.device), NORMAL_PAGE),
            Body::Window(window) => (MemoryType::UserRegister, Some(window.device), NORMAL_PAGE),
        })
    }

    /// `halMemGetInfo`. Device 64 is the host. The model does not divide memory by page sizes before
    /// it is used, so what is free is free for pages of any size.
    ///
    /// # Errors
    /// `InvalidDevice` for a device that does not exist, `InvalidValue` for an address check,
    /// which needs addresses.
    pub fn info(
        &self,
        cx: &Context<'_>,
        process: u32,
        device: u32,
        kind: InfoKind,
    ) -> Result<MemoryInfo, Refused> {
        self.process(process)?;
        let bank = if device == HOST_DEVICE { Bank::Host } else { Bank::Device(device) };
        if !cx.memory.exists(bank) {
            return Err(no_device(device));
        }
        if kind == InfoKind::AddrCheck {
            return Err(invalid("an address check needs addresses"));
        }
        let (normal, giant) = self.used_by_page(bank);
        let used = cx.memory.used(bank);
        let free = cx.memory.free(bank);
        let (huge_free, giant_free) =
            (free / HUGE_PAGE * HUGE_PAGE, free / GIANT_PAGE * GIANT_PAGE);
        Ok(MemoryInfo {
            total: free.saturating_add(normal.min(used)),
            free,
            huge_total: huge_free.saturating_add(used.saturating_sub(normal)),
            huge_free,
            giant_total: giant_free.saturating_add(giant),
            giant_free,
        })
    }

    /// Bytes in use in pages of 4 KiB, and of 1 GiB.
    fn used_by_page(&self, bank: Bank) -> (u64, u64) {
        let (mut normal, mut giant) = (self.kept_bytes(bank).1, 0_u64);
        let mut count = |page: u64, bytes: u64| match page {
            NORMAL_PAGE => normal = normal.saturating_add(bytes),
            GIANT_PAGE => giant = giant.saturating_add(bytes),
            _ => {}
        };
        for block in self.processes.iter().flat_map(|p| p.ranges.values()).filter_map(|r| r.block())
        {
            if block.bank == bank {
                count(block.page, block.held);
            }
            for run in block.pages.present().filter(|run| run.bank == Some(bank)) {
                count(block.page, run.end - run.start);
            }
        }
        for store in self.stores.iter().filter(|s| s.home == bank && s.holders > 0) {
            count(store.page, store.len);
        }
        (normal, giant)
    }

    /// `halMemGetInfo` as an address check: which addresses are those of live memory.
    ///
    /// # Errors
    /// `InvalidValue` for no addresses or more than 1024 (2.2).
    pub fn address_check(&self, process: u32, pointers: &[Pointer]) -> Result<Vec<bool>, Refused> {
        self.process(process)?;
        if !(1..=MAX_CHECKED).contains(&pointers.len()) {
            return Err(invalid(format!("{} addresses are to be checked", pointers.len())));
        }
        let live = |&pointer: &Pointer| match self.find(process, pointer) {
            Found::Live(range) => range.contains(pointer.address),
            Found::Dead(_) | Found::Unknown => false,
        };
        Ok(pointers.iter().map(live).collect())
    }

    /// `halMemGetAddressRange`.
    ///
    /// # Errors
    /// `InvalidValue` for NULL and for what is not allocated.
    pub fn address_range(
        &self,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<AddressRange, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        match self.find(process, pointer) {
            Found::Live(range) if range.contains(pointer.address) && range.zone != Zone::User => {
                Ok(AddressRange { base: range.pointer(process), size: range.len })
            }
            _ => Err(invalid("nothing is allocated there")),
        }
    }

    /// `aclrtPointerGetAttributes`: where the memory is.
    ///
    /// # Errors
    /// `InvalidValue` for NULL.
    pub fn pointer_attr(
        &self,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<PointerPlace, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        if Zone::Uvm.contains(pointer.address) {
            return Ok(PointerPlace::Managed);
        }
        let Found::Live(range) = self.find(process, pointer) else {
            return Ok(PointerPlace::Unregistered);
        };
        if !range.contains(pointer.address) {
            return Ok(PointerPlace::Unregistered);
        }
        let registered = !range.registrations.is_empty();
        let offset = pointer.address - range.start;
        Ok(match self.describe(&range.body, offset, registered) {
            Some((_, Some(device), _)) => PointerPlace::Device(device),
            Some((_, None, _)) => PointerPlace::Host,
            None => PointerPlace::Unregistered,
        })
    }
}

fn describe_block(
    block: &Block,
    offset: u64,
    registered: bool,
) -> Option<(MemoryType, Option<u32>, u64)> {
    let page = block.page;
    let by_bank = |kind| match block.bank {
        Bank::Host => (kind, None, page),
        Bank::Device(device) => (kind, Some(device), page),
    };
    Some(match block.kind {
        AllocKind::User if registered => by_bank(MemoryType::UserRegister),
        AllocKind::User => return None,
        AllocKind::Host | AllocKind::HostUva => by_bank(MemoryType::LockHost),
        AllocKind::Dvpp => by_bank(MemoryType::Dvpp),
        AllocKind::Dev => by_bank(MemoryType::LockDev),
        AllocKind::Uvm => by_bank(MemoryType::Uvm),
        AllocKind::Svm => {
            let run = block.pages.runs(offset, offset.saturating_add(1));
            match run.first().and_then(|run| run.bank) {
                None => (MemoryType::Svm, None, page),
                Some(Bank::Host) => (MemoryType::SvmHost, None, page),
                Some(Bank::Device(device)) => (MemoryType::SvmDevice, Some(device), page),
            }
        }
    })
}
