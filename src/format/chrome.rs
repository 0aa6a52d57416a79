//! The trace event format of Chrome and Perfetto. A tick is shown as a microsecond.

use serde::Serialize;

/// A file of events.
#[derive(Debug, Serialize)]
pub struct Chrome<'a> {
    /// All events.
    #[serde(rename = "traceEvents")]
    pub events: Vec<Event<'a>>,
}

/// One event.
#[derive(Debug, Serialize)]
pub struct Event<'a> {
    /// What it is called.
    pub name: &'a str,
    /// `X`: something that takes time; `M`: the name of a process or thread.
    pub ph: &'static str,
    /// The input.
    pub pid: u64,
    /// The track.
    pub tid: u64,
    /// When it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<u64>,
    /// How long it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dur: Option<u64>,
    /// The name, of `M`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<Name<'a>>,
}

/// The name of a process or thread.
#[derive(Debug, Serialize)]
pub struct Name<'a> {
    /// The name.
    pub name: &'a str,
}
