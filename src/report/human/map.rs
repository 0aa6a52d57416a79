//! A picture of a small plan: addresses down, steps across, a letter for each buffer.
//!
//! ```text
//!            0    5
//!         0  AAABBB
//!    65,536  CC....
//! ```
//!
//! Rows are the parts between any two ends of buffers, so the picture is exact although rows are
//! not equally tall.

use std::collections::BTreeSet;

use super::style::{DIM, paint};
use super::view::View;
use crate::model::{Function, FunctionAnswer, Live, ScopeAnswer};
use crate::report::context::offsets;
use crate::report::words;

/// Plans with more buffers, steps or rows are not drawn.
const MOST_BUFFERS: usize = 24;
const MOST_STEPS: u64 = 60;
const MOST_ROWS: usize = 40;

/// A slot of a buffer on the picture.
struct Piece<'a> {
    letter: char,
    start: u64,
    end: u64,
    live: &'a [Live],
}

/// Draws the plan if it is small enough for the view.
pub(super) fn print(
    view: View,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    if answer.buffers.len() > MOST_BUFFERS || answer.buffers.len() < 2 {
        return;
    }
    let ranges = || answer.buffers.iter().flat_map(|(_, live)| live);
    let first = ranges().map(|l| l.start.0).min().unwrap_or(0);
    let last = ranges().map(|l| l.end.0).max().unwrap_or(0);
    let steps = last.saturating_sub(first);
    if steps == 0 || steps > MOST_STEPS {
        return;
    }
    let pieces = pieces(function, f, answer);
    let edges: BTreeSet<u64> = pieces.iter().flat_map(|p| [p.start, p.end]).collect();
    let mut edges: Vec<u64> = std::iter::once(0).chain(edges).collect();
    edges.dedup();
    let label = edges.iter().map(|e| words::number(*e).len()).max().unwrap_or(1) + 4;
    let room = u64::try_from(view.width.saturating_sub(label + 2)).unwrap_or(0);
    let cell = (room / steps).min(3);
    if cell == 0 || edges.len() < 2 || edges.len() > MOST_ROWS {
        return;
    }
    let cell = usize::try_from(cell).unwrap_or(1);
    out.push_str("  map: addresses down, steps across\n");
    out.push_str(&format!("  {}\n", paint(DIM, ruler(first, last, cell, label))));
    let mut shared = false;
    for row in edges.windows(2) {
        let mut line = format!("  {:>label$}  ", words::number(row[0]), label = label - 2);
        for step in first..last {
            let letter = letter(&pieces, row[0], step);
            shared |= letter == '+';
            line.extend(std::iter::repeat_n(letter, cell));
        }
        out.push_str(&format!("{line}\n"));
    }
    out.push_str(&legend(function, answer, shared, view.width));
}

fn pieces<'a>(function: &Function, f: &FunctionAnswer, answer: &'a ScopeAnswer) -> Vec<Piece<'a>> {
    let offsets = offsets(function, &f.plan.placements);
    let mut pieces = Vec::new();
    for ((id, live), letter) in answer.buffers.iter().zip('A'..) {
        let size = function.buffers[*id].size.0;
        for &start in offsets.get(&id.0).copied().unwrap_or_default() {
            let end = start.saturating_add(size);
            if size > 0 {
                pieces.push(Piece { letter, start, end, live });
            }
        }
    }
    pieces
}

/// Who has the byte at that step; `+` for several, `.` for nobody.
fn letter(pieces: &[Piece<'_>], byte: u64, step: u64) -> char {
    let alive = |l: &Live| l.start.0 <= step && step < l.end.0;
    let here = |p: &&Piece<'_>| p.start <= byte && byte < p.end && p.live.iter().any(alive);
    let mut here = pieces.iter().filter(here).map(|p| p.letter);
    match (here.next(), here.next()) {
        (None, _) => '.',
        (Some(letter), None) => letter,
        (Some(_), Some(_)) => '+',
    }
}

/// Step numbers over the first and every fifth step.
fn ruler(first: u64, last: u64, cell: usize, label: usize) -> String {
    let mut line = " ".repeat(label);
    for (at, step) in (first..last).enumerate() {
        let column = label + at * cell;
        if (at == 0 || step.is_multiple_of(5)) && line.len() <= column {
            line.push_str(&" ".repeat(column - line.len()));
            line.push_str(&step.to_string());
        }
    }
    line
}

fn legend(function: &Function, answer: &ScopeAnswer, shared: bool, width: usize) -> String {
    let mut words: Vec<String> = Vec::new();
    for ((id, _), letter) in answer.buffers.iter().zip('A'..) {
        words.push(format!("{letter} {}", words::name(&function.buffers[*id].name)));
    }
    words.push(". free".to_owned());
    if shared {
        words.push("+ two at once (in place or exclusive)".to_owned());
    }
    let mut out = String::new();
    let mut line = String::from("  ");
    for word in words {
        if line.len() + word.len() + 2 > width && line.len() > 2 {
            out.push_str(line.trim_end());
            out.push('\n');
            line = String::from("  ");
        }
        line.push_str(&word);
        line.push_str("  ");
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}
