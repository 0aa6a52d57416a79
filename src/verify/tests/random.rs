//! Random programs and plans from bytes: any bytes make a valid input, and fewer bytes a smaller
//! one, so that quickcheck can shrink what it finds.

use super::build::Build;
use crate::model::*;

/// A problem and the offsets of its buffers.
pub(crate) struct Random {
    pub build: Build,
    pub offsets: Vec<(String, Vec<u64>)>,
}

struct Source<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// Statements left.
    left: u32,
}

impl Source<'_> {
    /// A number below `n`; 0 when the bytes have run out.
    fn below(&mut self, n: u64) -> u64 {
        u64::from(self.bytes.next().copied().unwrap_or(0)) % n
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == n - 1
    }
}

/// Up to five buffers of up to six bytes, up to a dozen statements.
pub(crate) fn random(data: &[u8]) -> Random {
    let mut s = Source { bytes: data.iter(), left: 12 };
    let mut b = Build::new(1 << 20, 1);
    let rounded = b.scope("l1", 1 << 20, 4);
    b.problem.scopes[rounded].round_up = true;
    let n = 2 + s.below(4);
    let mut pool = Vec::new();
    for at in 0..n {
        let id = b.buf(&format!("x{at}"), 1 + s.below(6));
        buffer(&mut s, &mut b, id, rounded);
        if b.f.buffers[id].live.is_none() {
            let value = b.v(id);
            pool.push(value);
        }
    }
    if pool.is_empty() {
        let id = b.buf("y", 2);
        pool.push(b.v(id));
    }
    relations(&mut s, &mut b);
    if !s.once_in(4) {
        let all = pool.clone();
        b.op("fill", &[], &all);
    }
    statements(&mut s, &mut b, &mut pool, 0);
    if b.f.ops.is_empty() {
        b.op("nothing", &[], &[]);
    }
    let loops = b.f.loops.len() as u64;
    for id in b.f.buffers.ids() {
        if loops > 0 && b.f.buffers[id].slots > 1 && !s.once_in(6) {
            b.at(id).rotates_in = Some(LoopId(s.below(loops) as u32));
        }
    }
    let offsets = place(&mut s, &b);
    Random { build: b, offsets }
}

fn buffer(s: &mut Source<'_>, b: &mut Build, id: BufferId, rounded: ScopeId) {
    if s.once_in(6) {
        b.at(id).scope = rounded;
        b.at(id).alignment = 4;
    }
    b.at(id).class = match s.below(10) {
        9 => LifetimeClass::Constant,
        8 => LifetimeClass::Output,
        7 => LifetimeClass::Donated,
        6 => LifetimeClass::Persistent,
        _ => LifetimeClass::Local,
    };
    b.at(id).slots = 1 + u32::from(s.once_in(4));
    b.at(id).preload = s.once_in(8);
    if s.once_in(8) {
        let start = s.below(8);
        let end = start + 1 + s.below(6);
        b.at(id).live = Some(vec![Live::new(start, end)]);
    }
}

fn relations(s: &mut Source<'_>, b: &mut Build) {
    let n = b.f.buffers.len() as u64;
    for _ in 0..s.below(3) {
        let (first, second) = (BufferId(s.below(n) as u32), BufferId(s.below(n) as u32));
        let (x, y) = (&b.f.buffers[first], &b.f.buffers[second]);
        let alike = x.scope == y.scope && x.slots == y.slots && first != second;
        // Groups of two, so that the plan below can keep them together.
        let free = |id| !b.f.relations.iter().any(|r| r.first == id || r.second == id);
        if !alike || x.live.is_some() || y.live.is_some() || !free(first) || !free(second) {
            continue;
        }
        if s.once_in(2) {
            b.relation(RelationKind::Inplace, first, second);
        } else {
            let delta = s.below(4);
            b.relation(RelationKind::Colocate { delta }, first, second);
        }
    }
}

/// One of the values in sight, or something made of them.
fn value(s: &mut Source<'_>, b: &mut Build, pool: &[ValueId]) -> ValueId {
    let base = pool[s.below(pool.len() as u64) as usize];
    match s.below(12) {
        11 => {
            let (delta, length) = (s.below(4), 1 + s.below(4));
            b.view(base, delta, length)
        }
        10 => b.view(base, None, 1 + s.below(4)),
        9 => {
            let delta = s.below(3);
            b.view(base, delta, None)
        }
        8 => {
            let other = pool[s.below(pool.len() as u64) as usize];
            let other = if s.once_in(3) { b.view(base, 1, 3) } else { other };
            b.select(&[base, other])
        }
        _ => base,
    }
}

fn statements(s: &mut Source<'_>, b: &mut Build, pool: &mut Vec<ValueId>, depth: u32) {
    let n = 1 + s.below(5);
    for _ in 0..n {
        if s.left == 0 {
            return;
        }
        s.left -= 1;
        match s.below(10) {
            8 | 9 if depth < 3 => repeat(s, b, pool, depth),
            6 | 7 if depth < 3 => branch(s, b, pool, depth),
            _ => op(s, b, pool),
        }
    }
}

fn op(s: &mut Source<'_>, b: &mut Build, pool: &[ValueId]) {
    let name = format!("op{}", b.f.ops.len());
    let id = b.op(&name, &[], &[]);
    let (reads, writes, scratch) = (s.below(3), s.below(3), u64::from(s.once_in(6)));
    let modes =
        [(reads, AccessMode::Read), (writes, AccessMode::Write), (scratch, AccessMode::Temporary)];
    for (count, mode) in modes {
        for _ in 0..count {
            let value = value(s, b, pool);
            let partial = mode == AccessMode::Write && s.once_in(8);
            let range = s.once_in(6).then(|| {
                let start = s.below(3);
                ByteRange::new(start, start + 1 + s.below(3))
            });
            b.access(id, value, mode, |a| (a.partial, a.range) = (partial, range));
        }
    }
    b.f.ops[id].inplace = if s.once_in(2) { InplaceRule::Any } else { InplaceRule::Never };
}

fn repeat(s: &mut Source<'_>, b: &mut Build, pool: &mut Vec<ValueId>, depth: u32) {
    let trips = match s.below(6) {
        0 => Trips::Known(2),
        1 => Trips::Known(3),
        2 => Trips::AtLeast(0),
        3 => Trips::AtLeast(1),
        4 => Trips::Known(0),
        _ => Trips::Known(1),
    };
    let carries = s.below(3);
    let inits: Vec<ValueId> = (0..carries).map(|_| value(s, b, pool)).collect();
    let mut results = Vec::new();
    let outer = pool.clone();
    b.repeat(trips, |b, id| {
        let mut inside = outer;
        for &init in &inits {
            let (value, result) = b.carry(id, init);
            inside.push(value);
            results.push(result);
        }
        statements(s, b, &mut inside, depth + 1);
        for n in 0..inits.len() {
            let next = value(s, b, &inside);
            b.next(id, n, next);
        }
    });
    pool.extend(results);
}

fn branch(s: &mut Source<'_>, b: &mut Build, pool: &mut Vec<ValueId>, depth: u32) {
    let results = s.below(3);
    let (left, right) = (pool.clone(), pool.clone());
    let source = std::cell::RefCell::new(s);
    let side = |b: &mut Build, mut inside: Vec<ValueId>| {
        let s = &mut **source.borrow_mut();
        statements(s, b, &mut inside, depth + 1);
        (0..results).map(|_| value(s, b, &inside)).collect()
    };
    pool.extend(b.branch(|b| side(b, left), |b| side(b, right)));
}

/// Offsets side by side, then some moved somewhere.
fn place(s: &mut Source<'_>, b: &Build) -> Vec<(String, Vec<u64>)> {
    let mut next = 0;
    let mut offsets: Vec<Vec<u64>> = Vec::new();
    for buffer in b.f.buffers.iter() {
        let promoted = u32::from(s.once_in(4));
        let count = if buffer.slots == 1 { 1 + promoted } else { buffer.slots };
        offsets.push((0..count).map(|slot| next + 12 * u64::from(slot)).collect());
        next += 12 * u64::from(count);
    }
    for _ in 0..s.below(5) {
        let own = &mut offsets[s.below(b.f.buffers.len() as u64) as usize];
        let slot = s.below(own.len() as u64) as usize;
        own[slot] = s.below(16);
    }
    for r in &b.f.relations {
        if let RelationKind::Colocate { delta } = r.kind {
            let first = offsets[r.first.0 as usize].clone();
            offsets[r.second.0 as usize] = first.iter().map(|o| o + delta).collect();
        }
    }
    let names = b.f.buffers.iter().map(|b| b.name.clone());
    names.zip(offsets).collect()
}
