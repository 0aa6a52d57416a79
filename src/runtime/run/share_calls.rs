//! Calls of 5.6 and 5.8.

use super::bindings::Binding;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use crate::model::trace::{Call, Sym};
use crate::runtime::share::{IpcRequest, KeyId, RegRequest};
use crate::runtime::status::Refused;
use crate::runtime::watch::Watch;

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn share_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        let (process, trace) = (caller.process, self.setup.trace);
        match call {
            Call::IpcCreate { out, p, off, len, name_len } => {
                let request = IpcRequest {
                    name: out.map(|out| trace.text(out)),
                    name_len: *name_len,
                    pointer: self.pointer(*p, *off)?,
                    len: *len,
                };
                let key =
                    self.ask(caller, |cx, space, _, _| space.ipc_create(cx, process, &request))?;
                if let Some(out) = out {
                    self.bindings.insert(*out, Binding::Key(key));
                }
                Ok(None)
            }
            Call::IpcSetpid { key, processes, no_whitelist } => {
                let key = self.key(*key)?;
                let listed = self.processes_named(processes);
                self.ask(caller, |cx, space, _, _| {
                    space.ipc_setpid(cx, process, key, &listed, *no_whitelist)
                })?;
                Ok(None)
            }
            Call::IpcOpen { out, key, device } => {
                let key = self.key(*key)?;
                let name = out.map(|out| trace.text(out));
                let made = self.ask(caller, |cx, space, _, _| {
                    space.ipc_open(cx, process, name, key, *device)
                })?;
                self.bind(*out, made.pointer, made.len);
                Ok(None)
            }
            Call::IpcClose { p } => {
                let pointer = self.pointer(*p, 0)?;
                self.ask(caller, |cx, space, _, _| space.ipc_close(cx, process, pointer))?;
                Ok(None)
            }
            Call::IpcDestroy { key } => {
                let key = self.key(*key)?;
                self.ask(caller, |cx, space, _, _| space.ipc_destroy(cx, process, key))?;
                Ok(None)
            }
            Call::Reg { out, src, kind, device, read_only } => {
                let (pointer, size) = match src {
                    Some(span) => {
                        let (pointer, len) = self.span(caller.at, span);
                        (Some(pointer), len)
                    }
                    None => (None, 0),
                };
                let request = RegRequest {
                    name: out.map(|out| trace.text(out)),
                    src: pointer,
                    len: src.as_ref().and_then(|span| span.len),
                    kind: *kind,
                    device: *device,
                    read_only: *read_only,
                };
                let made = self.ask(caller, |cx, space, _, _| space.reg(cx, process, &request))?;
                self.bind(*out, made.pointer, made.len.min(size));
                Ok(None)
            }
            Call::Unreg { p, off, device } => {
                let pointer = self.pointer(*p, *off)?;
                self.ask(caller, |cx, space, _, _| space.unreg(cx, process, pointer, *device))?;
                Ok(None)
            }
            Call::GetDevPtr { out, p, off, device, capability_asked } => {
                let pointer = self.pointer(*p, *off)?;
                let answer = self.ask(caller, |cx, space, _, _| {
                    space.get_dev_ptr(cx, process, pointer, *device, *capability_asked)
                })?;
                let len = self.pointer_len(*p, *off, None)?.map_or(0, |(_, len)| len);
                self.bind(*out, answer, len);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn key(&self, name: Option<Sym>) -> Result<Option<KeyId>, Refused> {
        let Some(name) = name else { return Ok(None) };
        match self.bindings.get(&name) {
            Some(Binding::Key(key)) => Ok(Some(*key)),
            _ => Err(self.no(name, "key")),
        }
    }
}
