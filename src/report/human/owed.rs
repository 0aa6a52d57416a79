//! What placements owe, and what it costs.

use super::buffers::more;
use super::table::{Side, Table};
use super::view::View;
use crate::model::{OwedEdge, ReuseLevel, Timeline};
use crate::report::words;

/// What one function owes, after its other lines: a line of numbers, and a table of edges; nothing for
/// a function that owes nothing.
pub fn owed(view: View, edges: &[OwedEdge], timeline: &Timeline, named: bool) -> String {
    let mut out = String::new();
    if edges.is_empty() || view.quiet {
        return out;
    }
    let whose =
        if named { format!(" of `{}`", words::name(&timeline.function)) } else { String::new() };
    let across = edges.iter().filter(|e| e.stall).count();
    let count = words::count(edges.len(), "owed edge");
    let mut line = format!(
        "\n{count}{whose}: {across} across pipes; makespan {} ticks",
        words::number(timeline.makespan)
    );
    if timeline.makespan > timeline.without_reuse {
        line.push_str(&format!(", {} without reuse", words::number(timeline.without_reuse)));
    }
    if timeline.prefix {
        line.push_str(", of the unrolled prefix");
    }
    out.push_str(&format!("{line}\n"));
    table(view, edges, timeline, &mut out);
    out
}

fn table(view: View, edges: &[OwedEdge], timeline: &Timeline, out: &mut String) {
    let mut table = Table::new(&[
        ("first", Side::Left),
        ("second", Side::Left),
        ("buffers", Side::Left),
        ("bytes", Side::Left),
        ("pipes", Side::Left),
        ("across", Side::Left),
        ("ticks lost", Side::Right),
    ]);
    // What costs most first, then what lies between two pipes.
    let lost = |at: usize| timeline.delays.iter().find(|d| d.0 == at).map_or(0, |d| d.1);
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse((lost(at), edges[at].stall)), at));
    let shown = view.rows(edges.len());
    for &at in &order[..shown] {
        let e = &edges[at];
        let later = match e.distance {
            0 => String::new(),
            n => format!(" (+{})", words::count(usize::try_from(n).unwrap_or(usize::MAX), "trip")),
        };
        let bytes = match e.bytes.as_slice() {
            [] => String::new(),
            [one] => format!("{} {one}", words::name(&e.scope)),
            [first, rest @ ..] => {
                format!("{} {first} and {} more", words::name(&e.scope), rest.len())
            }
        };
        let across = if e.stall { "yes" } else { "no" };
        table.row(vec![
            words::name(&e.first),
            format!("{}{later}", words::name(&e.second)),
            format!("{}/{}", words::name(&e.first_buffer), words::name(&e.second_buffer)),
            bytes,
            format!("{}/{}", words::name(&e.pipes.0), words::name(&e.pipes.1)),
            across.to_owned(),
            words::number(lost(at)),
        ]);
    }
    table.print(2, out);
    more(edges.len() - shown, "owed edge", out);
}

/// What a level below `pipe` costs: ``level `lifetime` costs 1.31x of level `pipe`; 80 % of it from
/// `a`/`c` on MTE2/V``. Nothing where nothing is lost.
pub fn price(level: Option<ReuseLevel>, edges: &[OwedEdge], timeline: &Timeline) -> Option<String> {
    let level = level.filter(|&level| level != ReuseLevel::Pipe)?;
    let lost = timeline.makespan.checked_sub(timeline.without_reuse).filter(|&lost| lost > 0)?;
    let whole = u128::from(timeline.without_reuse.max(1));
    let hundredths = (u128::from(timeline.makespan) * 200 + whole) / (whole * 2);
    let mut line = format!(
        "level `{}` costs {}.{:02}x of level `pipe`",
        level.name(),
        hundredths / 100,
        hundredths % 100
    );
    if let Some(&(at, most)) = timeline.delays.first()
        && let Some(e) = edges.get(at)
    {
        let share = (u128::from(most) * 200 + u128::from(lost)) / (u128::from(lost) * 2);
        line.push_str(&format!(
            "; {share} % of it from `{}`/`{}` on {}/{}",
            words::name(&e.first_buffer),
            words::name(&e.second_buffer),
            words::name(&e.pipes.0),
            words::name(&e.pipes.1)
        ));
    }
    Some(line)
}

/// How long it takes, on one line without a line end.
pub(super) fn makespan(timeline: &Timeline) -> String {
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
