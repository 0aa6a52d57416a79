//! Calls about memory, passed on to the parts of the machine.

use super::access::Ledger;
use super::bindings::Binding;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use crate::model::trace::{AllocKind, Call, Sym};
use crate::runtime::context::Context;
use crate::runtime::objects::{ObjectKind, Piece};
use crate::runtime::pointer::Pointer;
use crate::runtime::soma::Pools;
use crate::runtime::status::{Notes, Refused, Status};
use crate::runtime::svm::{AllocRequest, Made, Space};
use crate::runtime::uvm::Uvm;
use crate::runtime::watch::Watch;

impl<'t, W: Watch> Engine<'t, '_, W> {
    pub(super) fn memory_call(&mut self, caller: &mut Caller<'_, '_>, call: &'t Call) -> Reply {
        match call {
            Call::Open { .. }
            | Call::Close { .. }
            | Call::Free { .. }
            | Call::QueryAttr { .. }
            | Call::QueryInfo { .. }
            | Call::AddressRange { .. }
            | Call::PointerAttr { .. } => self.svm_call(caller, call),
            Call::Alloc { out, size, device, kind, pages, flags } => {
                let request = AllocRequest {
                    name: out.map(|out| self.setup.trace.text(out)),
                    size: *size,
                    device: *device,
                    kind: *kind,
                    pages: *pages,
                    flags: *flags,
                };
                self.alloc(caller, *out, &request)
            }
            Call::Memset { .. }
            | Call::Memcpy { .. }
            | Call::Memcpy2d { .. }
            | Call::MemcpyBatch { .. }
            | Call::HostRead { .. }
            | Call::HostWrite { .. } => self.copy_call(caller, call),
            Call::Advise { .. }
            | Call::Prefetch { .. }
            | Call::PrefetchBatch { .. }
            | Call::RangeAttr { .. } => self.managed_call(caller, call),
            Call::PoolCreate { .. }
            | Call::PoolDestroy { .. }
            | Call::PoolSet { .. }
            | Call::PoolGet { .. }
            | Call::PoolAlloc { .. }
            | Call::PoolFree { .. }
            | Call::PoolTrim { .. } => self.pool_call(caller, call),
            Call::IpcCreate { .. }
            | Call::IpcSetpid { .. }
            | Call::IpcOpen { .. }
            | Call::IpcClose { .. }
            | Call::IpcDestroy { .. }
            | Call::Reg { .. }
            | Call::Unreg { .. }
            | Call::GetDevPtr { .. } => self.share_call(caller, call),
            Call::HostFunc { stream, .. } => {
                let s = self.stream(caller, *stream)?;
                self.launch(caller, s, super::streams::What::Line);
                Ok(None)
            }
            Call::Kernel { stream, .. } => {
                let s = self.stream(caller, *stream)?;
                let n = self.launch(caller, s, super::streams::What::Line);
                self.kernel_launched(s, n, caller.line);
                Ok(None)
            }
            Call::SectionReserve { .. }
            | Call::SectionAllocate { .. }
            | Call::SectionFinalize { .. }
            | Call::SectionDestroy { .. } => self.section_call(caller, call),
            Call::HostPoolCreate { .. }
            | Call::HostPoolAcquire { .. }
            | Call::HostPoolGet { .. }
            | Call::HostPoolMove { .. }
            | Call::HostPoolRelease { .. }
            | Call::HostPoolDestroy { .. } => self.host_pool_call(caller, call),
            _ => self.vmm_call(caller, call),
        }
    }

    /// Calls a part of the machine; what it leaves in its notes goes to the watcher.
    pub(super) fn ask<T>(
        &mut self,
        caller: &mut Caller<'_, '_>,
        call: impl FnOnce(&mut Context<'_>, &mut Space, &mut Vec<Uvm>, &mut Pools) -> T,
    ) -> T {
        let mut notes = Notes::default();
        let (mut cx, space, uvm, pools) = self.parts().with(&mut notes);
        let answer = call(&mut cx, space, uvm, pools);
        caller.ticks = caller.ticks.saturating_add(self.tell(caller.at, notes));
        answer
    }

    /// The address that a name stands for, so many bytes on; `None` for NULL.
    ///
    /// # Errors
    /// `InvalidValue` for a name that stands for no address.
    pub(super) fn pointer(&self, p: Option<Sym>, off: u64) -> Result<Option<Pointer>, Refused> {
        let Some(p) = p else { return Ok(None) };
        match self.bindings.get(&p) {
            Some(Binding::Address(pointer, _)) => Ok(Some(pointer.offset(off))),
            _ => {
                let why = format!("`{}` is no address", self.setup.trace.text(p));
                Err(Refused::new(Status::InvalidValue, why))
            }
        }
    }

    /// As [`Self::pointer`], with the bytes that were asked for from there on.
    pub(super) fn pointer_len(
        &self,
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
    ) -> Result<Option<(Pointer, u64)>, Refused> {
        let Some(pointer) = self.pointer(p, off)? else { return Ok(None) };
        let whole = match p.and_then(|p| self.bindings.get(&p)) {
            Some(Binding::Address(_, whole)) => *whole,
            _ => 0,
        };
        Ok(Some((pointer, len.unwrap_or(whole.saturating_sub(off)))))
    }

    /// Binds a name to an address.
    pub(super) fn bind(&mut self, out: Option<Sym>, pointer: Pointer, len: u64) {
        if let Some(out) = out {
            self.bindings.insert(out, Binding::Address(pointer, len));
        }
    }

    fn alloc(
        &mut self,
        caller: &mut Caller<'_, '_>,
        out: Option<Sym>,
        request: &AllocRequest<'_>,
    ) -> Reply {
        let process = caller.process;
        if request.kind == AllocKind::Uvm {
            return self.alloc_managed(caller, out, request);
        }
        let host = caller.at.clock.clone();
        let made = self.ask(caller, |cx, space, _, pools| {
            let first = space.alloc(cx, process, request);
            match &first {
                // Pools give up what they cache before an allocation fails (5.15).
                Err(refused)
                    if refused.status == Status::OutOfMemory
                        && pools.pressure(cx, request.device, &host) > 0 =>
                {
                    space.alloc(cx, process, request)
                }
                _ => first,
            }
        })?;
        self.bind(out, made.pointer, made.len);
        if request.kind == AllocKind::Svm {
            self.lazy.insert(made.pointer.generation);
        }
        self.born(caller.at, Ledger::Space, &made);
        Ok(None)
    }

    fn alloc_managed(
        &mut self,
        caller: &mut Caller<'_, '_>,
        out: Option<Sym>,
        request: &AllocRequest<'_>,
    ) -> Reply {
        let process = caller.process;
        if out.is_none() {
            return Err(Refused::new(Status::InvalidValue, "there is nowhere to put the address"));
        }
        let address = self.ask(caller, |cx, space, uvm, _| {
            space.alloc_check(cx, process, request)?;
            match uvm.get_mut(process as usize) {
                Some(uvm) => uvm.alloc(cx, request.size),
                None => Err(Refused::new(Status::ProcessExit, "there is no such process")),
            }
        })?;
        let generation = u32::try_from(self.managed_of.len() + 1).unwrap_or(u32::MAX);
        self.managed_of.insert(generation, process);
        let name = request.name.unwrap_or_default();
        let object = self.objects.make(name, request.size, ObjectKind::Managed);
        let pointer = Pointer { process, address, generation };
        self.bind(out, pointer, request.size);
        let made = Made { pointer, object, len: request.size };
        self.born(caller.at, Ledger::Managed, &made);
        Ok(None)
    }

    /// Frees what is not of a pool.
    pub(super) fn free(
        &mut self,
        caller: &mut Caller<'_, '_>,
        pointer: Option<Pointer>,
    ) -> Result<(), Refused> {
        let process = caller.process;
        pointer.map_or(Ok(()), |p| self.freeable(p))?;
        let ledger = pointer.map(|p| self.ledger(p));
        if let (Some(Ledger::Managed), Some(pointer)) = (ledger, pointer) {
            let key = (Ledger::Managed, pointer.generation);
            let stale = self.owned.get(&key).is_some_and(|owned| !owned.alive);
            if stale {
                let why = "the managed range was freed before";
                return Err(Refused::new(Status::InvalidValue, why)
                    .finding(crate::diag::Code::ReplayDoubleFree));
            }
            self.ask(caller, |cx, _, uvm, _| match uvm.get_mut(pointer.process as usize) {
                Some(uvm) => uvm.free(cx, pointer.address).map(|_| ()),
                None => Err(Refused::new(Status::ProcessExit, "there is no such process")),
            })?;
            self.died(caller.at, Ledger::Managed, pointer.generation);
            return Ok(());
        }
        self.ask(caller, |cx, space, _, _| space.free(cx, process, pointer))?;
        if let Some(pointer) = pointer {
            self.died(caller.at, Ledger::Space, pointer.generation);
        }
        Ok(())
    }

    /// The processes of these names, those that the trace does not have left out.
    pub(super) fn processes_named(&self, names: &[Sym]) -> Vec<u32> {
        let number = |name: &Sym| {
            let at = self.processes.iter().position(|p| p == name)?;
            u32::try_from(at).ok()
        };
        names.iter().filter_map(number).collect()
    }

    /// Bytes of a handle come or go.
    pub(super) fn handle_freed(&mut self, caller: &Caller<'_, '_>, piece: Option<Piece>) {
        if let Some(piece) = piece {
            self.watch.free(caller.at, piece, 0);
        }
    }
}
