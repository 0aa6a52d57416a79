//! Where the time of a trace goes.

use crate::model::trace::Trace;
use crate::model::{Slice, Timeline};
use crate::runtime::lines::Lines;
use crate::runtime::run::Ran;

/// The bars of a run as a timeline.
pub(super) fn of(trace: &Trace, lines: &Lines<'_>, ran: &Ran, prefix: bool) -> Timeline {
    let slices = ran.bars.iter().map(|bar| Slice {
        track: ran.actors.name(bar.actor).to_owned(),
        name: lines.label(bar.line).to_owned(),
        start: bar.start,
        end: bar.end,
    });
    let _ = trace;
    Timeline {
        function: String::new(),
        makespan: ran.makespan,
        without_reuse: ran.makespan,
        prefix,
        slices: slices.collect(),
        delays: Vec::new(),
    }
}
