//! Owed edges and where the time goes.

use super::style::{DIM, paint};
use super::view::View;
use crate::model::{OwedEdge, Timeline};
use crate::report::context::Input;
use crate::report::words;

/// The owed edges of one input; nothing where there are none.
pub fn owed(view: View, input: Input<'_>, edges: &[OwedEdge]) -> String {
    if edges.is_empty() {
        return String::new();
    }
    let stalls = edges.iter().filter(|edge| edge.stall).count();
    let mut out = format!("\nowed: {}, {stalls} with a stall\n", words::count(edges.len(), "edge"));
    let shown = view.rows(edges.len());
    for edge in edges.iter().take(shown) {
        let bytes: Vec<String> =
            edge.bytes.iter().map(|b| format!("[{}, {})", b.start, b.end)).collect();
        let trips = match edge.distance {
            0 => String::new(),
            n => format!(
                ", {} later",
                words::count(usize::try_from(n).unwrap_or(usize::MAX), "trip")
            ),
        };
        let place = match (input.place(edge.first_loc), input.place(edge.second_loc)) {
            (Some(first), Some(second)) => format!(" ({first}, {second})"),
            _ => String::new(),
        };
        out.push_str(&format!(
            "  `{}` before `{}`{trips}: `{}` and `{}` share {}{}: {}{}\n",
            words::name(&edge.first),
            words::name(&edge.second),
            words::name(&edge.first_buffer),
            words::name(&edge.second_buffer),
            words::name(&edge.scope),
            bytes.join(" "),
            words::name(&edge.edge),
            paint(DIM, place),
        ));
    }
    super::buffers::more(edges.len() - shown, "edge", &mut out);
    out
}

/// How long it takes, on one line without a line end.
pub fn makespan(timeline: &Timeline) -> String {
    let ticks = |n: u64| format!("{} ticks", words::number(n));
    let mut out = ticks(timeline.makespan);
    if timeline.without_reuse < timeline.makespan && timeline.without_reuse > 0 {
        out.push_str(&format!(", {} without reuse", words::number(timeline.without_reuse)));
    }
    if timeline.prefix {
        out.push_str(" of the unrolled prefix");
    }
    out
}
