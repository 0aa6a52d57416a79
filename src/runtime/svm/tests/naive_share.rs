//! Sharing and registration in the naive model.

use super::naive::{Bad, Call, Key, Naive, PAGE, Reg, Share, Value, What, no, turn, up};
use crate::diag::Code;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::status::Status;

impl Naive {
    pub(crate) fn share_step(&mut self, p: u32, call: &Call, seen: &Value) -> Result<Value, Bad> {
        match call {
            Call::IpcCreate(_, ptr, len) => self.ipc_create(p, *ptr, *len),
            Call::SetPid(_, key, pids, off) => self.set_pid(p, *key, pids, *off),
            Call::IpcOpen(_, key, device) => self.ipc_open(p, *key, *device, seen),
            Call::IpcClose(_, ptr) => self.ipc_close(p, *ptr),
            Call::IpcDestroy(_, key) => {
                let Some(at) = self.keys.get(*key as usize) else { return self.kernel() };
                if at.creator != p {
                    return Err((Status::IoctlFail, Some(Code::ReplayIpcPerm)));
                }
                if !at.valid {
                    return Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle)));
                }
                self.end_key(*key as usize, true);
                Ok(Value::Nothing)
            }
            Call::Export(_, handle) => {
                let at = self.handle(p, *handle)?;
                let h = &mut self.handles[at];
                if h.refs == h.maps {
                    return Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle)));
                }
                if h.imported {
                    return no(Status::NotSupport);
                }
                if h.exported {
                    return no(Status::RepeatedUserd);
                }
                h.exported = true;
                self.shares.push(Share { handle: at, p, all: false, listed: Vec::new() });
                Ok(Value::Id(self.shares.len() as u32 - 1))
            }
            Call::ExportAttr(_, share, pids, all) => {
                self.live_share(*share)?;
                let share = &mut self.shares[*share as usize];
                if share.p != p {
                    return Err((Status::OperNotPermitted, Some(Code::ReplayIpcPerm)));
                }
                if (pids.is_empty() && !all) || pids.iter().any(|&q| q > 1) {
                    return no(Status::InvalidValue);
                }
                self.moment += 1;
                share.all |= all;
                share.listed.extend(pids.iter().map(|&q| (q, self.moment)));
                Ok(Value::Nothing)
            }
            Call::Import(_, share, device) => self.import(p, *share, *device),
            Call::Reg { .. } => self.reg(call, seen),
            Call::Unreg(_, ptr, device) => {
                if *device > 1 {
                    return no(Status::InvalidDevice);
                }
                let Some(at) = self.live(p, *ptr) else { return no(Status::NotExist) };
                let offset = ptr.address - self.things[at].start.address;
                let fits = |r: &Reg| r.offset == offset && r.device == *device;
                let Some(reg) = self.things[at].regs.iter().position(fits) else {
                    return no(Status::NotExist);
                };
                if let Some(window) = self.things[at].regs.remove(reg).window {
                    self.things[window].live = false;
                }
                Ok(Value::Nothing)
            }
            Call::DevPtr(_, ptr, device) => {
                if *device > 1 {
                    return no(Status::InvalidDevice);
                }
                let Some(at) = self.live(p, *ptr) else { return no(Status::NotExist) };
                let offset = ptr.address - self.things[at].start.address;
                let around = |r: &&Reg| {
                    r.device == *device && (r.offset..r.offset + r.len).contains(&offset)
                };
                let Some(reg) = self.things[at].regs.iter().find(around) else {
                    return no(Status::NotExist);
                };
                let to = match reg.window {
                    Some(window) => {
                        let start = self.things[window].start;
                        Pointer { address: start.address + offset - reg.offset, ..start }
                    }
                    None => *ptr,
                };
                Ok(Value::Made(to, None, 0))
            }
            other => panic!("{other:?} is handled elsewhere"),
        }
    }

    fn ipc_create(&mut self, p: u32, ptr: Pointer, len: Option<u64>) -> Result<Value, Bad> {
        if len == Some(0) {
            return no(Status::InvalidValue);
        }
        let Some(at) = self.live(p, ptr) else { return self.kernel() };
        let thing = &self.things[at];
        let offset = ptr.address - thing.start.address;
        if offset >= thing.usable || !offset.is_multiple_of(PAGE) {
            return self.kernel();
        }
        let len = len.unwrap_or(thing.usable - offset);
        if offset + len > thing.usable {
            return self.kernel();
        }
        let shared =
            |k: &Key| k.valid && k.of == at && k.offset < offset + len && offset < k.offset + k.len;
        if self.keys.iter().any(shared) {
            return self.kernel();
        }
        let mut parts: Vec<(ObjectId, u64, u64)> = Vec::new();
        match &thing.what {
            What::Block(b) if matches!(b.kind, AllocKind::Dev | AllocKind::Dvpp) && !b.ro => {
                if b.acl && thing.usable <= (2 << 20) - PAGE {
                    self.remarks.push(Code::ReplayLint);
                }
                parts.push((b.object, offset, len));
            }
            What::Reserve { maps, .. } => {
                let around = |byte: u64| maps.iter().find(|m| byte >= m.at && byte < m.at + m.len);
                let mut byte = offset;
                while byte < offset + len {
                    let Some(m) = around(byte) else { return self.kernel() };
                    let end = (m.at + m.len).min(offset + len);
                    let object = self.stores[self.handles[m.handle].store].object;
                    parts.push((object, byte - m.at, end - byte));
                    byte = end;
                }
                let handle = &self.handles[around(offset).unwrap().handle];
                if handle.imported || handle.location == Bank::Host {
                    return self.kernel();
                }
                if !self.source {
                    return no(Status::InvalidValue);
                }
            }
            _ => return self.kernel(),
        }
        self.keys.push(Key {
            creator: p,
            of: at,
            offset,
            len,
            parts,
            valid: true,
            off: false,
            listed: Vec::new(),
        });
        Ok(Value::Id(self.keys.len() as u32 - 1))
    }

    fn set_pid(&mut self, p: u32, key: u32, pids: &[u32], off: bool) -> Result<Value, Bad> {
        self.moment += 1;
        let Some(key) = self.keys.get_mut(key as usize).filter(|k| k.valid) else {
            return Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle)));
        };
        if key.creator != p {
            return Err((Status::OperNotPermitted, Some(Code::ReplayIpcPerm)));
        }
        if off {
            if !key.listed.is_empty() {
                return no(Status::OperNotPermitted);
            }
            key.off = true;
            return Ok(Value::Nothing);
        }
        if pids.is_empty() {
            return no(Status::InvalidValue);
        }
        if key.off {
            return no(Status::OperNotPermitted);
        }
        if pids.iter().all(|&q| q == p) || pids.iter().any(|&q| q > 1) {
            return no(Status::InvalidValue);
        }
        key.listed.extend(pids.iter().filter(|&&q| q != p).map(|&q| (q, self.moment)));
        Ok(Value::Nothing)
    }

    fn ipc_open(&mut self, p: u32, id: u32, device: u32, seen: &Value) -> Result<Value, Bad> {
        if device > 1 {
            return no(Status::InvalidValue);
        }
        if !self.has_open(p, device) {
            return no(Status::InvalidHandle);
        }
        let at = id as usize;
        let Some(key) = self.keys.get(at).filter(|k| k.valid) else {
            return Err((Status::InvalidHandle, Some(Code::ReplayStaleHandle)));
        };
        let (object, len) = (key.parts[0].0, key.len);
        let open = self.things.iter_mut().find(|t| {
            t.live
                && t.p == p
                && matches!(t.what, What::Import { key, device: d, .. } if key == at && d == device)
        });
        if let Some(thing) = open {
            let What::Import { opens, .. } = &mut thing.what else { unreachable!() };
            *opens += 1;
            return Ok(Value::Made(thing.start, Some(object), len));
        }
        let started = self.procs[p as usize].started;
        let listed = key.listed.iter().any(|&(q, since)| q == p && started <= since);
        if !(key.off || key.creator == p || listed) {
            return Err((Status::OperNotPermitted, Some(Code::ReplayIpcPerm)));
        }
        let home = match &self.things[key.of].what {
            What::Block(b) => b.bank,
            What::Reserve { side, .. } => side.unwrap(),
            _ => unreachable!(),
        };
        if home != Bank::Device(device) && !self.peer {
            return no(Status::NotSupport);
        }
        if turn(&mut self.fail_map) {
            return no(Status::OutOfMemory);
        }
        let Value::Made(start, _, _) = *seen else {
            return Ok(Value::Nothing);
        };
        self.maps += 1;
        self.add(p, start, up(len, PAGE), len, What::Import { key: at, device, opens: 1 });
        Ok(Value::Made(start, Some(object), len))
    }

    fn ipc_close(&mut self, p: u32, ptr: Pointer) -> Result<Value, Bad> {
        let unknown = |code| {
            if self.source {
                Ok(Value::Gone(Vec::new()))
            } else {
                Err((Status::InvalidValue, Some(code)))
            }
        };
        let Some(at) = self.thing(p, ptr) else { return unknown(Code::ReplayBadFree) };
        let thing = &self.things[at];
        let What::Import { key, opens, .. } = thing.what else {
            return unknown(Code::ReplayBadFree);
        };
        if !thing.live {
            return unknown(Code::ReplayDoubleFree);
        }
        if thing.start.address != ptr.address {
            return unknown(Code::ReplayBadFree);
        }
        if opens > 1 {
            let What::Import { opens, .. } = &mut self.things[at].what else { unreachable!() };
            *opens -= 1;
            return Ok(Value::Gone(Vec::new()));
        }
        self.things[at].live = false;
        Ok(Value::Gone(vec![self.keys[key].parts[0].0]))
    }

    fn live_share(&self, share: u32) -> Result<&Share, Bad> {
        let good = |s: &&Share| self.handles[s.handle].refs > 0;
        let stale = (Status::InvalidHandle, Some(Code::ReplayStaleHandle));
        self.shares.get(share as usize).filter(good).ok_or(stale)
    }

    fn import(&mut self, p: u32, share: u32, device: u32) -> Result<Value, Bad> {
        if device > 1 {
            return no(Status::InvalidDevice);
        }
        if !self.has_open(p, device) {
            return no(Status::InvalidHandle);
        }
        let share = self.live_share(share)?;
        if share.p == p {
            return no(Status::InvalidValue);
        }
        let started = self.procs[p as usize].started;
        if !share.all && !share.listed.iter().any(|&(q, since)| q == p && started <= since) {
            return Err((Status::OperNotPermitted, Some(Code::ReplayIpcPerm)));
        }
        let at = self.handles[share.handle].store;
        let store = &self.stores[at];
        let location = match store.home {
            Bank::Host => Bank::Host,
            Bank::Device(home) if home != device && !self.peer => return no(Status::NotSupport),
            Bank::Device(_) => Bank::Device(device),
        };
        let (object, len) = (store.object, store.len);
        Ok(Value::Handle(self.new_handle(p, at, location, true), object, len))
    }

    fn reg(&mut self, call: &Call, seen: &Value) -> Result<Value, Bad> {
        let Call::Reg { p, src, len, kind, device, ro } = *call else { unreachable!() };
        use Register::{
            DevMemMapHost, DevSvmMapHost, HostIoMapDev, HostMemMapDev, HostMemMapDma,
            HostSvmMapDev, PcieTh, Unknown,
        };
        if matches!(kind, Unknown(_)) {
            return no(Status::NotSupport);
        }
        if device > 1 {
            return no(Status::InvalidDevice);
        }
        if !self.has_open(p, device) {
            return no(Status::InvalidHandle);
        }
        if ro && matches!(kind, PcieTh | HostMemMapDma | HostIoMapDev) {
            return no(Status::NotSupport);
        }
        let Some(at) = self.live(p, src) else { return self.kernel() };
        let thing = &self.things[at];
        let offset = src.address - thing.start.address;
        let len = len.unwrap_or(thing.usable.saturating_sub(offset));
        if len == 0 {
            return no(Status::InvalidValue);
        }
        let svm = 16 << 40;
        if kind == HostMemMapDma && src.address < svm && src.address + len > svm {
            return no(Status::InvalidValue);
        }
        if !offset.is_multiple_of(PAGE) || offset + len > thing.usable {
            return self.kernel();
        }
        let host_kind = matches!(kind, HostMemMapDev | HostMemMapDma | HostIoMapDev | PcieTh);
        let dev_kind = matches!(kind, DevMemMapHost | DevSvmMapHost);
        let same = match &thing.what {
            What::Block(b) => match b.kind {
                AllocKind::User if host_kind => false,
                AllocKind::Host | AllocKind::HostUva if host_kind => true,
                AllocKind::Svm if kind == HostSvmMapDev => true,
                AllocKind::Dev | AllocKind::Dvpp if dev_kind => false,
                _ => return self.kernel(),
            },
            What::Reserve { maps, side } => {
                if side.is_none() {
                    return self.kernel();
                }
                let host = *side == Some(Bank::Host);
                let mapped = |byte: u64| maps.iter().any(|m| byte >= m.at && byte < m.at + m.len);
                let pages = offset / PAGE..(offset + len).div_ceil(PAGE);
                if !pages.into_iter().all(|page| mapped(page * PAGE)) {
                    return self.kernel();
                }
                if host && host_kind {
                    true
                } else if !host && dev_kind {
                    false
                } else {
                    return self.kernel();
                }
            }
            _ => return self.kernel(),
        };
        // The last byte counts too where mappings end inside a page.
        if let Value::Reach(pieces, _) = self.reach(p, src, len, Who::Host, How::Read)
            && pieces.iter().map(|piece| piece.2).sum::<u64>() != len
        {
            return self.kernel();
        }
        let again =
            |r: &&Reg| r.offset == offset && r.len == len && r.kind == kind && r.device == device;
        if let Some(old) = self.things[at].regs.iter().find(again) {
            if self.source {
                return no(Status::RepeatedUserd);
            }
            let to = old.window.map_or(src, |w| self.things[w].start);
            return Ok(Value::Made(to, None, len));
        }
        if kind == HostSvmMapDev {
            self.touch(p, src, len, Who::Host)?;
        }
        let mut to = src;
        let mut window = None;
        if !same {
            let Value::Made(start, _, _) = *seen else { return Ok(Value::Nothing) };
            to = start;
            let for_device = host_kind;
            let what = What::Window { of: at, offset, device, for_device, ro };
            window = Some(self.add(p, start, up(len, PAGE), len, what));
        }
        self.things[at].regs.push(Reg { offset, len, kind, device, ro, window });
        Ok(Value::Made(to, None, len))
    }
}
