//! The slow, obvious twin of the replay: runs every path by itself, byte by byte.
//!
//! Every write is an event of its own. Two memories remember which event wrote a byte last: one in
//! which each object has bytes of its own (what the program means), one by address (what the plan
//! makes of it). A byte that is read must show the same event in both.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Code;
use crate::model::*;
use crate::verify::case::Case;
use crate::verify::lives::holds;
use crate::verify::objects::Objects;

/// What every path together has shown.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub(crate) struct Found {
    pub lost: BTreeSet<(BufferId, Option<OpId>)>,
    /// With true where nothing at all was written on any path that leads there.
    pub unwritten: BTreeMap<(BufferId, Option<OpId>), bool>,
    pub operands: BTreeSet<(OpId, BufferId, BufferId, Code)>,
    pub held: BTreeSet<(OpId, BufferId, BufferId)>,
}

/// Runs all paths with at most `most` trips of loops without a known number; none when there are
/// more than `limit` paths.
pub(crate) fn paths(case: &Case<'_>, most: u64, limit: usize) -> Option<Found> {
    let objects = Objects::of(case);
    let mut all = All::default();
    let mut choices: Vec<(u64, u64)> = Vec::new();
    for _ in 0..limit {
        let mut path = Path::new(case, &objects, most, choices, &mut all);
        path.region(&case.function.body);
        path.exit();
        choices = path.choices;
        while let Some((taken, of)) = choices.pop() {
            if taken + 1 < of {
                choices.push((taken + 1, of));
                break;
            }
        }
        if choices.is_empty() {
            return Some(all.finish());
        }
    }
    None
}

#[derive(Default)]
struct All {
    found: Found,
    /// For each execution of an operand: nothing was written on any path so far; which buffers.
    reads: BTreeMap<(OpId, usize, Vec<u64>), (bool, BTreeSet<BufferId>)>,
    exits: BTreeMap<BufferId, bool>,
}

impl All {
    fn finish(mut self) -> Found {
        for ((op, _, _), (nothing, buffers)) in self.reads {
            for buffer in buffers {
                *self.found.unwritten.entry((buffer, Some(op))).or_insert(false) |= nothing;
            }
        }
        for (buffer, nothing) in self.exits {
            if nothing {
                self.found.unwritten.insert((buffer, None), false);
            }
        }
        self.found
    }
}

/// An object: group and slot.
type Object = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    buffer: BufferId,
    slot: u32,
    lo: u64,
    hi: u64,
    exact: bool,
}

/// A byte: where it lies, and which byte of which object it is.
#[derive(Clone, Copy)]
struct Byte {
    address: (u32, u64),
    own: (Object, u64),
}

struct Path<'c, 'a> {
    case: &'c Case<'a>,
    objects: &'c Objects,
    most: u64,
    choices: Vec<(u64, u64)>,
    taken: usize,
    all: &'c mut All,
    event: u64,
    meant: BTreeMap<(Object, u64), u64>,
    there: BTreeMap<(u32, u64), (u64, Option<(Object, u64)>)>,
    env: BTreeMap<ValueId, Vec<Part>>,
    trips: BTreeMap<LoopId, u64>,
    counts: Vec<u64>,
    at: Option<Step>,
    holders: Vec<(BufferId, Live)>,
}

impl<'c, 'a> Path<'c, 'a> {
    fn new(
        case: &'c Case<'a>,
        objects: &'c Objects,
        most: u64,
        choices: Vec<(u64, u64)>,
        all: &'c mut All,
    ) -> Self {
        let holders =
            holds(case).into_iter().flat_map(|h| h.live.into_iter().map(move |l| (h.buffer, l)));
        let mut path = Self {
            case,
            objects,
            most,
            choices,
            taken: 0,
            all,
            event: 0,
            meant: BTreeMap::new(),
            there: BTreeMap::new(),
            env: BTreeMap::new(),
            trips: BTreeMap::new(),
            counts: Vec::new(),
            at: None,
            holders: holders.collect(),
        };
        for (id, buffer) in case.function.buffers.enumerate() {
            if buffer.class.filled_at_entry() && buffer.live.is_none() {
                for part in path.every_slot(id) {
                    path.put(&path.bytes(part));
                }
            }
        }
        path
    }

    fn choose(&mut self, of: u64) -> u64 {
        if self.taken == self.choices.len() {
            self.choices.push((0, of));
        }
        self.taken += 1;
        self.choices[self.taken - 1].0
    }

    fn every_slot(&self, buffer: BufferId) -> Vec<Part> {
        let hi = self.case.function.buffers[buffer].size.0;
        let slots = 0..self.case.offsets(buffer).len() as u32;
        slots.map(|slot| Part { buffer, slot, lo: 0, hi, exact: true }).collect()
    }

    fn bytes(&self, part: Part) -> Vec<Byte> {
        let case = self.case;
        let Some(&offset) = case.offsets(part.buffer).get(part.slot as usize) else {
            return Vec::new();
        };
        if part.lo >= part.hi {
            return Vec::new();
        }
        let whole = part.hi == case.function.buffers[part.buffer].size.0;
        let hi = if whole { case.sizes[part.buffer] } else { part.hi };
        let object = self.objects.object(case, part.buffer, part.slot);
        let scope = case.function.buffers[part.buffer].scope.0;
        let lead = case.groups.lead(part.buffer);
        (part.lo..hi)
            .map(|at| Byte { address: (scope, offset + at), own: (object, lead + at) })
            .collect()
    }

    fn put(&mut self, bytes: &[Byte]) {
        self.event += 1;
        for byte in bytes {
            self.meant.insert(byte.own, self.event);
            self.there.insert(byte.address, (self.event, Some(byte.own)));
        }
    }

    fn junk(&mut self, bytes: &[Byte]) {
        self.event += 1;
        for byte in bytes {
            self.meant.remove(&byte.own);
            self.there.insert(byte.address, (self.event, None));
        }
    }

    /// None: not written; otherwise whether it is still there.
    fn look(&self, byte: Byte) -> Option<bool> {
        let meant = *self.meant.get(&byte.own)?;
        Some(self.there.get(&byte.address) == Some(&(meant, Some(byte.own))))
    }

    fn parts(&self, value: ValueId) -> Vec<Part> {
        let f = self.case.function;
        let mut parts: Vec<Part> = match &f.values[value].kind {
            ValueKind::Buffer(id) => {
                let count = self.case.offsets(*id).len().max(1) as u32;
                let hi = f.buffers[*id].size.0;
                let slots = match self.case.rotates[*id] {
                    _ if count == 1 => 0..1,
                    None => 0..count,
                    Some(l) => {
                        let slot =
                            (self.trips.get(&l).copied().unwrap_or(0) % u64::from(count)) as u32;
                        slot..slot + 1
                    }
                };
                slots.map(|slot| Part { buffer: *id, slot, lo: 0, hi, exact: true }).collect()
            }
            ValueKind::View { base, delta, length } => {
                let base = self.parts(*base);
                base.into_iter().map(|p| view(p, *delta, *length)).collect()
            }
            ValueKind::Select(of) => of.iter().flat_map(|&v| self.parts(v)).collect(),
            _ => self.env[&value].clone(),
        };
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn go(&mut self, to: Step) {
        let holds = |live: Live, step: Option<Step>| {
            step.is_some_and(|step| live.start <= step && step < live.end)
        };
        for (buffer, live) in self.holders.clone() {
            if !holds(live, Some(to)) || holds(live, self.at) {
                continue;
            }
            for part in self.every_slot(buffer) {
                for byte in self.bytes(part) {
                    let here = self.there.get(&byte.address).and_then(|t| t.1);
                    let own = |(object, _): (Object, u64)| {
                        self.every_slot(buffer)
                            .iter()
                            .any(|p| self.objects.object(self.case, buffer, p.slot) == object)
                    };
                    if !here.is_some_and(own) {
                        self.event += 1;
                        self.there.insert(byte.address, (self.event, None));
                    }
                }
            }
        }
        self.at = Some(to);
    }

    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            match *node {
                Node::Op(id) => self.op(id),
                Node::Loop(id) => self.repeat(id),
                Node::Branch(id) => self.branch(id),
            }
        }
    }

    fn branch(&mut self, id: BranchId) {
        let branch = &self.case.function.branches[id];
        let steps = self.case.order.branches[id];
        self.go(steps.begin);
        let then = self.choose(2) == 0;
        if then {
            self.region(&branch.then);
        } else {
            self.go(steps.middle);
            self.region(&branch.otherwise);
        }
        self.go(steps.end);
        let of = |r: &BranchResult| if then { r.then } else { r.otherwise };
        let parts: Vec<_> = branch.results.iter().map(|r| self.parts(of(r))).collect();
        self.env.extend(branch.results.iter().map(|r| r.value).zip(parts));
    }

    fn repeat(&mut self, id: LoopId) {
        let l = &self.case.function.loops[id];
        let steps = self.case.order.loops[id];
        self.go(steps.begin);
        let inits: Vec<_> = l.carries.iter().map(|c| self.parts(c.init)).collect();
        self.env.extend(l.carries.iter().map(|c| c.value).zip(inits));
        self.trips.insert(id, 0);
        let n = match l.trips {
            Trips::Known(n) => n,
            Trips::AtLeast(least) => least + self.choose(self.most + 1 - least),
        };
        for trip in 0..n {
            if trip > 0 {
                self.go(steps.begin);
            }
            self.trips.insert(id, trip);
            self.counts.push(trip);
            self.region(&l.body);
            self.counts.pop();
            self.go(steps.end);
            let nexts: Vec<_> = l.carries.iter().map(|c| self.parts(c.next)).collect();
            self.env.extend(l.carries.iter().map(|c| c.value).zip(nexts));
        }
        if n == 0 {
            self.go(steps.end);
        }
        for carry in &l.carries {
            let last = self.env[&carry.value].clone();
            self.env.insert(carry.result, last);
        }
    }

    fn op(&mut self, id: OpId) {
        let op = &self.case.function.ops[id];
        let step = self.case.order.ops[id];
        self.go(step);
        let mut chosen: Vec<(usize, AccessMode, Part, Vec<Part>)> = Vec::new();
        for (n, access) in op.accesses.iter().enumerate() {
            let mut parts = self.parts(access.value);
            if let Some(range) = access.range {
                let seen = |p: &Part| view(*p, Some(range.start), Some(range.len()));
                parts = parts.iter().map(seen).collect();
                parts.sort_unstable();
                parts.dedup();
            }
            let one = self.choose(parts.len() as u64) as usize;
            chosen.push((n, access.mode, parts[one], parts));
        }
        for (n, a) in chosen.iter().enumerate() {
            for b in &chosen[n + 1..] {
                self.pair(id, (a.1, a.2), (b.1, b.2));
            }
        }
        for (n, mode, part, _) in &chosen {
            if *mode == AccessMode::Read {
                self.read(id, *n, *part);
            } else {
                self.held(id, step, *part);
            }
        }
        for (n, mode, part, parts) in &chosen {
            if *mode == AccessMode::Temporary {
                let sure = part.exact && parts.len() == 1;
                if sure || (part.exact && parts.len() > 1) || self.choose(2) == 0 {
                    self.junk(&self.bytes(*part));
                }
                let _ = n;
            }
        }
        for (n, mode, part, parts) in &chosen {
            if *mode == AccessMode::Write {
                let sure = part.exact && !op.accesses[*n].partial;
                let all = sure || self.choose(2) == 0;
                for other in parts {
                    let mut bytes = self.bytes(*other);
                    if !(all && other == part) {
                        bytes.retain(|b| !self.meant.contains_key(&b.own));
                    }
                    self.put(&bytes);
                }
            }
        }
    }

    fn read(&mut self, op: OpId, access: usize, part: Part) {
        let bytes = self.bytes(part);
        let sound = self.objects.sound(self.case, part.buffer);
        let key = (op, access, self.counts.clone());
        let entry = self.all.reads.entry(key).or_insert((true, BTreeSet::new()));
        entry.0 &= sound && !bytes.is_empty();
        if !sound {
            return;
        }
        for byte in bytes {
            let meant = self.meant.get(&byte.own).copied();
            let here = self.there.get(&byte.address);
            match meant {
                None => {
                    entry.1.insert(part.buffer);
                }
                Some(event) => {
                    entry.0 = false;
                    if here != Some(&(event, Some(byte.own))) {
                        self.all.found.lost.insert((part.buffer, Some(op)));
                    }
                }
            }
        }
    }

    fn held(&mut self, op: OpId, step: Step, part: Part) {
        let bytes: BTreeSet<_> = self.bytes(part).iter().map(|b| b.address).collect();
        let object = |buffer, slot| self.objects.object(self.case, buffer, slot);
        for &(holder, live) in &self.holders {
            let slots = self.every_slot(holder);
            let own =
                slots.iter().any(|p| object(holder, p.slot) == object(part.buffer, part.slot));
            if own || !(live.start <= step && step < live.end) {
                continue;
            }
            let mut taken = slots.iter().flat_map(|&p| self.bytes(p));
            if taken.any(|b| bytes.contains(&b.address)) {
                self.all.found.held.insert((op, part.buffer, holder));
            }
        }
    }

    fn pair(&mut self, op: OpId, a: (AccessMode, Part), b: (AccessMode, Part)) {
        let (x, y) = (self.bytes(a.1), self.bytes(b.1));
        let shared = x.iter().any(|x| y.iter().any(|y| x.address == y.address));
        let same = match (x.first(), y.first()) {
            (Some(x), Some(y)) => {
                let shift = |b: &Byte| b.address.1.wrapping_sub(b.own.1);
                x.own.0 == y.own.0 && shift(x) == shift(y)
            }
            _ => true,
        };
        if !shared || same || (a.0, b.0) == (AccessMode::Read, AccessMode::Read) {
            return;
        }
        let read = |m| m == AccessMode::Read;
        let scratch = a.0 == AccessMode::Temporary || b.0 == AccessMode::Temporary;
        let ((first, x), (second, y)) = if read(a.0) || (!read(b.0) && a.1.buffer <= b.1.buffer) {
            ((a, x), (b, y))
        } else {
            ((b, y), (a, x))
        };
        let (p, r) = (first.1, second.1);
        let code = if scratch || !read(first.0) {
            Some(Code::VerifyOverlap)
        } else {
            let f = self.case.function;
            let start = |p: Part| self.case.offsets(p.buffer)[p.slot as usize];
            let vouched = f.relations.iter().any(|rel| {
                (rel.kind, rel.first, rel.second) == (RelationKind::Inplace, p.buffer, r.buffer)
            });
            let any = f.ops[op].inplace != InplaceRule::Never;
            let (ends, starts) = if vouched {
                (self.case.sizes[r.buffer] <= self.case.sizes[p.buffer], start(p) == start(r))
            } else {
                (
                    y.last().map(|b| b.address) <= x.last().map(|b| b.address),
                    x[0].address == y[0].address,
                )
            };
            match (vouched || any, starts, ends) {
                (true, true, true) => None,
                (true, false, _) => Some(Code::VerifyInplaceShifted),
                (false, true, true) => Some(Code::VerifyInplaceForbidden),
                _ => Some(Code::VerifyOverlap),
            }
        };
        if let Some(code) = code {
            self.all.found.operands.insert((op, p.buffer, r.buffer, code));
        }
    }

    fn exit(&mut self) {
        for (id, buffer) in self.case.function.buffers.enumerate() {
            let wanted = buffer.class.wanted_at_exit() && buffer.live.is_none();
            if !wanted || !self.objects.sound(self.case, id) {
                continue;
            }
            let bytes: Vec<Byte> =
                self.every_slot(id).into_iter().flat_map(|p| self.bytes(p)).collect();
            if bytes.is_empty() {
                continue;
            }
            let nothing = bytes.iter().all(|&b| self.look(b).is_none());
            *self.all.exits.entry(id).or_insert(true) &= nothing;
            if bytes.iter().any(|&b| self.look(b) == Some(false)) {
                self.all.found.lost.insert((id, None));
            }
        }
    }
}

fn view(p: Part, delta: Option<u64>, length: Option<u64>) -> Part {
    let lo = (p.lo + delta.unwrap_or(0)).min(p.hi);
    match (p.exact, delta, length) {
        (true, Some(_), Some(length)) => Part { lo, hi: (lo + length).min(p.hi), ..p },
        _ => Part { lo, exact: false, ..p },
    }
}
