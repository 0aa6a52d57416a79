//! A drawing of a heap (spec/xla-memory.md 8.6).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Heap;
use super::query::placed;
use crate::analyze::hlo::Event;

/// Rows and columns of a drawing, at most; what is larger is a list.
const MAX_CELLS: u64 = 100;

/// Letters of the values, in the order of their ids; they come again after the last.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Draws a heap: a column for each event, a row for each block of bytes, the highest first, with a
/// letter where a value lies and a dot where none does. A block is as large as the greatest common
/// divisor of all offsets and ends. A heap of more than 100 rows or columns is told value by value
/// instead, by offset.
///
/// ```text
///   64 ..aa.
///   32 .bbb.
///    0 cccc.
/// ```
pub fn map(events: &[Event], heap: &Heap) -> String {
    let placed = placed(events, heap);
    let block =
        placed.iter().fold(0, |block, (_, chunk)| gcd(gcd(block, chunk.offset), chunk.end()));
    let rows = heap.size.checked_div(block).unwrap_or(0);
    if rows == 0 || rows > MAX_CELLS || events.len() as u64 > MAX_CELLS {
        return list(events, heap);
    }
    let ids: BTreeSet<_> = placed.iter().map(|(member, _)| member.value).collect();
    let letters: BTreeMap<_, u8> = ids.into_iter().zip(LETTERS.iter().copied().cycle()).collect();
    let mut cells = vec![vec![b'.'; events.len()]; rows as usize];
    for (member, chunk) in &placed {
        let letter = letters.get(&member.value).copied().unwrap_or(b'?');
        for row in chunk.offset / block..chunk.end() / block {
            let line = &mut cells[row as usize];
            let end = line.len().min(member.end as usize + 1);
            line[member.start as usize..end].fill(letter);
        }
    }
    let width = heap.size.saturating_sub(block).to_string().len();
    let mut out = String::new();
    for (row, line) in cells.iter().enumerate().rev() {
        let line: String = line.iter().map(|&cell| char::from(cell)).collect();
        let _ = writeln!(out, "{:>width$} {line}", row as u64 * block);
    }
    out
}

/// One line for each value: its bytes and its life.
fn list(events: &[Event], heap: &Heap) -> String {
    let mut placed = placed(events, heap);
    placed.sort_by_key(|(member, chunk)| (chunk.offset, member.start, member.value));
    let mut out = String::new();
    for (member, chunk) in placed {
        let (value, start, end) = (member.value.0, member.start, member.end);
        let (from, to) = (chunk.offset, chunk.end());
        let _ = writeln!(out, "value {value}: bytes {from}..{to}, steps {start}..={end}");
    }
    out
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
