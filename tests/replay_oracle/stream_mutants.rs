//! Mistakes in programs of streams and pools.

use memplan::model::machine::Machine;
use memplan::verify::trace::{Options, trace as check};

use super::classes::{self, Classes};
use super::stream_oracle::faults;
use super::stream_program::{Act, CELLS, Cells, Line, Object, Program};
use super::survivors::Survivors;

fn said(program: &Program) -> Classes {
    let machine = Machine::named("910B3").expect("a known chip");
    classes::of(&check(&program.trace(), &machine, &Options::default()))
}

fn cells(object: Object, at: usize, value: usize) -> Cells {
    Cells { object, at, len: 1, value: value as u16, from: 0 }
}

fn program(pools: usize, acts: Vec<Act>) -> Program {
    let lines = acts.into_iter().map(|act| Line { thread: 0, act }).collect();
    Program { threads: 1, streams: 3, pools, events: true, lines }
}

/// Two buffers in turn: stream 0 fills, stream 1 computes, the host reads what stream 1 wrote.
fn pipeline() -> Program {
    let mut acts = Vec::new();
    let buffer = |at, value| cells(Object::Buffer, at, value);
    for trip in 0..3 {
        let b = trip % 2;
        let (x, y) = (buffer(b, 2 * trip + 1), buffer(2 + b, 2 * trip + 2));
        if trip >= 2 {
            acts.push(Act::Wait { event: 2 + b, stream: 0 });
        }
        acts.push(Act::Kernel { stream: 0, reads: vec![], writes: vec![x] });
        acts.push(Act::Record { event: b, stream: 0 });
        acts.push(Act::Wait { event: b, stream: 1 });
        acts.push(Act::Kernel { stream: 1, reads: vec![x], writes: vec![y] });
        acts.push(Act::Record { event: 2 + b, stream: 1 });
        acts.push(Act::EventSync(2 + b));
        acts.push(Act::HostRead(y));
    }
    program(0, acts)
}

/// A block made on stream 0, read on stream 1, given back there, and taken again by stream 2.
fn chain() -> Program {
    let block = |p, value| cells(Object::Pointer(p), 0, value);
    let kernel = |stream, reads: &[Cells], writes: &[Cells]| Act::Kernel {
        stream,
        reads: reads.to_vec(),
        writes: writes.to_vec(),
    };
    program(
        1,
        vec![
            Act::Alloc { pointer: 0, pool: 0, stream: 0 },
            kernel(0, &[], &[block(0, 1)]),
            Act::Record { event: 0, stream: 0 },
            Act::Wait { event: 0, stream: 1 },
            kernel(1, &[block(0, 1)], &[]),
            Act::Free { pointer: 0, stream: Some(1) },
            Act::Record { event: 1, stream: 1 },
            Act::Wait { event: 1, stream: 2 },
            Act::Alloc { pointer: 1, pool: 0, stream: 2 },
            kernel(2, &[], &[block(1, 2)]),
            kernel(2, &[block(1, 2)], &[]),
            Act::Free { pointer: 1, stream: Some(2) },
            Act::Alloc { pointer: 2, pool: 0, stream: 2 },
            kernel(2, &[], &[block(2, 3)]),
            Act::StreamSync(2),
            Act::Free { pointer: 2, stream: None },
        ],
    )
}

type Mutant = (&'static str, String, Program);

fn mutants(program: &Program) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = Vec::new();
    for n in 0..program.lines.len() {
        let act = &program.lines[n].act;
        let mut add = |kind, name: String, change: &dyn Fn(&mut Program)| {
            let mut other = program.clone();
            change(&mut other);
            if other.makes_sense() {
                all.push((kind, format!("{n} {name}"), other));
            }
        };
        let kind = match act {
            Act::Free { .. } => "drop a free",
            Act::Alloc { .. } => "drop an alloc",
            act if act.is_sync() => "drop a sync",
            _ => "drop work",
        };
        add(kind, String::new(), &|p| drop(p.lines.remove(n)));
        if act.is_sync() {
            add("duplicate a sync", String::new(), &|p| {
                p.lines.insert(n, p.lines[n].clone());
            });
        }
        if n + 1 < program.lines.len() {
            add("swap two lines", String::new(), &|p| p.lines.swap(n, n + 1));
        }
        for s in (0..3).filter(|&s| act.stream().is_some_and(|own| own != s)) {
            add("another stream", format!("to {s}"), &|p| match &mut p.lines[n].act {
                Act::Kernel { stream, .. }
                | Act::Record { stream, .. }
                | Act::Wait { stream, .. }
                | Act::Alloc { stream, .. } => *stream = s,
                Act::Free { stream, .. } => *stream = Some(s),
                _ => {}
            });
        }
        if let Act::Record { event, .. } | Act::Wait { event, .. } | Act::EventSync(event) = act {
            for e in (0..4).filter(|e| e != event) {
                add("another event", format!("to {e}"), &|p| match &mut p.lines[n].act {
                    Act::Record { event, .. } | Act::Wait { event, .. } => *event = e,
                    Act::EventSync(event) => *event = e,
                    _ => {}
                });
            }
        }
        if matches!(act, Act::Free { .. } | Act::Alloc { .. }) {
            for m in (0..program.lines.len()).filter(|m| *m != n) {
                let kind = if m < n { "free or alloc earlier" } else { "free or alloc later" };
                add(kind, format!("at {m}"), &|p| {
                    let line = p.lines.remove(n);
                    p.lines.insert(m, line);
                });
            }
            add("free at once", String::new(), &|p| {
                if let Act::Free { stream, .. } = &mut p.lines[n].act {
                    *stream = None;
                }
            });
        }
        for by in [1, 2] {
            let shift = |c: &mut Cells| c.at = (c.at + by) % CELLS;
            add("shift a read", format!("by {by}"), &|p| match &mut p.lines[n].act {
                Act::Kernel { reads, .. } => reads.iter_mut().for_each(shift),
                Act::HostRead(c) => shift(c),
                _ => {}
            });
            add("shift a write", format!("by {by}"), &|p| {
                if let Act::Kernel { writes, .. } = &mut p.lines[n].act {
                    writes.iter_mut().for_each(shift);
                }
            });
        }
    }
    all.retain(|(_, _, mutant)| mutant != program);
    all
}

fn judged(program: &Program) -> Survivors {
    assert!(said(program).is_empty());
    assert!(faults(program, false).is_some_and(|f| f.is_empty()));
    let mut survivors = Survivors::default();
    for (kind, name, mutant) in mutants(program) {
        let truth = faults(&mutant, false);
        survivors.judge(kind, &name, &said(&mutant), truth.as_ref(), false);
    }
    survivors
}

#[test]
fn every_harmful_mistake_in_a_pipeline_of_streams_is_found() {
    judged(&pipeline()).pinned(&[
        ("another event", 36, 3, 0),
        ("another stream", 27, 5, 0),
        ("drop a sync", 12, 1, 0),
        ("drop work", 2, 7, 0),
        ("duplicate a sync", 0, 13, 0),
        ("shift a read", 4, 8, 0),
        ("shift a write", 4, 8, 0),
        ("swap two lines", 18, 3, 0),
    ]);
}

#[test]
fn every_harmful_mistake_with_blocks_of_a_pool_is_found() {
    judged(&chain()).pinned(&[
        ("another event", 12, 0, 0),
        ("another stream", 28, 0, 0),
        ("drop a free", 2, 1, 0),
        ("drop a sync", 5, 0, 0),
        ("drop work", 2, 3, 0),
        ("duplicate a sync", 0, 5, 0),
        ("free at once", 2, 0, 0),
        ("free or alloc earlier", 28, 0, 0),
        ("free or alloc later", 14, 0, 0),
        ("shift a read", 4, 0, 0),
        ("shift a write", 4, 2, 0),
        ("swap two lines", 12, 0, 0),
    ]);
}
