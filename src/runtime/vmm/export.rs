//! Handles that are shared between processes (5.7).

use std::collections::BTreeMap;

use super::{HandleId, StoreId};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{Space, invalid, no_device, not_open, stale};

use super::Created;

/// A shareable value of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShareId(pub u32);

/// Behind a shareable value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The handle that was exported; the value is good while its process holds it.
    pub handle: HandleId,
    /// The memory.
    pub store: StoreId,
    /// Who has exported it.
    pub process: u32,
    /// True when anybody may import it.
    pub no_pid_check: bool,
    /// Who may import it, and since when.
    pub whitelist: BTreeMap<u32, u64>,
}

/// Entries of a whitelist at most.
const MAX_WHITELIST: usize = 65_535;

impl Space {
    /// Exports a handle; each at most once.
    ///
    /// # Errors
    /// `InvalidValue` for NULL or nowhere to put the value, `InvalidHandle` for a handle that is
    /// gone, `NotSupport` for an imported one, `RepeatedUserd` for one that is exported.
    pub fn export(
        &mut self,
        process: u32,
        has_out: bool,
        handle: Option<HandleId>,
    ) -> Result<ShareId, Refused> {
        self.process(process)?;
        let Some(id) = handle.filter(|_| has_out) else {
            return Err(invalid("the handle is NULL, or there is nowhere to put the value"));
        };
        let handle = self.usable_handle(process, id)?;
        if handle.imported {
            let why = "the handle was imported";
            return Err(Refused::new(Status::NotSupport, why));
        }
        if handle.share.is_some() {
            let why = "the handle was exported before";
            return Err(Refused::new(Status::RepeatedUserd, why));
        }
        let share = ShareId(u32::try_from(self.shares.len()).unwrap_or(u32::MAX));
        self.shares.push(Share {
            handle: id,
            store: handle.store,
            process,
            no_pid_check: false,
            whitelist: BTreeMap::new(),
        });
        if let Some(handle) = self.handles.get_mut(id.0 as usize) {
            handle.share = Some(share);
        }
        Ok(share)
    }

    /// Says who may import a value: these processes too, or anybody.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, nobody at all, or processes that do not exist; `InvalidHandle` for a
    /// value whose handle is gone; `OperNotPermitted` for another process's; `OverLimit`.
    pub fn export_attr(
        &mut self,
        process: u32,
        share: Option<ShareId>,
        processes: &[u32],
        no_pid_check: bool,
    ) -> Result<(), Refused> {
        self.process(process)?;
        let Some(id) = share else { return Err(invalid("the value is NULL")) };
        let owner = self.live_share(id)?.process;
        if owner != process {
            let why = "only the exporter says who may import";
            return Err(Refused::new(Status::OperNotPermitted, why).finding(Code::ReplayIpcPerm));
        }
        if processes.is_empty() && !no_pid_check {
            return Err(invalid("nobody is named"));
        }
        if processes.iter().any(|&p| p as usize >= self.processes.len()) {
            return Err(invalid("a process does not exist"));
        }
        self.moment += 1;
        let moment = self.moment;
        let Some(share) = self.shares.get_mut(id.0 as usize) else {
            return Err(stale("the value"));
        };
        if share.whitelist.len().saturating_add(processes.len()) > MAX_WHITELIST {
            return Err(Refused::new(Status::OverLimit, "the whitelist is full"));
        }
        share.whitelist.extend(processes.iter().map(|&p| (p, moment)));
        share.no_pid_check |= no_pid_check;
        Ok(())
    }

    /// Imports a value: a handle of this process to the same memory.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, nowhere to put the handle, or the exporter itself; `InvalidDevice`,
    /// `InvalidHandle` for a device that does not exist or is not open, and for a value whose handle
    /// is gone; `OperNotPermitted` for a process that is not on the whitelist or has started after it
    /// was put there; `NotSupport` for a device that does not reach the memory.
    pub fn import(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        has_out: bool,
        share: Option<ShareId>,
        device: u32,
    ) -> Result<Created, Refused> {
        let this = self.process(process)?;
        let Some(id) = share.filter(|_| has_out) else {
            return Err(invalid("the value is NULL, or there is nowhere to put the handle"));
        };
        if device >= self.devices {
            return Err(no_device(device));
        }
        if !this.has_open(device) {
            return Err(not_open(device));
        }
        let share = self.live_share(id)?;
        if share.process == process {
            return Err(invalid("a value is not imported by the process that has exported it"));
        }
        let since = share.whitelist.get(&process);
        if !share.no_pid_check && since.is_none_or(|&since| this.started > since) {
            let why = format!("process {process} is not on the whitelist");
            return Err(Refused::new(Status::OperNotPermitted, why).finding(Code::ReplayIpcPerm));
        }
        let store = share.store;
        let (object, len, home) = self
            .stores
            .get(store.0 as usize)
            .map_or((ObjectId(0), 0, Bank::Host), |s| (s.object, s.len, s.home));
        let location = match home {
            Bank::Host => Bank::Host,
            Bank::Device(home) if home != device && !cx.machine.capabilities.peer => {
                let why = format!("device {device} does not reach device {home}");
                return Err(Refused::new(Status::NotSupport, why));
            }
            Bank::Device(_) => Bank::Device(device),
        };
        let handle = self.hold(process, store, location, true);
        Ok(Created { handle, object, len })
    }

    fn live_share(&self, id: ShareId) -> Result<&Share, Refused> {
        let held = |share: &&Share| {
            let handle = self.handles.get(share.handle.0 as usize);
            // A value holds no memory itself (5.7).
            handle.is_some_and(|h| h.refs > 0)
        };
        self.shares.get(id.0 as usize).filter(held).ok_or_else(|| stale("the exported handle"))
    }
}
