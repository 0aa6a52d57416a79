//! From arenas to a trace (13.3): allocations, kernels, copies of what the host gives and takes.

use std::collections::{BTreeMap, BTreeSet};

use super::arenas::Arena;
use super::build::Builder;
use super::walk::{self, Step, Touch};
use super::{Runtime, Use};
use crate::model::machine::Machine;
use crate::model::trace::{AllocKind, Call, CopyKind, PageClass, Span, Sym, Trace, Val};
use crate::model::{
    AccessMode, BufferId, ByteRange, Function, FunctionPlan, LifetimeClass, Problem, RelationKind,
};

/// Functions with their plans.
type Matched<'a> = &'a [(&'a Function, &'a FunctionPlan)];

/// Everything that a trace is made of.
pub(super) struct Lowered<'a> {
    pub problem: &'a Problem,
    pub matched: Matched<'a>,
    pub arenas: &'a [Arena],
    pub machine: &'a Machine,
    pub usage: Use,
}

/// Where the bytes of buffers are found in the trace.
#[derive(Default)]
struct Places {
    /// The pointer, and the byte of it at which each slot begins.
    of: BTreeMap<BufferId, Vec<(Sym, u64)>>,
}

/// Bytes, the value in them, and the byte of it that lies first.
type Held = (ByteRange, Val, u64);

/// What buffers hold: by buffer and slot, which bytes carry which version.
#[derive(Default)]
struct Contents {
    held: BTreeMap<(BufferId, usize), Vec<Held>>,
    versions: BTreeMap<BufferId, u64>,
    /// Buffers whose contents have no name of their own.
    nameless: BTreeSet<BufferId>,
}

impl Lowered<'_> {
    /// The trace of all functions, one after the other.
    pub(super) fn trace(&self, runtime: Runtime, otherwise: bool) -> Trace {
        let mut b = Builder::new(&self.problem.name);
        let streams: Vec<Sym> =
            (0..self.usage.launches.max(1)).map(|n| b.sym(&format!("stream{n}"))).collect();
        let shared = match runtime {
            Runtime::Vmm => self.handles(&mut b),
            Runtime::Svm | Runtime::Uvm | Runtime::Soma => Vec::new(),
        };
        if runtime == Runtime::Soma {
            self.pool(&mut b, self.arenas.iter().map(|a| a.bytes(self.usage)));
        }
        for (function, _) in self.matched {
            let mine: Vec<&Arena> =
                self.arenas.iter().filter(|a| a.function == function.name).collect();
            if mine.is_empty() {
                continue;
            }
            let mut places = Places::default();
            for (at, arena) in mine.iter().enumerate() {
                let handle = shared.get(at).copied();
                let start = self.begin(&mut b, runtime, arena, handle, streams[0]);
                for (&id, offsets) in &arena.buffers {
                    let own = separate(function.buffers[id].class);
                    let slots = offsets.iter().map(|&offset| (start, offset));
                    if !own {
                        places.of.insert(id, slots.collect());
                    }
                }
            }
            self.given(&mut b, function, &mine, &mut places, runtime);
            self.runs(&mut b, function, &mine, &places, &streams, otherwise);
            for arena in &mine {
                self.end(&mut b, runtime, arena, streams[0]);
            }
        }
        b.done()
    }

    /// As one block of a pool for each buffer, from its first op to its last; `None` where a
    /// buffer cannot be followed.
    pub(super) fn per_buffer(&self, arena: &Arena) -> Option<Trace> {
        let (function, _) = self.matched.iter().find(|(f, _)| f.name == arena.function)?;
        let steps = walk::steps(function, &arena.buffers, false);
        let mut b = Builder::new(&self.problem.name);
        let stream = b.sym("stream0");
        self.pool(&mut b, std::iter::once(u64::MAX / 4));
        let mut last: BTreeMap<(BufferId, usize), usize> = BTreeMap::new();
        for (at, step) in steps.iter().enumerate() {
            for touch in &step.touches {
                last.insert((touch.buffer, touch.slot), at);
            }
        }
        let mut held: BTreeMap<(BufferId, usize), Sym> = BTreeMap::new();
        for (at, step) in steps.iter().enumerate() {
            for touch in &step.touches {
                let key = (touch.buffer, touch.slot);
                if held.contains_key(&key) {
                    continue;
                }
                let body = &function.buffers[touch.buffer];
                let out = b.sym(&format!("{}.{}#{at}", body.name, touch.slot));
                let (pool, size) = (b.sym("pool"), body.size.0.max(1));
                let call = Call::PoolAlloc {
                    out: Some(out),
                    size,
                    pool: Some(pool),
                    stream: Some(stream),
                    hal: false,
                };
                b.line(&format!("alloc {}", body.name), call);
                held.insert(key, out);
            }
            let ended: Vec<_> =
                held.keys().filter(|key| last.get(key) == Some(&at)).copied().collect();
            for key in ended {
                let p = held.remove(&key);
                let call = Call::PoolFree { p, off: 0, stream: Some(stream), hal: false };
                b.line("free", call);
            }
        }
        Some(b.done())
    }

    fn pool(&self, b: &mut Builder, sizes: impl Iterator<Item = u64>) {
        let granule = self.machine.soma_page.max(1);
        let bytes = sizes.map(|s| s.checked_next_multiple_of(granule).unwrap_or(s));
        let max = bytes.fold(0, u64::saturating_add).min(self.machine.device_memory);
        let out = b.sym("pool");
        let call = Call::PoolCreate {
            out: Some(out),
            device: 0,
            max: max.max(granule),
            threshold: max,
            reuse: Vec::new(),
            ipc: false,
            hal: false,
        };
        b.line("create pool", call);
    }

    /// The handles on which functions take turns: one for the first arena of each, and so on.
    fn handles(&self, b: &mut Builder) -> Vec<(Sym, u64)> {
        let sizes = shared_sizes(self.arenas, |arena| arena.bytes(self.usage));
        let mut handles = Vec::with_capacity(sizes.len());
        if !sizes.is_empty() {
            // Whoever makes handles is to ask first what their sizes are multiples of.
            let call = Call::Granularity { device: Some(0), pages: PageClass::Huge, minimum: true };
            b.line("ask for the granularity", call);
        }
        for (at, size) in sizes.into_iter().enumerate() {
            let out = b.sym(&format!("handle{at}"));
            let call = Call::Create {
                out: Some(out),
                size,
                device: Some(0),
                pages: PageClass::Huge,
                flag: 0,
            };
            b.line(&format!("create handle{at}"), call);
            handles.push((out, size));
        }
        handles
    }

    fn begin(
        &self,
        b: &mut Builder,
        runtime: Runtime,
        arena: &Arena,
        shared: Option<(Sym, u64)>,
        stream: Sym,
    ) -> Sym {
        let name = format!("{}.{}", arena.function, arena.scope);
        let bytes = arena.bytes(self.usage);
        match (runtime, shared) {
            (Runtime::Svm, _) => b.alloc(&name, bytes, AllocKind::Dev, true),
            (Runtime::Uvm, _) => b.alloc(&name, bytes, AllocKind::Uvm, false),
            (Runtime::Soma, _) | (Runtime::Vmm, None) => {
                let (out, pool) = (b.sym(&name), b.sym("pool"));
                let call = Call::PoolAlloc {
                    out: Some(out),
                    size: bytes,
                    pool: Some(pool),
                    stream: Some(stream),
                    hal: false,
                };
                b.line(&format!("alloc {name}"), call);
                out
            }
            (Runtime::Vmm, Some((handle, size))) => {
                let out = b.sym(&name);
                let call = Call::Reserve {
                    out: Some(out),
                    size,
                    alignment: 0,
                    at: None,
                    pages: PageClass::Huge,
                    shared: false,
                };
                b.line(&format!("reserve {name}"), call);
                let call = Call::Map {
                    p: Some(out),
                    off: 0,
                    size,
                    offset: 0,
                    handle: Some(handle),
                    flag: 0,
                    alias: false,
                };
                b.line(&format!("map {name}"), call);
                out
            }
        }
    }

    fn end(&self, b: &mut Builder, runtime: Runtime, arena: &Arena, stream: Sym) {
        let name = format!("{}.{}", arena.function, arena.scope);
        let p = Some(b.sym(&name));
        b.line("device sync", Call::DeviceSync { device: 0 });
        match runtime {
            Runtime::Svm | Runtime::Uvm => {
                b.line(&format!("free {name}"), Call::Free { p, off: 0 });
            }
            Runtime::Soma => {
                let call = Call::PoolFree { p, off: 0, stream: Some(stream), hal: false };
                b.line(&format!("free {name}"), call);
            }
            Runtime::Vmm => {
                b.line(&format!("unmap {name}"), Call::Unmap { p, off: 0 });
                b.line(&format!("unreserve {name}"), Call::Unreserve { p, off: 0 });
            }
        }
    }

    /// Parameters, constants and donated buffers are allocations of their own, filled by the host.
    fn given(
        &self,
        b: &mut Builder,
        function: &Function,
        arenas: &[&Arena],
        places: &mut Places,
        runtime: Runtime,
    ) {
        for id in arenas.iter().flat_map(|arena| arena.buffers.keys()) {
            let body = &function.buffers[*id];
            if !separate(body.class) {
                continue;
            }
            let name = format!("{}.{}", function.name, body.name);
            let size = body.size.0.max(1);
            let kind = if runtime == Runtime::Uvm { AllocKind::Uvm } else { AllocKind::Dev };
            let p = b.alloc(&name, size, kind, runtime != Runtime::Uvm);
            let val = b.val(&body.name, 0);
            let span = Span { p, off: 0, len: Some(size), val: Some(val), voff: 0 };
            if runtime == Runtime::Uvm {
                b.line(&format!("fill {name}"), Call::HostWrite { span });
            } else {
                let host = b.alloc(&format!("{name} (host)"), size, AllocKind::Host, false);
                let from = Span { p: host, ..span };
                b.line(&format!("fill {name} (host)"), Call::HostWrite { span: from });
                let call = Call::Memcpy {
                    dst: Some(Span { val: None, ..span }),
                    src: Some(from),
                    dest_max: None,
                    kind: CopyKind::Default,
                    stream: None,
                };
                b.line(&format!("copy {name}"), call);
            }
            places.of.insert(*id, vec![(p, 0)]);
        }
    }

    fn runs(
        &self,
        b: &mut Builder,
        function: &Function,
        arenas: &[&Arena],
        places: &Places,
        streams: &[Sym],
        otherwise: bool,
    ) {
        let slots: BTreeMap<BufferId, Vec<u64>> = arenas
            .iter()
            .flat_map(|arena| arena.buffers.iter().map(|(&id, offsets)| (id, offsets.clone())))
            .collect();
        let steps = walk::steps(function, &slots, otherwise);
        let mut contents = Contents { nameless: nameless(function), ..Contents::default() };
        for id in slots.keys() {
            if separate(function.buffers[*id].class) {
                let body = &function.buffers[*id];
                let val = b.val(&body.name, 0);
                let bytes = ByteRange::new(0, body.size.0.max(1));
                contents.held.insert((*id, 0), vec![(bytes, val, 0)]);
            }
        }
        for _ in 0..self.usage.runs.max(1) {
            // What is temporary is undefined at each run.
            contents.held.retain(|(id, _), _| separate(function.buffers[*id].class));
            for &stream in streams {
                for step in &steps {
                    kernel(b, function, places, &mut contents, step, stream);
                }
            }
            for &stream in streams {
                b.line("stream sync", Call::StreamSync { stream: Some(stream) });
            }
            outputs(b, function, places, &contents);
        }
    }
}

/// Bytes of the handles on which functions take turns, in whole pages.
pub(super) fn shared_sizes(arenas: &[Arena], bytes: impl Fn(&Arena) -> u64) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for arena in arenas {
        let at = seen.entry(&arena.function).or_insert(0);
        let size = bytes(arena).checked_next_multiple_of(2 << 20).unwrap_or(u64::MAX);
        match sizes.get_mut(*at) {
            Some(most) => *most = (*most).max(size),
            None => sizes.push(size),
        }
        *at += 1;
    }
    sizes
}

/// Buffers that hold the same bytes as another by a rule, so that a name for their contents means
/// nothing: colocated and exclusive ones.
fn nameless(function: &Function) -> BTreeSet<BufferId> {
    let same = |kind: RelationKind| {
        matches!(
            kind,
            RelationKind::Colocate { .. } | RelationKind::Handover | RelationKind::Exclusive
        )
    };
    let both = function.relations.iter().filter(|r| same(r.kind)).flat_map(|r| [r.first, r.second]);
    both.collect()
}

/// True for buffers that the caller holds.
fn separate(class: LifetimeClass) -> bool {
    class.filled_at_entry()
}

/// One op as a kernel.
fn kernel(
    b: &mut Builder,
    function: &Function,
    places: &Places,
    contents: &mut Contents,
    step: &Step,
    stream: Sym,
) {
    let (mut r, mut w) = (Vec::new(), Vec::new());
    for touch in &step.touches {
        let Some(&(p, start)) = places.of.get(&touch.buffer).and_then(|s| s.get(touch.slot)) else {
            continue;
        };
        if touch.bytes.start == touch.bytes.end {
            continue;
        }
        let off = start.saturating_add(touch.bytes.start);
        let span = Span { p, off, len: Some(touch.bytes.len()), val: None, voff: 0 };
        match touch.mode {
            AccessMode::Read => {
                let held = contents.read(touch);
                let (val, voff) = held.map_or((None, 0), |(val, voff)| (Some(val), voff));
                r.push(Span { val, voff, ..span });
            }
            AccessMode::Write => {
                let name = &function.buffers[touch.buffer].name;
                let val = contents.write(b, touch, name);
                w.push(Span { val, voff: touch.bytes.start, ..span });
            }
            AccessMode::Temporary => {
                contents.forget(touch);
                w.push(span);
            }
            AccessMode::Fresh => contents.forget(touch),
        }
    }
    if !(r.is_empty() && w.is_empty()) {
        b.kernel(&step.name, step.loc, stream, r, w);
    }
}

/// The host reads what a function hands out.
fn outputs(b: &mut Builder, function: &Function, places: &Places, contents: &Contents) {
    for (&id, slots) in &places.of {
        let body = &function.buffers[id];
        if body.class != LifetimeClass::Output || body.size.0 == 0 {
            continue;
        }
        let Some(&(p, off)) = slots.first() else { continue };
        let bytes = ByteRange::new(0, body.size.0);
        let touch = Touch { buffer: id, slot: 0, bytes, mode: AccessMode::Read, exact: true };
        let held = contents.read(&touch);
        let (val, voff) = held.map_or((None, 0), |(val, voff)| (Some(val), voff));
        let span = Span { p, off, len: Some(body.size.0), val, voff };
        let host = b.alloc(&format!("{} (read)", body.name), body.size.0, AllocKind::Host, false);
        let call = Call::Memcpy {
            dst: Some(Span { p: host, off: 0, val: None, voff: 0, ..span }),
            src: Some(span),
            dest_max: None,
            kind: CopyKind::Default,
            stream: None,
        };
        b.line(&format!("read {}", body.name), call);
        b.line("free", Call::Free { p: Some(host), off: 0 });
    }
}

impl Contents {
    /// The value that these bytes have to hold, where one write has made all of them.
    fn read(&self, touch: &Touch) -> Option<(Val, u64)> {
        let held = self.held.get(&(touch.buffer, touch.slot)).filter(|_| touch.exact)?;
        let whole =
            |(bytes, ..): &&Held| bytes.start <= touch.bytes.start && touch.bytes.end <= bytes.end;
        let &(_, val, _) = held.iter().rev().find(whole)?;
        // Later writes inside make it a mixture, of which nothing is asked.
        let last = held.iter().rev().find(|(bytes, ..)| bytes.overlap(touch.bytes).is_some())?;
        (last.1 == val).then_some((val, touch.bytes.start))
    }

    fn write(&mut self, b: &mut Builder, touch: &Touch, name: &str) -> Option<Val> {
        if !touch.exact || self.nameless.contains(&touch.buffer) {
            self.forget(touch);
            return None;
        }
        let version = self.versions.entry(touch.buffer).or_insert(0);
        *version += 1;
        let val = b.val(name, *version);
        let held = self.held.entry((touch.buffer, touch.slot)).or_default();
        held.retain(|(bytes, ..)| {
            !(touch.bytes.start <= bytes.start && bytes.end <= touch.bytes.end)
        });
        held.push((touch.bytes, val, touch.bytes.start));
        Some(val)
    }

    fn forget(&mut self, touch: &Touch) {
        self.held.remove(&(touch.buffer, touch.slot));
    }
}
