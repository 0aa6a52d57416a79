//! Every way in which a small program can run: instructions begin and end apart, pipes run beside
//! each other, bytes are in between while they are written. Knows nothing of clocks.

use std::collections::HashSet;

/// Pipes: S, V, MTE2, MTE3, and that of ops without one. S and the last keep their order.
pub(super) const PIPES: usize = 5;
const STRONG: [bool; PIPES] = [true, false, false, false, true];
const SCALAR: usize = 0;

/// An instruction, or synchronisation.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Do(Do),
    Set(usize, usize, usize),
    Wait(usize, usize, usize),
    Barrier(Option<usize>),
}

/// What an instruction does: bytes of memory, and the stamps that its reads must find.
#[derive(Clone, Debug, Default)]
pub(super) struct Do {
    pub pipe: usize,
    pub reads: Vec<(usize, u8)>,
    pub writes: Vec<usize>,
    /// What it leaves; at least 1.
    pub stamp: u8,
    /// Events that a flag or barrier waits for, with all earlier ones of their pipes.
    pub after: Vec<usize>,
    /// Events that must be complete before this one begins, if everything is in order.
    pub needs: Vec<usize>,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrong {
    /// A read finds other bytes than it must, or memory does not end as it must.
    pub bytes: bool,
    /// Something begins before what it needs is complete.
    pub order: bool,
    /// A flag is set while it is up, or is up at the end, or nothing goes on.
    pub flags: bool,
    /// There were too many states to say.
    pub many: bool,
}

const TORN: u8 = 255;
const RUINED: u8 = 254;
const FLAGS: usize = PIPES * PIPES * 2;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Events that have begun, been passed or been queued for firing.
    begun: u64,
    /// Events that have ended or fired.
    ended: u64,
    flags: u64,
    memory: Vec<u8>,
}

/// Explores all ways; at most 64 events.
pub(super) fn explore(events: &[Event], bytes: usize, end: &[u8], most: usize) -> Wrong {
    assert!(events.len() <= 64 && FLAGS <= 64);
    let mut wrong = Wrong::default();
    let start = State { begun: 0, ended: 0, flags: 0, memory: vec![0; bytes] };
    let mut seen = HashSet::from([start.clone()]);
    let mut todo = vec![start];
    while let Some(state) = todo.pop() {
        let next = steps(events, &state, &mut wrong);
        let all = if events.len() == 64 { u64::MAX } else { (1 << events.len()) - 1 };
        if next.is_empty() {
            if state.ended != all {
                wrong.flags = true;
            } else {
                wrong.flags |= state.flags != 0;
                wrong.bytes |= state.memory != end;
            }
        }
        for state in next {
            if seen.insert(state.clone()) {
                todo.push(state);
            }
        }
        if seen.len() > most {
            wrong.many = true;
            return wrong;
        }
    }
    wrong
}

fn pipe(event: &Event) -> usize {
    match *event {
        Event::Do(Do { pipe, .. }) => pipe,
        Event::Set(from, ..) => from,
        Event::Wait(_, to, _) => to,
        Event::Barrier(which) => which.unwrap_or(SCALAR),
    }
}

fn flag(from: usize, to: usize, id: usize) -> u64 {
    1 << ((from * PIPES + to) * 2 + id)
}

fn steps(events: &[Event], state: &State, wrong: &mut Wrong) -> Vec<State> {
    let has = |set: u64, at: usize| set >> at & 1 == 1;
    let mut next = Vec::new();
    // The scalar pipe issues nothing past what it waits for.
    let blocked = events.iter().enumerate().position(|(at, event)| {
        let blocks = matches!(event, Event::Barrier(None) | Event::Wait(_, SCALAR, _));
        blocks && !has(state.ended, at)
    });
    let issued = blocked.map_or(events.len(), |at| at + 1);
    for (p, strong) in STRONG.into_iter().enumerate() {
        let mut queue = (0..issued).filter(|&at| pipe(&events[at]) == p);
        let Some(at) = queue.find(|&at| !has(state.begun, at)) else { continue };
        let mine = |before: usize| (0..before).filter(move |&e| pipe(&events[e]) == p);
        let mut after = state.clone();
        after.begun |= 1 << at;
        match &events[at] {
            Event::Set(..) => next.push(after),
            Event::Wait(from, to, id) => {
                let bit = flag(*from, *to, *id);
                if state.flags & bit != 0 {
                    after.flags &= !bit;
                    after.ended |= 1 << at;
                    next.push(after);
                }
            }
            Event::Barrier(Some(_)) => {
                let done =
                    mine(at).all(|e| has(state.ended, e) || matches!(events[e], Event::Set(..)));
                if done {
                    after.ended |= 1 << at;
                    next.push(after);
                }
            }
            Event::Barrier(None) => {
                if (0..at).all(|e| has(state.ended, e)) {
                    after.ended |= 1 << at;
                    next.push(after);
                }
            }
            Event::Do(this) => {
                let instruction = |e: &usize| matches!(events[*e], Event::Do(_));
                if strong && !mine(at).filter(instruction).all(|e| has(state.ended, e)) {
                    continue;
                }
                let flagged = this.after.iter().all(|&a| {
                    let same = |e: &usize| pipe(&events[*e]) == pipe(&events[a]);
                    (0..=a).filter(same).filter(instruction).all(|e| has(state.ended, e))
                });
                if !flagged {
                    continue;
                }
                begin(events, at, this, &mut after, wrong);
                next.push(after);
            }
        }
    }
    for (at, event) in events.iter().enumerate() {
        if !has(state.begun, at) || has(state.ended, at) {
            continue;
        }
        let mut after = state.clone();
        after.ended |= 1 << at;
        match event {
            Event::Set(from, to, id) => {
                let earlier =
                    |e: &usize| pipe(&events[*e]) == *from && !matches!(events[*e], Event::Set(..));
                if !(0..at).filter(earlier).all(|e| has(state.ended, e)) {
                    continue;
                }
                let bit = flag(*from, *to, *id);
                wrong.flags |= state.flags & bit != 0;
                after.flags |= bit;
            }
            Event::Do(this) => {
                for &byte in &this.writes {
                    if after.memory[byte] == TORN {
                        after.memory[byte] = this.stamp;
                    }
                }
            }
            Event::Wait(..) | Event::Barrier(_) => continue,
        }
        next.push(after);
    }
    next
}

fn begin(events: &[Event], at: usize, this: &Do, after: &mut State, wrong: &mut Wrong) {
    let active = |e: usize| e != at && after.begun >> e & 1 == 1 && after.ended >> e & 1 == 0;
    let running: Vec<&Do> = events
        .iter()
        .enumerate()
        .filter(|&(e, _)| active(e))
        .filter_map(|(_, event)| match event {
            Event::Do(other) => Some(other),
            _ => None,
        })
        .collect();
    wrong.order |= this.needs.iter().any(|&need| after.ended >> need & 1 == 0);
    wrong.bytes |= this.reads.iter().any(|&(byte, stamp)| after.memory[byte] != stamp);
    for &byte in &this.writes {
        wrong.bytes |= running.iter().any(|r| r.reads.iter().any(|&(b, _)| b == byte));
        let written = running.iter().any(|r| r.writes.contains(&byte));
        after.memory[byte] = if written { RUINED } else { TORN };
    }
}
