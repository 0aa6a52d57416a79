//! Calls about host memory pools and the handles of their elements (xla-memory 18).

use super::access::Ledger;
use super::bindings::Binding;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use super::parts::{Part, Whole};
use super::streams::Calls;
use crate::diag::Code;
use crate::model::trace::{AllocKind, Call, MemoryFlags, PageClass, Primitive, Sym};
use crate::runtime::hostpool::{Element, Handle, Handles, HostPool, Moved, Taken};
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{AllocRequest, Made};
use crate::runtime::watch::{At, Watch};

/// All pools, in the order made, and the handles of their elements.
#[derive(Clone, Debug, Default)]
pub(super) struct HostPools {
    all: Vec<Pinned>,
    handles: Handles,
    /// Calls, whose order decides who gets which element.
    calls: Calls,
}

/// A pool and its memory.
#[derive(Clone, Debug)]
struct Pinned {
    pool: HostPool,
    memory: Pointer,
    alive: bool,
}

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn host_pool_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        self.open |= !self.host_pools.calls.within(caller.at.clock);
        self.host_pools.calls.add(caller.at.epoch, caller.at.clock);
        match call {
            Call::HostPoolCreate { out, primitive, device } => {
                self.host_pool_create(caller, *out, *primitive, *device)
            }
            Call::HostPoolAcquire { out, pool, count } => {
                let number = self.host_pool(caller, *pool)?;
                self.host_pool_acquire(caller, *out, number, *count)
            }
            Call::HostPoolGet { out, handle, primitive } => {
                let name = handle.ok_or_else(null)?;
                let handle = self.host_pools.handles.get(name, self.setup.trace.text(name))?;
                let first = handle.elements.first().map_or(0, |(index, _)| *index);
                let pinned = self.alive(handle.pool, name)?;
                let own = pinned.pool.primitive();
                if own != *primitive {
                    let why = format!(
                        "`{}` is of type {} and is used as {}",
                        self.setup.trace.text(name),
                        own.name(),
                        primitive.name()
                    );
                    let refused = Refused::new(Status::InvalidValue, why);
                    return Err(refused.finding(Code::ReplayHandleType));
                }
                let offset = pinned.pool.offset(first);
                if let Some(pointer) = self.pointer(Some(name), 0)? {
                    self.bind(*out, pointer, own.bytes());
                }
                Ok(Some(format!("element {first} offset {offset}")))
            }
            Call::HostPoolMove { out, handle } => {
                let name = handle.ok_or_else(null)?;
                let text = self.setup.trace.text(name);
                let Moved::Over { released, holds } =
                    self.host_pools.handles.shift(*out, name, text)?
                else {
                    return Ok(None);
                };
                let moved = self.bindings.get(&name).cloned();
                let none = Binding::Address(Self::null(caller.process), 0);
                self.bindings.insert(name, none.clone());
                self.bindings.insert(*out, moved.filter(|_| holds.is_some()).unwrap_or(none));
                released.map_or(Ok(()), |handle| self.give_back(caller, &handle, *out))?;
                Ok(None)
            }
            Call::HostPoolRelease { handle } => {
                // A handle that is NULL holds nothing.
                let Some(name) = *handle else { return Ok(None) };
                match self.host_pools.handles.end(name, self.setup.trace.text(name))? {
                    Taken::Elements(handle) => {
                        self.give_back(caller, &handle, name)?;
                        let pinned = self.alive(handle.pool, name)?;
                        Ok(Some(format!("in_use {}", pinned.pool.in_use())))
                    }
                    Taken::Nothing => Ok(None),
                }
            }
            Call::HostPoolDestroy { pool } => {
                let number = self.host_pool(caller, *pool)?;
                self.host_pool_destroy(caller, number)
            }
            _ => Ok(None),
        }
    }

    fn host_pool_create(
        &mut self,
        caller: &mut Caller<'_, '_>,
        out: Option<Sym>,
        primitive: Primitive,
        device: u32,
    ) -> Reply {
        let Some(name) = out else {
            return Err(Refused::new(Status::InvalidValue, "there is nowhere to put the pool"));
        };
        let process = caller.process;
        let pool = HostPool::new(primitive, &Self::knows(caller));
        let request = AllocRequest {
            name: Some(self.setup.trace.text(name)),
            size: pool.bytes(),
            device,
            kind: AllocKind::Host,
            pages: PageClass::Normal,
            flags: MemoryFlags::default(),
        };
        let made = self.ask(caller, |cx, space, _, _| space.alloc(cx, process, &request))?;
        self.keep(&made);
        self.bindings.insert(name, Binding::HostPool(self.host_pools.all.len()));
        let bytes = pool.bytes();
        self.host_pools.all.push(Pinned { pool, memory: made.pointer, alive: true });
        Ok(Some(format!("bytes {bytes} width {}", primitive.bytes())))
    }

    /// So many requests, one after the other. What was handed out before one fails stays.
    fn host_pool_acquire(
        &mut self,
        caller: &mut Caller<'_, '_>,
        out: Option<Sym>,
        number: usize,
        count: u64,
    ) -> Reply {
        if count == 0 {
            return Err(Refused::new(Status::InvalidValue, "no element is asked for"));
        }
        let mut handle = Handle { pool: number, elements: Vec::new() };
        let (mut first, mut failed) = (None, None);
        for _ in 0..count {
            let Some(pinned) = self.host_pools.all.get_mut(number) else { break };
            let (memory, width) = (pinned.memory, pinned.pool.primitive().bytes());
            let element = match pinned.pool.acquire() {
                Ok(element) => element,
                Err(refused) => {
                    failed = Some(refused);
                    break;
                }
            };
            let offset = pinned.pool.offset(element.index);
            // Whoever gave the element back did so under the lock of the pool, before.
            caller.learns.join(&element.clock);
            let mut clock = caller.at.clock.clone();
            clock.join(&caller.learns);
            let at = At { clock: &clock, ..*caller.at };
            let part = Part { name: out, of: Whole::HostPool };
            let pointer = self.hand_out(&at, memory, offset, width, part)?;
            first = first.or(Some((element.index, pointer, width)));
            handle.elements.push((element.index, pointer.generation));
        }
        let given = u64::try_from(handle.elements.len()).unwrap_or(u64::MAX);
        let acquired = &mut self.counters.host_pool_acquired;
        *acquired = acquired.saturating_add(given);
        self.counters.host_pool_failed += u64::from(failed.is_some());
        if let Some(pinned) = self.host_pools.all.get(number) {
            let high = &mut self.counters.host_pool_high;
            *high = (*high).max(pinned.pool.high().into());
        }
        let mut answer = String::new();
        if let Some((index, pointer, width)) = first {
            answer = match given {
                1 => format!("element {index} "),
                _ => format!("elements {given} first {index} "),
            };
            // What the name held until now goes after the new element has come.
            let before = match out {
                Some(name) => {
                    self.bind(out, pointer, width);
                    self.host_pools.handles.assign(name, handle)
                }
                None => Some(handle),
            };
            if let Some(before) = before {
                self.give_back_all(caller, &before);
            }
        }
        match (failed, self.host_pools.all.get(number)) {
            (Some(refused), _) => Err(refused),
            (None, pinned) => {
                let in_use = pinned.map_or(0, |pinned| pinned.pool.in_use());
                Ok(Some(format!("{answer}in_use {in_use}")))
            }
        }
    }

    fn host_pool_destroy(&mut self, caller: &mut Caller<'_, '_>, number: usize) -> Reply {
        let Some(pinned) = self.host_pools.all.get_mut(number) else { return Ok(None) };
        let (memory, in_use) = (pinned.memory, pinned.pool.in_use());
        let process = caller.process;
        self.ask(caller, |cx, space, _, _| space.free(cx, process, Some(memory)))?;
        self.died(caller.at, Ledger::Space, memory.generation);
        let Some(pinned) = self.host_pools.all.get_mut(number) else { return Ok(None) };
        pinned.alive = false;
        let failed = pinned.pool.first_failed().map_or("none".to_owned(), |n| n.to_string());
        let answer = format!(
            "requests {} acquired {} high {} first_failed {failed}",
            pinned.pool.requests(),
            pinned.pool.acquired(),
            pinned.pool.high()
        );
        if in_use > 0 {
            let words = format!(
                "the pool goes while {in_use} of its elements are in use: their handles give them \
                 back to what is no longer there"
            );
            self.notice(caller.at, Code::ReplayUaf, words);
        }
        Ok(Some(answer))
    }

    /// The memory of a pool is no part that anybody was given.
    fn keep(&mut self, made: &Made) {
        let owned = super::access::Owned {
            object: made.object,
            start: 0,
            len: made.len,
            address: made.pointer.address,
            alive: true,
        };
        self.owned.insert((Ledger::Space, made.pointer.generation), owned);
        self.watch.begin(made.object, false);
    }

    /// Elements go back to their pool, which has to be there.
    fn give_back(
        &mut self,
        caller: &Caller<'_, '_>,
        handle: &Handle,
        name: Sym,
    ) -> Result<(), Refused> {
        self.alive(handle.pool, name)?;
        self.give_back_all(caller, handle);
        Ok(())
    }

    fn give_back_all(&mut self, caller: &Caller<'_, '_>, handle: &Handle) {
        let clock = Self::knows(caller);
        for &(index, generation) in &handle.elements {
            self.died(caller.at, Ledger::Space, generation);
            if let Some(pinned) = self.host_pools.all.get_mut(handle.pool) {
                pinned.pool.release(Element { index, clock: clock.clone() });
                self.counters.host_pool_released += 1;
            }
        }
    }

    /// The pool of a handle.
    fn alive(&self, number: usize, name: Sym) -> Result<&Pinned, Refused> {
        self.host_pools.all.get(number).filter(|pinned| pinned.alive).ok_or_else(|| {
            let why = format!("the pool of `{}` was destroyed", self.setup.trace.text(name));
            Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle)
        })
    }

    /// The number of a pool of this process that is there.
    fn host_pool(&self, caller: &Caller<'_, '_>, name: Option<Sym>) -> Result<usize, Refused> {
        let name = name.ok_or_else(null)?;
        let Some(Binding::HostPool(number)) = self.bindings.get(&name) else {
            return Err(self.no(name, "host memory pool"));
        };
        match self.host_pools.all.get(*number) {
            Some(pinned) if !pinned.alive => {
                let why = format!("`{}` was destroyed", self.setup.trace.text(name));
                Err(Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle))
            }
            Some(pinned) if pinned.memory.process == caller.process => Ok(*number),
            _ => Err(Refused::new(Status::InvalidHandle, "the pool is another process's")),
        }
    }
}

fn null() -> Refused {
    Refused::new(Status::InvalidValue, "the name is NULL")
}
