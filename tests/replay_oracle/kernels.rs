//! Correct kernels: load, compute, store, over one, two or three buffers on each side.

use super::core_program::{Cells, Op, Program};

const V: usize = 1;
const LOAD: usize = 2;
const STORE: usize = 3;

/// Cells of each buffer.
pub(crate) fn len(buffers: usize) -> usize {
    if buffers > 2 { 1 } else { 2 }
}

/// Where the inputs and the outputs of each buffer begin.
pub(crate) fn input(buffers: usize, buffer: usize) -> usize {
    buffer * len(buffers)
}

pub(crate) fn output(buffers: usize, buffer: usize) -> usize {
    (buffers + buffer) * len(buffers)
}

/// The loop, unrolled. Flags of a buffer have its number: `LOAD` to `V` says that the input is there,
/// `V` to `LOAD` that it is free again; `V` to `STORE` and back the same of the output.
pub(crate) fn kernel(buffers: usize, trips: usize) -> Program {
    let mut ops = Vec::new();
    let id = |b: usize| b as u32;
    for b in 0..buffers {
        ops.push(Op::Set { from: V, to: LOAD, id: id(b) });
        ops.push(Op::Set { from: STORE, to: V, id: id(b) });
    }
    for trip in 0..trips {
        let b = trip % buffers;
        let cells =
            |at: usize, value: usize| Cells { at, len: len(buffers), value: value as u16, from: 0 };
        let (x, y) = (2 * trip + 1, 2 * trip + 2);
        let (from, to) = (cells(input(buffers, b), x), cells(output(buffers, b), y));
        ops.push(Op::Wait { from: V, to: LOAD, id: id(b) });
        ops.push(Op::Work { pipe: LOAD, reads: vec![], writes: vec![from] });
        ops.push(Op::Set { from: LOAD, to: V, id: id(b) });
        ops.push(Op::Wait { from: LOAD, to: V, id: id(b) });
        ops.push(Op::Wait { from: STORE, to: V, id: id(b) });
        ops.push(Op::Work { pipe: V, reads: vec![from], writes: vec![to] });
        ops.push(Op::Set { from: V, to: LOAD, id: id(b) });
        ops.push(Op::Set { from: V, to: STORE, id: id(b) });
        ops.push(Op::Wait { from: V, to: STORE, id: id(b) });
        ops.push(Op::Work { pipe: STORE, reads: vec![to], writes: vec![] });
        ops.push(Op::Set { from: STORE, to: V, id: id(b) });
    }
    for b in 0..buffers {
        ops.push(Op::Wait { from: V, to: LOAD, id: id(b) });
        ops.push(Op::Wait { from: STORE, to: V, id: id(b) });
    }
    Program { ops }
}
