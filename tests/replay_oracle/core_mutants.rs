//! Mistakes in kernels: in sync, in addresses, in sizes, in the order.

use memplan::model::machine::Machine;
use memplan::verify::trace::{Options, trace as check};

use super::classes;
use super::core_oracle::fault;
use super::core_program::{CELLS, Cells, Op, Program};
use super::kernels::{input, kernel, len, output};
use super::survivors::Survivors;

/// States after which the oracle gives up.
const ENOUGH: usize = 200_000;

fn said(program: &Program) -> (classes::Classes, Vec<String>) {
    let mut machine = Machine::named("910B3").expect("a known chip");
    machine.scopes.clear();
    let said = check(&program.trace(0), &machine, &Options::default());
    let notes = said.findings.iter().filter(|f| f.code.name().ends_with("redundant_sync"));
    (classes::of(&said), notes.filter_map(|f| f.op.clone()).collect())
}

/// A kind of mistake, where it is, and the program with it.
type Mutant = (&'static str, String, Program);

fn with(program: &Program, at: usize, op: Op) -> Program {
    let mut other = program.clone();
    other.ops[at] = op;
    other
}

/// The operands of an op, one after the other: writes behind reads.
fn operands(op: &mut Op) -> Vec<&mut Cells> {
    match op {
        Op::Work { reads, writes, .. } => reads.iter_mut().chain(writes).collect(),
        _ => Vec::new(),
    }
}

fn sync_mutants(program: &Program, buffers: usize, all: &mut Vec<Mutant>) {
    for (n, op) in program.ops.iter().enumerate() {
        let name = format!("{buffers}:{n}");
        let (from, to, id) = match *op {
            Op::Set { from, to, id } | Op::Wait { from, to, id } => (from, to, id),
            _ => continue,
        };
        let set = matches!(op, Op::Set { .. });
        let make = |from, to, id| match set {
            true => Op::Set { from, to, id },
            false => Op::Wait { from, to, id },
        };
        let mut less = program.clone();
        less.ops.remove(n);
        all.push(("drop one sync", name.clone(), less));
        let mut more = program.clone();
        more.ops.insert(n, op.clone());
        all.push(("duplicate a sync", name.clone(), more));
        all.push(("another id", name.clone(), with(program, n, make(from, to, (id + 1) % 3))));
        let other = if set { make(from, 6 - from - to, id) } else { make(6 - from - to, to, id) };
        all.push(("another pipe", name.clone(), with(program, n, other)));
        // The pair: the k-th set and the k-th wait of a flag.
        if set {
            let flag = |o: &Op, set: bool| match *o {
                Op::Set { from: f, to: t, id: i } => set && (f, t, i) == (from, to, id),
                Op::Wait { from: f, to: t, id: i } => !set && (f, t, i) == (from, to, id),
                _ => false,
            };
            let k = program.ops[..n].iter().filter(|o| flag(o, true)).count();
            let waits = (0..program.ops.len()).filter(|&m| flag(&program.ops[m], false));
            let Some(wait) = waits.into_iter().nth(k) else { continue };
            let mut less = program.clone();
            less.ops.remove(n.max(wait));
            less.ops.remove(n.min(wait));
            all.push(("drop a pair", format!("{name}+{wait}"), less));
        }
    }
}

fn address_mutants(program: &Program, buffers: usize, all: &mut Vec<Mutant>) {
    for n in 0..program.ops.len() {
        let count = operands(&mut program.ops[n].clone()).len();
        for k in 0..count {
            let mut change = |kind, name: String, how: &dyn Fn(&mut Cells)| {
                let mut op = program.ops[n].clone();
                how(operands(&mut op)[k]);
                let fits = operands(&mut op).iter().all(|c| c.at + c.len <= CELLS);
                if fits {
                    all.push((kind, format!("{buffers}:{n}.{k} {name}"), with(program, n, op)));
                }
            };
            // 32 B, 64 B, and far away.
            for (by, name) in [(1, "+32"), (2, "+64"), (7, "far")] {
                change("shift an address", name.into(), &|c| c.at += by);
            }
            change("shift an address", "-32".into(), &|c| c.at = c.at.wrapping_sub(1) % CELLS);
            change("larger", String::new(), &|c| c.len += 1);
            if len(buffers) > 1 {
                change("smaller", String::new(), &|c| c.len -= 1);
            }
            for b in 0..buffers {
                let place = program.ops[n].clone();
                let here = operands(&mut place.clone())[k].at;
                let other = if here < buffers * len(buffers) {
                    input(buffers, b)
                } else {
                    output(buffers, b)
                };
                if other != here {
                    change("wrong parity", format!("to {b}"), &|c| c.at = other);
                }
            }
        }
    }
}

fn order_mutants(program: &Program, buffers: usize, all: &mut Vec<Mutant>) {
    for n in 0..program.ops.len() {
        let name = format!("{buffers}:{n}");
        let later =
            (n + 1..program.ops.len()).find(|&m| program.ops[m].pipe() == program.ops[n].pipe());
        if let Some(m) = later.filter(|&m| program.ops[n] != program.ops[m]) {
            let mut other = program.clone();
            other.ops.swap(n, m);
            all.push(("swap two of a pipe", format!("{name}<>{m}"), other));
        }
        if program.ops[n].works() {
            let mut less = program.clone();
            less.ops.remove(n);
            all.push(("drop work", name, less));
        }
    }
}

fn offsets_swapped(program: &Program, buffers: usize, all: &mut Vec<Mutant>) {
    // Two buffers of a plan on the same bytes, or exchanged for some of their uses.
    let places: Vec<usize> = (0..2 * buffers).map(|b| b * len(buffers)).collect();
    for &n in &places {
        for &m in places.iter().filter(|&&m| m != n) {
            let mut other = program.clone();
            for op in &mut other.ops {
                operands(op).into_iter().filter(|c| c.at == n).for_each(|c| c.at = m);
            }
            all.push(("two buffers on one", format!("{buffers}:{n}->{m}"), other));
            let mut other = program.clone();
            for op in &mut other.ops {
                for c in operands(op) {
                    c.at = if c.at == n {
                        m
                    } else if c.at == m {
                        n
                    } else {
                        c.at
                    };
                }
            }
            all.push(("two buffers exchanged", format!("{buffers}:{n}<>{m}"), other));
        }
    }
}

#[test]
fn a_correct_kernel_is_clean() {
    for buffers in 1..=3 {
        let program = kernel(buffers, buffers + 2);
        assert!(said(&program).0.is_empty(), "{buffers}");
        assert!(fault(&program, ENOUGH).is_none_or(|f| f.is_empty()), "{buffers}");
    }
}

#[test]
fn every_harmful_mistake_in_a_kernel_is_found() {
    let mut survivors = Survivors::default();
    for (buffers, trips) in [(1, 3), (2, 3), (3, 4)] {
        let program = kernel(buffers, trips);
        let (_, redundant) = said(&program);
        let mut all = Vec::new();
        sync_mutants(&program, buffers, &mut all);
        address_mutants(&program, buffers, &mut all);
        order_mutants(&program, buffers, &mut all);
        offsets_swapped(&program, buffers, &mut all);
        for (kind, name, mutant) in all {
            let (said, _) = said(&mutant);
            let noted = redundant
                .iter()
                .any(|label| name.rsplit(['+', ':']).any(|n| label.strip_prefix('i') == Some(n)));
            let truth = fault(&mutant, ENOUGH);
            survivors.judge(kind, &name, &said, truth.as_ref(), noted);
        }
    }
    survivors.pinned(&[
        ("another id", 104, 0, 0),
        ("another pipe", 104, 0, 0),
        ("drop a pair", 28, 24, 0),
        ("drop one sync", 104, 0, 0),
        ("drop work", 20, 10, 0),
        ("duplicate a sync", 104, 0, 0),
        ("larger", 34, 6, 0),
        ("shift an address", 138, 0, 0),
        ("smaller", 12, 12, 0),
        ("swap two of a pipe", 48, 77, 0),
        ("two buffers exchanged", 0, 44, 0),
        ("two buffers on one", 38, 6, 0),
        ("wrong parity", 44, 0, 0),
    ]);
}
