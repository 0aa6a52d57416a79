//! Timelines as a file for trace viewers (`chrome://tracing`, Perfetto): inputs are processes,
//! tracks are threads.

mod memory;

use std::collections::BTreeMap;

pub use memory::memory;

use crate::format::chrome::{Args, Chrome, Event};
use crate::model::Timeline;

/// All timelines in one file.
///
/// # Errors
/// Never: the keys are strings.
pub fn chrome(timelines: &[(String, Timeline)]) -> serde_json::Result<String> {
    let mut events = Vec::new();
    for (pid, (name, timeline)) in (1..).zip(timelines) {
        let named = |what, tid, name| Event {
            name: what,
            ph: "M",
            pid,
            tid,
            ts: None,
            dur: None,
            args: Some(Args::Name { name }),
        };
        events.push(named("process_name", 0, name.as_str()));
        // Tracks in the order in which they appear.
        let mut tracks: BTreeMap<&str, u64> = BTreeMap::new();
        let mut slices = Vec::with_capacity(timeline.slices.len());
        for slice in &timeline.slices {
            let next = u64::try_from(tracks.len()).unwrap_or(u64::MAX).saturating_add(1);
            let tid = *tracks.entry(slice.track.as_str()).or_insert(next);
            if tid == next {
                events.push(named("thread_name", tid, slice.track.as_str()));
            }
            slices.push(Event {
                name: slice.name.as_str(),
                ph: "X",
                pid,
                tid,
                ts: Some(slice.start),
                dur: Some(slice.end.saturating_sub(slice.start)),
                args: None,
            });
        }
        events.append(&mut slices);
    }
    let mut text = serde_json::to_string(&Chrome { events })?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Slice;

    #[test]
    fn tracks_are_threads_of_their_input() {
        let slice = |track: &str, start, end| Slice {
            track: track.to_owned(),
            name: format!("op\"{start}"),
            start,
            end,
        };
        let slices = vec![slice("MTE2", 0, 10), slice("V", 10, 12), slice("MTE2", 10, 20)];
        let timeline = Timeline { slices, ..Timeline::default() };
        let all = [("a.toml".to_owned(), timeline.clone()), ("b.toml".to_owned(), timeline)];
        let text = chrome(&all).expect("JSON");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let events = value["traceEvents"].as_array().expect("events");
        assert_eq!(events.len(), 2 * (1 + 2 + 3));
        let last = &events[11];
        assert_eq!(last["pid"], 2);
        assert_eq!((&last["tid"], &last["ts"], &last["dur"]), (&1.into(), &10.into(), &10.into()));
        assert_eq!(events[1]["args"]["name"], "MTE2");
    }
}
