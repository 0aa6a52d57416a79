//! Opening and closing devices (5.1).

use super::process::Process;
use super::refusals::{invalid, not_open};
use super::{Space, teardown};
use crate::runtime::context::Context;
use crate::runtime::objects::Piece;
use crate::runtime::status::{Refused, Status};

impl Space {
    /// Opens a device for a process; every open wants a close. An open by a process that has ended
    /// is the first call of a new process with the same number, as when a pid is used again.
    ///
    /// # Errors
    /// `NotSupport` for a flag above 1, `InvalidValue` for a device that does not exist,
    /// `ParaError` when a close has failed before (5.1).
    pub fn open(
        &mut self,
        _: &mut Context<'_>,
        process: u32,
        device: u32,
        flag: u32,
    ) -> Result<(), Refused> {
        if flag > 1 {
            return Err(Refused::new(Status::NotSupport, format!("flag {flag}")));
        }
        if device >= self.devices {
            return Err(invalid(format!("there is no device {device}")));
        }
        let devices = self.devices;
        if let Some(ended) = self.processes.get_mut(process as usize).filter(|p| !p.alive) {
            self.moment += 1;
            // Generations are never used again, so pointers of the old process stay dead.
            let dead = std::mem::take(&mut ended.dead);
            *ended = Process { dead, ..Process::new(devices, self.moment) };
        }
        let process = self.process_mut(process)?;
        let Some(opened) = process.devices.get_mut(device as usize) else {
            return Err(invalid(format!("there is no device {device}")));
        };
        if opened.broken {
            return Err(Refused::new(Status::ParaError, "an earlier close has failed"));
        }
        opened.opens = opened.opens.saturating_add(1);
        Ok(())
    }

    /// Closes a device; the last close takes away all that lives on it and reports what was still
    /// there as leaks. When it `fails`, nothing is taken away, and the device cannot be used again.
    ///
    /// Answers with the objects that are gone.
    ///
    /// # Errors
    /// `InvalidValue` for a device that does not exist, `InvalidHandle` when it is not open,
    /// `Inner` when the close fails.
    pub fn close(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        device: u32,
        fails: bool,
    ) -> Result<Vec<Piece>, Refused> {
        if device >= self.devices {
            return Err(invalid(format!("there is no device {device}")));
        }
        let this = self.process_mut(process)?;
        let Some(opened) = this.devices.get_mut(device as usize) else {
            return Err(invalid(format!("there is no device {device}")));
        };
        if opened.opens == 0 || opened.broken {
            return Err(not_open(device));
        }
        if fails {
            opened.broken = true;
            return Err(Refused::new(Status::Inner, "the close has failed"));
        }
        opened.opens -= 1;
        if opened.opens > 0 {
            return Ok(Vec::new());
        }
        Ok(self.tear_down(cx, process, teardown::Scope::Device(device), teardown::Way::Orderly))
    }
}
