//! Allocations and mappings in the naive model.

use super::naive::{
    Bad, Block, Cached, Call, HUGE, Handle, Mapped, Naive, PAGE, Store, Thing, Value, What, no,
    turn, up,
};
use crate::diag::Code;
use crate::model::trace::{AllocKind, Location, PageClass};
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::status::Status;

const TIB: u64 = 1 << 40;

impl Naive {
    /// What the call answers, given what the first model has answered (for its addresses).
    pub(crate) fn step(&mut self, call: &Call, seen: &Value) -> Result<Value, Bad> {
        self.remarks.clear();
        let p = match call {
            Call::Alloc { p, .. } | Call::Reserve { p, .. } | Call::Create { p, .. } => *p,
            Call::Map { p, .. } | Call::Reg { p, .. } => *p,
            Call::Open(p, ..) | Call::Close(p, ..) | Call::Free(p, ..) | Call::Unreserve(p, ..) => {
                *p
            }
            Call::Release(p, ..) | Call::Retain(p, ..) | Call::Unmap(p, ..) => *p,
            Call::SetAccess(p, ..) | Call::GetAccess(p, ..) | Call::IpcCreate(p, ..) => *p,
            Call::SetPid(p, ..) | Call::IpcOpen(p, ..) | Call::IpcClose(p, ..) => *p,
            Call::IpcDestroy(p, ..) | Call::Export(p, ..) | Call::ExportAttr(p, ..) => *p,
            Call::Import(p, ..) | Call::Unreg(p, ..) | Call::DevPtr(p, ..) => *p,
            Call::Touch(p, ..) | Call::Exit(p) | Call::Crash(p) | Call::Reach(p, ..) => *p,
        };
        let alive = self.procs[p as usize].alive;
        match call {
            Call::Open(_, device, flag) => return self.open(p, *device, *flag),
            Call::Reach(_, ptr, len, who, how) => return Ok(self.reach(p, *ptr, *len, *who, *how)),
            Call::Exit(_) => return Ok(self.end(p, true)),
            Call::Crash(_) => return Ok(self.end(p, false)),
            Call::Touch(_, ptr, len, who) => {
                if let Err((_, code)) = self.touch(p, *ptr, *len, *who) {
                    let code = code.unwrap_or(match who {
                        Who::Host => Code::ReplayOomHost,
                        Who::Device(_) => Code::ReplayOomDevice,
                    });
                    self.remarks.push(code);
                }
                return Ok(Value::Nothing);
            }
            Call::Close(_, device, _) if *device >= 2 => return no(Status::InvalidValue),
            _ if !alive => return no(Status::ProcessExit),
            _ => {}
        }
        match call {
            Call::Close(_, device, fails) => self.close(p, *device as usize, *fails),
            Call::Alloc { .. } => self.alloc(call, seen),
            Call::Free(_, ptr) => self.free(p, *ptr),
            Call::Reserve { size, at, .. } => self.reserve(p, *size, *at, seen),
            Call::Unreserve(_, ptr) => self.unreserve(p, *ptr),
            Call::Create { size, device, pages, .. } => {
                self.create(p, *size, *device, *pages, seen)
            }
            Call::Release(_, handle) => {
                let at = self.handle(p, *handle)?;
                let handle = &self.handles[at];
                if handle.maps > 0 && handle.refs == handle.maps {
                    return Err((Status::InvalidValue, Some(Code::ReplayDoubleFree)));
                }
                Ok(Value::Gone(self.drop_refs(at, 1, 0).into_iter().collect()))
            }
            Call::Retain(_, ptr) => {
                let Some((thing, at)) = self.mapping(p, *ptr) else { return self.kernel() };
                let What::Reserve { maps, .. } = &self.things[thing].what else { unreachable!() };
                let head = self.things[thing].start.address + maps[at].at == ptr.address;
                let handle = maps[at].handle;
                if !head && self.source {
                    return self.kernel();
                }
                self.handles[handle].refs += 1;
                Ok(Value::Id(handle as u32))
            }
            Call::Map { ptr, size, handle, alias, .. } => self.map(p, *ptr, *size, *handle, *alias),
            Call::Unmap(_, ptr) => self.unmap(p, *ptr),
            Call::SetAccess(_, ptr, size, to) => {
                if *size == 0 {
                    return no(Status::InvalidValue);
                }
                let Some((thing, at)) = self.mapping(p, *ptr) else { return self.kernel() };
                let bank = |l: &Location| match l {
                    Location::Invalid => no(Status::InvalidValue),
                    Location::Device(d) if *d > 1 => no(Status::InvalidDevice),
                    Location::Device(d) => Ok(Bank::Device(*d)),
                    _ => Ok(Bank::Host),
                };
                let start = self.things[thing].start.address;
                let What::Reserve { maps, .. } = &self.things[thing].what else { unreachable!() };
                let (mapped, handle) = (&maps[at], maps[at].handle);
                if start + mapped.at != ptr.address || mapped.len != *size {
                    return self.kernel();
                }
                let bank = bank(to)?;
                match (self.handles[handle].location, bank) {
                    (Bank::Host, Bank::Host) => return no(Status::NotSupport),
                    (Bank::Device(a), Bank::Device(b)) if a != b && !self.peer => {
                        return no(Status::NotSupport);
                    }
                    _ => {}
                }
                let What::Reserve { maps, .. } = &mut self.things[thing].what else {
                    unreachable!()
                };
                maps[at].access.push(bank);
                Ok(Value::Nothing)
            }
            Call::GetAccess(_, ptr, to) => {
                let bank = match to {
                    Location::Invalid => return no(Status::InvalidValue),
                    Location::Device(d) if *d > 1 => return no(Status::InvalidDevice),
                    Location::Device(d) => Bank::Device(*d),
                    _ => Bank::Host,
                };
                let Some((thing, at)) = self.mapping(p, *ptr) else { return self.kernel() };
                let What::Reserve { maps, .. } = &self.things[thing].what else { unreachable!() };
                Ok(Value::Flag(maps[at].access.contains(&bank)))
            }
            other => self.share_step(p, other, seen),
        }
    }

    fn alloc(&mut self, call: &Call, seen: &Value) -> Result<Value, Bad> {
        let Call::Alloc { p, size, device, kind, pages, ro, acl } = *call else { unreachable!() };
        if size == 0 {
            return no(Status::InvalidValue);
        }
        let host = matches!(kind, AllocKind::Host | AllocKind::HostUva);
        if kind != AllocKind::User {
            if kind == AllocKind::HostUva && pages != PageClass::Normal {
                return no(Status::NotSupport);
            }
            if device > 1 && !(host && device == 64) {
                return no(Status::InvalidDevice);
            }
            if !(self.has_open(p, device) || host && self.any_open(p)) {
                return no(Status::InvalidHandle);
            }
        }
        let tries = match pages {
            _ if kind == AllocKind::User => vec![PAGE],
            PageClass::Normal => vec![PAGE],
            PageClass::HugeFirst => vec![HUGE, PAGE],
            _ => vec![HUGE],
        };
        let bank = if host || kind == AllocKind::User { Bank::Host } else { Bank::Device(device) };
        let bytes = if acl { up(size, 32) + 32 } else { size };
        let mut failed = (Status::OutOfMemory, None);
        for page in tries {
            let len = up(bytes, page);
            let same = |c: &Cached| {
                c.p == p && c.bank == bank && c.ro == ro && c.page == page && c.len == len
            };
            let kept = self.cache.iter().rposition(same);
            if let Some(at) = kept.filter(|_| self.source && kind == AllocKind::Dev) {
                self.cache.remove(at);
            } else if kind != AllocKind::Svm
                && let Err(bad) = self.take(bank, len)
            {
                failed = bad;
                continue;
            }
            let held = if kind == AllocKind::Svm { 0 } else { len };
            let Value::Made(start, Some(object), _) = *seen else {
                return Ok(Value::Made(
                    Pointer { process: p, address: 0, generation: 0 },
                    None,
                    size,
                ));
            };
            let block = Block {
                object,
                kind,
                device,
                bank,
                page,
                held,
                ro,
                acl,
                there: Default::default(),
            };
            assert!(start.address.is_multiple_of(page));
            self.add(p, start, len, size, What::Block(block));
            return Ok(Value::Made(start, Some(object), size));
        }
        Err(failed)
    }

    pub(crate) fn add(
        &mut self,
        p: u32,
        start: Pointer,
        len: u64,
        usable: u64,
        what: What,
    ) -> usize {
        assert!(!self.in_use(p, start.address, len), "addresses are given out twice");
        assert!(self.things.iter().all(|t| t.start.generation != start.generation));
        self.things.push(Thing { p, start, len, usable, live: true, what, regs: Vec::new() });
        self.things.len() - 1
    }

    fn free(&mut self, p: u32, ptr: Pointer) -> Result<Value, Bad> {
        let bad = (Status::InvalidValue, Some(Code::ReplayBadFree));
        let Some(at) = self.thing(p, ptr) else { return Err(bad) };
        let thing = &self.things[at];
        if !thing.live {
            return Err((Status::InvalidValue, Some(Code::ReplayDoubleFree)));
        }
        let What::Block(block) = thing.what.clone() else { return Err(bad) };
        if thing.start.address != ptr.address {
            return self.kernel().map_err(|(s, _): Bad| (s, bad.1));
        }
        if !thing.regs.is_empty() {
            return Err((Status::Busy, Some(Code::ReplayRegFree)));
        }
        let (start, len) = (thing.start.address, thing.len);
        self.end_keys(at, 0, u64::MAX, true);
        self.things[at].live = false;
        self.frees += u64::from(block.held > 0 || !block.there.is_empty());
        let limit = match (block.ro, block.page) {
            (true, _) => 24 << 20,
            (_, HUGE) => 36 << 20,
            _ => 18 << 20,
        };
        let class = |c: &&Cached| {
            c.p == p
                && c.bank == block.bank
                && c.ro == block.ro
                && (block.ro || c.page == block.page)
        };
        let held: u64 = self.cache.iter().filter(class).map(|c| c.len).sum();
        if self.source && block.kind == AllocKind::Dev && held + len <= limit {
            let (bank, ro, page) = (block.bank, block.ro, block.page);
            self.cache.push(Cached { p, bank, ro, page, start, len });
        }
        Ok(Value::Gone(vec![block.object]))
    }

    fn reserve(&mut self, p: u32, size: u64, at: Option<u64>, seen: &Value) -> Result<Value, Bad> {
        if size == 0 {
            return no(Status::InvalidValue);
        }
        if !self.any_open(p) {
            return no(Status::InvalidHandle);
        }
        let len = up(size, HUGE);
        if let Some(at) = at {
            let align = size.max(HUGE).next_power_of_two();
            if at < 20 * TIB || at + len > 24 * TIB || at % align != 0 {
                return no(Status::InvalidValue);
            }
            if self.in_use(p, at, len) {
                return no(Status::OutOfMemory);
            }
        }
        let Value::Made(start, None, _) = *seen else {
            return Ok(Value::Made(Pointer { process: p, address: 0, generation: 0 }, None, len));
        };
        assert!(at.is_none_or(|at| at == start.address) && start.address.is_multiple_of(HUGE));
        self.add(p, start, len, len, What::Reserve { side: None, maps: Vec::new() });
        Ok(Value::Made(start, None, len))
    }

    fn unreserve(&mut self, p: u32, ptr: Pointer) -> Result<Value, Bad> {
        let bad = (Status::InvalidValue, Some(Code::ReplayBadFree));
        let Some(at) = self.thing(p, ptr) else { return Err(bad) };
        let thing = &self.things[at];
        if !thing.live {
            return Err((Status::InvalidValue, Some(Code::ReplayDoubleFree)));
        }
        let What::Reserve { maps, .. } = &thing.what else { return Err(bad) };
        if thing.start.address != ptr.address {
            return Err(bad);
        }
        if !thing.regs.is_empty() {
            return Err((Status::Busy, Some(Code::ReplayRegFree)));
        }
        let mapped = maps.len();
        if mapped > 0 {
            if !self.source {
                return Err((Status::Busy, Some(Code::ReplayVmmFreeMapped)));
            }
            self.remarks.push(Code::ReplayVmmFreeMapped);
        }
        let mut gone = Vec::new();
        for _ in 0..mapped {
            gone.extend(self.drop_mapping(at, 0, true));
        }
        self.things[at].live = false;
        gone.sort_unstable();
        Ok(Value::Gone(gone))
    }

    fn create(
        &mut self,
        p: u32,
        size: u64,
        device: Option<u32>,
        pages: PageClass,
        seen: &Value,
    ) -> Result<Value, Bad> {
        if size == 0 {
            return no(Status::InvalidValue);
        }
        let home = match device {
            None if self.any_open(p) => Bank::Host,
            Some(d) if d > 1 => return no(Status::InvalidDevice),
            Some(d) if self.has_open(p, d) => Bank::Device(d),
            _ => return no(Status::InvalidHandle),
        };
        let normal = pages == PageClass::Normal;
        if !size.is_multiple_of(if normal { PAGE } else { HUGE }) {
            return self.kernel();
        }
        let page = if normal && size < HUGE { PAGE } else { HUGE };
        let len = up(size, page);
        self.take(home, len)?;
        if home == Bank::Host && !self.source {
            self.remarks.push(Code::ReplayLint);
        }
        if !self.procs[p as usize].asked {
            self.procs[p as usize].asked = true;
            self.remarks.push(Code::ReplayLint);
        }
        let Value::Handle(_, object, _) = *seen else {
            return Ok(Value::Handle(0, ObjectId(0), len));
        };
        self.stores.push(Store { object, home, page, len, live: true });
        let handle = self.new_handle(p, self.stores.len() - 1, home, false);
        Ok(Value::Handle(handle, object, len))
    }

    pub(crate) fn new_handle(
        &mut self,
        p: u32,
        store: usize,
        location: Bank,
        imported: bool,
    ) -> u32 {
        let exported = false;
        self.handles.push(Handle { p, store, refs: 1, maps: 0, location, imported, exported });
        self.handles.len() as u32 - 1
    }

    /// A handle of the process with references.
    pub(crate) fn handle(&self, p: u32, handle: u32) -> Result<usize, Bad> {
        let at = handle as usize;
        match self.handles.get(at) {
            Some(h) if h.p != p => no(Status::InvalidHandle),
            Some(h) if h.refs > 0 => Ok(at),
            _ => Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle))),
        }
    }

    pub(crate) fn drop_refs(&mut self, at: usize, refs: u32, maps: u32) -> Option<ObjectId> {
        self.handles[at].refs -= refs;
        self.handles[at].maps -= maps;
        let store = self.handles[at].store;
        let held = self.handles.iter().any(|h| h.store == store && h.refs > 0);
        if held || !self.stores[store].live {
            return None;
        }
        self.stores[store].live = false;
        self.frees += 1;
        Some(self.stores[store].object)
    }

    /// The mapping around an address: the thing and the position in its list.
    pub(crate) fn mapping(&self, p: u32, ptr: Pointer) -> Option<(usize, usize)> {
        let at = self.live(p, ptr)?;
        let What::Reserve { maps, .. } = &self.things[at].what else { return None };
        let byte = ptr.address - self.things[at].start.address;
        Some((at, maps.iter().position(|m| byte >= m.at && byte < m.at + m.len)?))
    }

    fn map(
        &mut self,
        p: u32,
        ptr: Pointer,
        size: u64,
        handle: u32,
        alias: bool,
    ) -> Result<Value, Bad> {
        if size == 0 {
            return no(Status::InvalidValue);
        }
        let handle = self.handle(p, handle)?;
        let Handle { refs, maps, location, store, .. } = self.handles[handle];
        if refs == maps {
            return Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle)));
        }
        let Some(at) = self.live(p, ptr) else { return self.kernel() };
        let What::Reserve { side, maps } = &self.things[at].what else { return self.kernel() };
        let byte = ptr.address - self.things[at].start.address;
        if maps.iter().any(|m| m.at == byte) {
            return no(Status::RepeatedUserd);
        }
        let Store { page, len, .. } = self.stores[store];
        let bad = !byte.is_multiple_of(HUGE)
            || !size.is_multiple_of(page)
            || byte + size > self.things[at].len
            || size > len;
        if bad {
            return self.kernel();
        }
        if size < len && !self.source {
            return no(Status::InvalidValue);
        }
        if side.is_some_and(|s| s != location) {
            let empty = maps.is_empty();
            self.remarks.extend(empty.then_some(Code::ReplayLint));
            return self.kernel();
        }
        if maps.iter().any(|m| m.at < byte + size && byte < m.at + m.len) {
            return no(Status::IoctlFail);
        }
        if turn(&mut self.fail_map) {
            return no(Status::OutOfMemory);
        }
        let elsewhere = self.handles.iter().any(|h| h.p == p && h.store == store && h.maps > 0);
        match (elsewhere, alias) {
            (true, false) => self.remarks.push(Code::ReplayVmmAlias),
            (false, true) => self.remarks.push(Code::ReplayLint),
            _ => {}
        }
        self.handles[handle].refs += 1;
        self.handles[handle].maps += 1;
        self.maps += 1;
        let What::Reserve { side, maps } = &mut self.things[at].what else { unreachable!() };
        *side = Some(location);
        maps.push(Mapped { at: byte, len: size, handle, access: vec![location] });
        Ok(Value::Nothing)
    }

    fn unmap(&mut self, p: u32, ptr: Pointer) -> Result<Value, Bad> {
        let Some((thing, at)) = self.mapping(p, ptr) else { return self.kernel() };
        let What::Reserve { maps, .. } = &self.things[thing].what else { unreachable!() };
        let (start, end) = (maps[at].at, maps[at].at + maps[at].len);
        if self.things[thing].start.address + start != ptr.address {
            return self.kernel();
        }
        let meets = |s: u64, l: u64| s < end && start < s + l;
        if self.things[thing].regs.iter().any(|r| meets(r.offset, r.len)) {
            return Err((Status::Busy, Some(Code::ReplayRegFree)));
        }
        if self.keys.iter().any(|k| k.valid && k.of == thing && meets(k.offset, k.len)) {
            return no(Status::Busy);
        }
        Ok(Value::Gone(self.drop_mapping(thing, at, true).into_iter().collect()))
    }

    pub(crate) fn drop_mapping(
        &mut self,
        thing: usize,
        at: usize,
        orderly: bool,
    ) -> Option<ObjectId> {
        let What::Reserve { maps, .. } = &mut self.things[thing].what else { unreachable!() };
        let mapped = maps.remove(at);
        self.end_keys(thing, mapped.at, mapped.at + mapped.len, orderly);
        self.drop_refs(mapped.handle, 1, 1)
    }

    pub(crate) fn touch(&mut self, p: u32, ptr: Pointer, len: u64, who: Who) -> Result<(), Bad> {
        let Some(at) = self.live(p, ptr) else { return Ok(()) };
        let What::Block(block) = self.things[at].what.clone() else { return Ok(()) };
        let start = ptr.address - self.things[at].start.address;
        let end = (start + len).min(self.things[at].usable);
        if block.kind != AllocKind::Svm || start >= end {
            return Ok(());
        }
        let bank = match who {
            Who::Host => Bank::Host,
            Who::Device(d) => Bank::Device(d),
        };
        // Neighbours in the same place move together or not at all.
        let pages: Vec<u64> = (start / block.page..end.div_ceil(block.page)).collect();
        for group in pages.chunk_by(|a, b| block.there.get(a) == block.there.get(b)) {
            let now = block.there.get(&group[0]).copied();
            if now == Some(bank) || (now.is_none() && who != Who::Host) {
                continue;
            }
            self.take(bank, block.page * group.len() as u64)?;
            self.frees += u64::from(now.is_some());
            let What::Block(block) = &mut self.things[at].what else { unreachable!() };
            block.there.extend(group.iter().map(|&page| (page, bank)));
        }
        Ok(())
    }
}
