//! The rungs of the ladder that were tried.

use super::table::{Side, Table};
use crate::model::{Attempt, AttemptEnd};
use crate::report::words;

/// Prints one row for each attempt.
pub(super) fn print(attempts: &[Attempt], out: &mut String) {
    if attempts.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("level", Side::Left),
        ("solver", Side::Left),
        ("end", Side::Left),
        ("peak", Side::Right),
        ("bound", Side::Right),
        ("nodes", Side::Right),
        ("note", Side::Left),
    ]);
    for a in attempts {
        let note = match (&a.end, &a.note) {
            (AttemptEnd::Skipped(reason), _) => reason.clone(),
            (_, note) => note.clone().unwrap_or_default(),
        };
        table.row(vec![
            a.level.map_or("-", |l| l.name()).to_owned(),
            a.solver.clone(),
            words::attempt_end(&a.end).to_owned(),
            a.peak.map_or("-".to_owned(), words::number),
            words::number(a.bound),
            words::number(a.nodes),
            words::name(&note),
        ]);
    }
    out.push_str("  attempts\n");
    table.print(4, out);
}
