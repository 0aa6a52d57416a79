//! Who may use a mapping (5.5), and the granularity of handles.

use crate::model::trace::{Location, PageClass};
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Found, GIANT_PAGE, HUGE_PAGE, NORMAL_PAGE, Range, Space, invalid, invalid_in_kernel, no_device,
};

/// What a place may do with a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Nothing.
    None,
    /// Read and write; there is nothing between.
    ReadWrite,
}

impl Space {
    /// `halMemSetAccess` for the whole mapping that starts at an address. When a location is refused,
    /// those before it keep what they were given.
    ///
    /// # Errors
    /// `InvalidValue` for NULL or no locations; `NotSupport` for less than reading and writing, from
    /// host to host, and between devices that do not reach each other; an argument error where no
    /// mapping of that size starts; `InvalidDevice`.
    pub fn set_access(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
        size: u64,
        locations: &[Location],
        read_write: bool,
    ) -> Result<(), Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        if size == 0 || locations.is_empty() {
            return Err(invalid("no bytes or no locations are named"));
        }
        if !read_write {
            let why = "only reading and writing together can be allowed";
            return Err(Refused::new(Status::NotSupport, why));
        }
        let Found::Live(range) = self.find(process, pointer) else {
            return Err(invalid_in_kernel(cx, "nothing is mapped there"));
        };
        let (start, offset) = (range.start, pointer.address - range.start);
        let mapping = range.reserve().and_then(|r| r.mappings.get(&offset));
        let Some(mapping) = mapping.filter(|mapping| mapping.len == size) else {
            return Err(invalid_in_kernel(cx, format!("no mapping of {size} bytes starts there")));
        };
        let owner = self.handle_location(mapping.handle).unwrap_or(Bank::Host);
        for &location in locations {
            let bank = self.bank_of(location)?;
            allowed(cx, owner, bank)?;
            let range = self.process_mut(process)?.ranges.get_mut(&start);
            let mappings = range.and_then(Range::reserve_mut).map(|r| &mut r.mappings);
            if let Some(mapping) = mappings.and_then(|m| m.get_mut(&offset)) {
                mapping.access.insert(bank);
            }
        }
        Ok(())
    }

    /// `halMemGetAccess`: what a location may do at an address; nothing where nobody has said so.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, an argument error where nothing is mapped, `InvalidDevice`.
    pub fn get_access(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
        location: Location,
    ) -> Result<Access, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let bank = self.bank_of(location)?;
        let mapping = match self.find(process, pointer) {
            Found::Live(range) => {
                range.reserve().and_then(|r| r.around(pointer.address - range.start))
            }
            Found::Dead(_) | Found::Unknown => None,
        };
        let Some((_, mapping)) = mapping else {
            return Err(invalid_in_kernel(cx, "nothing is mapped there"));
        };
        let set = mapping.access.contains(&bank);
        Ok(if set { Access::ReadWrite } else { Access::None })
    }

    /// `halMemGetAllocationGranularity`: bytes that sizes of handles are multiples of (2.1). Minimum
    /// and recommended are the same, except for normal pages of the host.
    ///
    /// # Errors
    /// `InvalidDevice`.
    pub fn granularity(
        &mut self,
        process: u32,
        device: Option<u32>,
        pages: PageClass,
        minimum: bool,
    ) -> Result<u64, Refused> {
        self.process(process)?;
        if let Some(device) = device.filter(|&device| device >= self.devices) {
            return Err(no_device(device));
        }
        self.process_mut(process)?.asked_granularity = true;
        Ok(match pages {
            PageClass::Giant => GIANT_PAGE,
            PageClass::Normal if device.is_none() && minimum => NORMAL_PAGE,
            PageClass::Normal | PageClass::HugeFirst | PageClass::Huge => HUGE_PAGE,
        })
    }

    fn bank_of(&self, location: Location) -> Result<Bank, Refused> {
        match location {
            Location::Invalid => Err(invalid("the location is none")),
            Location::Device(device) if device >= self.devices => Err(no_device(device)),
            Location::Device(device) => Ok(Bank::Device(device)),
            Location::Host | Location::HostNuma(_) => Ok(Bank::Host),
        }
    }
}

fn allowed(cx: &Context<'_>, owner: Bank, bank: Bank) -> Result<(), Refused> {
    let unsupported = |why: &str| Err(Refused::new(Status::NotSupport, why));
    match (owner, bank) {
        (Bank::Host, Bank::Host) => unsupported("from host to host there is nothing to allow"),
        (Bank::Device(a), Bank::Device(b)) if a != b && !cx.machine.capabilities.peer => {
            unsupported("the devices do not reach each other")
        }
        _ => Ok(()),
    }
}
