//! Memory as a trace: scopes are counters, buffers are slices, pipes are tracks.
//!
//! A function is two processes, because it has two times: its memory, where a step is shown as a
//! microsecond, and its pipes, where a tick is. A track holds the buffers that begin at one address.

use std::collections::BTreeMap;

use crate::format::chrome::{Args, Chrome, Event};
use crate::format::picture::{Map, Pipes};
use crate::report::picture::{Drawn, Picture, Piece};
use crate::report::words;

/// Buffers of one address that are alive at once (in place, exclusive) lie on tracks of their own: for
/// each track when it is free again, and its number.
type Tracks = BTreeMap<u64, Vec<(u64, u64)>>;

/// One file for all pictures.
///
/// # Errors
/// Never: the keys are strings.
pub fn memory(pictures: &[Picture<'_>]) -> serde_json::Result<String> {
    let functions = || pictures.iter().flat_map(|p| p.functions.iter().map(move |f| (p, f)));
    // Names are made first: events point at them.
    let all: Vec<Told<'_>> =
        functions().zip(0..).map(|((picture, drawn), at)| Told::of(picture, drawn, at)).collect();
    let mut events = Vec::new();
    all.iter().for_each(|told| told.events(&mut events));
    let mut text = serde_json::to_string(&Chrome { events })?;
    text.push('\n');
    Ok(text)
}

/// One function with the names of its processes and tracks.
struct Told<'a> {
    /// The number of the process of its memory; that of its pipes is the next.
    pid: u64,
    memory: String,
    pipes: String,
    scopes: Vec<Scope<'a>>,
    timeline: Option<&'a Pipes>,
}

/// One scope with its slices.
struct Scope<'a> {
    map: &'a Map,
    counter: String,
    /// Numbers and names of tracks, those at higher addresses above.
    tracks: Vec<(u64, String)>,
    slices: Vec<(u64, Piece)>,
}

impl<'a> Told<'a> {
    fn of(picture: &Picture<'a>, drawn: &'a Drawn<'a>, at: u64) -> Self {
        let name = format!("{} {}", picture.input.name, words::name(&drawn.answer.name));
        let mut next = 1;
        Self {
            pid: 2 * at + 1,
            memory: format!("{name}: memory by step"),
            pipes: format!("{name}: pipes by tick"),
            scopes: drawn.sheet.maps.iter().map(|map| Scope::of(map, &mut next)).collect(),
            timeline: drawn.sheet.pipes.as_ref(),
        }
    }

    fn events<'b>(&'b self, events: &mut Vec<Event<'b>>) {
        name_process(events, self.pid, &self.memory);
        for scope in &self.scopes {
            scope.events(self.pid, events);
        }
        let Some(pipes) = self.timeline else { return };
        let pid = self.pid + 1;
        name_process(events, pid, &self.pipes);
        for (tid, track) in (1..).zip(&pipes.tracks) {
            name_track(events, (pid, tid), track, tid);
        }
        for (at, start) in pipes.start.iter().enumerate() {
            let place = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
            let name = pipes.words.get(place(pipes.name[at])).map_or("", String::as_str);
            let dur = Some(pipes.end[at].saturating_sub(*start));
            let tid = u64::from(pipes.track[at]) + 1;
            events.push(Event { name, ph: "X", pid, tid, ts: Some(*start), dur, args: None });
        }
    }
}

impl<'a> Scope<'a> {
    /// A scope whose tracks have numbers from `next` on.
    fn of(map: &'a Map, next: &mut u64) -> Self {
        let mut pieces = Piece::all(map);
        pieces.sort_by_key(|p| (p.low, p.start, p.buffer, p.slot));
        let mut tracks = Tracks::new();
        let mut slices = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let here = tracks.entry(piece.low).or_default();
            let free = here.iter_mut().find(|(end, _)| *end <= piece.start);
            let tid = match free {
                Some(track) => {
                    track.0 = piece.end;
                    track.1
                }
                None => {
                    let tid = *next;
                    *next += 1;
                    here.push((piece.end, tid));
                    tid
                }
            };
            slices.push((tid, piece));
        }
        let what = if map.stack.is_some() { ", no plan, from" } else { " at" };
        let named = |(low, all): (&u64, &Vec<(u64, u64)>)| -> Vec<(u64, String)> {
            let name = format!("{}{what} {}", map.name, words::number(*low));
            all.iter().map(|(_, tid)| (*tid, name.clone())).collect()
        };
        let tracks = tracks.iter().flat_map(named).collect();
        Self { map, counter: format!("{}: bytes in use", map.name), tracks, slices }
    }

    fn events<'b>(&'b self, pid: u64, events: &mut Vec<Event<'b>>) {
        for &[step, bytes] in &self.map.load {
            let args = Some(Args::Load { bytes });
            let (name, ts) = (self.counter.as_str(), Some(step));
            events.push(Event { name, ph: "C", pid, tid: 0, ts, dur: None, args });
        }
        // The highest address stands at the top.
        let last = self.tracks.iter().map(|(tid, _)| *tid).max().unwrap_or(0);
        for (tid, name) in &self.tracks {
            name_track(events, (pid, *tid), name, last - tid + self.first());
        }
        let b = &self.map.buffers;
        for (tid, piece) in &self.slices {
            let several = b.offsets.get(piece.buffer).is_some_and(|o| o.len() > 1);
            let args = Some(Args::Buffer {
                id: b.id.get(piece.buffer).copied().unwrap_or_default(),
                offset: self.map.stack.is_none().then_some(piece.low),
                size: b.size.get(piece.buffer).copied().unwrap_or_default(),
                slot: several.then_some(piece.slot),
                line: b.line.get(piece.buffer).map_or("", String::as_str),
            });
            let name = b.name.get(piece.buffer).map_or("", String::as_str);
            let (ts, dur) = (Some(piece.start), Some(piece.end - piece.start));
            events.push(Event { name, ph: "X", pid, tid: *tid, ts, dur, args });
        }
    }

    /// The number of its first track.
    fn first(&self) -> u64 {
        self.tracks.iter().map(|(tid, _)| *tid).min().unwrap_or(0)
    }
}

fn name_process<'a>(events: &mut Vec<Event<'a>>, pid: u64, name: &'a str) {
    let event = |name, args| Event { name, ph: "M", pid, tid: 0, ts: None, dur: None, args };
    events.push(event("process_name", Some(Args::Name { name })));
    events.push(event("process_sort_index", Some(Args::Place { sort_index: pid })));
}

fn name_track<'a>(events: &mut Vec<Event<'a>>, at: (u64, u64), name: &'a str, sort_index: u64) {
    let (pid, tid) = at;
    let event = |name, args| Event { name, ph: "M", pid, tid, ts: None, dur: None, args };
    events.push(event("thread_name", Some(Args::Name { name })));
    events.push(event("thread_sort_index", Some(Args::Place { sort_index })));
}
