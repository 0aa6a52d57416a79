//! The load over time, and who makes its peak.

use super::super::buffers::more;
use super::super::table::{Side, Table};
use super::super::view::View;
use crate::format::json_inspect::{Function, Part, Scope};
use crate::report::words;

/// Contributors shown where not everything is asked for.
const SHOWN: usize = 10;

/// One line for each step at which the load changes.
pub(super) fn curve(view: View, function: &Function, scope: &Scope, out: &mut String) {
    const CELLS: u64 = 40;
    if scope.load.is_empty() || scope.peak_load == 0 {
        return;
    }
    out.push_str(&format!("  load of {}\n", words::name(&scope.name)));
    let full = u128::from(scope.usable.unwrap_or(0).max(scope.peak_load));
    let digits = words::number(scope.peak_load).len();
    let shown = view.rows(scope.load.len());
    let name = |step: u64| {
        let at = usize::try_from(step).ok().and_then(|at| function.steps.get(at));
        at.map(|s| words::name(&s.name)).unwrap_or_default()
    };
    let rows = &scope.load[..shown];
    let wide = rows.iter().map(|[step, _]| name(*step).chars().count()).max().unwrap_or(0).min(30);
    for [step, bytes] in rows {
        let cells = (u128::from(*bytes) * u128::from(CELLS)).div_ceil(full);
        let bar = "█".repeat(usize::try_from(cells).unwrap_or(0));
        let mark = if *bytes == scope.peak_load { " <- peak" } else { "" };
        let number = words::number(*bytes);
        let op: String = name(*step).chars().take(30).collect();
        let op = if wide == 0 { String::new() } else { format!("{op:<wide$}  ") };
        let row = format!("    {step:>6}  {op}{number:>digits$} B  {bar}{mark}");
        out.push_str(&format!("{}\n", row.trim_end()));
    }
    more(scope.load.len() - shown, "step", out);
}

/// The largest buffers at the peak, and the peak by who holds it.
pub(super) fn peak(view: View, scope: &Scope, out: &mut String) {
    if scope.contributors.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("at the peak", Side::Left),
        ("bytes", Side::Right),
        ("of it", Side::Right),
        ("", Side::Left),
        ("line", Side::Right),
    ]);
    let all = scope.contributors.len();
    let shown = if view.verbose || all <= SHOWN + 2 { all } else { SHOWN };
    for c in &scope.contributors[..shown] {
        let mut marks = Vec::new();
        if c.shared {
            marks.push("counted with another".to_owned());
        }
        if c.temporary {
            marks.push("temporary".to_owned());
        }
        if let Some(owner) = &c.owner {
            marks.push(format!("owner {}", words::name(owner)));
        }
        let percent =
            if c.shared { "-".to_owned() } else { words::percent(c.bytes, scope.peak_load) };
        let place =
            c.loc.as_deref().and_then(|l| l.rsplit_once(':')).map_or("", |(place, _)| place);
        let place = place.rsplit_once(':').map_or("", |(_, line)| line);
        table.row(vec![
            words::name(&c.name),
            words::bytes(c.bytes),
            percent,
            marks.join(", "),
            place.to_owned(),
        ]);
    }
    for part in scope.parts.iter().filter(|p| told(scope, p)) {
        table.row(vec![
            format!("= {}", label(part)),
            words::bytes(part.bytes),
            match part.kind {
                "reserved" => String::new(),
                _ => words::percent(part.bytes, scope.peak_load),
            },
            match (part.kind, part.partition) {
                ("reserved", _) => "beside the load".to_owned(),
                (_, Some(bytes)) => {
                    let buffers = buffers(part);
                    format!("{buffers}, partition of {}", words::bytes(bytes))
                }
                _ => buffers(part),
            },
            String::new(),
        ]);
    }
    out.push_str(&format!("  peak of {}\n", words::name(&scope.name)));
    table.print(4, out);
    let left = usize::try_from(scope.contributors_left_out).unwrap_or(usize::MAX);
    more((all - shown).saturating_add(left), "buffer", out);
}

/// A single row of plain buffers would repeat the headline.
fn told(scope: &Scope, part: &Part) -> bool {
    scope.parts.len() > 1 || part.kind != "buffers"
}

fn label(part: &Part) -> String {
    match (part.kind, &part.name) {
        ("owner", Some(name)) => format!("owner {}", words::name(name)),
        ("reserved", Some(name)) => format!("reserved: {}", words::name(name)),
        (kind, _) => kind.to_owned(),
    }
}

fn buffers(part: &Part) -> String {
    words::count(usize::try_from(part.buffers).unwrap_or(usize::MAX), "buffer")
}
