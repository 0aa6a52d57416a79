//! Answers as a person reads them: the verdict first, then one line of numbers for each scope,
//! then tables, then advice. Colour is always written; the stream strips it.

mod allocations;
mod attempts;
mod bar;
mod bench;
mod buffers;
mod diagnosis;
mod gate;
mod hlo;
mod inspect;
mod kernels;
mod map;
mod overflow;
mod owed;
mod placed;
mod replay;
mod reuse;
mod scope;
mod solve;
mod style;
mod table;
mod verify;
mod view;
mod whatif;

#[cfg(test)]
mod tests;

pub use bench::{bench, bench_markdown};
pub use diagnosis::fragmentation;
pub use gate::{changes, gate, gate_markdown, gate_rows};
pub use hlo::{convert, diff, schedule, stats, totals};
pub use inspect::inspect;
pub use kernels::kernels;
pub use owed::{owed, price};
pub use placed::placed;
pub use replay::replay;
pub use solve::{solve, summary};
pub use verify::{judged, taken, verify};
pub use view::View;
pub use whatif::{what_if, what_if_markdown};
