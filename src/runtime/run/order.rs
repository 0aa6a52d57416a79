//! Calls about streams, events, notifies and values (5.16, 13.4).

use super::bindings::Binding;
use super::engine::{Engine, id};
use super::host::Caller;
use super::outcome::Reply;
use super::streams::{Calls, Event, Record, Stream, What, Written};
use crate::diag::Code;
use crate::model::trace::{Call, Span, Sym};
use crate::runtime::clock::Clock;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Notes, Refused, Remark, Status};
use crate::runtime::watch::{At, Watch};

use super::actors::Kind;

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn order_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        match call {
            Call::StreamCreate { out, device } => {
                if !self.memory.exists(crate::runtime::memory::Bank::Device(*device)) {
                    let why = format!("there is no device {device}");
                    return Err(Refused::new(Status::InvalidDevice, why));
                }
                self.new_stream(*out, caller.process, *device);
                Ok(None)
            }
            Call::StreamDestroy { stream, force } => self.stream_destroy(caller, *stream, *force),
            Call::EventCreate { out, device, sync, external } => {
                self.event_names.insert(*out, self.events.len());
                self.events.push(Event {
                    name: *out,
                    process: caller.process,
                    device: *device,
                    sync: *sync,
                    external: *external,
                    alive: true,
                    latest: None,
                    recorded: Calls::default(),
                    waited: Calls::default(),
                });
                Ok(None)
            }
            Call::EventRecord { event, stream } => self.event_record(caller, *event, *stream),
            Call::EventWait { event, stream } => self.event_wait(caller, *event, *stream),
            Call::EventReset { event, .. } => {
                let e = self.event(*event)?;
                if !self.events[e].sync {
                    let why = "only events made with the flag SYNC can be reset";
                    return Err(Refused::new(Status::AclParamInvalid, why));
                }
                self.events[e].latest = None;
                let message = "an event is reset: whoever still waits for it is not told";
                self.notice(caller.at, Code::ReplayLint, message);
                Ok(None)
            }
            Call::EventQuery { event } => {
                let e = self.event(*event)?;
                let done = self.events[e].latest.is_none_or(|r| self.records[r].done);
                Ok(Some(if done { "complete" } else { "pending" }.to_owned()))
            }
            Call::EventDestroy { event } => {
                let e = self.event(*event)?;
                self.events[e].alive = false;
                self.pools.event_destroyed(u32::try_from(e).unwrap_or(u32::MAX));
                Ok(None)
            }
            Call::IpcEventExport { out, event } => {
                let e = self.event(*event)?;
                if let Some(out) = out {
                    self.bindings.insert(*out, Binding::EventKey(e));
                }
                Ok(None)
            }
            Call::IpcEventImport { out, key } => {
                let Some(Binding::EventKey(e)) = key.and_then(|key| self.bindings.get(&key)) else {
                    return Err(Refused::new(Status::NotExist, "there is no such key"));
                };
                if !self.events[*e].alive {
                    let why = "the event was destroyed before it was opened";
                    return Err(
                        Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle)
                    );
                }
                if let Some(out) = out {
                    self.event_names.insert(*out, *e);
                }
                Ok(None)
            }
            Call::NotifyRecord { notify, stream } => {
                match stream {
                    Some(stream) => {
                        let s = self.stream(caller, Some(*stream))?;
                        self.launch(caller, s, What::Line);
                    }
                    None => {
                        self.notified(caller.at, *notify, false);
                        let token = (self.after(caller), self.threads[caller.thread].time);
                        self.notifies.entry(*notify).or_default().tokens.push_back(token);
                    }
                }
                Ok(None)
            }
            Call::NotifyWait { notify, stream } => {
                match stream {
                    Some(stream) => {
                        let s = self.stream(caller, Some(*stream))?;
                        self.launch(caller, s, What::Line);
                    }
                    None => {
                        self.notified(caller.at, *notify, true);
                        let notify = self.notifies.entry(*notify).or_default();
                        if let Some((clock, time)) = notify.tokens.pop_front() {
                            caller.learns.join(&clock);
                            caller.until = caller.until.max(time);
                        }
                    }
                }
                Ok(None)
            }
            Call::ValueWrite { p, value, stream } => {
                match stream {
                    Some(stream) => {
                        let s = self.stream(caller, Some(*stream))?;
                        self.launch(caller, s, What::Line);
                    }
                    None => {
                        let clock = self.after(caller);
                        let time = self.threads[caller.thread].time;
                        let epoch = caller.at.epoch;
                        let written = Written { value: *value, clock, epoch, time };
                        self.value_write(caller.at, p, written);
                    }
                }
                Ok(None)
            }
            Call::ValueWait { p, value, stream } => {
                match stream {
                    Some(stream) => {
                        let s = self.stream(caller, Some(*stream))?;
                        self.launch(caller, s, What::Line);
                    }
                    None => {
                        if let Some((clock, time)) = self.value_learn(caller.at, p, *value) {
                            caller.learns.join(&clock);
                            caller.until = caller.until.max(time);
                        }
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// What the caller knows once its call is over.
    fn after(&self, caller: &Caller<'_, '_>) -> Clock {
        let mut clock = caller.at.clock.clone();
        clock.raise(caller.at.epoch.actor, caller.at.epoch.n);
        clock
    }

    pub(super) fn new_stream(&mut self, name: Sym, process: u32, device: u32) -> usize {
        let text = match self.setup.trace.text(name) {
            "?" => "default".to_owned(),
            text => text.to_owned(),
        };
        let actor = self.actors.add(text, Kind::Stream { device }, process);
        self.streams.push(Stream {
            name,
            actor,
            process,
            device,
            tasks: std::collections::VecDeque::new(),
            clock: Clock::default(),
            tail: Clock::default(),
            launched: 0,
            launches: Calls::default(),
            time: 0,
            alive: true,
        });
        self.stream_names.insert(name, self.streams.len() - 1);
        self.streams.len() - 1
    }

    /// The stream of a name that exists already.
    pub(super) fn known_stream(&self, name: Option<Sym>) -> Option<usize> {
        self.stream_names.get(&name.unwrap_or(self.default_stream)).copied()
    }

    /// The stream of a name; one that no call has made begins with its first use, on device 0. No
    /// name stands for the default stream, which is a stream like others.
    pub(super) fn stream(
        &mut self,
        caller: &Caller<'_, '_>,
        name: Option<Sym>,
    ) -> Result<usize, Refused> {
        let name = name.unwrap_or(self.default_stream);
        let s = match self.stream_names.get(&name) {
            Some(&s) => s,
            None => self.new_stream(name, caller.process, 0),
        };
        if !self.streams[s].alive {
            let why = format!("stream `{}` was destroyed", self.setup.trace.text(name));
            return Err(Refused::new(Status::StreamContext, why).finding(Code::ReplayStaleHandle));
        }
        Ok(s)
    }

    /// The event of a name; one that no call has made begins with its first use.
    pub(super) fn event(&mut self, name: Option<Sym>) -> Result<usize, Refused> {
        let Some(name) = name else {
            return Err(Refused::new(Status::AclParamInvalid, "the event is NULL"));
        };
        let e = match self.event_names.get(&name) {
            Some(&e) => e,
            None => {
                self.event_names.insert(name, self.events.len());
                self.events.push(Event {
                    name,
                    process: 0,
                    device: u32::MAX,
                    sync: false,
                    external: false,
                    alive: true,
                    latest: None,
                    recorded: Calls::default(),
                    waited: Calls::default(),
                });
                self.events.len() - 1
            }
        };
        if !self.events[e].alive {
            let why = format!("event `{}` was destroyed", self.setup.trace.text(name));
            return Err(Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle));
        }
        Ok(e)
    }

    fn stream_destroy(
        &mut self,
        caller: &mut Caller<'_, '_>,
        name: Option<Sym>,
        force: bool,
    ) -> Reply {
        if name.is_none() {
            return Err(Refused::new(Status::StreamNull, "the stream is NULL"));
        }
        let s = self.stream(caller, name)?;
        if !self.streams[s].tasks.is_empty() && !force {
            let why = format!("{} of its tasks have not run", self.streams[s].tasks.len());
            return Err(Refused::new(Status::Busy, why));
        }
        let known = self.streams[s].clock.within(caller.at.clock);
        if !known && !force {
            let message = "the stream is destroyed although nobody has waited for its tasks";
            self.notice(caller.at, Code::ReplayLint, message);
        }
        let dropped = self.streams[s].tasks.len();
        if dropped > 0 {
            let message = format!("{dropped} tasks of the stream are dropped and never run");
            self.notice(caller.at, Code::ReplayLint, message);
        }
        self.streams[s].tasks.clear();
        self.streams[s].alive = false;
        let actor = self.streams[s].actor;
        self.pools.stream_destroyed(actor);
        Ok(None)
    }

    /// A notify is set, or taken: which set a wait takes must not depend on who is faster, so sets
    /// are in order, and waits are.
    pub(super) fn notified(&mut self, at: &At<'_>, name: Sym, waits: bool) {
        let notify = self.notifies.entry(name).or_default();
        let calls = if waits { &mut notify.waited } else { &mut notify.recorded };
        let ordered = calls.within(at.clock);
        calls.add(at.epoch, at.clock);
        if !ordered {
            let message = format!(
                "which record of notify `{}` a wait takes depends on which of two is faster",
                self.setup.trace.text(name)
            );
            self.notice(at, Code::ReplayEventAmbiguous, message);
        }
    }

    /// A thread waits for an event, itself or in a stream: which record that is must not depend on
    /// which thread is faster (13.4).
    pub(super) fn waits_for(&mut self, caller: &Caller<'_, '_>, e: usize) {
        if !self.events[e].recorded.within(caller.at.clock) {
            self.ambiguous(caller, e);
        }
        self.events[e].waited.add(caller.at.epoch, caller.at.clock);
    }

    fn ambiguous(&mut self, caller: &Caller<'_, '_>, e: usize) {
        let name = self.setup.trace.text(self.events[e].name);
        let message = format!(
            "which record of event `{name}` a wait is for depends on which of two threads is faster"
        );
        self.notice(caller.at, Code::ReplayEventAmbiguous, message);
    }

    /// An event that is used on a stream of another device than its own.
    fn other_device(&mut self, caller: &Caller<'_, '_>, e: usize, s: usize) {
        let (event, stream) = (&self.events[e], &self.streams[s]);
        if event.device != u32::MAX && event.device != stream.device {
            let message = format!(
                "event `{}` is of device {}, stream `{}` of device {}",
                self.setup.trace.text(event.name),
                event.device,
                self.setup.trace.text(stream.name),
                stream.device
            );
            self.notice(caller.at, Code::ReplayCrossDeviceEvent, message);
        }
    }

    fn event_record(
        &mut self,
        caller: &mut Caller<'_, '_>,
        event: Option<Sym>,
        stream: Option<Sym>,
    ) -> Reply {
        let e = self.event(event)?;
        let s = self.stream(caller, stream)?;
        if self.events[e].device == u32::MAX {
            self.events[e].device = self.streams[s].device;
        }
        self.other_device(caller, e, s);
        let (event, known) = (&self.events[e], caller.at.clock);
        if !event.recorded.within(known) || !event.waited.within(known) {
            self.ambiguous(caller, e);
        }
        let record = self.records.len();
        self.records.push(Record { stream: s, ..Record::default() });
        self.launch(caller, s, What::Record(record));
        let event = &mut self.events[e];
        event.latest = Some(record);
        event.recorded.add(caller.at.epoch, caller.at.clock);
        let actor = self.streams[s].actor;
        self.pools.recorded(actor, u32::try_from(e).unwrap_or(u32::MAX));
        Ok(None)
    }

    fn event_wait(
        &mut self,
        caller: &mut Caller<'_, '_>,
        event: Option<Sym>,
        stream: Option<Sym>,
    ) -> Reply {
        let e = self.event(event)?;
        let s = self.stream(caller, stream)?;
        self.other_device(caller, e, s);
        self.waits_for(caller, e);
        if self.events[e].external && !self.events[e].sync {
            let notes = Notes { quirks: vec![Quirk::Evt2], ..Notes::default() };
            self.tell(caller.at, notes);
            if self.setup.mode == crate::model::machine::Mode::Spec {
                let message = "an external event without the flag SYNC is waited for";
                self.notice(caller.at, Code::ReplayLint, message);
            }
        }
        let Some(record) = self.events[e].latest else {
            let name = self.setup.trace.text(self.events[e].name);
            let message = format!("event `{name}` was never recorded: the wait orders nothing");
            self.notice(caller.at, Code::ReplayEventNeverRecorded, message);
            return Ok(None);
        };
        // On the stream that recorded it there is nothing to wait for.
        if self.records[record].stream == s {
            self.watch.edge(caller.at.line, true);
            return Ok(None);
        }
        self.launch(caller, s, What::Wait(record));
        let actor = self.streams[s].actor;
        self.pools.waited(actor, u32::try_from(e).unwrap_or(u32::MAX));
        Ok(None)
    }

    /// The object and byte that a value lies at.
    fn value_at(&self, span: &Span) -> Option<(ObjectId, u64)> {
        let Some(Binding::Address(pointer, _)) = self.bindings.get(&span.p) else { return None };
        let pointer: Pointer = pointer.offset(span.off);
        if pointer.process == u32::MAX {
            let object = *self.foreign.get(pointer.generation as usize)?;
            return Some((object, pointer.address - (1 << 62)));
        }
        let key = (self.ledger(pointer), pointer.generation);
        if let Some(owned) = self.owned.get(&key) {
            return Some((
                owned.object,
                owned.start.saturating_add(pointer.address.saturating_sub(owned.address)),
            ));
        }
        let who = crate::runtime::pointer::Who::Host;
        let how = crate::runtime::pointer::How::Read;
        let reach = self.space.reach(pointer.process, pointer, 1, who, how);
        reach.pieces.first().map(|piece| (piece.object, piece.start))
    }

    pub(super) fn value_is_there(&self, span: &Span, value: u64) -> bool {
        let Some(at) = self.value_at(span) else { return false };
        self.values.written.get(&at).and_then(|w| w.last()).is_some_and(|w| w.value == value)
    }

    pub(super) fn value_write(
        &mut self,
        at: &crate::runtime::watch::At<'_>,
        span: &Span,
        written: Written,
    ) {
        let (pointer, _) = self.span(at, span);
        let _ = pointer;
        if let Some(key) = self.value_at(span) {
            self.values.written.entry(key).or_default().push(written);
        }
    }

    /// What a wait for a value acquires: what the writer knew.
    pub(super) fn value_learn(
        &mut self,
        at: &crate::runtime::watch::At<'_>,
        span: &Span,
        value: u64,
    ) -> Option<(Clock, u64)> {
        let key = self.value_at(span)?;
        let written = self.values.written.get(&key)?;
        let last = written.last().filter(|w| w.value == value)?;
        let rival =
            written.iter().rev().skip(1).find(|w| w.value == value && !last.clock.has(w.epoch));
        let answer = (last.clock.clone(), last.time);
        if rival.is_some() {
            let message =
                format!("{value} is written by two that have no order: which one is seen?");
            let remark = Remark { code: Code::ReplayEventAmbiguous, message };
            self.watch.notice(at, remark, None);
        }
        let _ = id(0);
        Some(answer)
    }
}
