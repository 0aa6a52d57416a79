//! All plans of straight-line programs on whole buffers, tried one after another.

use std::collections::BTreeSet;

use super::tree::{Elem, MemTy, Program, Step, Val, Way};

/// When a buffer's bytes matter: by statement, half steps after it.
#[derive(Clone, Debug)]
struct Need {
    size: u64,
    /// Points in time: `2 n` while statement `n` reads, `2 n + 1` while and after it writes.
    at: BTreeSet<u64>,
}

/// The smallest peak of any plan, in bytes; none for programs that this is not made for: they must be
/// straight lines of elementwise ops, loads and stores on whole buffers of UB.
///
/// A buffer may take the bytes of an operand that dies where it is written, element on element.
pub(crate) fn optimum(program: &Program) -> Option<u64> {
    let mut buffers: Vec<(Val, Need)> = Vec::new();
    let mut inplace: BTreeSet<(Val, Val)> = BTreeSet::new();
    for step in &program.body {
        if let Step::Alloc { out, marks } = step {
            let ty = program.mem(*out);
            (marks.is_empty() && ty.layout.is_none() && ty.elem != Elem::I1).then_some(())?;
            let size = ty.bytes().next_multiple_of(32);
            buffers.push((*out, Need { size, at: BTreeSet::new() }));
        }
    }
    (program.returns.is_empty() && buffers.len() <= 6).then_some(())?;
    for (at, step) in (0u64..).zip(&program.body) {
        match step {
            Step::Alloc { .. } => {}
            Step::Act(act) if act.temp.is_none() => {
                for out in &act.outs {
                    let own = program.mem(*out);
                    let fits = |v: &&Val| program.is_mem(**v) && covers(program.mem(**v), own);
                    if act.way == Way::Elementwise {
                        inplace.extend(act.ins.iter().filter(fits).map(|v| (*out, *v)));
                    }
                }
                (act.way == Way::Elementwise || matches!(act.name, "load" | "store"))
                    .then_some(())?;
                for (value, need) in &mut buffers {
                    if act.ins.contains(value) {
                        hold(program, *value, at, need);
                    }
                    if act.outs.contains(value) {
                        need.at.insert(2 * at + 1);
                    }
                }
            }
            _ => return None,
        }
    }
    let mut best = buffers.iter().map(|(_, n)| n.size).sum::<u64>();
    let mut placed = Vec::new();
    place(&buffers, &inplace, &mut placed, &mut best);
    Some(best)
}

/// True when element `i` of a result lies on element `i` of an operand, or on one before it.
fn covers(operand: &MemTy, result: &MemTy) -> bool {
    let (from, to) = (operand.elem.bits(), result.elem.bits());
    operand.sizes == result.sizes && (from == to || (from > to && result.sizes.len() < 2))
}

/// From its last write before statement `at` up to it, the bytes are needed.
fn hold(program: &Program, value: Val, at: u64, need: &mut Need) {
    let writes = (0u64..).zip(&program.body).take_while(|(n, _)| *n < at);
    let writes = writes.filter(|(_, s)| matches!(s, Step::Act(a) if a.outs.contains(&value)));
    let from = writes.last().map_or(2 * at, |(n, _)| 2 * n + 1);
    need.at.extend(from..=2 * at);
}

/// True when two buffers cannot share a byte, or only all of them from the first one on.
fn together(
    (a, x): &(Val, Need),
    (b, y): &(Val, Need),
    inplace: &BTreeSet<(Val, Val)>,
) -> Option<bool> {
    let common: Vec<u64> = x.at.intersection(&y.at).copied().collect();
    if !common.is_empty() {
        return Some(false);
    }
    // What is read by the statement that writes the other: only element on element.
    let touch = |r: &Need, w: &Need| {
        r.at.iter().any(|t| t % 2 == 0 && w.at.contains(&(t + 1)) && !r.at.contains(&(t + 1)))
    };
    let (forth, back) = (touch(x, y), touch(y, x));
    if !forth && !back {
        return None;
    }
    let allowed = (!forth || inplace.contains(&(*b, *a))) && (!back || inplace.contains(&(*a, *b)));
    Some(allowed)
}

/// Tries every place for the next buffer.
fn place(
    buffers: &[(Val, Need)],
    inplace: &BTreeSet<(Val, Val)>,
    placed: &mut Vec<u64>,
    best: &mut u64,
) {
    let peak = placed.iter().zip(buffers).map(|(o, (_, n))| o + n.size).max().unwrap_or(0);
    if peak >= *best && placed.len() < buffers.len() {
        return;
    }
    let Some(mine) = buffers.get(placed.len()) else {
        *best = (*best).min(peak);
        return;
    };
    let mut at = 0;
    while at + mine.1.size < *best || at == 0 {
        let clear = placed.iter().zip(buffers).all(|(&o, other)| {
            let apart = at + mine.1.size <= o || o + other.1.size <= at;
            apart
                || match together(mine, other, inplace) {
                    None => true,
                    Some(element_on_element) => element_on_element && o == at,
                }
        });
        if clear {
            placed.push(at);
            place(buffers, inplace, placed, best);
            placed.pop();
        }
        at += 32;
    }
}
