//! Random kernels and one edit: the gate names that edit, that buffer, and nothing else.

use std::collections::BTreeSet;

use quickcheck::quickcheck;

use crate::gate::compare;
use crate::model::{CauseKind, Kernel, KernelBuffer, KernelScope, Verdict};

/// A program: ops in order, buffers with the ops that touch them.
#[derive(Clone, Debug)]
struct Program {
    ops: Vec<String>,
    buffers: Vec<Touched>,
    usable: u64,
}

#[derive(Clone, Debug)]
struct Touched {
    name: String,
    scope: usize,
    size: u64,
    slots: u32,
    ops: BTreeSet<String>,
    offset: u64,
}

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % n.max(1) as u64).unwrap_or(0)
    }
}

impl Program {
    fn random(random: &mut Random) -> Self {
        let ops: Vec<String> =
            (0..4 + random.below(8)).map(|n| format!("op_{}", (b'a' + n as u8) as char)).collect();
        let mut offset = 0;
        let buffers = (0..1 + random.below(8)).map(|n| {
            let size = 32 * (1 + random.below(6)) as u64;
            let touch: BTreeSet<String> =
                (0..1 + random.below(3)).map(|_| ops[random.below(ops.len())].clone()).collect();
            let slots = 1 + random.below(2) as u32;
            let at = offset;
            offset += size * u64::from(slots);
            // Some names are numbered as printers do it.
            let name = if n % 2 == 0 {
                format!("%alloc_{n}")
            } else {
                format!("tile{}", (b'a' + n as u8) as char)
            };
            Touched { name, scope: random.below(2), size, slots, ops: touch, offset: at }
        });
        Self { buffers: buffers.collect(), ops: ops.clone(), usable: 1 << 20 }
    }

    fn live(&self, buffer: &Touched) -> [u64; 2] {
        let steps: Vec<u64> = (0..self.ops.len())
            .filter(|at| buffer.ops.contains(&self.ops[*at]))
            .map(|at| at as u64)
            .collect();
        let first = steps.first().copied().unwrap_or(0);
        [first, steps.last().copied().unwrap_or(0) + 1]
    }

    /// The names of the ops beside which a buffer is alive.
    fn beside(&self, buffer: &Touched) -> BTreeSet<&String> {
        let [start, end] = self.live(buffer);
        self.ops[start as usize..end as usize].iter().collect()
    }

    fn kernel(&self) -> Kernel {
        let scope = |which: usize, name: &str| {
            let here = self.buffers.iter().filter(|b| b.scope == which);
            let buffers = here.map(|b| KernelBuffer {
                name: b.name.clone(),
                size: Some(b.size),
                slots: Some(b.slots),
                live: Some(vec![self.live(b)]),
                offsets: (0..u64::from(b.slots)).map(|slot| b.offset + slot * b.size).collect(),
                place: None,
            });
            KernelScope {
                name: name.to_owned(),
                usable: Some(self.usable),
                max_load: Some(0),
                buffers: buffers.collect(),
                ..KernelScope::default()
            }
        };
        // A fingerprint knows everything but where things lie.
        let mut asked = self.clone();
        asked.buffers.iter_mut().for_each(|b| b.offset = 0);
        Kernel {
            input: "k.toml".to_owned(),
            name: "k".to_owned(),
            fingerprint: Some(format!("{asked:?}")),
            verdict: Some(Verdict::Feasible),
            steps: Some(self.ops.clone()),
            scopes: vec![scope(0, "ub"), scope(1, "l1")],
            ..Kernel::default()
        }
    }
}

/// Kinds and buffers of all causes.
fn told(old: &Program, new: &Program) -> Vec<(CauseKind, Vec<String>)> {
    let comparison = compare(&old.kernel(), &new.kernel());
    assert_eq!(comparison.unknown, Vec::<String>::new());
    comparison.causes.into_iter().map(|c| (c.kind, c.buffers)).collect()
}

/// A program, the same again to be edited, and the position of one of its buffers.
fn start(seed: u64) -> (Random, Program, Program, usize) {
    let mut random = Random(seed);
    let old = Program::random(&mut random);
    let at = random.below(old.buffers.len());
    (random, old.clone(), old, at)
}

quickcheck! {
    fn a_kernel_is_what_it_is(seed: u64) -> bool {
        let (_, old, mut new, _) = start(seed);
        new.buffers.reverse();
        let mut other = new.kernel();
        other.fingerprint = old.kernel().fingerprint;
        other.scopes.reverse();
        compare(&old.kernel(), &old.kernel()).is_silent() && compare(&old.kernel(), &other).is_silent()
    }

    fn another_size_is_named(seed: u64, grow: bool) -> bool {
        let (mut random, old, mut new, at) = start(seed);
        let size = &mut new.buffers[at].size;
        if grow { *size += 32 * (1 + random.below(5)) as u64 } else { *size -= 1 }
        told(&old, &new) == [(CauseKind::Sizes, vec![new.buffers[at].name.clone()])]
    }

    fn another_number_of_slots_is_named(seed: u64) -> bool {
        let (_, old, mut new, at) = start(seed);
        new.buffers[at].slots = 3 - new.buffers[at].slots;
        told(&old, &new) == [(CauseKind::Slots, vec![new.buffers[at].name.clone()])]
    }

    fn another_live_range_is_named(seed: u64) -> bool {
        let (mut random, old, mut new, at) = start(seed);
        let op = new.ops[random.below(new.ops.len())].clone();
        new.buffers[at].ops.insert(op);
        let name = new.buffers[at].name.clone();
        if old.live(&old.buffers[at]) != new.live(&new.buffers[at]) {
            return told(&old, &new) == [(CauseKind::Live, vec![name])];
        }
        // Another access in between: the fingerprint alone knows.
        let same = old.kernel().fingerprint == new.kernel().fingerprint;
        told(&old, &new) == if same { vec![] } else { vec![(CauseKind::Problem, vec![])] }
    }

    fn a_new_buffer_is_named_and_so_is_one_that_is_gone(seed: u64) -> bool {
        let (_, old, mut new, at) = start(seed);
        // With a number that shifts those behind it, as a printer does it.
        let extra = Touched { name: "%alloc_0".to_owned(), size: 12_345, ..new.buffers[at].clone() };
        new.buffers[0].name = "%alloc_99".to_owned();
        let mut base = new.clone();
        new.buffers.insert(0, extra);
        let there = told(&base, &new) == [(CauseKind::Added, vec!["%alloc_0".to_owned()])];
        let back = told(&new, &base) == [(CauseKind::Removed, vec!["%alloc_0".to_owned()])];
        // And where the numbers of others shift with it, they are renamed and nothing else.
        base.buffers[0].name = "%alloc_0".to_owned();
        let kinds: Vec<CauseKind> = told(&base, &new).into_iter().map(|c| c.0).collect();
        there && back && kinds == [CauseKind::Added, CauseKind::Renamed] && old.ops == new.ops
    }

    fn another_name_is_no_other_buffer(seed: u64) -> bool {
        let (_, old, mut new, at) = start(seed);
        new.buffers[at].name = "fresh".to_owned();
        told(&old, &new) == [(CauseKind::Renamed, vec!["fresh".to_owned()])]
    }

    fn another_scope_is_named(seed: u64) -> bool {
        let (_, old, mut new, at) = start(seed);
        new.buffers[at].scope = 1 - new.buffers[at].scope;
        told(&old, &new) == [(CauseKind::Scope, vec![new.buffers[at].name.clone()])]
    }

    fn another_order_is_told_once_with_the_buffers_that_it_touches(seed: u64) -> bool {
        let (mut random, old, mut new, _) = start(seed);
        let op = new.ops.remove(random.below(new.ops.len()));
        let to = random.below(new.ops.len() + 1);
        new.ops.insert(to, op);
        let found = told(&old, &new);
        if old.ops == new.ops {
            return found.is_empty();
        }
        let pairs = old.buffers.iter().zip(&new.buffers);
        let touched = pairs.filter(|(a, b)| old.beside(a) != new.beside(b));
        let touched: BTreeSet<String> = touched.map(|(a, _)| a.name.clone()).collect();
        let [(CauseKind::Schedule, named)] = found.as_slice() else { return false };
        named.iter().cloned().collect::<BTreeSet<_>>() == touched
    }

    fn a_new_op_is_told_and_a_buffer_that_it_holds_longer(seed: u64) -> bool {
        let (mut random, old, mut new, at) = start(seed);
        new.ops.insert(random.below(new.ops.len() + 1), "fresh".to_owned());
        new.buffers[at].ops.insert("fresh".to_owned());
        let [start, end] = new.live(&new.buffers[at]);
        let edge = new.ops[start as usize] == "fresh" || new.ops[end as usize - 1] == "fresh";
        // It may carry the life of the buffer over old ops to the new one.
        let named = if edge { vec![new.buffers[at].name.clone()] } else { vec![] };
        let back = told(&new, &old);
        told(&old, &new) == [(CauseKind::Schedule, named.clone())] && back == [(CauseKind::Schedule, named)]
    }

    fn another_offset_is_only_the_placement(seed: u64) -> bool {
        let (_, old, mut new, at) = start(seed);
        new.buffers[at].offset += 64;
        told(&old, &new) == [(CauseKind::Placement, vec![new.buffers[at].name.clone()])]
    }

    fn another_capacity_is_told_of_each_scope(seed: u64) -> bool {
        let (_, old, mut new, _) = start(seed);
        new.usable -= 32;
        told(&old, &new) == [(CauseKind::Capacity, vec![]), (CauseKind::Capacity, vec![])]
    }

    fn no_kernel_makes_it_panic(a: u64, b: u64) -> bool {
        let (old, new) = (Program::random(&mut Random(a)), Program::random(&mut Random(b)));
        let (mut old, new) = (old.kernel(), new.kernel());
        old.steps = old.steps.filter(|_| a.is_multiple_of(3));
        for buffer in old.scopes.iter_mut().flat_map(|s| &mut s.buffers) {
            buffer.live = Some(vec![[a, b], [u64::MAX, 0]]);
            buffer.size = b.is_multiple_of(2).then_some(u64::MAX);
        }
        let there = compare(&old, &new);
        let back = compare(&new, &old);
        there.is_silent() == back.is_silent() && compare(&old, &old).is_silent()
    }
}
