//! Calls of 5.10 to 5.12, by a thread or in the order of a stream.

use super::access::Ledger;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use super::streams::What;
use super::tasks::Gain;
use crate::diag::Code;
use crate::model::trace::{Call, Sym};
use crate::runtime::objects::Piece;
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Notes, Refused, Status};
use crate::runtime::uvm::Done;
use crate::runtime::watch::{At, Touched, Watch};

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn managed_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        match call {
            Call::Prefetch { p, stream: Some(stream), .. } => {
                if p.is_none() {
                    return Err(null());
                }
                let s = self.stream(caller, Some(*stream))?;
                self.launch(caller, s, What::Line);
                Ok(None)
            }
            Call::PrefetchBatch { stream: Some(stream), .. } => {
                let s = self.stream(caller, Some(*stream))?;
                self.launch(caller, s, What::Line);
                Ok(None)
            }
            Call::RangeAttr { p, off, len, attribute, data_size } => {
                let Some((pointer, len)) = self.pointer_len(*p, *off, *len)? else {
                    return Err(null());
                };
                let values = self.ask(caller, |cx, _, uvm, _| {
                    match uvm.get_mut(pointer.process as usize) {
                        Some(uvm) => {
                            uvm.attribute(cx, pointer.address, len, *attribute, *data_size)
                        }
                        None => Err(null()),
                    }
                })?;
                let words: Vec<String> = values.iter().map(i64::to_string).collect();
                Ok(Some(words.join(" ")))
            }
            _ => {
                let mut gain = Gain::default();
                let done = self.managed_now(caller.process, caller.at, call, false, &mut gain);
                caller.ticks = caller.ticks.saturating_add(gain.ticks);
                done.map(|()| None)
            }
        }
    }

    /// A prefetch or advice, whoever makes it.
    pub(super) fn managed_now(
        &mut self,
        process: u32,
        at: &At<'_>,
        call: &Call,
        asynchronous: bool,
        gain: &mut Gain,
    ) -> Result<(), Refused> {
        let mut notes = Notes::default();
        let (pointer, done) = match call {
            Call::Advise { p, off, len, advice, location } => {
                let (pointer, len) = self.managed_span(*p, *off, *len, Code::ReplayRefused)?;
                if asynchronous {
                    self.touch_only(at, pointer, len);
                }
                let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
                let Some(uvm) = uvm.get_mut(pointer.process as usize) else { return Err(null()) };
                (pointer, uvm.advise(&mut cx, pointer.address, len, *advice, *location))
            }
            Call::Prefetch { p, off, len, location, flags, .. } => {
                let (pointer, len) =
                    self.managed_span(*p, *off, *len, Code::ReplayPrefetchUnsupported)?;
                if p.is_some_and(|p| self.injected.drops_prefetch(p)) {
                    return Ok(());
                }
                if asynchronous {
                    self.touch_only(at, pointer, len);
                }
                let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
                let Some(uvm) = uvm.get_mut(pointer.process as usize) else { return Err(null()) };
                (pointer, uvm.prefetch(&mut cx, pointer.address, len, *location, *flags))
            }
            Call::PrefetchBatch { ranges, locations, index, flags, .. } => {
                let mut spans = Vec::with_capacity(ranges.len());
                let mut first = Pointer { process, address: 0, generation: 0 };
                for span in ranges {
                    let code = Code::ReplayPrefetchUnsupported;
                    let (pointer, len) =
                        self.managed_span(Some(span.p), span.off, span.len, code)?;
                    if asynchronous {
                        self.touch_only(at, pointer, len);
                    }
                    first = pointer;
                    spans.push((pointer.address, len));
                }
                let (mut cx, _, uvm, _) = self.parts().with(&mut notes);
                let Some(uvm) = uvm.get_mut(first.process as usize) else { return Err(null()) };
                let done =
                    uvm.prefetch_batch(&mut cx, &spans, locations, index, *flags, asynchronous);
                (first, done)
            }
            _ => return Ok(()),
        };
        self.told(at, notes, gain);
        let done: Done = done?;
        self.contents(at, &done, pointer);
        Ok(())
    }

    /// The managed bytes that a call names.
    fn managed_span(
        &self,
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
        code: Code,
    ) -> Result<(Pointer, u64), Refused> {
        let Some((pointer, len)) = self.pointer_len(p, off, len)? else { return Err(null()) };
        match self.ledger(pointer) {
            Ledger::Managed => Ok((pointer, len)),
            Ledger::Space | Ledger::Pools => {
                let refused = Refused::new(Status::NotSupport, "this is not managed memory");
                Err(if code == Code::ReplayRefused { refused } else { refused.finding(code) })
            }
        }
    }

    /// A call that nobody waits for needs its range to be allocated when it runs (13.4).
    fn touch_only(&mut self, at: &At<'_>, pointer: Pointer, len: u64) {
        if let Some(owned) = self.owned.get(&(Ledger::Managed, pointer.generation)) {
            let start = pointer.address.saturating_sub(owned.address);
            let piece = Piece { object: owned.object, start, len };
            let generation = pointer.generation;
            self.watch.touch(at, &Touched { piece, generation, val: None, adds: false });
        }
    }
}

fn null() -> Refused {
    Refused::new(Status::InvalidValue, "the address is NULL")
}
