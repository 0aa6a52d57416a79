//! Copies and fills of 5.3 and 5.13, by a thread or in the order of a stream.

use super::access::By;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use super::streams::What;
use super::tasks::Gain;
use crate::diag::Code;
use crate::model::trace::{Call, CopyKind, Span};
use crate::runtime::memory::Bank;
use crate::runtime::pipes::execute::pairs;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::status::{Notes, Refused, Status};
use crate::runtime::svm::{Copy2d, CopyRequest, Direction, Place};
use crate::runtime::uvm::{Bytes, Done, Uvm};
use crate::runtime::watch::{At, Touched, Watch};

/// Rows of one copy that are looked at.
const MAX_ROWS: u64 = 1 << 20;

/// A copy: from where to where, and how many bytes.
#[derive(Clone, Copy)]
struct Move {
    dst: Pointer,
    src: Pointer,
    len: u64,
}

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn copy_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        let process = caller.process;
        let mut gain = Gain::default();
        match call {
            Call::HostRead { span } => self.host_access(caller, span, How::Read, &mut gain),
            Call::HostWrite { span } => self.host_access(caller, span, How::Write, &mut gain),
            Call::Memset { dst, dest_max, stream, .. } => {
                let (pointer, len) = self.maybe_span(caller.at, dst.as_ref());
                self.ask(caller, |_, space, _, _| {
                    space.memset_check(process, pointer, *dest_max, len)
                })?;
                if let Some(stream) = stream {
                    let s = self.stream(caller, Some(*stream))?;
                    self.launch(caller, s, What::Line);
                } else {
                    self.fill(process, caller.at, call, &mut gain)?;
                }
            }
            Call::Memcpy { dst, src, dest_max, kind, stream } => {
                let len = self.copy_len(caller.at, dst.as_ref(), src.as_ref());
                let request = CopyRequest {
                    dst: self.maybe_span(caller.at, dst.as_ref()).0,
                    src: self.maybe_span(caller.at, src.as_ref()).0,
                    dest_max: *dest_max,
                    count: len,
                    hal: false,
                };
                let foreign = |p: Option<Pointer>| p.is_some_and(|p| p.process == u32::MAX);
                let direction = if foreign(request.dst) || foreign(request.src) {
                    let place = Place::Pageable;
                    Some(Direction { dst: place, src: place })
                } else {
                    self.ask(caller, |cx, space, _, _| space.copy_check(cx, process, &request))?
                };
                let Some(direction) = direction else { return Ok(None) };
                match stream {
                    Some(stream) => {
                        let early = *kind == CopyKind::Buffered || direction.src == Place::Pageable;
                        let s = self.stream(caller, Some(*stream))?;
                        let what = if early {
                            self.put_aside(caller, src.as_ref(), len)
                        } else {
                            What::Line
                        };
                        self.launch(caller, s, what);
                    }
                    None => self.copy_now(process, caller.at, call, &mut gain)?,
                }
            }
            Call::Memcpy2d { dst, src, width, height, dst_pitch, src_pitch } => {
                let request = Copy2d {
                    dst: self.maybe_span(caller.at, dst.as_ref()).0,
                    src: self.maybe_span(caller.at, src.as_ref()).0,
                    width: *width,
                    height: *height,
                    dst_pitch: *dst_pitch,
                    src_pitch: *src_pitch,
                };
                self.ask(caller, |_, space, _, _| space.copy2d_check(process, &request))?;
                self.copy_now(process, caller.at, call, &mut gain)?;
            }
            Call::MemcpyBatch { entries, stream } => {
                let mut list = Vec::with_capacity(entries.len());
                for (dst, src) in entries {
                    let len = self.copy_len(caller.at, Some(dst), Some(src));
                    list.push((self.span(caller.at, dst).0, self.span(caller.at, src).0, len));
                }
                self.ask(caller, |_, space, _, _| space.batch_check(process, &list))?;
                match stream {
                    Some(stream) => {
                        let s = self.stream(caller, Some(*stream))?;
                        self.launch(caller, s, What::Line);
                    }
                    None => self.copy_now(process, caller.at, call, &mut gain)?,
                }
            }
            _ => {}
        }
        caller.ticks = caller.ticks.saturating_add(gain.ticks);
        Ok(None)
    }

    fn host_access(&mut self, caller: &mut Caller<'_, '_>, span: &Span, how: How, gain: &mut Gain) {
        let (pointer, len) = self.span(caller.at, span);
        if Uvm::owns(pointer.address) {
            self.host_during_kernel(caller.at);
        }
        let by = By::Touch(Who::Host);
        gain.ticks = self.access(caller.at, caller.process, span, by, how);
        let rate = self.setup.machine.costs.host.max(1);
        gain.ticks = gain.ticks.saturating_add(len / rate);
    }

    fn maybe_span(&mut self, at: &At<'_>, span: Option<&Span>) -> (Option<Pointer>, u64) {
        match span {
            Some(span) => {
                let (pointer, len) = self.span(at, span);
                (Some(pointer), len)
            }
            None => (None, 0),
        }
    }

    /// How many bytes a copy moves: what the source says, or the destination, or the smaller.
    fn copy_len(&mut self, at: &At<'_>, dst: Option<&Span>, src: Option<&Span>) -> u64 {
        let said = src.and_then(|s| s.len).or(dst.and_then(|d| d.len));
        let rest = |engine: &mut Self, span: Option<&Span>| engine.maybe_span(at, span).1;
        said.unwrap_or_else(|| {
            let (to, from) = (rest(self, dst), rest(self, src));
            to.min(from)
        })
    }

    /// The source is read when the copy is called.
    fn put_aside(&mut self, caller: &Caller<'_, '_>, src: Option<&Span>, len: u64) -> What {
        let Some(span) = src else { return What::Nothing };
        self.snapshots += 1;
        let number = self.snapshots;
        let (pointer, _) = self.span(caller.at, span);
        let by = By::Transfer(Who::Host);
        let (process, at) = (caller.process, caller.at);
        let pieces = self.touched(at, process, pointer, len, by, How::Read, span.val, span.voff);
        for piece in &pieces {
            self.watch.snapshot(at, piece, number);
        }
        What::Paste(number)
    }

    /// What was put aside is written.
    pub(super) fn paste(
        &mut self,
        process: u32,
        line: usize,
        number: u64,
        at: &At<'_>,
        gain: &mut Gain,
    ) {
        let trace = self.setup.trace;
        let Call::Memcpy { dst: Some(dst), src, .. } = &trace.ops[line].call else { return };
        let len = self.copy_len(at, Some(dst), src.as_ref());
        let (pointer, _) = self.span(at, dst);
        let by = By::Transfer(Who::Host);
        if self.pages_matter(pointer)
            && let Err(refused) = self.fault(at, process, pointer, len, by, How::Write)
        {
            self.task_failed(at, line, &refused);
            return;
        }
        let mut from = 0;
        for piece in self.touched(at, process, pointer, len, by, How::Write, dst.val, dst.voff) {
            self.watch.paste(at, number, from, &piece);
            from = from.saturating_add(piece.piece.len);
        }
        self.charge(None, Some(self.bank(pointer)), len, gain);
    }

    /// What a memset does, whoever calls it.
    pub(super) fn fill(
        &mut self,
        process: u32,
        at: &At<'_>,
        call: &Call,
        gain: &mut Gain,
    ) -> Result<(), Refused> {
        let Call::Memset { dst: Some(dst), val, .. } = call else { return Ok(()) };
        let (pointer, len) = self.span(at, dst);
        let by = By::Transfer(Who::Host);
        if Uvm::owns(pointer.address) {
            let mut notes = Notes::default();
            let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
            let done = match uvm.get_mut(pointer.process as usize) {
                Some(uvm) => uvm.memset(&mut cx, pointer.address, len),
                None => Err(Refused::new(Status::InvalidValue, "nothing is there")),
            };
            self.told(at, notes, gain);
            self.contents(at, &done?, pointer);
        } else if pointer.process != u32::MAX && self.pages_matter(pointer) {
            self.fault(at, process, pointer, len, by, How::Write)?;
        }
        let val = val.or(dst.val);
        for piece in self.touched(at, process, pointer, len, by, How::Write, val, dst.voff) {
            self.watch.write(at, &piece);
        }
        self.charge(None, Some(self.bank(pointer)), len, gain);
        Ok(())
    }

    /// What a copy does, whoever calls it.
    pub(super) fn copy_now(
        &mut self,
        process: u32,
        at: &At<'_>,
        call: &Call,
        gain: &mut Gain,
    ) -> Result<(), Refused> {
        match call {
            Call::Memcpy { dst: Some(dst), src: Some(src), .. } => {
                let len = self.copy_len(at, Some(dst), Some(src));
                self.one_copy(process, at, dst, src, len, gain)
            }
            Call::Memcpy2d {
                dst: Some(dst),
                src: Some(src),
                width,
                height,
                dst_pitch,
                src_pitch,
            } => {
                let rows = self.rows(at, dst, *dst_pitch).min(self.rows(at, src, *src_pitch));
                for row in 0..rows.min(*height) {
                    let line = |span: &Span, pitch: u64| Span {
                        off: span.off.saturating_add(row.saturating_mul(pitch)),
                        len: Some(*width),
                        voff: span.voff.saturating_add(row.saturating_mul(*width)),
                        ..*span
                    };
                    let (to, from) = (line(dst, *dst_pitch), line(src, *src_pitch));
                    self.one_copy(process, at, &to, &from, *width, gain)?;
                }
                Ok(())
            }
            Call::MemcpyBatch { entries, .. } => {
                self.batch_overlaps(process, at, entries);
                let backwards = self.injected.reorders_batch();
                for k in 0..entries.len() {
                    let k = if backwards { entries.len() - 1 - k } else { k };
                    let (dst, src) = &entries[k];
                    let len = self.copy_len(at, Some(dst), Some(src));
                    self.one_copy(process, at, dst, src, len, gain)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Rows that begin inside what a range lies in, and one that does not: what is wrong with it is
    /// wrong with all behind it.
    fn rows(&mut self, at: &At<'_>, span: &Span, pitch: u64) -> u64 {
        let (_, rest) = self.span(at, &Span { len: None, ..*span });
        (rest / pitch.max(1)).saturating_add(1).min(MAX_ROWS)
    }

    fn one_copy(
        &mut self,
        process: u32,
        at: &At<'_>,
        dst: &Span,
        src: &Span,
        len: u64,
        gain: &mut Gain,
    ) -> Result<(), Refused> {
        let (to, from) = (self.span(at, dst).0, self.span(at, src).0);
        let step = Move { dst: to, src: from, len };
        let done = self.pages_of_copy(process, at, step, gain)?;
        let banks = (self.bank(from), self.bank(to));
        let managed = Uvm::owns(to.address) || Uvm::owns(from.address);
        if !managed && banks.0 != banks.1 && self.injected.transfer_fails() {
            return Err(Refused::new(Status::Inner, "the transfer fails as injected"));
        }
        let by = By::Transfer(Who::Host);
        let voff = if src.val.is_some() { src.voff } else { dst.voff };
        let val = src.val.or(dst.val);
        for (off, len) in copied(&done.missing, to.address, len) {
            let (to, from) = (to.offset(off), from.offset(off));
            let (voff, into) = (voff.saturating_add(off), dst.voff.saturating_add(off));
            let source = self.touched(at, process, from, len, by, How::Read, val, voff);
            let target = self.touched(at, process, to, len, by, How::Write, dst.val, into);
            for (from, to) in pairs(&source, &target) {
                if overlap(&from, &to) {
                    let words = "source and destination of a copy overlap";
                    self.notice(at, Code::ReplayWrongValue, words);
                }
                self.watch.copy(at, &from, &to);
            }
        }
        for bytes in &done.missing {
            let words = format!(
                "the copy answers with success and leaves {} bytes of its destination as they were",
                bytes.len
            );
            self.notice(at, Code::ReplayPortability, words);
        }
        self.counters.copies += 1;
        self.counters.bytes_copied = self.counters.bytes_copied.saturating_add(len);
        if !managed {
            self.charge(Some(banks.0), Some(banks.1), len, gain);
        }
        Ok(())
    }

    /// Pages come and go for a copy.
    fn pages_of_copy(
        &mut self,
        process: u32,
        at: &At<'_>,
        step: Move,
        gain: &mut Gain,
    ) -> Result<Done, Refused> {
        let Move { dst, src, len } = step;
        let (into, out_of) = (Uvm::owns(dst.address), Uvm::owns(src.address));
        let mut done = Done::default();
        if into || out_of {
            let mut notes = Notes::default();
            let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
            let owner = if into { dst } else { src };
            let answer = match uvm.get_mut(owner.process as usize) {
                None => Err(Refused::new(Status::InvalidValue, "nothing is there")),
                Some(uvm) if into && out_of => uvm.copy(&mut cx, dst.address, src.address, len),
                Some(uvm) if into => uvm.copy_in(&mut cx, dst.address, len),
                Some(uvm) => uvm.copy_out(&mut cx, src.address, len),
            };
            self.told(at, notes, gain);
            done = answer?;
            self.contents(at, &done, owner);
        }
        for (pointer, how) in [(src, How::Read), (dst, How::Write)] {
            let lazy = pointer.process != u32::MAX
                && !Uvm::owns(pointer.address)
                && self.pages_matter(pointer);
            if lazy {
                let by = By::Transfer(Who::Host);
                let ticks = self.fault(at, process, pointer, len, by, how)?;
                gain.ticks = gain.ticks.saturating_add(ticks);
            }
        }
        Ok(done)
    }

    /// Entries of a batch have no order: no two of them may need one.
    fn batch_overlaps(&mut self, process: u32, at: &At<'_>, entries: &[(Span, Span)]) {
        let mut all: Vec<(crate::runtime::objects::ObjectId, u64, u64, usize, bool)> = Vec::new();
        for (k, (dst, src)) in entries.iter().enumerate() {
            for (span, writes) in [(dst, true), (src, false)] {
                let len = self.copy_len(at, Some(dst), Some(src));
                let (pointer, _) = self.span(at, span);
                let mut pieces = Vec::new();
                let by = By::Transfer(Who::Host);
                self.reach(at, process, pointer, len, by, How::Read, &mut pieces);
                let bytes = pieces
                    .iter()
                    .map(|(p, _)| (p.object, p.start, p.start.saturating_add(p.len), k, writes));
                all.extend(bytes);
            }
        }
        all.sort_unstable();
        let mut open: Vec<(crate::runtime::objects::ObjectId, u64, u64, usize, bool)> = Vec::new();
        for one in all {
            open.retain(|other| other.0 == one.0 && other.2 > one.1);
            let clash = open.iter().find(|other| other.3 != one.3 && (other.4 || one.4)).copied();
            if let Some(other) = clash {
                let code = if other.4 && one.4 { Code::ReplayRaceWaw } else { Code::ReplayRaceWar };
                let (a, b) = (other.3.min(one.3), other.3.max(one.3));
                let words =
                    format!("entries {a} and {b} of one batch touch the same bytes, in no order");
                self.notice(at, code, words);
                return;
            }
            open.push(one);
        }
    }

    /// What moving bytes takes.
    fn charge(&mut self, from: Option<Bank>, to: Option<Bank>, len: u64, gain: &mut Gain) {
        let costs = &self.setup.machine.costs;
        let (from, to) = (from.unwrap_or(Bank::Host), to.unwrap_or(Bank::Host));
        let ticks = match (from, to) {
            (Bank::Host, Bank::Host) => len / costs.host.max(1),
            (Bank::Device(a), Bank::Device(b)) if a == b => {
                costs.dma_start.saturating_add(len / costs.peer_link.max(1))
            }
            (Bank::Device(_), Bank::Device(_)) => {
                costs.dma_start.saturating_add(len / costs.peer_link.max(1))
            }
            _ => {
                self.counters.bytes_moved = self.counters.bytes_moved.saturating_add(len);
                costs.dma_start.saturating_add(len / costs.link.max(1))
            }
        };
        gain.ticks = gain.ticks.saturating_add(ticks);
    }

    /// A memory call in the order of a stream.
    pub(super) fn memory_task(
        &mut self,
        process: u32,
        _device: u32,
        line: usize,
        call: &Call,
        at: &At<'_>,
        gain: &mut Gain,
    ) {
        let done = match call {
            Call::Memset { .. } => self.fill(process, at, call, gain),
            Call::Memcpy { .. } | Call::MemcpyBatch { .. } => {
                self.copy_now(process, at, call, gain)
            }
            _ => self.managed_now(process, at, call, true, gain),
        };
        if let Err(refused) = done {
            self.task_failed(at, line, &refused);
        }
    }
}

/// The parts of a copy, by first byte and length, without those that it leaves out (Q-UVM-12,
/// Q-UVM-13).
fn copied(missing: &[Bytes], start: u64, len: u64) -> Vec<(u64, u64)> {
    let mut parts = Vec::new();
    let mut from = 0;
    for bytes in missing {
        let gap = bytes.start.saturating_sub(start).min(len);
        if from < gap {
            parts.push((from, gap - from));
        }
        from = from.max(gap.saturating_add(bytes.len));
    }
    if from < len {
        parts.push((from, len - from));
    }
    parts
}

/// True when the two share bytes and are not the same.
fn overlap(a: &Touched, b: &Touched) -> bool {
    let (a, b) = (a.piece, b.piece);
    a.object == b.object
        && a.start != b.start
        && a.start < b.start.saturating_add(b.len)
        && b.start < a.start.saturating_add(a.len)
}
