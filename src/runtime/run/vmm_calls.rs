//! Calls of 5.5 and 5.7.

use super::bindings::Binding;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use crate::diag::Code;
use crate::model::trace::{Call, Sym};
use crate::runtime::status::{Refused, Status};
use crate::runtime::vmm::{
    Access, CreateRequest, Created, HandleId, MapRequest, ReserveRequest, ShareId,
};
use crate::runtime::watch::Watch;

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn vmm_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        let (process, trace) = (caller.process, self.setup.trace);
        match call {
            Call::Reserve { out, size, alignment, at, pages, shared } => {
                let request = ReserveRequest {
                    name: out.map(|out| trace.text(out)),
                    size: *size,
                    alignment: *alignment,
                    at: *at,
                    pages: *pages,
                    shared: *shared,
                };
                let made =
                    self.ask(caller, |cx, space, _, _| space.reserve(cx, process, &request))?;
                self.bind(*out, made.pointer, made.len);
                Ok(None)
            }
            Call::Unreserve { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let gone =
                    self.ask(caller, |cx, space, _, _| space.unreserve(cx, process, pointer))?;
                self.gone(caller, &gone);
                Ok(None)
            }
            Call::Create { out, size, device, pages, flag } => {
                let request = CreateRequest {
                    name: out.map(|out| trace.text(out)),
                    size: *size,
                    device: *device,
                    pages: *pages,
                    flag: *flag,
                };
                let made =
                    self.ask(caller, |cx, space, _, _| space.create(cx, process, &request))?;
                self.handle_made(*out, &made);
                self.watch.begin(made.object, false);
                Ok(None)
            }
            Call::Release { handle } => {
                let handle = self.handle(*handle)?;
                let freed =
                    self.ask(caller, |cx, space, _, _| space.release(cx, process, handle))?;
                self.handle_freed(caller, freed);
                Ok(None)
            }
            Call::Retain { out, p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let handle =
                    self.ask(caller, |cx, space, _, _| space.retain(cx, process, pointer))?;
                if let Some(out) = out {
                    self.bindings.insert(*out, Binding::Handle(handle));
                }
                Ok(None)
            }
            Call::Map { p, off, size, offset, handle, flag, alias } => {
                let request = MapRequest {
                    pointer: self.pointer(*p, *off)?,
                    size: *size,
                    offset: *offset,
                    handle: self.handle(*handle)?,
                    flag: *flag,
                    alias: *alias,
                };
                self.ask(caller, |cx, space, _, _| space.map(cx, process, &request))?;
                Ok(None)
            }
            Call::Unmap { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let gone = self.ask(caller, |cx, space, _, _| space.unmap(cx, process, pointer))?;
                // Whoever still uses the bytes under this address must be through.
                self.watch.free(caller.at, gone.piece, 0);
                Ok(None)
            }
            Call::SetAccess { p, off, size, locations, read_write } => {
                let pointer = self.pointer(*p, *off)?;
                self.ask(caller, |cx, space, _, _| {
                    space.set_access(cx, process, pointer, *size, locations, *read_write)
                })?;
                Ok(None)
            }
            Call::GetAccess { p, off, location } => {
                let pointer = self.pointer(*p, *off)?;
                let access = self.ask(caller, |cx, space, _, _| {
                    space.get_access(cx, process, pointer, *location)
                })?;
                Ok(Some(match access {
                    Access::None => "none".to_owned(),
                    Access::ReadWrite => "read_write".to_owned(),
                }))
            }
            Call::Granularity { device, pages, minimum } => {
                let bytes = self.ask(caller, |_, space, _, _| {
                    space.granularity(process, *device, *pages, *minimum)
                })?;
                Ok(Some(bytes.to_string()))
            }
            Call::Export { out, handle } => {
                let handle = self.handle(*handle)?;
                let share = self
                    .ask(caller, |_, space, _, _| space.export(process, out.is_some(), handle))?;
                if let Some(out) = out {
                    self.bindings.insert(*out, Binding::Share(share));
                }
                Ok(None)
            }
            Call::ExportAttr { key, processes, no_pid_check } => {
                let share = self.share(*key)?;
                let listed = self.processes_named(processes);
                self.ask(caller, |_, space, _, _| {
                    space.export_attr(process, share, &listed, *no_pid_check)
                })?;
                Ok(None)
            }
            Call::Import { out, key, device } => {
                let share = self.share(*key)?;
                let made = self.ask(caller, |cx, space, _, _| {
                    space.import(cx, process, out.is_some(), share, *device)
                })?;
                self.handle_made(*out, &made);
                Ok(None)
            }
            _ => Err(Refused::new(Status::NotSupport, "this call is not modelled")),
        }
    }

    fn handle_made(&mut self, out: Option<Sym>, made: &Created) {
        if let Some(out) = out {
            self.bindings.insert(out, Binding::Handle(made.handle));
        }
    }

    fn handle(&self, name: Option<Sym>) -> Result<Option<HandleId>, Refused> {
        let Some(name) = name else { return Ok(None) };
        match self.bindings.get(&name) {
            Some(Binding::Handle(handle)) => Ok(Some(*handle)),
            _ => Err(self.no(name, "handle")),
        }
    }

    fn share(&self, name: Option<Sym>) -> Result<Option<ShareId>, Refused> {
        let Some(name) = name else { return Ok(None) };
        match self.bindings.get(&name) {
            Some(Binding::Share(share)) => Ok(Some(*share)),
            _ => Err(self.no(name, "shared handle")),
        }
    }

    /// A name that stands for nothing of its kind: whatever made it has failed.
    pub(super) fn no(&self, name: Sym, what: &str) -> Refused {
        let why = format!("`{}` is no {what}", self.setup.trace.text(name));
        Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle)
    }
}
