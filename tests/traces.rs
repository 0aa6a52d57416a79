//! Traces: what the reader promises.

#[path = "traces/forms.rs"]
mod forms;
#[path = "traces/lines.rs"]
mod lines;
#[path = "traces/machines.rs"]
mod machines;
#[path = "traces/names.rs"]
mod names;
#[path = "traces/rows.rs"]
mod rows;

use memplan::diag::{Diagnostic, Sources};
use memplan::front::trace;
use memplan::model::trace::Trace;

/// A text that must be a trace.
#[track_caller]
fn good(text: &str) -> Trace {
    match read(text) {
        Ok(trace) => trace,
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
}

/// The codes, places and messages of a text that must be none: `unknown_key 3: `free` has no key`.
#[track_caller]
fn wrong(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("t", text);
    let errors = trace::read(&sources, file).expect_err(text);
    let shown = |d: &Diagnostic| {
        let name = d.code.name().rsplit("trace_").next().unwrap_or_default();
        let line = d.labels.first().map_or("?".to_owned(), |l| sources.place(l.loc));
        let help = d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
        format!("{name} {line}: {}{help}", d.message)
    };
    errors.iter().map(shown).collect()
}

fn read(text: &str) -> Result<Trace, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("t", text);
    trace::read(&sources, file)
}
