//! Calls of 5.15.

use std::rc::Rc;

use super::access::{Ledger, Owned};
use super::bindings::Binding;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use super::streams::What;
use crate::diag::Code;
use crate::model::trace::{Call, PoolAttribute, Sym};
use crate::runtime::clock::{Clock, Epoch};
use crate::runtime::objects::Piece;
use crate::runtime::pointer::Pointer;
use crate::runtime::schedule::{Driver, Order};
use crate::runtime::soma::{Ask, FreeMark, PoolId, Pools, Wanted};
use crate::runtime::status::{Refused, Status};
use crate::runtime::watch::Watch;

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn pool_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        self.open |= !self.pool_calls.within(caller.at.clock);
        self.pool_calls.add(caller.at.epoch, caller.at.clock);
        match call {
            Call::PoolCreate { out, device, max, threshold, reuse, ipc, hal } => {
                let Some(name) = *out else {
                    return Err(Refused::new(
                        Status::InvalidValue,
                        "there is nowhere to put the pool",
                    ));
                };
                let wanted = Wanted {
                    name: self.setup.trace.text(name),
                    device: *device,
                    max: *max,
                    threshold: *threshold,
                    reuse,
                    ipc: *ipc,
                    hal: *hal,
                };
                let id = self.ask(caller, |cx, _, _, pools| pools.create(cx, &wanted))?;
                self.bindings.insert(name, Binding::Pool(id));
                self.pool_names.push((name, id, caller.process, *device));
                if let Some(object) = self.pools.object(id) {
                    self.watch.begin(object, false);
                }
                Ok(None)
            }
            Call::PoolDestroy { pool } => {
                let id = self.pool(*pool)?;
                let pending = self.pools.unfinished(id, caller.at.clock);
                self.pool_destroy(caller, id)?;
                if pending > 0 {
                    let words = format!(
                        "the pool goes while {pending} bytes of it may still be in use: nobody has \
                         waited for their frees"
                    );
                    self.notice(caller.at, Code::ReplayUaf, words);
                }
                Ok(None)
            }
            Call::PoolSet { pool, attribute, value } => {
                let id = self.pool(*pool)?;
                self.ask(caller, |cx, _, _, pools| pools.set(cx, id, *attribute, *value))?;
                Ok(None)
            }
            Call::PoolGet { pool, attribute } => {
                let id = self.pool(*pool)?;
                let value = self.ask(caller, |cx, _, _, pools| pools.get(cx, id, *attribute))?;
                Ok(Some(value.to_string()))
            }
            Call::PoolTrim { pool, keep } => {
                let id = self.pool(*pool)?;
                let host = caller.at.clock.clone();
                let bytes = self.ask(caller, |cx, _, _, pools| pools.trim(cx, id, *keep, &host))?;
                Ok(Some(bytes.to_string()))
            }
            Call::PoolAlloc { out, size, pool, stream, hal } => {
                if *hal {
                    self.ask(caller, |cx, _, _, _| Pools::hal(cx))?;
                }
                self.pool_alloc(caller, *out, *size, *pool, *stream)
            }
            Call::PoolFree { p, off, stream, hal } => {
                if *hal {
                    self.ask(caller, |cx, _, _, _| Pools::hal(cx))?;
                }
                let Some(pointer) = self.pointer(*p, *off)? else {
                    return Err(Refused::new(Status::InvalidValue, "the address is NULL"));
                };
                self.pool_free(caller, pointer, *stream)
            }
            _ => Ok(None),
        }
    }

    fn pool(&self, name: Option<Sym>) -> Result<PoolId, Refused> {
        let Some(name) = name else {
            return Err(Refused::new(Status::InvalidValue, "the pool is NULL"));
        };
        match self.bindings.get(&name) {
            Some(Binding::Pool(id)) => Ok(*id),
            _ => Err(Refused::new(Status::PoolNull, "there is no such pool")),
        }
    }

    /// What the caller knows, its own call included.
    pub(super) fn knows(caller: &Caller<'_, '_>) -> Clock {
        let mut clock = caller.at.clock.clone();
        clock.raise(caller.at.epoch.actor, caller.at.epoch.n);
        clock
    }

    fn pool_alloc(
        &mut self,
        caller: &mut Caller<'_, '_>,
        out: Option<Sym>,
        size: u64,
        pool: Option<Sym>,
        stream: Option<Sym>,
    ) -> Reply {
        let Some(out) = out else {
            return Err(Refused::new(Status::InvalidValue, "there is nowhere to put the address"));
        };
        let id = self.pool(pool)?;
        if stream.is_none() {
            return Err(Refused::new(Status::StreamNull, "the stream is NULL"));
        }
        let s = self.stream(caller, stream)?;
        let host = Self::knows(caller);
        let mut request = self.streams[s].tail.clone();
        request.join(&host);
        let (actor, device) = (self.streams[s].actor, self.streams[s].device);
        let ask = Ask { size, stream: actor, device, request: &request, host: &host };
        let mut driver = std::mem::replace(self.driver, Driver::new(Order::Canonical, 0));
        let given = self
            .ask(caller, |cx, _, _, pools| pools.alloc(cx, id, &ask, &mut |n| driver.choose(n)));
        *self.driver = driver;
        let given = given?;
        let block = &given.block;
        let Some(object) = self.pools.object(block.pool) else {
            return Err(Refused::new(Status::PoolNull, "there is no such pool"));
        };
        let owned = Owned {
            object,
            start: block.offset,
            len: block.requested,
            address: block.address,
            alive: true,
        };
        self.owned.insert((Ledger::Pools, block.generation), owned);
        let pointer = Pointer {
            process: caller.process,
            address: block.address,
            generation: block.generation,
        };
        if given.failed.is_some() {
            self.unmapped.insert(block.generation);
        }
        let piece = Piece { object, start: block.offset, len: block.len };
        self.bind(Some(out), pointer, block.requested);
        for mark in &given.after {
            self.streams[s].tail.join(&mark.clock);
        }
        let after = given.after;
        self.launch(caller, s, What::Populate { pointer, piece, after });
        Ok(None)
    }

    fn pool_free(
        &mut self,
        caller: &mut Caller<'_, '_>,
        pointer: Pointer,
        stream: Option<Sym>,
    ) -> Reply {
        let in_pool = self.ledger(pointer) == Ledger::Pools;
        let Some(name) = stream else {
            if in_pool {
                self.pool_free_now(caller, pointer)?;
            } else {
                self.free(caller, Some(pointer))?;
            }
            return Ok(None);
        };
        let s = self.stream(caller, Some(name))?;
        if !in_pool {
            self.launch(caller, s, What::Free(pointer));
            return Ok(None);
        }
        let stream = &self.streams[s];
        let (actor, n) = (stream.actor, stream.launched + 1);
        let mut clock = stream.tail.clone();
        clock.join(&Self::knows(caller));
        clock.raise(actor, n);
        let mark = FreeMark { stream: actor, epoch: Epoch { actor, n }, clock: Rc::new(clock) };
        let block = self.ask(caller, |cx, _, _, pools| {
            pools.free_async(cx, pointer.address, pointer.generation, mark)
        })?;
        let piece = self.block_piece(&block);
        self.launch(caller, s, What::Return { pointer, piece });
        Ok(None)
    }

    /// The free of a block that the host makes itself.
    pub(super) fn pool_free_now(
        &mut self,
        caller: &mut Caller<'_, '_>,
        pointer: Pointer,
    ) -> Result<(), Refused> {
        let (actor, epoch) = (caller.at.epoch.actor, caller.at.epoch);
        let mark = FreeMark { stream: actor, epoch, clock: Rc::new(Self::knows(caller)) };
        let block = self.ask(caller, |cx, _, _, pools| {
            pools.free_sync(cx, pointer.address, pointer.generation, Some(mark))
        })?;
        let piece = self.block_piece(&block);
        self.watch.free(caller.at, piece, pointer.generation);
        Ok(())
    }

    fn block_piece(&self, block: &crate::runtime::soma::Block) -> Piece {
        let object = self.owned.get(&(Ledger::Pools, block.generation)).map(|o| o.object);
        let object = object.or_else(|| self.pools.object(block.pool));
        Piece {
            object: object.unwrap_or(crate::runtime::objects::ObjectId(u32::MAX)),
            start: block.offset,
            len: block.len,
        }
    }

    /// A pool ends; what it had given out is gone.
    pub(super) fn pool_destroy(
        &mut self,
        caller: &mut Caller<'_, '_>,
        id: PoolId,
    ) -> Result<(), Refused> {
        let live = self.ask(caller, |cx, _, _, pools| pools.destroy(cx, id))?;
        for block in live {
            let piece = self.block_piece(&block);
            self.watch.free(caller.at, piece, block.generation);
        }
        Ok(())
    }

    /// For each pool: its name, the most that it had handed out, the most that it held.
    pub(super) fn pools_high(&mut self) -> Vec<(String, u64, u64)> {
        let mut all = Vec::new();
        for (name, id, ..) in self.pool_names.clone() {
            let mut notes = crate::runtime::status::Notes::default();
            let (mut cx, _, _, pools) = self.parts().with(&mut notes);
            let mut get = |attribute| pools.get(&mut cx, id, attribute).unwrap_or(0);
            let used = get(PoolAttribute::UsedHigh);
            let held = get(PoolAttribute::ReservedHigh);
            all.push((self.setup.trace.text(name).to_owned(), used, held));
        }
        all
    }
}
