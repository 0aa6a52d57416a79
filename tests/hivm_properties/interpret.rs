//! Runs a program byte by byte: with every buffer apart, or with buffers where a plan puts them.
//!
//! Contents are numbers that tell how they came about. A `memref.alloc` is a new buffer each time it is
//! executed; with a plan it lies at the slot of the trip of the loop that it stands in. What nobody
//! knows before it runs is decided by a seed, the same with any plan.

use std::collections::BTreeMap;

use super::choose::{Choose, mix};
use super::memory::{Bytes, Place, UNDEF, hash};
use super::tree::{
    Act, Callee, If, Mark, MemTy, Program, Space, Step, Trips, Ty, Val, View, Way, While,
};

/// The offsets of each alloc's buffer.
pub(crate) type Offsets = BTreeMap<Val, Vec<u64>>;

/// Statements executed in one run, at most.
const FUEL: u64 = 2_000;

/// What is read somewhere, by an op or by somebody outside: what it was, and through which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) value: u64,
    pub(crate) of: Val,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    /// An alloc of which an older buffer was read after the newest one was written; only without a
    /// plan. Where there is one, an alloc needs the bytes of two buffers at once.
    pub(crate) older: Option<Val>,
}

/// Runs a program. `seed` decides what is not known before.
pub(crate) fn run(program: &Program, plan: Option<&Offsets>, seed: u64) -> Run {
    let mut machine = Machine {
        program,
        plan,
        bytes: Bytes::default(),
        places: vec![None; program.types.len()],
        numbers: vec![0; program.types.len()],
        choose: Choose::new(seed),
        trips: Vec::new(),
        count: 0,
        events: Vec::new(),
        newest: BTreeMap::new(),
        older: None,
    };
    if plan.is_some() {
        for space in 0..3 {
            machine.bytes.add(4 * program.capacity[space], mix(1 + space as u64));
        }
    }
    for &arg in &program.args {
        if let Ty::Mem(ty) = &program.types[arg]
            && ty.space != Space::Gm
        {
            let size = 8 * ty.bytes() + 512;
            let store = machine.bytes.add(size, hash(&[7, arg as u64 + 1]));
            machine.places[arg] = Some(Place::new(store, 0, ty));
        }
    }
    machine.steps(&program.body);
    for &value in &program.returns {
        machine.see(value);
    }
    Run { events: machine.events, older: machine.older }
}

/// The first thing that is seen otherwise, where the program says what it is.
pub(crate) fn differ(apart: &Run, planned: &Run) -> Option<Event> {
    assert_eq!(apart.events.len(), planned.events.len(), "both runs take the same way");
    let mut both = apart.events.iter().zip(&planned.events);
    let other = |(a, b): &(&Event, &Event)| a.value != UNDEF && a.value != b.value;
    both.find(other).map(|(_, b)| *b)
}

struct Machine<'a> {
    program: &'a Program,
    plan: Option<&'a Offsets>,
    bytes: Bytes,
    places: Vec<Option<Place>>,
    numbers: Vec<u64>,
    choose: Choose,
    /// Trips of the loops around, inner ones last.
    trips: Vec<u64>,
    count: u64,
    events: Vec<Event>,
    /// Of each alloc and slot the store of its last buffer, and whether that has been written.
    newest: BTreeMap<(Val, u64), (usize, bool)>,
    older: Option<Val>,
}

impl Machine<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.count += 1;
            if self.count < FUEL {
                self.step(step);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Alloc { out, marks } => self.alloc(*out, marks),
            Step::Ask { out } => self.numbers[*out] = self.choose.next(),
            Step::View { out, of, view } => self.view(*out, *of, view),
            Step::Select { out, cond, yes, no } => {
                let one = if self.holds(*cond) { yes } else { no };
                self.places[*out] = self.places[*one].clone();
            }
            Step::Act(act) => self.act(act),
            Step::Peek { of, .. } => {
                let value = self.reading(*of).map_or(UNDEF, |p| self.bytes.read(&p, 0));
                self.events.push(Event { value, of: *of });
            }
            Step::Poke { of, .. } => {
                if let Some(place) = self.writing(*of) {
                    self.bytes.write(&place, 0, hash(&[11, self.count]));
                }
            }
            Step::Dim { .. } => {}
            Step::Call { callee, args } => self.call(*callee, args),
            Step::For { trips, carries, body, .. } => {
                let count = match trips {
                    Trips::Known(n) => *n,
                    Trips::Unknown(value) => self.numbers[*value] % 4,
                };
                self.bind(&carries.iter().map(|c| (c.arg, c.init)).collect::<Vec<_>>());
                for trip in 0..count {
                    self.trips.push(trip);
                    self.steps(body);
                    self.trips.pop();
                    self.bind(&carries.iter().map(|c| (c.arg, c.next)).collect::<Vec<_>>());
                }
                self.bind(&carries.iter().map(|c| (c.result, c.arg)).collect::<Vec<_>>());
            }
            Step::While(w) => self.while_loop(w),
            Step::If(branch) => self.branch(branch),
            Step::Scope { results, body } => {
                self.steps(body);
                self.bind(results);
            }
        }
    }

    /// Names for what other names stand for, all at once.
    fn bind(&mut self, pairs: &[(Val, Val)]) {
        let places: Vec<_> = pairs.iter().map(|(_, from)| self.places[*from].clone()).collect();
        for ((to, _), place) in pairs.iter().zip(places) {
            self.places[*to] = place;
        }
    }

    fn while_loop(&mut self, w: &While) {
        self.bind(&w.heads.iter().map(|(init, arg, _)| (*arg, *init)).collect::<Vec<_>>());
        let mut trip = 0;
        loop {
            self.trips.push(trip);
            self.steps(&w.before);
            let tails = &w.tails;
            if trip == 3 || !self.holds(w.cond) || self.count >= FUEL {
                self.bind(&tails.iter().map(|(p, _, result)| (*result, *p)).collect::<Vec<_>>());
                self.trips.pop();
                return;
            }
            self.bind(&tails.iter().map(|(p, arg, _)| (*arg, *p)).collect::<Vec<_>>());
            self.steps(&w.after);
            self.trips.pop();
            self.bind(&w.heads.iter().map(|(_, arg, next)| (*arg, *next)).collect::<Vec<_>>());
            trip += 1;
        }
    }

    fn branch(&mut self, branch: &If) {
        let side: fn(&(Val, Val, Val)) -> (Val, Val) = if self.holds(branch.cond) {
            self.steps(&branch.then);
            |r| (r.0, r.1)
        } else {
            self.steps(branch.otherwise.as_deref().unwrap_or_default());
            |r| (r.0, r.2)
        };
        self.bind(&branch.results.iter().map(side).collect::<Vec<_>>());
    }

    fn holds(&self, cond: Val) -> bool {
        self.numbers[cond] & 1 == 1
    }

    fn place(&self, value: Val) -> Option<Place> {
        self.places[value].clone()
    }

    /// Where a value is that is read.
    fn reading(&mut self, value: Val) -> Option<Place> {
        let place = self.place(value)?;
        if let Some(of) = place.of
            && self
                .newest
                .get(&of)
                .is_some_and(|(store, written)| *written && *store != place.store)
        {
            self.older.get_or_insert(of.0);
        }
        Some(place)
    }

    /// Where a value is that is written.
    fn writing(&mut self, value: Val) -> Option<Place> {
        let place = self.place(value)?;
        if let Some((store, written)) = place.of.and_then(|of| self.newest.get_mut(&of)) {
            *written |= *store == place.store;
        }
        Some(place)
    }

    fn alloc(&mut self, out: Val, marks: &[Mark]) {
        let ty = self.program.mem(out);
        let trip = self.trips.last().copied().unwrap_or(0);
        let place = match self.plan {
            None => {
                let store = self.bytes.add(ty.bytes(), UNDEF);
                let slots = marks.iter().rev().find_map(|m| match m {
                    Mark::Slots(n) => Some(u64::from(*n)),
                    Mark::Unique | Mark::Preload => None,
                });
                let of = (out, trip % slots.unwrap_or(1));
                self.newest.insert(of, (store, false));
                Place { of: Some(of), ..Place::new(store, 0, ty) }
            }
            Some(plan) => {
                let offsets = plan.get(&out).map_or(&[0][..], Vec::as_slice);
                let slot = usize::try_from(trip).unwrap_or(0) % offsets.len();
                Place::new(space_store(ty), offsets[slot], ty)
            }
        };
        self.places[out] = Some(place);
    }

    fn view(&mut self, out: Val, of: Val, view: &View) {
        let Some(from) = self.place(of) else { return };
        let ty = self.program.mem(out);
        let number = |value: Val| self.numbers[value];
        let own = Place { of: from.of, ..Place::new(from.store, from.base, ty) };
        let rows = from.sizes[0];
        let start = |row: u64| from.start + row * from.strides[0];
        let place = match view {
            View::Rows { from: row } => {
                Place { start: start(*row), strides: from.strides.clone(), ..own }
            }
            View::RowsAt { at } => {
                let row = number(*at) % (rows + 1 - ty.sizes[0].min(rows));
                Place { start: start(row), strides: from.strides.clone(), ..own }
            }
            View::FirstRows { count } => {
                let mut sizes = from.sizes.clone();
                sizes[0] = 1 + number(*count) % rows;
                Place { start: from.start, strides: from.strides.clone(), sizes, ..own }
            }
            View::Collapse | View::Expand => Place { start: from.start, ..own },
            View::Reinterpret { from: start } => Place { start: *start, ..own },
            View::Cast => Place { sizes: ty.sizes.clone(), ..from.clone() },
            View::Bytes { shift } => Place { base: from.base + shift, start: 0, ..own },
        };
        self.places[out] = Some(place);
    }

    /// Everybody outside sees all of a value.
    fn see(&mut self, of: Val) {
        let Some(place) = self.reading(of) else { return };
        for value in self.bytes.read_all(&place) {
            self.events.push(Event { value, of });
        }
    }

    /// All elements of an operand, with its sizes.
    fn operand(&mut self, value: Val) -> (Vec<u64>, Vec<u64>) {
        match &self.program.types[value] {
            Ty::Mem(ty) if ty.space == Space::Gm => {
                let all = (0..ty.count()).map(|i| hash(&[13, value as u64 + 1, i + 1, self.count]));
                (all.collect(), ty.sizes.clone())
            }
            Ty::Mem(_) => match self.reading(value) {
                Some(place) => {
                    let all = self.bytes.read_all(&place);
                    self.events.extend(all.iter().map(|&v| Event { value: v, of: value }));
                    (all, place.sizes)
                }
                None => (vec![UNDEF], vec![1]),
            },
            _ => (vec![hash(&[17, value as u64 + 1])], vec![1]),
        }
    }

    fn scribble(&mut self, temp: Option<Val>) {
        if let Some(place) = temp.and_then(|t| self.place(t)) {
            self.bytes.fill(&place, hash(&[19, self.count]));
        }
    }

    fn act(&mut self, act: &Act) {
        self.scribble(act.temp);
        let name = act.name.bytes().fold(0, |all, b| mix(all ^ u64::from(b)));
        let old: Vec<Vec<u64>> = match act.way {
            Way::Adds => act.outs.iter().map(|out| self.operand(*out).0).collect(),
            _ => Vec::new(),
        };
        if act.way != Way::Elementwise {
            for out in &act.outs {
                if let Some(place) = self.writing(*out) {
                    self.bytes.fill(&place, hash(&[23, self.count]));
                }
            }
        }
        let ins: Vec<(Vec<u64>, Vec<u64>)> = act.ins.iter().map(|v| self.operand(*v)).collect();
        let moves = matches!(act.name, "load" | "store" | "copy" | "nd2nz" | "fixpipe");
        let all = hash(&ins.iter().map(|(values, _)| hash(values)).collect::<Vec<u64>>());
        for (n, out) in act.outs.iter().enumerate() {
            let ty = self.program.mem(*out);
            let sizes = self.place(*out).map_or_else(|| ty.sizes.clone(), |p| p.sizes);
            let count: u64 = sizes.iter().product();
            let result = |i: u64| {
                let mut parts = vec![name, n as u64 + 1];
                if act.way == Way::Elementwise || moves {
                    parts.extend(ins.iter().map(|input| broadcast(input, &sizes, i)));
                } else {
                    parts.extend([i + 1, all]);
                }
                parts.extend(old.get(n).and_then(|old| old.get(i as usize)));
                hash(&parts)
            };
            let values: Vec<u64> = (0..count).map(result).collect();
            // What goes out of sight was seen when it was read.
            if let Some(place) = self.writing(*out) {
                self.bytes.write_all(&place, &values);
            }
        }
        self.scribble(act.temp);
    }

    fn call(&mut self, callee: Callee, args: &[Val]) {
        let (Some(from), Some(into)) = (self.reading(args[0]), self.writing(args[1])) else {
            return;
        };
        let starts: &[u64] = if callee == Callee::Map { &[0] } else { &[0, 4] };
        for &start in starts {
            let values: Vec<u64> = (start..start + 8).map(|i| self.bytes.read(&from, i)).collect();
            self.events.extend(values.iter().map(|&value| Event { value, of: args[0] }));
            for (i, value) in (start..).zip(values) {
                self.bytes.write(&into, i, hash(&[29, start + 1, value]));
            }
        }
    }
}

/// The store of a planned space.
fn space_store(ty: &MemTy) -> usize {
    match ty.space {
        Space::Ub | Space::Gm => 0,
        Space::L1 => 1,
        Space::L0c => 2,
    }
}

/// The element of an input that belongs to element `i` of an output of these sizes.
fn broadcast((values, own): &(Vec<u64>, Vec<u64>), sizes: &[u64], i: u64) -> u64 {
    if own.len() != sizes.len() || own == sizes {
        return values[i as usize % values.len().max(1)];
    }
    let (mut rest, mut at, mut stride) = (i, 0, 1);
    for (size, mine) in sizes.iter().zip(own).rev() {
        let index = rest % size;
        rest /= size;
        at += index.min(mine.saturating_sub(1)) * stride;
        stride *= mine;
    }
    values.get(at as usize).copied().unwrap_or(UNDEF)
}
