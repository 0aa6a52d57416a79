//! Annotations of GitHub Actions, and a line of the log for each case.

use super::run::Run;
use super::{count, page};
use crate::diag::{Place, Severity};
use crate::model::Remark;
use crate::report::words;

/// Annotations of one severity that GitHub shows for a step; the others stand in the log alone.
const SHOWN: usize = 10;

/// The cases first, then the annotations, the worst first.
pub(super) fn github(run: &Run) -> String {
    let mut out = String::new();
    for case in &run.cases {
        let summary = case.summary.as_deref().unwrap_or_default();
        let dash = if summary.is_empty() { "" } else { ": " };
        // A line of the log must not begin like a command.
        out.push_str(&format!(
            "memplan: {} `{}`: {}{dash}{}\n",
            words::name(&case.input),
            words::name(case.name(run.command)),
            case.outcome.name(),
            words::name(summary)
        ));
    }
    let all = run.by_severity();
    for remark in all.iter().filter(|r| r.severity > Severity::Note) {
        out.push_str(&annotation(remark));
    }
    // Before the notes, so that it is among those shown.
    out.push_str(&closing(run));
    for remark in all.iter().filter(|r| r.severity == Severity::Note) {
        out.push_str(&annotation(remark));
    }
    out.push_str(&format!("memplan {}: {}\n", run.command, count::verdict(run)));
    out
}

fn annotation(remark: &Remark) -> String {
    let command = match remark.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut keys = Vec::new();
    match &remark.place {
        Some(place) => keys = located(place),
        None if !remark.input.is_empty() => keys.push(("file", file(&remark.input))),
        None => {}
    }
    keys.push(("title", format!("memplan ({})", page::short(remark.code))));
    let keys: Vec<String> =
        keys.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
    format!("::{command} {}::{}\n", keys.join(","), data(&message(remark)))
}

/// Lines are inclusive, and columns stand on one line or not at all.
fn located(place: &Place) -> Vec<(&'static str, String)> {
    let ends_before = place.end_column <= 1 && place.end_line > place.line;
    let end_line = if ends_before { place.end_line - 1 } else { place.end_line };
    let mut keys = vec![
        ("file", file(&place.file)),
        ("line", place.line.to_string()),
        ("endLine", end_line.to_string()),
    ];
    if place.end_line == place.line {
        let last = place.end_column.saturating_sub(1).max(place.column);
        keys.push(("col", place.column.to_string()));
        keys.push(("endColumn", last.to_string()));
    }
    keys
}

fn file(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

fn message(remark: &Remark) -> String {
    let mut out = remark.message.clone();
    let said = |function: &&String| remark.message.contains(&format!("`{function}`"));
    if let Some(function) = remark.function.as_ref().filter(|f| !said(f)) {
        let scope = remark.scope.as_ref().map_or(String::new(), |s| format!(", {s}"));
        out.push_str(&format!(" (`{function}`{scope})"));
    }
    for (place, word) in &remark.related {
        let dash = if word.is_empty() { "" } else { ": " };
        out.push_str(&format!("\nsee {place}{dash}{word}"));
    }
    if let Some(witness) = &remark.witness {
        out.push_str(&format!("\nsee it: {witness}"));
    }
    if let Some(help) = &remark.help {
        out.push_str(&format!("\nhelp: {help}"));
    }
    out
}

/// A notice of what GitHub does not show.
fn closing(run: &Run) -> String {
    let (errors, warnings) = (run.count(Severity::Error), run.count(Severity::Warning));
    if errors.max(warnings) <= SHOWN {
        return String::new();
    }
    let counts = [(errors, "error"), (warnings, "warning")];
    let counts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| words::count(*n, word)).collect();
    let text = format!(
        "{} in all; GitHub shows {SHOWN} of each for a step, the log has them all",
        words::and(&counts)
    );
    format!("::notice title=memplan::{}\n", data(&text))
}

/// The message of a command: line ends are spelled, other control characters escaped.
fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// A property of a command: its separators are spelled, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use quickcheck::quickcheck;

    fn plain(severity: Severity, message: &str, place: Option<Place>) -> Remark {
        Remark {
            code: Code::PlanOverflow,
            severity,
            message: message.to_owned(),
            help: None,
            input: "a.toml".to_owned(),
            function: None,
            scope: None,
            buffers: Vec::new(),
            place,
            related: Vec::new(),
            witness: None,
        }
    }

    #[test]
    fn columns_stand_on_one_line_or_not_at_all() {
        let place = |end_line, end_column| Place {
            file: "./a,b.toml".to_owned(),
            line: 2,
            column: 3,
            end_line,
            end_column,
        };
        let keys = |p: Place| annotation(&plain(Severity::Error, "m", Some(p)));
        let title = "title=memplan (plan%3A%3Aoverflow)::m\n";
        let head = "::error file=a%2Cb.toml,line=2";
        assert_eq!(keys(place(2, 7)), format!("{head},endLine=2,col=3,endColumn=6,{title}"));
        assert_eq!(keys(place(2, 3)), format!("{head},endLine=2,col=3,endColumn=3,{title}"));
        assert_eq!(keys(place(4, 2)), format!("{head},endLine=4,{title}"));
        assert_eq!(keys(place(4, 1)), format!("{head},endLine=3,{title}"));
    }

    #[test]
    fn more_than_are_shown_is_said_before_the_notes() {
        let mut general = vec![plain(Severity::Note, "n", None)];
        general.extend(vec![plain(Severity::Warning, "w", None); 11]);
        general.push(plain(Severity::Error, "e", None));
        let out = github(&Run { command: "verify", exit: 1, general, ..Run::default() });
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with("::error "), "{out}");
        assert!(lines[12].contains("1 error and 11 warnings in all"), "{out}");
        assert!(lines[13].starts_with("::notice file=a.toml,"), "{out}");
        assert_eq!(lines.len(), 15, "{out}");
    }

    quickcheck! {
        fn a_remark_is_one_line_whatever_it_says(message: String, file: String) -> bool {
            let place = Place { file, line: 1, column: 1, end_line: 1, end_column: 1 };
            let out = annotation(&plain(Severity::Error, &message, Some(place)));
            let body = out.strip_suffix('\n').unwrap_or_default();
            let keys = body.split("::").nth(1).unwrap_or_default();
            !body.contains(char::is_control) && keys.split(',').count() == 6
        }
    }
}
