//! `memplan convert`.

use crate::format::json_hlo::{Convert, Measures};
use crate::report::human::style::{BOLD, DIM, paint};
use crate::report::human::table::{Side, Table};
use crate::report::human::view::View;
use crate::report::words;

/// What the passes did, and what it was good for.
pub fn convert(view: View, body: &Convert) -> String {
    let mut out = format!("{}\n", paint(BOLD, format_args!("`{}`", words::name(&body.name))));
    for pass in &body.passes {
        let word = match (pass.changed, pass.notes.is_empty()) {
            (true, _) => " changed",
            (false, true) => " nothing to do",
            (false, false) => "",
        };
        out.push_str(&format!("{}:{word}\n", paint(BOLD, &pass.pass)));
        if !view.quiet {
            for note in &pass.notes {
                out.push_str(&format!("  {}\n", words::name(note)));
            }
        }
    }
    let mut table = Table::new(&[
        ("", Side::Left),
        ("before", Side::Right),
        ("after", Side::Right),
        ("change", Side::Right),
    ]);
    let numbers = |m: &Measures| {
        [
            ("peak in bytes", m.peak),
            ("temporaries in bytes", m.temp),
            ("copies", m.copies),
            ("bytes copied", m.copy_bytes),
            ("aliased outputs", m.aliases),
            ("nodes outside of space 0", m.spaced),
        ]
    };
    for ((name, before), (_, after)) in numbers(&body.before).into_iter().zip(numbers(&body.after))
    {
        let change = match i128::from(after) - i128::from(before) {
            0 => String::new(),
            n if n > 0 => format!("+{}", words::number(after - before)),
            _ => format!("-{}", words::number(before - after)),
        };
        table.row(vec![name.to_owned(), words::number(before), words::number(after), change]);
    }
    table.print(0, &mut out);
    if view.verbose {
        let line = "peaks are those of the order of the text, values that must share counted once";
        out.push_str(&format!("{}\n", paint(DIM, line)));
    }
    out
}
