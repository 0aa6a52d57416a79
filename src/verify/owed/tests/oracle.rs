//! Small programs at random placements, against every way in which they can run.
//!
//! `MEMPLAN_CASES=N` makes each property look at N programs instead of 2,000.

use std::collections::BTreeMap;

use super::kernel::Kernel;
use super::naive::{Do, Event, Wrong, explore};
use crate::model::{BufferId, LoopId, Trips};
use crate::verify::owed::{Limits, Owed};

const NAMES: [&str; 5] = ["S", "V", "MTE2", "MTE3", ""];
const BYTES: usize = 9;
const STATES: usize = 60_000;

fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Debug)]
struct Line {
    pipe: usize,
    reads: Vec<usize>,
    writes: Vec<usize>,
}

/// Lines before a loop, in it, in the two sides of a branch in it, and after it.
#[derive(Clone, Debug)]
struct Program {
    sizes: Vec<usize>,
    slots: Vec<usize>,
    before: Vec<Line>,
    body: Vec<Line>,
    sides: Option<(Vec<Line>, Vec<Line>)>,
    after: Vec<Line>,
    trips: usize,
    /// True when the model is not told how many trips there are.
    unknown: bool,
    offsets: Vec<Vec<usize>>,
}

fn lines(dice: &mut Dice, count: usize, buffers: &[usize]) -> Vec<Line> {
    let line = |dice: &mut Dice| {
        // Mostly weak pipes.
        let pipe = if dice.once_in(6) { [0, 4][dice.below(2)] } else { 1 + dice.below(3) };
        let mut some = |chance| buffers.iter().copied().filter(|_| dice.once_in(chance)).collect();
        let (reads, mut writes): (Vec<usize>, Vec<usize>) = (some(3), some(3));
        writes.truncate(1);
        Line { pipe, reads, writes }
    };
    (0..count).map(|_| line(dice)).collect()
}

fn program(dice: &mut Dice, loops: bool) -> Program {
    let count = 2 + dice.below(3);
    let all: Vec<usize> = (0..count).collect();
    let sizes = all.iter().map(|_| 1 + dice.below(3)).collect();
    let slots: Vec<usize> =
        all.iter().map(|_| if loops && dice.once_in(2) { 2 } else { 1 }).collect();
    let single: Vec<usize> = all.iter().copied().filter(|&b| slots[b] == 1).collect();
    let mut p = Program {
        sizes,
        slots,
        before: Vec::new(),
        body: Vec::new(),
        sides: None,
        after: Vec::new(),
        trips: 0,
        unknown: false,
        offsets: Vec::new(),
    };
    if loops {
        p.trips = 1 + dice.below(5);
        p.unknown = dice.once_in(2);
        p.before = {
            let n = dice.below(2);
            lines(dice, n, &single)
        };
        let side = dice.once_in(3);
        if side {
            // Past the trips that are walked, a side may come again at any distance.
            let period = p.slots.iter().copied().max().unwrap_or(1);
            p.trips = p.trips.min(2 * period).min(3);
        }
        let n = if side { 1 } else { 2 + dice.below(2) };
        p.body = lines(dice, n, &all);
        if side {
            let n = dice.below(2);
            p.sides = Some((lines(dice, 1, &all), lines(dice, n, &all)));
        }
        p.after = {
            let n = dice.below(2);
            lines(dice, n, &single)
        };
    } else {
        let n = 3 + dice.below(4);
        p.before = lines(dice, n, &all);
    }
    p.offsets = place(dice, &p);
    p
}

fn place(dice: &mut Dice, p: &Program) -> Vec<Vec<usize>> {
    let of = |(&size, &slots): (&usize, &usize)| {
        (0..slots).map(|_| dice.below(BYTES - size + 1)).collect()
    };
    p.sizes.iter().zip(&p.slots).map(of).collect()
}

/// One execution of a line.
#[derive(Clone, Debug)]
struct Run {
    name: String,
    line: Line,
    /// The trip, in the loop.
    trip: Option<usize>,
}

impl Program {
    /// All paths.
    fn paths(&self) -> Vec<Vec<Run>> {
        let named = |part: &str, lines: &[Line], trip: Option<usize>| -> Vec<Run> {
            let run = |(n, line): (usize, &Line)| Run {
                name: format!("{part}{n}"),
                line: line.clone(),
                trip,
            };
            lines.iter().enumerate().map(run).collect()
        };
        let choices = if self.sides.is_some() { 1 << self.trips } else { 1 };
        (0..choices)
            .map(|choice: usize| {
                let mut runs = named("before", &self.before, None);
                for trip in 0..self.trips {
                    runs.extend(named("body", &self.body, Some(trip)));
                    if let Some((then, otherwise)) = &self.sides {
                        if choice >> trip & 1 == 0 {
                            runs.extend(named("then", then, Some(trip)));
                        } else {
                            runs.extend(named("else", otherwise, Some(trip)));
                        }
                    }
                }
                runs.extend(named("after", &self.after, None));
                runs
            })
            .collect()
    }

    fn slot(&self, buffer: usize, trip: Option<usize>) -> usize {
        trip.unwrap_or(0) % self.slots[buffer]
    }

    fn bytes(&self, buffer: usize, trip: Option<usize>) -> impl Iterator<Item = usize> + use<> {
        let start = self.offsets[buffer][self.slot(buffer, trip)];
        start..start + self.sizes[buffer]
    }

    /// The events of a path with its data dependencies, and memory at its end; none when the plan is
    /// wrong even with one op after the other.
    fn events(&self, path: &[Run]) -> Option<(Vec<Do>, Vec<u8>)> {
        let mut private: BTreeMap<(usize, usize), Vec<u8>> = BTreeMap::new();
        let mut memory = vec![0u8; BYTES];
        let mut events: Vec<Do> = Vec::new();
        for (at, run) in path.iter().enumerate() {
            let stamp = u8::try_from(at + 1).expect("few events");
            let mut this = Do { pipe: run.line.pipe, stamp, ..Do::default() };
            for &buffer in &run.line.reads {
                let key = (buffer, self.slot(buffer, run.trip));
                let own = private.entry(key).or_insert_with(|| vec![0; self.sizes[buffer]]);
                for (byte, &stamp) in self.bytes(buffer, run.trip).zip(own.iter()) {
                    if stamp == 0 || memory[byte] != stamp {
                        return None;
                    }
                    this.reads.push((byte, stamp));
                }
            }
            for &buffer in &run.line.writes {
                private
                    .insert((buffer, self.slot(buffer, run.trip)), vec![stamp; self.sizes[buffer]]);
                for byte in self.bytes(buffer, run.trip) {
                    memory[byte] = stamp;
                    this.writes.push(byte);
                }
            }
            events.push(this);
        }
        for b in 0..path.len() {
            for a in 0..b {
                let data = self.depend(path, a, b, |x, y, s, t| (x, s) == (y, t));
                if data {
                    events[b].after.push(a);
                }
                let touch = |e: &Do| e.reads.iter().map(|r| r.0).collect::<Vec<_>>();
                let (wa, wb) = (&events[a].writes, &events[b].writes);
                let (ra, rb) = (touch(&events[a]), touch(&events[b]));
                let meet = |x: &[usize], y: &[usize]| x.iter().any(|byte| y.contains(byte));
                if meet(wa, wb) || meet(wa, &rb) || meet(&ra, wb) {
                    events[b].needs.push(a);
                }
            }
        }
        Some((events, memory))
    }

    /// True when two lines touch one object and one of them writes it.
    fn depend(
        &self,
        path: &[Run],
        a: usize,
        b: usize,
        same: impl Fn(usize, usize, usize, usize) -> bool,
    ) -> bool {
        let touched = |at: usize| {
            let run = &path[at];
            let read = run.line.reads.iter().map(|&x| (x, false));
            read.chain(run.line.writes.iter().map(|&x| (x, true)))
                .map(|(x, w)| (x, self.slot(x, run.trip), w))
                .collect::<Vec<_>>()
        };
        let (first, second) = (touched(a), touched(b));
        first.iter().any(|&(x, s, w)| second.iter().any(|&(y, t, v)| (w || v) && same(x, y, s, t)))
    }

    fn kernel(&self) -> Kernel {
        let mut k = Kernel::new();
        let mut ids: Vec<BufferId> = Vec::new();
        for (at, offsets) in self.offsets.iter().enumerate() {
            let offsets: Vec<u64> = offsets.iter().map(|&o| o as u64).collect();
            ids.push(k.buf(&format!("x{at}"), self.sizes[at] as u64, &offsets));
        }
        let add = |k: &mut Kernel, part: &str, lines: &[Line]| {
            for (n, line) in lines.iter().enumerate() {
                let of = |list: &[usize]| list.iter().map(|&b| ids[b]).collect::<Vec<_>>();
                k.op(&format!("{part}{n}"), NAMES[line.pipe], &of(&line.reads), &of(&line.writes));
            }
        };
        add(&mut k, "before", &self.before);
        if self.trips > 0 {
            let trips = self.trips as u64;
            let trips = if self.unknown { Trips::AtLeast(1) } else { Trips::Known(trips) };
            k.repeat(trips, |k, _| {
                add(k, "body", &self.body);
                if let Some((then, otherwise)) = &self.sides {
                    k.branch(|k| add(k, "then", then), |k| add(k, "else", otherwise));
                }
            });
        }
        add(&mut k, "after", &self.after);
        for (at, &id) in ids.iter().enumerate() {
            if self.slots[at] > 1 {
                k.b.at(id).rotates_in = Some(LoopId(0));
            }
        }
        k
    }
}

/// Adds owed edges to the events of a path, all but one.
fn with(path: &[Run], events: &[Do], owed: &Owed, but: Option<usize>) -> Vec<Event> {
    let mut events = events.to_vec();
    for (n, edge) in owed.edges.iter().enumerate().filter(|(n, _)| Some(*n) != but) {
        let _ = n;
        for b in 0..path.len() {
            for a in 0..b {
                let distance = match (path[a].trip, path[b].trip) {
                    (Some(a), Some(b)) => (b - a) as u64,
                    _ => 0,
                };
                let names = (path[a].name.as_str(), path[b].name.as_str());
                if names == (edge.first.as_str(), edge.second.as_str()) && distance == edge.distance
                {
                    events[b].after.push(a);
                }
            }
        }
    }
    events.into_iter().map(Event::Do).collect()
}

/// Programs whose placements are right when run one op after the other, and share bytes.
fn programs(
    loops: bool,
    mut see: impl FnMut(u64, &Program, &[(Vec<Run>, Vec<Do>, Vec<u8>)], &Owed),
) {
    let wanted = cases();
    let (mut found, mut seed) = (0, 0);
    while found < wanted {
        seed += 1;
        assert!(seed < wanted.saturating_mul(1000), "hardly any placement is right");
        let program = program(&mut Dice(seed), loops);
        let paths: Option<Vec<_>> = program
            .paths()
            .into_iter()
            .map(|path| program.events(&path).map(|(events, end)| (path, events, end)))
            .collect();
        let Some(paths) = paths else { continue };
        let owed = program.kernel().owed();
        assert!(!owed.bounded && owed.findings.is_empty());
        if owed.edges.is_empty() && found % 4 != 0 {
            continue;
        }
        found += 1;
        see(seed, &program, &paths, &owed);
    }
}

#[test]
fn with_what_is_owed_no_way_to_run_reads_other_bytes() {
    let (mut many, mut edges) = (0, 0);
    for loops in [false, true] {
        programs(loops, |seed, program, paths, owed| {
            edges += owed.edges.len();
            for (path, events, end) in paths {
                let wrong = explore(&with(path, events, owed, None), BYTES, end, STATES);
                many += u32::from(wrong.many);
                let right = Wrong { many: wrong.many, ..Wrong::default() };
                assert_eq!(wrong, right, "seed {seed}: {program:#?} {path:#?} {:#?}", owed.edges);
            }
        });
    }
    println!("{edges} edges, {many} paths with too many states");
    assert!(edges > 0);
}

#[test]
fn without_any_one_of_the_owed_edges_some_way_to_run_is_wrong() {
    let (mut many, mut edges, mut shown) = (0, 0, 0);
    programs(false, |seed, program, paths, owed| {
        for at in 0..owed.edges.len() {
            for (path, events, end) in paths {
                let wrong = explore(&with(path, events, owed, Some(at)), BYTES, end, STATES);
                edges += 1;
                many += u32::from(wrong.many);
                let edge = &owed.edges[at];
                assert!(wrong.many || wrong.order, "seed {seed}: {program:#?} {edge:#?}");
                // Where everything that is written is read, or there at the end, it shows in the bytes.
                let shows = !dead(events);
                shown += u32::from(shows);
                assert!(wrong.many || wrong.bytes || !shows, "seed {seed}: {program:#?} {edge:#?}");
            }
        }
    });
    println!("{edges} edges left out, {shown} of live bytes, {many} with too many states");
    assert!(shown > 0);
}

/// True when some byte is written, and written again before anybody has read it.
fn dead(events: &[Do]) -> bool {
    (0..BYTES).any(|byte| {
        let mut unread = false;
        events.iter().any(|event| {
            unread &= !event.reads.iter().any(|&(b, _)| b == byte);
            let writes = event.writes.contains(&byte);
            writes && std::mem::replace(&mut unread, true)
        })
    })
}

#[test]
fn the_times_obey_the_edges_and_the_pipes() {
    programs(true, |seed, _, _, owed| {
        let t = &owed.timeline;
        assert!(t.without_reuse <= t.makespan, "seed {seed}");
        assert_eq!(t.makespan, t.slices.iter().map(|s| s.end).max().unwrap_or(0));
        for (at, slice) in t.slices.iter().enumerate() {
            let next = t.slices[at + 1..].iter().find(|s| s.track == slice.track);
            assert!(next.is_none_or(|next| next.start >= slice.end), "seed {seed}");
        }
        assert!(
            t.delays
                .iter()
                .all(|&(e, lost)| e < owed.edges.len() && lost <= t.makespan - t.without_reuse)
        );
    });
}

#[test]
fn a_program_that_synchronises_is_right_when_no_way_to_run_it_is_wrong() {
    let (mut clean, mut bad, mut many) = (0u32, 0u32, 0u32);
    programs(false, |seed, program, paths, _| {
        let mut dice = Dice(seed ^ 0x5555);
        let (path, does, end) = &paths[0];
        let (kernel, events) = synchronised(&mut dice, program, path, does);
        let wrong = explore(&events, BYTES, end, STATES);
        if wrong.many {
            many += 1;
            return;
        }
        let found = kernel.owed_within(Limits::default());
        assert!(found.edges.is_empty());
        let is_wrong = wrong.order || wrong.flags;
        assert!(is_wrong || !wrong.bytes);
        if is_wrong {
            bad += 1
        } else {
            clean += 1
        }
        let faults = kernel.faults();
        assert_eq!(!faults.is_empty(), is_wrong, "seed {seed}: {faults:?} {wrong:?} {events:#?}");
    });
    println!("{clean} clean, {bad} wrong, {many} with too many states");
    assert!(clean > 0 && bad > 0);
}

/// The program with flags and barriers thrown in: mostly where something depends on something.
fn synchronised(
    dice: &mut Dice,
    program: &Program,
    path: &[Run],
    does: &[Do],
) -> (Kernel, Vec<Event>) {
    // What stands before each op.
    let mut before: Vec<Vec<Event>> = vec![Vec::new(); does.len() + 1];
    let lazy = dice.below(8);
    for b in 0..does.len() {
        for &a in &does[b].needs {
            let (p, q) = (does[a].pipe, does[b].pipe);
            if p == 4 || q == 4 || (lazy > 0 && dice.once_in(lazy * 2 + 1)) {
                continue;
            }
            if p == q {
                if p != 0 {
                    before[b].push(Event::Barrier(Some(p)));
                }
            } else {
                let id = dice.below(2);
                let late = a + 1 + dice.below(b - a);
                before[late].insert(0, Event::Set(p, q, id));
                before[b].push(Event::Wait(p, q, id));
            }
        }
    }
    if dice.once_in(3) {
        let at = dice.below(before.len());
        before[at].push(Event::Barrier(None));
    }
    let mut k = Kernel::new();
    let mut ids: Vec<BufferId> = Vec::new();
    for (at, offsets) in program.offsets.iter().enumerate() {
        let offsets: Vec<u64> = offsets.iter().map(|&o| o as u64).collect();
        ids.push(k.buf(&format!("x{at}"), program.sizes[at] as u64, &offsets));
    }
    let mut events = Vec::new();
    // There is always something, or edges would be owed.
    k.barrier("");
    events.push(Event::Barrier(None));
    let mut places = Vec::new();
    for (at, list) in before.iter().enumerate() {
        for event in list {
            match *event {
                Event::Set(p, q, id) => k.set(NAMES[p], NAMES[q], id as u64),
                Event::Wait(p, q, id) => k.wait(NAMES[p], NAMES[q], id as u64),
                Event::Barrier(which) => k.barrier(which.map_or("", |p| NAMES[p])),
                Event::Do(_) => {}
            }
            events.push(event.clone());
        }
        let (Some(this), Some(run)) = (does.get(at), path.get(at)) else { continue };
        let of = |list: &[usize]| list.iter().map(|&b| ids[b]).collect::<Vec<_>>();
        k.op(&run.name, NAMES[run.line.pipe], &of(&run.line.reads), &of(&run.line.writes));
        places.push(events.len());
        let mut this = this.clone();
        this.after.clear();
        this.needs = this.needs.iter().map(|&need| places[need]).collect();
        events.push(Event::Do(this));
    }
    (k, events)
}
