//! `memplan diff`.

use super::stats::rows;
use crate::format::json_hlo::Diff;
use crate::report::human::style::{BOLD, DIM, paint};
use crate::report::human::table::{Side, Table};
use crate::report::human::view::View;
use crate::report::words;

/// Rows of the table of values unless everything is asked for.
const ROWS: usize = 20;

/// Which totals differ, and which values make the difference of the peaks.
pub fn diff(view: View, body: &Diff) -> String {
    let (a, b) = (&body.a, &body.b);
    let change = match body.delta {
        0 => "the same peak".to_owned(),
        n if n > 0 => format!("{} more", words::bytes(n.unsigned_abs())),
        n => format!("{} less", words::bytes(n.unsigned_abs())),
    };
    let mut out = format!(
        "{} against {}: peak {} against {}: {change}\n",
        paint(BOLD, words::name(&b.input)),
        words::name(&a.input),
        words::number(b.peak),
        words::bytes(a.peak),
    );
    if view.quiet {
        return out;
    }
    let mut totals = Table::new(&[
        ("", Side::Left),
        ("A", Side::Right),
        ("B", Side::Right),
        ("B - A", Side::Right),
    ]);
    let mut differs = false;
    for ((name, x), (_, y)) in rows(&a.memory).into_iter().zip(rows(&b.memory)) {
        if x != y {
            differs = true;
            let (x, y) = (i128::from(x), i128::from(y));
            totals.row(vec![name.to_owned(), signed(x), signed(y), signed(y - x)]);
        }
    }
    if differs {
        totals.print(2, &mut out);
    }
    let shown = if view.verbose { body.values.len() } else { body.values.len().min(ROWS) };
    if shown > 0 {
        let mut table = Table::new(&[
            ("alive at the peak", Side::Left),
            ("A", Side::Right),
            ("B", Side::Right),
            ("B - A", Side::Right),
            ("where", Side::Left),
            ("values", Side::Left),
        ]);
        for value in &body.values[..shown] {
            let few: Vec<&str> = value.values.iter().take(3).map(String::as_str).collect();
            let more = if value.values.len() > few.len() { " .." } else { "" };
            table.row(vec![
                words::name(&value.name),
                words::number(value.a),
                words::number(value.b),
                signed(i128::from(value.delta)),
                value.loc.as_deref().map(words::name).unwrap_or_default(),
                words::name(&format!("{}{more}", few.join(" "))),
            ]);
        }
        table.print(2, &mut out);
    }
    if shown < body.values.len() {
        let line = format!("and {} more (-v)", body.values.len() - shown);
        out.push_str(&format!("  {}\n", paint(DIM, line)));
    }
    out
}

/// A number with its sign.
fn signed(n: i128) -> String {
    let size = words::number(u64::try_from(n.unsigned_abs()).unwrap_or(u64::MAX));
    if n < 0 { format!("-{size}") } else { size }
}
