//! Random calls, good and bad, on both models: the same answers, remarks, references, memory and
//! counters after every call.

use std::fmt::Write as _;

use super::naive::{Bad, Call, DEVICE_BYTES, HOST_BYTES, HUGE, Naive, PAGE, Value};
use super::rig::Rig;
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Location, MemoryFlags, PageClass, Register};
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::share::{IpcRequest, KeyId, RegRequest};
use crate::runtime::status::Refused;
use crate::runtime::svm::AllocRequest;
use crate::runtime::vmm::{Access, CreateRequest, HandleId, MapRequest, ReserveRequest, ShareId};

/// A call with numbers that are resolved when its turn comes, so that others can be left out.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    kind: u64,
    n: [u64; 6],
}

/// `splitmix64`.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

pub fn draws(seed: u64, count: usize) -> Vec<Draw> {
    let mut random = Random(seed);
    let draw = |_| Draw { kind: random.next(), n: std::array::from_fn(|_| random.next()) };
    (0..count).map(draw).collect()
}

/// What was made so far.
#[derive(Default)]
pub struct Made {
    pub pointers: Vec<Pointer>,
    pub handles: u32,
    pub keys: u32,
    pub shares: u32,
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
    pub fn pointer(&self, n: u64) -> Pointer {
        const OFFSETS: [u64; 12] =
            [0, 0, 0, 0, 0, 0, PAGE, 2 * PAGE, HUGE, 2 * HUGE, 100, HUGE - PAGE];
        if self.pointers.is_empty() || n.is_multiple_of(50) {
            return Pointer { process: 0, address: n % 1000, generation: 9999 };
        }
        self.pointers[recent(self.pointers.len(), n / 50)].offset(pick(&OFFSETS, n / 7919))
    }

    fn id(count: u32, n: u64) -> u32 {
        if count == 0 { 0 } else { recent(count as usize, n) as u32 }
    }

    pub fn resolve(&self, draw: Draw, reserve_at: bool) -> Call {
        const SIZES: [u64; 10] =
            [PAGE, 5000, 2 * PAGE, 100, HUGE, HUGE + PAGE, 2 * HUGE, 3 << 20, 8 << 20, 0];
        let n = draw.n;
        let ptr = self.pointer(n[0]);
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
            let list: &[u32] = pick(&[&[1], &[0], &[0, 1], &[], &[2]], n[4]);
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
        let handle = Self::id(self.handles, n[2]);
        let key = Self::id(self.keys, n[3]);
        let share = Self::id(self.shares, n[3]);
        match draw.kind % 100 {
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
            19..=28 => Call::Free(p, ptr),
            29..=33 => {
                let at = (20_u64 << 40) + (n[4] % 8) * HUGE;
                let at = if n[4].is_multiple_of(5) { at + (2 << 40) } else { at };
                let at = (reserve_at && bit(0)).then_some(if bit(5) { at } else { at + PAGE });
                Call::Reserve { p: any, size, at }
            }
            34..=35 => Call::Unreserve(p, ptr),
            36..=42 => {
                let device = if n[0].is_multiple_of(6) { None } else { Some(device) };
                Call::Create { p: any, size, device, pages }
            }
            43..=45 => Call::Release(any, handle),
            46..=48 => Call::Retain(p, ptr),
            49..=58 => {
                let handle = Self::id(self.handles, n[3]);
                let size = pick(&[HUGE, HUGE, 2 * HUGE, PAGE, 2 * PAGE, 0], n[4]);
                Call::Map { p, ptr, size, handle, alias: n[5].is_multiple_of(4) }
            }
            59..=62 => Call::Unmap(p, ptr),
            63..=64 => Call::SetAccess(p, ptr, pick(&[HUGE, 2 * HUGE, PAGE], n[3]), location),
            65 => Call::GetAccess(p, ptr, location),
            66..=69 => Call::IpcCreate(p, ptr, len),
            70..=71 => Call::SetPid(any, key, pids(), bit(0) && bit(1)),
            72..=75 => Call::IpcOpen(any, key, device),
            76..=77 => Call::IpcClose(p, ptr),
            78 => Call::IpcDestroy(any, key),
            79..=80 => Call::Export(any, handle),
            81..=82 => Call::ExportAttr(any, share, pids(), bit(0) && bit(1)),
            83..=84 => Call::Import(any, share, device),
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

    pub fn learn(&mut self, call: &Call, value: &Value) {
        match (call, value) {
            (Call::DevPtr(..), _) => {}
            (_, Value::Made(pointer, ..)) => {
                if !self.pointers.contains(pointer) {
                    self.pointers.push(*pointer);
                }
            }
            (_, Value::Handle(..)) => self.handles += 1,
            (Call::IpcCreate(..), Value::Id(_)) => self.keys += 1,
            (Call::Export(..), Value::Id(_)) => self.shares += 1,
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
pub fn make(rig: &mut Rig, call: &Call) -> Result<Value, Refused> {
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

pub fn small(mode: Mode, peer: bool) -> Rig {
    let mut rig = Rig::sized(mode, DEVICE_BYTES, HOST_BYTES);
    rig.machine.capabilities.peer = peer;
    rig
}

/// Runs the calls on both; the first disagreement in words.
fn run(draws: &[Draw], mode: Mode, peer: bool) -> Result<[u64; 2], String> {
    let mut rig = small(mode, peer);
    let mut naive = Naive::new(mode, peer);
    for proc in &mut naive.procs {
        proc.opens = [1; 2];
    }
    let mut made = Made::default();
    let mut story = String::new();
    let mut counts = [0, 0];
    for draw in draws {
        let call = made.resolve(*draw, true);
        let answer = make(&mut rig, &call);
        let _ = writeln!(story, "{call:?}\n    {answer:?}");
        let seen = answer.as_ref().cloned().unwrap_or(Value::Nothing);
        let wanted = naive.step(&call, &seen);
        let found: Result<Value, Bad> = answer.map_err(|r| (r.status, r.finding));
        counts[usize::from(found.is_ok())] += 1;
        let mut differ = |what: &str, found: &dyn std::fmt::Debug, wanted: &dyn std::fmt::Debug| {
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
fn shrink(mut draws: Vec<Draw>, mode: Mode, peer: bool) -> String {
    let fails = |draws: &[Draw]| {
        std::panic::catch_unwind(|| run(draws, mode, peer)).map_or(true, |answer| answer.is_err())
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
    match std::panic::catch_unwind(|| run(&draws, mode, peer)) {
        Ok(Err(why)) => why,
        _ => format!("a panic with {} calls", draws.len()),
    }
}

pub fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

#[test]
fn random_calls_end_like_those_of_a_naive_model() {
    let mut total = [0_u64; 2];
    for seed in 0..cases() {
        let mode = if seed.is_multiple_of(2) { Mode::Spec } else { Mode::Source };
        let peer = seed % 4 < 2;
        let draws = draws(seed, 20 + (seed % 100) as usize);
        match std::panic::catch_unwind(|| run(&draws, mode, peer)) {
            Ok(Ok(counts)) => {
                total[0] += counts[0];
                total[1] += counts[1];
            }
            _ => panic!("seed {seed}, {mode:?}, peer {peer}:\n{}", shrink(draws, mode, peer)),
        }
    }
    println!("{} calls refused, {} done", total[0], total[1]);
    assert!(total[1] > total[0] / 2, "{total:?}: most calls should do something");
}
