//! The other processes' side of shared device memory (5.6): open, close.

use super::KeyId;
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Body, Found, Freed, Import, Made, NORMAL_PAGE, Range, Space, Zone, invalid, not_open, round_up,
    stale,
};

impl Space {
    /// `halShmemOpenHandleByDevId`: an address for shared memory. A second open by the same process
    /// for the same device answers with the same address; each wants a close.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, nowhere to put the address, or a device that does not exist;
    /// `InvalidHandle` for a device that is not open, and a name that is gone; `OperNotPermitted` for
    /// a process that is not on the whitelist or has started after it was put there; `NotSupport` for
    /// a device that does not reach the memory; `OutOfMemory`.
    pub fn ipc_open(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        name: Option<&str>,
        key: Option<KeyId>,
        device: u32,
    ) -> Result<Made, Refused> {
        let this = self.process(process)?;
        let (Some(name), Some(id)) = (name, key) else {
            return Err(invalid("the name is NULL, or there is nowhere to put the address"));
        };
        if device >= self.devices {
            return Err(invalid(format!("there is no device {device}")));
        }
        if !this.has_open(device) {
            return Err(not_open(device));
        }
        let started = this.started;
        let Some(key) = self.keys.get(id.0 as usize).filter(|key| key.valid) else {
            return Err(stale("the name"));
        };
        let object = key.pieces.first().map_or(ObjectId(0), |piece| piece.object);
        let (len, pieces, home) = (key.len, key.pieces.clone(), key.home);
        let since = key.whitelist.get(&process);
        let listed = since.is_some_and(|&since| started <= since);
        let allowed = key.no_whitelist || key.creator == process || listed;
        if let Some(&start) = this.imports.get(&(id, device)) {
            return self.open_again(process, start, object, len);
        }
        if !allowed {
            let why = format!("process {process} is not on the whitelist");
            return Err(Refused::new(Status::OperNotPermitted, why).finding(Code::ReplayIpcPerm));
        }
        if home != Bank::Device(device) && !cx.machine.capabilities.peer {
            let why = format!("device {device} does not reach {home:?}");
            return Err(Refused::new(Status::NotSupport, why));
        }
        if cx.injected.map_fails() {
            return Err(Refused::new(Status::OutOfMemory, "the trace makes this mapping fail"));
        }
        self.settle(cx);
        let span = round_up(len, NORMAL_PAGE);
        let addresses = &mut self.process_mut(process)?.addresses;
        let start = addresses.take(Zone::Svm, span, NORMAL_PAGE).ok_or_else(|| {
            Refused::new(Status::OutOfMemory, format!("no {span} addresses are free in a row"))
        })?;
        let import = Import {
            key: id,
            device,
            pieces,
            opens: 1,
            stale: None,
            peers: cx.machine.capabilities.peer,
        };
        let range = Range {
            name: name.to_owned(),
            start,
            len: span,
            usable: len,
            generation: self.new_generation(),
            zone: Zone::Svm,
            body: Body::Import(import),
            keys: Vec::new(),
            registrations: Vec::new(),
        };
        let pointer = range.pointer(process);
        self.remember_reuse(process, start, span);
        let this = self.process_mut(process)?;
        this.imports.insert((id, device), start);
        this.add(range);
        if let Some(key) = self.keys.get_mut(id.0 as usize) {
            key.openers.insert((process, device));
        }
        cx.counters.maps += 1;
        Ok(Made { pointer, object, len })
    }

    fn open_again(
        &mut self,
        process: u32,
        start: u64,
        object: ObjectId,
        len: u64,
    ) -> Result<Made, Refused> {
        let range = self.process_mut(process)?.ranges.get_mut(&start);
        let Some(range) = range else { return Err(stale("the import")) };
        if let Body::Import(import) = &mut range.body {
            import.opens = import.opens.saturating_add(1);
        }
        Ok(Made { pointer: range.pointer(process), object, len })
    }

    /// `halShmemCloseHandle`; the last close of an address ends it, and answers with it. An address
    /// that was not opened is refused in mode `spec` and closed successfully in mode `source`
    /// (Q-IPC-2).
    ///
    /// # Errors
    /// `InvalidValue` for NULL, and for what was not opened.
    pub fn ipc_close(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<Option<Freed>, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let (finding, why) = match self.find(process, pointer) {
            Found::Live(range) if range.start == pointer.address => match &range.body {
                Body::Import(_) => return self.close_once(process, pointer),
                _ => (Code::ReplayBadFree, format!("`{}` was not opened", range.name)),
            },
            Found::Dead(dead) if matches!(dead.body, Body::Import(_)) => {
                (Code::ReplayDoubleFree, format!("`{}` was closed before", dead.name))
            }
            _ => (Code::ReplayBadFree, "nothing was opened at this address".to_owned()),
        };
        cx.notes.quirk(Quirk::Ipc2);
        if cx.source() { Ok(None) } else { Err(invalid(why).finding(finding)) }
    }

    fn close_once(&mut self, process: u32, pointer: Pointer) -> Result<Option<Freed>, Refused> {
        let this = self.process_mut(process)?;
        let Some(range) = this.range_mut(pointer.generation) else { return Ok(None) };
        let (start, len) = (range.start, range.usable);
        let Body::Import(import) = &mut range.body else { return Ok(None) };
        import.opens = import.opens.saturating_sub(1);
        if import.opens > 0 {
            return Ok(None);
        }
        let object = import.pieces.first().map_or(ObjectId(0), |piece| piece.object);
        let (key, device) = (import.key, import.device);
        this.remove(start, false);
        if let Some(key) = self.keys.get_mut(key.0 as usize) {
            key.openers.remove(&(process, device));
        }
        Ok(Some(Freed { object, len }))
    }
}
