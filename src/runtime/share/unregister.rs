//! The end of registrations, and the device's address of registered memory (5.8).

use crate::runtime::context::Context;
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{Found, Registration, Space, invalid, invalid_in_kernel, no_device};

impl Space {
    /// `halHostUnregister`: ends the first registration that starts at an address, for a device.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, `InvalidDevice`, `NotExist` for what is not registered.
    pub fn unreg(
        &mut self,
        _: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
        device: u32,
    ) -> Result<(), Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        if device >= self.devices {
            return Err(no_device(device));
        }
        let found = match self.find(process, pointer) {
            Found::Live(range) => {
                let offset = pointer.address - range.start;
                let fits = |r: &Registration| r.offset == offset && r.device == device;
                range.registrations.iter().position(fits)
            }
            Found::Dead(_) | Found::Unknown => None,
        };
        let Some(at) = found else {
            return Err(Refused::new(Status::NotExist, "nothing is registered at this address"));
        };
        let this = self.process_mut(process)?;
        let Some(range) = this.range_mut(pointer.generation) else { return Ok(()) };
        let registration = range.registrations.remove(at);
        if registration.own_address {
            this.remove(registration.dst.address, false);
        }
        Ok(())
    }

    /// `halHostGetDevPointer`: the device's address of registered memory, by the first registration
    /// around it.
    ///
    /// # Errors
    /// An argument error for NULL, `NotSupport` when the capability was not asked for before,
    /// `InvalidDevice`, `NotExist` for what is not registered.
    pub fn get_dev_ptr(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
        device: u32,
        capability_asked: bool,
    ) -> Result<Pointer, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else {
            return Err(invalid_in_kernel(cx, "the address is NULL"));
        };
        if !capability_asked {
            let why = "the capability was not asked for before";
            return Err(Refused::new(Status::NotSupport, why));
        }
        if device >= self.devices {
            return Err(no_device(device));
        }
        let found = match self.find(process, pointer) {
            Found::Live(range) => {
                let offset = pointer.address - range.start;
                let around = |r: &&Registration| {
                    r.device == device && offset >= r.offset && offset - r.offset < r.len
                };
                range.registrations.iter().find(around).map(|r| r.dst.offset(offset - r.offset))
            }
            Found::Dead(_) | Found::Unknown => None,
        };
        found.ok_or_else(|| Refused::new(Status::NotExist, "the address is not registered"))
    }
}
