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
    /// `X`: something that takes time; `C`: a number from now on; `M`: the name or place of a process or
    /// thread.
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
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<Args<'a>>,
}

/// What else there is to say about an event.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Args<'a> {
    /// Of `M`: the name of a process or thread.
    Name {
        /// The name.
        name: &'a str,
    },
    /// Of `M`: where a process or thread stands among the others.
    Place {
        /// Smaller ones stand above.
        sort_index: u64,
    },
    /// Of `C`: bytes in use.
    Load {
        /// Their number.
        bytes: u64,
    },
    /// Of `X`: a buffer.
    Buffer {
        /// Its ordinal in its function.
        id: u32,
        /// Its first byte; none where it has no place.
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u64>,
        /// Bytes of one slot.
        size: u64,
        /// Which slot, where it has several.
        #[serde(skip_serializing_if = "Option::is_none")]
        slot: Option<usize>,
        /// Where it is written.
        #[serde(skip_serializing_if = "str::is_empty")]
        line: &'a str,
    },
}
