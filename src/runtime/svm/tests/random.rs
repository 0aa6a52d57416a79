//! Random calls, good and bad, on both models: the same answers, remarks, references, memory and
//! counters after every call.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::naive::{Bad, Call, DEVICE_BYTES, HOST_BYTES, HUGE, Naive, PAGE, Value};
use super::rig::Rig;
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Fault, Location, MemoryFlags, PageClass, Register};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::share::{IpcRequest, KeyId, RegRequest};
use crate::runtime::status::Refused;
use crate::runtime::svm::AllocRequest;
use crate::runtime::vmm::{Access, CreateRequest, HandleId, MapRequest, ReserveRequest, ShareId};

/// A call with numbers that are resolved when its turn comes, so that others can be left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    kind: u64,
    n: [u64; 6],
}

/// `splitmix64`.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

pub(crate) fn draws(seed: u64, count: usize) -> Vec<Draw> {
    let mut random = Random(seed);
    let draw = |_| Draw { kind: random.next(), n: std::array::from_fn(|_| random.next()) };
    (0..count).map(draw).collect()
}

/// What was made so far.
#[derive(Default)]
pub(crate) struct Made {
    pub pointers: Vec<Pointer>,
    /// Of these, what is probably live: device memory, reserved ranges, starts of mappings, imports,
    /// registered memory, other allocations.
    live: [Vec<Pointer>; 6],
    /// By number: the process, the bytes, whether it is probably live.
    handles: Vec<(u32, u64, bool)>,
    /// By number: the process that has made it.
    keys: Vec<u32>,
    shares: Vec<u32>,
    /// What a program would do next.
    next: Option<Call>,
    /// Devices that are closed, by process.
    closed: Vec<(u32, u32)>,
}

fn pick<T: Copy>(list: &[T], n: u64) -> T {
    list[(n % list.len() as u64) as usize]
}

/// Mostly one of the latest.
fn recent(count: usize, n: u64) -> usize {
    let window = if n.is_multiple_of(4) { count } else { count.min(4) };
    count - 1 - ((n / 4) as usize % window)
}

impl Made {
    pub(crate) fn pointer(&self, n: u64) -> Pointer {
        const OFFSETS: [u64; 12] =
            [0, 0, 0, 0, 0, 0, PAGE, 2 * PAGE, HUGE, 2 * HUGE, 100, HUGE - PAGE];
        if self.pointers.is_empty() || n.is_multiple_of(50) {
            return Pointer { process: 0, address: n % 1000, generation: 9999 };
        }
        self.pointers[recent(self.pointers.len(), n / 50)].offset(pick(&OFFSETS, n / 7919))
    }

    /// Mostly a live one of a family.
    fn likely(&self, family: usize, n: u64) -> Pointer {
        let list = &self.live[family];
        if list.is_empty() || n.is_multiple_of(8) {
            return self.pointer(n / 8);
        }
        let offset = if n.is_multiple_of(5) { pick(&[PAGE, HUGE, 2 * HUGE], n / 1000) } else { 0 };
        list[recent(list.len(), n / 50)].offset(offset)
    }

    /// Mostly a handle of the process that has not been released.
    fn handle(&self, p: u32, n: u64) -> u32 {
        let good = |at: &usize| {
            let (owner, _, live) = self.handles[*at];
            n.is_multiple_of(16) || (owner == p && live)
        };
        let list: Vec<usize> = (0..self.handles.len()).filter(good).collect();
        if list.is_empty() { 0 } else { list[recent(list.len(), n / 16)] as u32 }
    }

    /// Another call where this one has nothing to work with.
    fn possible(&self, kind: u64) -> u64 {
        let kind = match kind {
            46..=48 | 59..=65 if self.live[2].is_empty() => 49,
            70..=75 | 78 if self.keys.is_empty() => 66,
            76..=77 if self.live[3].is_empty() && !self.keys.is_empty() => 72,
            81..=84 if self.shares.is_empty() => 79,
            89..=91 if self.live[4].is_empty() => 85,
            _ => kind,
        };
        match kind {
            49..=58 if self.live[1].is_empty() => 27,
            43..=45 | 49..=58 | 79..=80 if self.handles.iter().all(|h| !h.2) => 35,
            66..=69 if self.live[0].is_empty() => 3,
            _ => kind,
        }
    }

    fn id(count: usize, n: u64) -> u32 {
        if count == 0 { 0 } else { recent(count, n) as u32 }
    }

    pub(crate) fn resolve(&self, draw: Draw, reserve_at: bool) -> Call {
        const SIZES: [u64; 10] =
            [PAGE, 5000, 2 * PAGE, 100, HUGE, HUGE + PAGE, 2 * HUGE, 3 << 20, 8 << 20, 0];
        let n = draw.n;
        if let Some(next) = self.next.clone()
            && !n[5].is_multiple_of(4)
        {
            return next;
        }
        let kind = self.possible(draw.kind % 100);
        let ptr = match kind {
            19..=26 => self.likely(pick(&[0, 0, 5], n[0] / 3), n[0]),
            66..=69 => self.likely(pick(&[0, 0, 0, 2, 3], n[0] / 3), n[0]),
            92..=94 => self.likely(5, n[0]),
            34 => self.likely(1, n[0]),
            46..=48 | 59..=65 => self.likely(2, n[0]),
            49..=58 => self.likely(1, n[0]),
            76..=77 => self.likely(3, n[0]),
            85..=88 => self.likely(pick(&[0, 5, 5, 2], n[0] / 3), n[0]),
            89..=91 => self.likely(4, n[0]),
            _ => self.pointer(n[0]),
        };
        // Room for a second mapping in a range.
        let ptr = match kind {
            49..=58 => ptr.offset(pick(&[0, HUGE, 2 * HUGE, 3 * HUGE], n[1] / 16)),
            _ => ptr,
        };
        // Mostly the process that the pointer is of.
        let p = if n[1].is_multiple_of(16) { 1 - ptr.process } else { ptr.process };
        let any = (n[1] % 2) as u32;
        let device = pick(&[0, 0, 0, 0, 1, 1, 1, 2], n[2]);
        let size = pick(&SIZES, n[3]);
        let len = if n[3].is_multiple_of(3) { None } else { Some(pick(&SIZES, n[3] / 3)) };
        let who = pick(&[Who::Host, Who::Device(0), Who::Device(1)], n[4]);
        let pages = pick(&[PageClass::Normal, PageClass::Huge, PageClass::HugeFirst], n[4]);
        let bit = |at: u32| n[5] >> at & 1 == 1;
        let pids = || {
            let list: &[u32] = pick(&[&[1], &[0], &[0, 1], &[0, 1], &[0, 1], &[], &[2]], n[4]);
            list.to_vec()
        };
        let location = pick(
            &[
                Location::Host,
                Location::Device(0),
                Location::Device(1),
                Location::Invalid,
                Location::Device(2),
            ],
            n[4],
        );
        let handle = self.handle(any, n[2]);
        let key = Self::id(self.keys.len(), n[3]);
        let share = Self::id(self.shares.len(), n[3]);
        // Mostly the owner, or mostly another.
        let owner = |list: &[u32], id: u32, own: bool| {
            let owner = list.get(id as usize).copied().unwrap_or(0);
            let other = n[1].is_multiple_of(8);
            if own == other { 1 - owner } else { owner }
        };
        let (key_owner, key_other) = (owner(&self.keys, key, true), owner(&self.keys, key, false));
        let (share_owner, share_other) =
            (owner(&self.shares, share, true), owner(&self.shares, share, false));
        if let Some(&(p, device)) = self.closed.last()
            && n[5].is_multiple_of(3)
        {
            return Call::Open(p, device, 0);
        }
        match kind {
            0 => Call::Open(any, device, pick(&[0, 0, 1, 2], n[3])),
            1 => Call::Close(any, device, n[3].is_multiple_of(8)),
            2 if n[3].is_multiple_of(2) => Call::Exit(any),
            2 if n[3].is_multiple_of(3) => Call::Crash(any),
            2..=18 => {
                let kinds = [
                    AllocKind::Dev,
                    AllocKind::Dev,
                    AllocKind::Dev,
                    AllocKind::Svm,
                    AllocKind::Host,
                    AllocKind::HostUva,
                    AllocKind::User,
                    AllocKind::Dvpp,
                ];
                let kind = pick(&kinds, n[0]);
                let host = matches!(kind, AllocKind::Host | AllocKind::HostUva);
                let device = if host && bit(0) { 64 } else { device };
                let (ro, acl) = (bit(1) && bit(2), bit(3) && bit(4));
                let acl = acl && kind == AllocKind::Dev;
                let ro = ro && kind == AllocKind::Dev;
                Call::Alloc { p: any, size, device, kind, pages, ro, acl }
            }
            19..=26 => Call::Free(p, ptr),
            27..=33 => {
                let at = (20_u64 << 40) + (n[4] % 8) * HUGE;
                let at = if n[4].is_multiple_of(5) { at + (2 << 40) } else { at };
                let at = (reserve_at && bit(0)).then_some(if bit(5) { at } else { at + PAGE });
                let size = if bit(1) { 4 * HUGE } else { size };
                Call::Reserve { p: any, size, at }
            }
            34 => Call::Unreserve(p, ptr),
            35..=42 => {
                let device = if n[0].is_multiple_of(6) { None } else { Some(device) };
                // Ranges are for one side: one process mostly uses one device.
                let device = if bit(2) || bit(3) { Some(any) } else { device };
                let size = if bit(0) { HUGE } else { size };
                Call::Create { p: any, size, device, pages }
            }
            43..=45 => Call::Release(any, handle),
            46..=48 => Call::Retain(p, ptr),
            49..=58 => {
                let handle = self.handle(p, n[3]);
                let size = pick(&[HUGE, 2 * HUGE, PAGE, 2 * PAGE, 0], n[4] / 4);
                let whole = self.handles.get(handle as usize).map_or(size, |h| h.1);
                let size = if n[4].is_multiple_of(4) { size } else { whole };
                Call::Map { p, ptr, size, handle, alias: n[5].is_multiple_of(4) }
            }
            59..=62 => Call::Unmap(p, ptr),
            63..=64 => {
                let size = pick(&[HUGE, HUGE, HUGE, 2 * HUGE, PAGE], n[3]);
                Call::SetAccess(p, ptr, size, location)
            }
            65 => Call::GetAccess(p, ptr, location),
            66..=69 => Call::IpcCreate(p, ptr, len),
            70..=71 => Call::SetPid(key_owner, key, pids(), bit(0)),
            72..=75 => Call::IpcOpen(key_other, key, device),
            76..=77 => Call::IpcClose(p, ptr),
            78 => Call::IpcDestroy(key_owner, key),
            79..=80 => Call::Export(any, handle),
            81..=82 => Call::ExportAttr(share_owner, share, pids(), bit(0)),
            83..=84 => Call::Import(share_other, share, device),
            85..=88 => {
                let kinds = [
                    Register::HostMemMapDev,
                    Register::HostMemMapDev,
                    Register::HostSvmMapDev,
                    Register::DevSvmMapHost,
                    Register::DevMemMapHost,
                    Register::HostMemMapDma,
                    Register::PcieTh,
                    Register::Unknown(9),
                ];
                let kind = pick(&kinds, n[4]);
                Call::Reg { p, src: ptr, len, kind, device, ro: bit(0) && bit(1) }
            }
            89..=90 => Call::Unreg(p, ptr, device),
            91 => Call::DevPtr(p, ptr, device),
            92..=94 => Call::Touch(p, ptr, size, who),
            _ => {
                let how = if bit(0) { How::Read } else { How::Write };
                Call::Reach(p, ptr, size, who, how)
            }
        }
    }

    pub(crate) fn learn(&mut self, call: &Call, value: &Value) {
        let gone = match call {
            Call::Free(_, p) => Some((0, p)),
            Call::Unreserve(_, p) => Some((1, p)),
            Call::Unmap(_, p) => Some((2, p)),
            Call::IpcClose(_, p) => Some((3, p)),
            Call::Unreg(_, p, _) => Some((4, p)),
            _ => None,
        };
        let (len, who, how) = (PAGE, Who::Device(0), How::Read);
        self.next = match (call, value) {
            (Call::IpcCreate(p, ..), Value::Id(key)) => {
                Some(Call::SetPid(*p, *key, vec![0, 1], false))
            }
            (Call::SetPid(p, key, ..), _) => Some(Call::IpcOpen(1 - p, *key, 0)),
            (Call::Export(p, _), Value::Id(share)) => {
                Some(Call::ExportAttr(*p, *share, vec![0, 1], false))
            }
            (Call::ExportAttr(p, share, ..), _) => Some(Call::Import(1 - p, *share, 0)),
            (Call::Import(p, ..), Value::Handle(handle, _, size)) => {
                let ptr = self.live[1].iter().rev().find(|ptr| ptr.process == *p);
                let (p, size, handle) = (*p, *size, *handle);
                ptr.map(|&ptr| Call::Map { p, ptr, size, handle, alias: false })
            }
            (Call::Map { p, ptr, .. }, _) => Some(Call::Reach(*p, *ptr, len, who, how)),
            (Call::IpcOpen(p, ..) | Call::Reg { p, .. }, Value::Made(ptr, ..)) => {
                Some(Call::Reach(*p, *ptr, len, who, how))
            }
            _ => None,
        };
        if let Some((family, pointer)) = gone {
            self.live[family].retain(|p| p != pointer);
            self.live[5].retain(|p| family != 0 || p != pointer);
        }
        match (call, value) {
            (Call::Map { ptr, .. }, _) => self.live[2].push(*ptr),
            (Call::Reg { src, .. }, _) => self.live[4].push(*src),
            (Call::Alloc { kind: AllocKind::Dev | AllocKind::Dvpp, .. }, Value::Made(p, ..)) => {
                self.live[0].push(*p);
            }
            (Call::Alloc { .. }, Value::Made(p, ..)) => self.live[5].push(*p),
            (Call::Reserve { .. }, Value::Made(p, ..)) => self.live[1].push(*p),
            (Call::IpcOpen(..), Value::Made(p, ..)) => self.live[3].push(*p),
            _ => {}
        }
        match (call, value) {
            (Call::DevPtr(..), _) => {}
            (_, Value::Made(pointer, ..)) if !self.pointers.contains(pointer) => {
                self.pointers.push(*pointer);
            }
            (Call::Create { p, .. } | Call::Import(p, ..), Value::Handle(_, _, len)) => {
                self.handles.push((*p, *len, true));
            }
            (Call::IpcCreate(p, ..), Value::Id(_)) => self.keys.push(*p),
            (Call::Export(p, _), Value::Id(_)) => self.shares.push(*p),
            (Call::Release(_, handle), _) => {
                if let Some(handle) = self.handles.get_mut(*handle as usize) {
                    handle.2 = false;
                }
            }
            (Call::Open(p, device, _), _) => self.closed.retain(|c| *c != (*p, *device)),
            (Call::Close(p, device, _), _) => self.closed.push((*p, *device)),
            (Call::Exit(p) | Call::Crash(p), _) => {
                self.closed.extend([(*p, 0), (*p, 1)]);
                for family in &mut self.live {
                    family.retain(|pointer| pointer.process != *p);
                }
                for handle in self.handles.iter_mut().filter(|h| h.0 == *p) {
                    handle.2 = false;
                }
            }
            _ => {}
        }
    }
}

fn gone(pieces: impl IntoIterator<Item = Piece>) -> Value {
    let mut list: Vec<ObjectId> = pieces.into_iter().map(|piece| piece.object).collect();
    list.sort_unstable();
    Value::Gone(list)
}

/// Makes the call on the model under test.
pub(crate) fn make(rig: &mut Rig, call: &Call) -> Result<Value, Refused> {
    let call = call.clone();
    rig.call(move |s, cx| {
        Ok(match call {
            Call::Open(p, device, flag) => {
                s.open(cx, p, device, flag)?;
                Value::Nothing
            }
            Call::Close(p, device, fails) => gone(s.close(cx, p, device, fails)?),
            Call::Alloc { p, size, device, kind, pages, ro, acl } => {
                let flags = MemoryFlags { read_only: ro, acl, ..MemoryFlags::default() };
                let request = AllocRequest { name: Some("x"), size, device, kind, pages, flags };
                let made = s.alloc(cx, p, &request)?;
                Value::Made(made.pointer, Some(made.object), made.len)
            }
            Call::Free(p, ptr) => Value::Gone(vec![s.free(cx, p, Some(ptr))?.object]),
            Call::Reserve { p, size, at } => {
                let pages = PageClass::Huge;
                let name = Some("r");
                let request = ReserveRequest { name, size, alignment: 0, at, pages, shared: false };
                let made = s.reserve(cx, p, &request)?;
                Value::Made(made.pointer, None, made.len)
            }
            Call::Unreserve(p, ptr) => gone(s.unreserve(cx, p, Some(ptr))?),
            Call::Create { p, size, device, pages } => {
                let request = CreateRequest { name: Some("h"), size, device, pages, flag: 0 };
                let made = s.create(cx, p, &request)?;
                Value::Handle(made.handle.0, made.object, made.len)
            }
            Call::Release(p, handle) => gone(s.release(cx, p, Some(HandleId(handle)))?),
            Call::Retain(p, ptr) => Value::Id(s.retain(cx, p, Some(ptr))?.0),
            Call::Map { p, ptr, size, handle, alias } => {
                let (pointer, handle) = (Some(ptr), Some(HandleId(handle)));
                s.map(cx, p, &MapRequest { pointer, size, offset: 0, handle, flag: 0, alias })?;
                Value::Nothing
            }
            Call::Unmap(p, ptr) => gone(s.unmap(cx, p, Some(ptr))?.freed),
            Call::SetAccess(p, ptr, size, to) => {
                s.set_access(cx, p, Some(ptr), size, &[to], true)?;
                Value::Nothing
            }
            Call::GetAccess(p, ptr, to) => {
                Value::Flag(s.get_access(cx, p, Some(ptr), to)? == Access::ReadWrite)
            }
            Call::IpcCreate(p, ptr, len) => {
                let request = IpcRequest { name: Some("k"), name_len: 65, pointer: Some(ptr), len };
                Value::Id(s.ipc_create(cx, p, &request)?.0)
            }
            Call::SetPid(p, key, pids, off) => {
                s.ipc_setpid(cx, p, Some(KeyId(key)), &pids, off)?;
                Value::Nothing
            }
            Call::IpcOpen(p, key, device) => {
                let made = s.ipc_open(cx, p, Some("i"), Some(KeyId(key)), device)?;
                Value::Made(made.pointer, Some(made.object), made.len)
            }
            Call::IpcClose(p, ptr) => {
                let closed = s.ipc_close(cx, p, Some(ptr))?;
                Value::Gone(closed.map(|freed| freed.object).into_iter().collect())
            }
            Call::IpcDestroy(p, key) => {
                s.ipc_destroy(cx, p, Some(KeyId(key)))?;
                Value::Nothing
            }
            Call::Export(p, handle) => Value::Id(s.export(p, true, Some(HandleId(handle)))?.0),
            Call::ExportAttr(p, share, pids, all) => {
                s.export_attr(p, Some(ShareId(share)), &pids, all)?;
                Value::Nothing
            }
            Call::Import(p, share, device) => {
                let made = s.import(cx, p, true, Some(ShareId(share)), device)?;
                Value::Handle(made.handle.0, made.object, made.len)
            }
            Call::Reg { p, src, len, kind, device, ro } => {
                let (name, src, read_only) = (Some("d"), Some(src), ro);
                let made = s.reg(cx, p, &RegRequest { name, src, len, kind, device, read_only })?;
                Value::Made(made.pointer, None, made.len)
            }
            Call::Unreg(p, ptr, device) => {
                s.unreg(cx, p, Some(ptr), device)?;
                Value::Nothing
            }
            Call::DevPtr(p, ptr, device) => {
                Value::Made(s.get_dev_ptr(cx, p, Some(ptr), device, true)?, None, 0)
            }
            Call::Touch(p, ptr, len, who) => {
                s.touch(cx, p, ptr, len, who);
                Value::Nothing
            }
            Call::Exit(p) => gone(s.exit(cx, p)),
            Call::Crash(p) => gone(s.crash(cx, p)),
            Call::Reach(p, ptr, len, who, how) => {
                let reach = s.reach(p, ptr, len, who, how);
                let mut pieces: Vec<(ObjectId, u64, u64)> = Vec::new();
                for Piece { object, start, len } in reach.pieces {
                    match pieces.last_mut() {
                        Some((o, s, l)) if *o == object && *s + *l == start => *l += len,
                        _ => pieces.push((object, start, len)),
                    }
                }
                let mut codes: Vec<Code> = reach.wrong.iter().map(|r| r.code).collect();
                codes.sort_unstable();
                codes.dedup();
                Value::Reach(pieces, codes)
            }
        })
    })
}

pub(crate) fn small(mode: Mode, peer: bool) -> Rig {
    let mut rig = Rig::sized(mode, DEVICE_BYTES, HOST_BYTES);
    rig.machine.capabilities.peer = peer;
    rig
}

/// What a run depends on besides its calls; a fault at 0 never happens.
#[derive(Clone, Copy, Debug)]
struct Setting {
    mode: Mode,
    peer: bool,
    fail_take: u64,
    fail_map: u64,
}

/// Calls by name: refused and done.
type Counts = BTreeMap<String, [u64; 2]>;

/// Runs the calls on both; the first disagreement in words.
fn run(draws: &[Draw], setting: Setting) -> Result<Counts, String> {
    let Setting { mode, peer, fail_take, fail_map } = setting;
    let mut rig = small(mode, peer);
    rig.inject(&[Fault::FailAlloc(fail_take), Fault::FailMap(fail_map)]);
    let mut naive = Naive::new(mode, peer);
    (naive.fail_take, naive.fail_map) = (fail_take, fail_map);
    for proc in &mut naive.procs {
        proc.opens = [1; 2];
    }
    let mut made = Made::default();
    let mut story = String::new();
    let mut counts = Counts::new();
    for draw in draws {
        let call = made.resolve(*draw, true);
        let answer = make(&mut rig, &call);
        let _ = writeln!(story, "{call:?}\n    {answer:?}");
        let seen = answer.as_ref().cloned().unwrap_or(Value::Nothing);
        let wanted = naive.step(&call, &seen);
        let found: Result<Value, Bad> = answer.map_err(|r| (r.status, r.finding));
        let name = format!("{call:?}");
        let name = name.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
        counts.entry(name).or_default()[usize::from(found.is_ok())] += 1;
        let differ = |what: &str, found: &dyn std::fmt::Debug, wanted: &dyn std::fmt::Debug| {
            Err(format!("{story}{what}: found {found:?}, wanted {wanted:?}"))
        };
        if found != wanted {
            return differ("answer", &found, &wanted);
        }
        let (mut remarks, mut expected) = (rig.remarks(), naive.remarks.clone());
        remarks.sort_unstable();
        expected.sort_unstable();
        if remarks != expected {
            return differ("remarks", &remarks, &expected);
        }
        for (at, handle) in naive.handles.iter().enumerate() {
            let refs = rig.space.handle_refs(HandleId(at as u32));
            if refs != (handle.refs, handle.maps) {
                return differ("references", &(at, refs), &(handle.refs, handle.maps));
            }
        }
        for bank in [Bank::Host, Bank::Device(0), Bank::Device(1)] {
            let used = [Purpose::Svm, Purpose::Vmm, Purpose::Cache]
                .map(|purpose| rig.memory.used_for(bank, purpose));
            if used != naive.used(bank) {
                return differ("memory", &(bank, used), &naive.used(bank));
            }
        }
        let counters = (rig.counters.allocs, rig.counters.frees, rig.counters.maps);
        if counters != (naive.allocs, naive.frees, naive.maps) {
            return differ("counters", &counters, &(naive.allocs, naive.frees, naive.maps));
        }
        if let Ok(value) = &found {
            made.learn(&call, value);
        }
    }
    Ok(counts)
}

/// Leaves out all calls that the disagreement does not need.
fn shrink(mut draws: Vec<Draw>, setting: Setting) -> String {
    let fails = |draws: &[Draw]| {
        std::panic::catch_unwind(|| run(draws, setting)).map_or(true, |answer| answer.is_err())
    };
    let mut at = draws.len();
    while at > 0 {
        at -= 1;
        let mut fewer = draws.clone();
        fewer.remove(at);
        if fails(&fewer) {
            draws = fewer;
        }
    }
    match std::panic::catch_unwind(|| run(&draws, setting)) {
        Ok(Err(why)) => why,
        _ => format!("a panic with {} calls", draws.len()),
    }
}

pub(crate) fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

#[test]
fn random_calls_end_like_those_of_a_naive_model() {
    let mut total = Counts::new();
    for seed in 0..cases() {
        let mode = if seed.is_multiple_of(2) { Mode::Spec } else { Mode::Source };
        let peer = seed % 4 < 2;
        let (fail_take, fail_map) =
            if seed.is_multiple_of(3) { (1 + seed % 17, 1 + seed % 5) } else { (0, 0) };
        let setting = Setting { mode, peer, fail_take, fail_map };
        let draws = draws(seed, 20 + (seed % 100) as usize);
        match std::panic::catch_unwind(|| run(&draws, setting)) {
            Ok(Ok(counts)) => {
                for (name, [refused, done]) in counts {
                    let row = total.entry(name).or_default();
                    row[0] += refused;
                    row[1] += done;
                }
            }
            _ => panic!("seed {seed}, {setting:?}:\n{}", shrink(draws, setting)),
        }
    }
    println!("calls refused and done: {total:?}");
    let enough = total.values().all(|&[refused, done]| done * 10 > refused);
    assert!(enough, "a call that is nearly always refused is not tested: {total:?}");
}
