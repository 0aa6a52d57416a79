//! Ends: of devices, of processes, of pages that a trace takes away (9.6, 13.5).

use super::access::Ledger;
use super::bindings::Binding;
use super::engine::{Engine, id};
use super::host::Caller;
use crate::model::trace::Sym;
use crate::runtime::clock::{Clock, Epoch};
use crate::runtime::pointer::Pointer;
use crate::runtime::status::Notes;
use crate::runtime::watch::{At, Watch};

impl<W: Watch> Engine<'_, '_, W> {
    /// A device is closed by a process: its pools, blocks, streams and events go, in that order.
    pub(super) fn device_closed(&mut self, caller: &mut Caller<'_, '_>, device: u32) {
        let process = caller.process;
        let pools: Vec<_> = self
            .pool_names
            .iter()
            .filter(|(_, _, owner, on)| (*owner, *on) == (process, device))
            .map(|(_, id, ..)| *id)
            .collect();
        for pool in pools {
            // One that was destroyed before is no loss.
            let _ = self.pool_destroy(caller, pool);
        }
        for stream in &mut self.streams {
            if stream.process == process && stream.device == device {
                stream.tasks.clear();
                stream.alive = false;
            }
        }
        for event in &mut self.events {
            if event.process == process && event.device == device {
                event.alive = false;
            }
        }
    }

    /// A process ends in order.
    pub(super) fn exit(&mut self, caller: &mut Caller<'_, '_>) {
        let process = caller.process;
        for device in 0..self.setup.trace.devices.max(1) {
            self.device_closed(caller, device);
        }
        let left = self.ask(caller, |cx, space, uvm, _| {
            if let Some(uvm) = uvm.get_mut(process as usize) {
                for range in uvm.close(cx) {
                    let words = format!("{} managed bytes were never freed", range.len);
                    cx.notes.remark(crate::diag::Code::ReplayLeak, words);
                }
            }
            space.exit(cx, process)
        });
        self.gone(caller, &left);
        self.managed_gone(caller.at, process);
        self.end_threads(process, Some(caller.thread));
    }

    /// A process ends without a word (9.6).
    pub(super) fn crash(&mut self, name: Sym) {
        let Some(at) = self.processes.iter().position(|&p| p == name) else { return };
        let process = u32::try_from(at).unwrap_or(0);
        let Some(thread) = self.threads.iter().find(|t| t.process == process) else { return };
        let clock = Clock::default();
        let line = thread.next().or(thread.lines.last().copied()).unwrap_or(0);
        let epoch = Epoch { actor: thread.actor, n: thread.n };
        let at = At { line: id(line), epoch, clock: &clock };
        for stream in self.streams.iter_mut().filter(|s| s.process == process) {
            stream.tasks.clear();
            stream.alive = false;
        }
        let mut notes = Notes::default();
        let (mut cx, space, uvm, _) = self.parts().with(&mut notes);
        if let Some(uvm) = uvm.get_mut(at_usize(process)) {
            uvm.close(&mut cx);
        }
        space.crash(&mut cx, process);
        notes.remarks.clear();
        self.tell(&at, notes);
        self.end_threads(process, None);
    }

    fn end_threads(&mut self, process: u32, but: Option<usize>) {
        for (t, thread) in self.threads.iter_mut().enumerate() {
            if thread.process == process && but != Some(t) {
                thread.ended = true;
            }
        }
    }

    fn managed_gone(&mut self, at: &At<'_>, process: u32) {
        let mine: Vec<u32> = self
            .managed_of
            .iter()
            .filter(|(_, owner)| **owner == process)
            .map(|(&generation, _)| generation)
            .collect();
        for generation in mine {
            self.died(at, Ledger::Managed, generation);
        }
    }

    /// A page is swapped out because the trace says so.
    pub(super) fn evict(&mut self, p: Sym, off: u64) {
        let Some(Binding::Address(pointer, _)) = self.bindings.get(&p) else { return };
        let pointer: Pointer = pointer.offset(off);
        let mut notes = Notes::default();
        let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
        if let Some(uvm) = uvm.get_mut(pointer.process as usize) {
            uvm.evict(&mut cx, pointer.address);
        }
    }

    /// The free of something that was not from a pool, in the order of a stream.
    pub(super) fn free_task(&mut self, process: u32, line: usize, pointer: Pointer, at: &At<'_>) {
        if let Err(refused) = self.freeable(pointer) {
            self.task_failed(at, line, &refused);
            return;
        }
        let mut notes = Notes::default();
        let ledger = self.ledger(pointer);
        let (mut cx, space, uvm, _) = self.parts().with(&mut notes);
        let done = match (ledger, uvm.get_mut(pointer.process as usize)) {
            (Ledger::Managed, Some(uvm)) => uvm.free(&mut cx, pointer.address).map(|_| ()),
            _ => space.free(&mut cx, process, Some(pointer)).map(|_| ()),
        };
        self.tell(at, notes);
        match done {
            Ok(()) => self.died(at, ledger, pointer.generation),
            Err(refused) => self.task_failed(at, line, &refused),
        }
    }

    /// A bar of the timeline.
    pub(super) fn bar(
        &mut self,
        actor: crate::runtime::clock::ActorId,
        line: usize,
        start: u64,
        end: u64,
    ) {
        use crate::runtime::pipes::launch::{Bar, MAX_BARS};
        if self.bars.len() < MAX_BARS {
            self.bars.push(Bar { actor, line: id(line), start, end });
        }
    }

    /// Devices are open from the start for processes that never open one themselves.
    pub(super) fn open_devices(&mut self, devices: u32) {
        for process in 0..self.processes.len() {
            let name = self.processes[process];
            let opens = self.setup.trace.ops.iter().any(|op| {
                op.thread.0 == name && matches!(op.call, crate::model::trace::Call::Open { .. })
            });
            if opens {
                continue;
            }
            let mut notes = Notes::default();
            let (mut cx, space, _, _) = self.parts().with(&mut notes);
            for device in 0..devices {
                let process = u32::try_from(process).unwrap_or(u32::MAX);
                // A device that does not open is refused to whoever uses it.
                let _ = space.open(&mut cx, process, device, 0);
            }
        }
    }
}

fn at_usize(process: u32) -> usize {
    process as usize
}
