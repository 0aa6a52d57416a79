//! Random programs of threads, streams and pools: work, then the sync that it needs, then perhaps
//! one mistake.

use super::dice::Dice;
use super::stream_program::{Act, CELLS, Cells, Line, Object, Program};

/// Who does something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Thread(usize),
    Stream(usize),
}

/// What is touched: 0 is the buffer, then come the blocks of pools.
#[derive(Clone, Copy)]
struct Touch {
    place: usize,
    at: usize,
    len: usize,
    write: bool,
}

/// A program by its number. Each stream belongs to one thread; pools belong to the first.
pub(crate) fn program(seed: u64, pools: bool) -> Program {
    random(seed ^ 0xabcd_0000, pools, false)
}

/// A program of two threads that use the same streams, by its number.
pub(crate) fn shared(seed: u64) -> Program {
    random(seed ^ 0x1234_0000, false, true)
}

fn random(seed: u64, pools: bool, shared: bool) -> Program {
    let mut dice = Dice::new(seed);
    let threads = if dice.percent(65) && !shared { 1 } else { 2 };
    let streams = 2 + dice.below(2);
    let pools = if pools { 1 + dice.below(2) } else { 0 };
    let mut make = Make {
        shared,
        owners: (0..streams).map(|s| if s == 0 { 0 } else { dice.below(threads) }).collect(),
        program: Program { threads, streams, pools, events: dice.percent(70), lines: Vec::new() },
        done: Vec::new(),
        cells: vec![[None; CELLS]; pools + 1],
        live: vec![None; pools],
        pointers: 0,
        values: 0,
        careful: if dice.percent(40) { 100 } else { 75 },
        dice,
    };
    let works = 3 + make.dice.below(4) + 2 * usize::from(pools > 0);
    for _ in 0..works {
        make.work();
    }
    let (mut program, mut dice) = (make.program, make.dice);
    if dice.percent(35) {
        spoil(&mut program, &mut dice);
    }
    program
}

struct Make {
    shared: bool,
    owners: Vec<usize>,
    program: Program,
    done: Vec<(Who, Touch)>,
    cells: Vec<[Option<(u16, usize)>; CELLS]>,
    live: Vec<Option<usize>>,
    pointers: usize,
    values: u16,
    careful: usize,
    dice: Dice,
}

impl Make {
    fn add(&mut self, thread: usize, act: Act) {
        self.program.lines.push(Line { thread, act });
    }

    fn thread_of(&mut self, who: Who) -> usize {
        match who {
            Who::Thread(t) => t,
            Who::Stream(_) if self.shared => self.dice.below(self.program.threads),
            Who::Stream(s) => self.owners[s],
        }
    }

    fn work(&mut self) {
        let pool = self.dice.below(self.program.pools.max(1));
        if self.program.pools > 0 && (self.live[pool].is_none() || self.dice.percent(25)) {
            return self.pool(pool);
        }
        let who = if self.dice.percent(70) {
            Who::Stream(self.dice.below(self.program.streams))
        } else {
            Who::Thread(self.dice.below(self.program.threads))
        };
        let place = match self.program.pools {
            0 => 0,
            // The host cannot touch blocks.
            _ if matches!(who, Who::Thread(_)) || self.dice.percent(20) => 0,
            _ => pool + 1,
        };
        let object = match place {
            0 => Object::Buffer,
            _ => Object::Pointer(self.live[pool].unwrap_or(0)),
        };
        let len = 1 + self.dice.below(3);
        let at = self.dice.below(CELLS - len + 1);
        let reads = self.runs(place, object, at, len);
        self.values += 1;
        let write = Cells { object, at, len, value: self.values, from: self.dice.below(2) };
        let reading = !reads.is_empty() && self.dice.percent(55);
        let act = match who {
            Who::Stream(stream) if reading => Act::Kernel { stream, reads, writes: Vec::new() },
            Who::Stream(stream) => Act::Kernel { stream, reads: Vec::new(), writes: vec![write] },
            Who::Thread(_) if reading => Act::HostRead(reads[0]),
            Who::Thread(_) => Act::HostWrite(write),
        };
        for r in act.reads().to_vec() {
            self.order(who, Touch { place, at: r.at, len: r.len, write: false });
        }
        for w in act.writes().to_vec() {
            self.order(who, Touch { place, at: w.at, len: w.len, write: true });
            for k in 0..w.len {
                self.cells[place][w.at + k] = Some((w.value, w.from + k));
            }
        }
        let thread = self.thread_of(who);
        self.add(thread, act);
    }

    fn runs(&self, place: usize, object: Object, at: usize, len: usize) -> Vec<Cells> {
        let mut runs: Vec<Cells> = Vec::new();
        for cell in at..at + len {
            let Some((value, from)) = self.cells[place][cell] else { continue };
            match runs.last_mut() {
                Some(r) if r.value == value && r.at + r.len == cell && r.from + r.len == from => {
                    r.len += 1;
                }
                _ => runs.push(Cells { object, at: cell, len: 1, value, from }),
            }
        }
        runs
    }

    /// A block is taken, or given back.
    fn pool(&mut self, pool: usize) {
        let own: Vec<usize> = (0..self.program.streams).filter(|&s| self.owners[s] == 0).collect();
        let stream = self.dice.one(&own);
        let touch = Touch { place: pool + 1, at: 0, len: CELLS, write: true };
        match self.live[pool] {
            None => {
                self.order(Who::Stream(stream), touch);
                let pointer = self.pointers;
                self.pointers += 1;
                self.live[pool] = Some(pointer);
                self.cells[pool + 1] = [None; CELLS];
                self.add(0, Act::Alloc { pointer, pool, stream });
            }
            Some(pointer) => {
                let at_once = self.dice.percent(20);
                let who = if at_once { Who::Thread(0) } else { Who::Stream(stream) };
                self.order(who, touch);
                self.live[pool] = None;
                self.add(0, Act::Free { pointer, stream: (!at_once).then_some(stream) });
            }
        }
    }

    /// The sync that an access needs after those that it conflicts with.
    fn order(&mut self, who: Who, touch: Touch) {
        let mut before: Vec<Who> = Vec::new();
        for (other, t) in &self.done {
            let meet = t.place == touch.place
                && t.at < touch.at + touch.len
                && touch.at < t.at + t.len
                && (t.write || touch.write);
            if meet && *other != who && !before.contains(other) {
                before.push(*other);
            }
        }
        for other in before {
            if self.dice.percent(self.careful) {
                self.sync(other, who);
            }
        }
        self.done.push((who, touch));
    }

    fn sync(&mut self, from: Who, to: Who) {
        let (a, b) = (self.thread_of(from), self.thread_of(to));
        let event = self.dice.below(3);
        let meet = |make: &mut Self| {
            if a != b {
                (0..make.program.threads).for_each(|t| make.add(t, Act::Meet));
            }
        };
        match (from, to) {
            (Who::Thread(_), _) => meet(self),
            (Who::Stream(stream), Who::Stream(other))
                if self.program.pools == 0 && self.dice.percent(20) =>
            {
                let notify = event % 2;
                self.add(a, Act::Notify { notify, stream });
                self.add(b, Act::Await { notify, stream: other });
            }
            (Who::Stream(stream), Who::Stream(other)) if self.dice.percent(85) => {
                self.add(a, Act::Record { event, stream });
                meet(self);
                self.add(b, Act::Wait { event, stream: other });
            }
            (Who::Stream(stream), _) => match self.dice.below(3) {
                0 => {
                    self.add(a, Act::Record { event, stream });
                    meet(self);
                    self.add(b, Act::EventSync(event));
                }
                1 if self.program.threads == 1 => self.add(a, Act::DeviceSync),
                _ => {
                    self.add(a, Act::StreamSync(stream));
                    meet(self);
                }
            },
        }
    }
}

/// One mistake.
fn spoil(program: &mut Program, dice: &mut Dice) {
    if program.lines.is_empty() {
        return;
    }
    let at = dice.below(program.lines.len());
    match dice.below(4) {
        0 | 1 => {
            let sync = (at..program.lines.len()).find(|&n| program.lines[n].act.is_sync());
            if let Some(sync) = sync.filter(|&n| program.lines[n].act != Act::Meet) {
                program.lines.remove(sync);
            }
        }
        2 if at + 1 < program.lines.len() => program.lines.swap(at, at + 1),
        _ => match &mut program.lines[at].act {
            Act::Record { event, .. } | Act::Wait { event, .. } => *event = (*event + 1) % 3,
            Act::Kernel { reads, .. } => {
                if let Some(read) = reads.first_mut() {
                    read.from += 1;
                }
            }
            _ => {}
        },
    }
}
