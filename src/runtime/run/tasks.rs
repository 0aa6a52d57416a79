//! What a stream's task does when its turn comes.

use super::access::By;
use super::engine::{Engine, id};
use super::streams::{Launched, Task, What, Written};
use crate::diag::Code;
use crate::model::trace::{Call, Fault, Span};
use crate::runtime::clock::{Clock, Epoch};
use crate::runtime::pointer::{How, Who};
use crate::runtime::status::Notes;
use crate::runtime::watch::{At, Watch};

/// What a task has learnt and taken.
#[derive(Default)]
pub(super) struct Gain {
    pub learns: Clock,
    pub until: u64,
    pub ticks: u64,
}

impl<W: Watch> Engine<'_, '_, W> {
    /// True when the task at the head of a stream need not wait.
    pub(super) fn can_run(&self, s: usize) -> bool {
        let Some(task) = self.streams[s].tasks.front() else { return false };
        match &task.what {
            What::Wait(record) => self.records[*record].done,
            What::Populate { after, .. } => after.iter().all(|mark| {
                let freed = self.streams.iter().find(|other| other.actor == mark.epoch.actor);
                freed.is_none_or(|other| other.clock.has(mark.epoch))
            }),
            What::Line => match &self.setup.trace.ops[task.line].call {
                Call::ValueWait { p, value, .. } => self.value_is_there(p, *value),
                Call::NotifyWait { notify, .. } => {
                    self.notifies.get(notify).is_some_and(|n| !n.tokens.is_empty())
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// A stream runs its next task.
    pub(super) fn task(&mut self, s: usize) {
        let Some(task) = self.streams[s].tasks.pop_front() else { return };
        let stream = &mut self.streams[s];
        let (actor, before) = (stream.actor, stream.time);
        let mut clock = std::mem::take(&mut stream.clock);
        clock.join(&task.launched);
        if let What::Wait(record) = &task.what {
            let implied = self.records[*record].clock.within(&clock);
            self.watch.edge(id(task.line), implied);
            clock.join(&self.records[*record].clock);
        }
        if let What::Populate { after, .. } = &task.what {
            after.iter().for_each(|mark| clock.join(&mark.clock));
        }
        let start = before.max(task.time);
        self.now = start;
        let at = At { line: id(task.line), epoch: Epoch { actor, n: task.n }, clock: &clock };
        let mut gain = Gain::default();
        self.run_task(s, &task, &at, &mut gain);
        clock.join(&gain.learns);
        clock.raise(actor, task.n);
        let start = start.max(gain.until);
        let end = start.saturating_add(gain.ticks);
        if let What::Record(record) = &task.what {
            let lost = self.lost(task.line);
            let record = &mut self.records[*record];
            record.clock = clock.clone();
            record.time = end;
            record.done = !lost;
        }
        let stream = &mut self.streams[s];
        stream.clock = clock;
        stream.time = end;
        self.now = end;
        if gain.ticks > 0 {
            self.bar(actor, task.line, start, end);
        }
    }

    /// True when the trace makes this record go unseen.
    fn lost(&self, line: usize) -> bool {
        let Call::EventRecord { event: Some(event), .. } = self.setup.trace.ops[line].call else {
            return false;
        };
        self.injected.all().contains(&Fault::LostEvent(event))
    }

    fn run_task(&mut self, s: usize, task: &Task, at: &At<'_>, gain: &mut Gain) {
        let process = self.streams[s].process;
        match &task.what {
            What::Line => self.line_task(s, task, at, gain),
            What::Wait(record) => gain.until = gain.until.max(self.records[*record].time),
            What::Record(_) | What::Nothing => {}
            What::Paste(number) => self.paste(process, task.line, *number, at, gain),
            What::Populate { pointer, piece, .. } => {
                if self.unmapped.contains(&pointer.generation) {
                    let message = "the device has no memory for the block: it stays without";
                    self.notice(at, Code::ReplayOomDevice, message);
                }
                self.watch.alloc(at, *piece, pointer.generation);
            }
            What::Return { pointer, piece } => self.watch.free(at, *piece, pointer.generation),
            What::Free(pointer) => self.free_task(process, task.line, *pointer, at),
        }
    }

    fn line_task(&mut self, s: usize, task: &Task, at: &At<'_>, gain: &mut Gain) {
        let trace = self.setup.trace;
        let (process, device) = (self.streams[s].process, self.streams[s].device);
        let costs = &self.setup.machine.costs;
        match &trace.ops[task.line].call {
            Call::Kernel { r, w, rw, cost, body, device: on, .. } => {
                self.counters.kernels += 1;
                gain.ticks = cost.unwrap_or(if body.is_some() { 0 } else { costs.kernel });
                let by = By::Touch(Who::Device(on.unwrap_or(device)));
                if let Some(body) = body {
                    self.body(process, on.unwrap_or(device), task, *body, at, gain);
                } else {
                    self.accesses(at, process, by, &[r, rw], How::Read, gain);
                    self.accesses(at, process, by, &[w, rw], How::Write, gain);
                }
            }
            Call::HostFunc { r, w, .. } => {
                gain.ticks = costs.call;
                let by = By::Touch(Who::Host);
                self.accesses(at, process, by, &[r], How::Read, gain);
                self.accesses(at, process, by, &[w], How::Write, gain);
            }
            Call::NotifyRecord { notify, .. } => {
                self.notified(at, *notify, false);
                let mut clock = at.clock.clone();
                clock.raise(at.epoch.actor, at.epoch.n);
                let time = self.now;
                self.notifies.entry(*notify).or_default().tokens.push_back((clock, time));
            }
            Call::NotifyWait { notify, .. } => {
                self.notified(at, *notify, true);
                let token = self.notifies.entry(*notify).or_default().tokens.pop_front();
                if let Some((clock, time)) = token {
                    gain.learns.join(&clock);
                    gain.until = time;
                }
            }
            Call::ValueWrite { p, value, .. } => {
                let mut clock = at.clock.clone();
                clock.raise(at.epoch.actor, at.epoch.n);
                let written = Written { value: *value, clock, epoch: at.epoch, time: self.now };
                self.value_write(at, p, written);
            }
            Call::ValueWait { p, value, .. } => {
                if let Some((clock, time)) = self.value_learn(at, p, *value) {
                    gain.learns.join(&clock);
                    gain.until = time;
                }
            }
            call => self.memory_task(process, device, task.line, call, at, gain),
        }
    }

    pub(super) fn accesses(
        &mut self,
        at: &At<'_>,
        process: u32,
        by: By,
        lists: &[&Vec<Span>],
        how: How,
        gain: &mut Gain,
    ) {
        for span in lists.iter().flat_map(|list| list.iter()) {
            let ticks = self.access(at, process, span, by, how);
            gain.ticks = gain.ticks.saturating_add(ticks);
        }
    }

    /// Remembers that a kernel may run from now on.
    pub(super) fn kernel_launched(&mut self, s: usize, n: u32, line: usize) {
        let epoch = Epoch { actor: self.streams[s].actor, n };
        self.launched.push(Launched { epoch, line });
    }

    /// Tells what a part of the machine left in its notes; the ticks go to the task.
    pub(super) fn told(&mut self, at: &At<'_>, notes: Notes, gain: &mut Gain) {
        let ticks = self.tell(at, notes);
        gain.ticks = gain.ticks.saturating_add(ticks);
    }
}
