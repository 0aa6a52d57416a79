//! A core program as code: jumps instead of loops, numbers instead of names.

use std::collections::BTreeMap;

use crate::model::trace::{
    CoreLine, CoreProgram, Instruction, PipeName, Place, Rotation, Sym, Val, Whole,
};
use crate::runtime::watch::LineId;

/// Trips of one loop that are run each; of loops with more, as many as bring all rotations back
/// to where they would be (13.2).
pub const ALL_TRIPS: u64 = 64;

/// How often a place in nested loops is run at most.
const MAX_TIMES: u64 = 1 << 20;

/// Instructions that one core may run because of loops that are not cut.
const ALL_WORK: u64 = 1 << 20;

/// A pipe of a core.
pub type PipeId = u8;

/// All that a core runs.
#[derive(Clone, Debug, Default)]
pub struct CoreCode {
    /// The core.
    pub name: Sym,
    /// What it runs.
    pub code: Vec<Step>,
    /// Loops, and so counters of trips.
    pub loops: usize,
    /// Memories that it names, in the order named.
    pub scopes: Vec<Sym>,
}

/// How many trips of a loop are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trips {
    /// As many as can differ (13.2).
    #[default]
    Needed,
    /// All of them.
    All,
}

/// A program as code.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The cores in the order named.
    pub cores: Vec<CoreCode>,
    /// Conditions: how many of the loops around a use, outermost first, choose anew.
    pub conditions: BTreeMap<Sym, usize>,
    /// True when a loop is cut although not all its states were seen.
    pub bounded: bool,
    /// True when a loop was cut at all.
    pub cut: bool,
}

/// One step of a core's program.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the variants say it")]
pub enum Step {
    /// An instruction for a pipe.
    Issue(Issue),
    /// A loop begins.
    Loop { counter: usize, trips: u64, may_be_zero: bool, end: usize },
    /// A trip ends.
    Again { counter: usize, trips: u64, begin: usize },
    /// A branch: the other side is at `otherwise`.
    If { cond: Sym, around: Vec<usize>, otherwise: usize },
    /// Go on there.
    Jump(usize),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Its line.
    pub line: LineId,
    /// The pipe that runs it; `None` for a barrier of all pipes.
    pub pipe: Option<PipeId>,
    /// What it does.
    pub what: What,
    /// Ticks, where the program says so.
    pub cost: Option<u64>,
}

/// What an instruction does.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the variants say it")]
pub enum What {
    /// Moves bytes.
    Copy { src: Operand, dst: Operand },
    /// Computes.
    Exec { r: Vec<Operand>, w: Vec<Operand>, accumulate: bool },
    /// `set_flag`.
    Set { to: PipeId, ids: Ids },
    /// `wait_flag`.
    Wait { from: PipeId, ids: Ids },
    /// `pipe_barrier`; of all pipes where the instruction has none.
    Barrier,
    /// Raises a cross-core flag.
    CrossSet { mode: u8, flag: u32 },
    /// Awaits a cross-core flag.
    CrossWait { mode: u8, flag: u32 },
}

/// Flag ids by trip.
#[derive(Clone, Debug)]
pub struct Ids {
    /// At least one.
    pub ids: Vec<u32>,
    /// The counter that chooses; none: the first.
    pub counter: Option<usize>,
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The position in [`CoreCode::scopes`], or a pointer of the trace.
    pub at: Memory,
    /// The address in the first trip.
    pub base: u64,
    /// Bytes from trip to trip.
    pub stride: u64,
    /// Trips after which it is back.
    pub modulo: u64,
    /// The counter that moves it.
    pub counter: Option<usize>,
    /// Bytes.
    pub len: u64,
    /// The value in it.
    pub val: Option<(Val, u64)>,
}

/// Where an operand lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In a memory of the core.
    Core(usize),
    /// In device memory.
    Global(Sym),
}

impl Operand {
    /// The address in the current trip.
    pub fn address(&self, trips: &[u64]) -> u64 {
        let trip = self.counter.and_then(|at| trips.get(at)).map_or(0, |t| t % self.modulo.max(1));
        self.base.saturating_add(self.stride.saturating_mul(trip))
    }
}

impl Ids {
    /// The id in the current trip.
    pub fn id(&self, trips: &[u64]) -> u32 {
        let trip = self.counter.and_then(|at| trips.get(at)).copied().unwrap_or(0);
        let at = (trip % self.ids.len().max(1) as u64) as usize;
        self.ids.get(at).copied().unwrap_or(0)
    }
}

impl Code {
    /// The code of a program, whose first line is `first`.
    pub fn of(program: &CoreProgram, first: LineId, trips: Trips) -> Self {
        let mut conditions = BTreeMap::new();
        uses(&program.lines, &mut Vec::new(), &mut conditions);
        let mut code = Self {
            conditions: conditions.into_iter().map(|(cond, around)| (cond, around.len())).collect(),
            ..Self::default()
        };
        let mut next = first.0;
        for line in &program.lines {
            let at = code.cores.iter().position(|c| c.name == line.core).unwrap_or_else(|| {
                code.cores.push(CoreCode { name: line.core, ..CoreCode::default() });
                code.cores.len() - 1
            });
            let mut core = std::mem::take(&mut code.cores[at]);
            let all = trips == Trips::All;
            let around = Vec::new();
            let mut build = Build { code: &mut code, core: &mut core, around, times: 1, all };
            next = build.line(line, next);
            code.cores[at] = core;
        }
        code
    }
}

/// The loops around all uses of each condition, by their addresses in the tree.
fn uses(
    lines: &[CoreLine],
    around: &mut Vec<*const CoreLine>,
    conditions: &mut BTreeMap<Sym, Vec<*const CoreLine>>,
) {
    for line in lines {
        match &line.instruction {
            Instruction::Loop { body, .. } => {
                around.push(std::ptr::from_ref(line));
                uses(body, around, conditions);
                around.pop();
            }
            Instruction::If { cond, then, otherwise } => {
                let common = conditions.entry(*cond).or_insert_with(|| around.clone());
                let same = common.iter().zip(around.iter()).take_while(|(a, b)| a == b).count();
                common.truncate(same);
                uses(then, around, conditions);
                uses(otherwise, around, conditions);
            }
            _ => {}
        }
    }
}

struct Around {
    name: Option<Sym>,
    counter: usize,
}

struct Build<'a> {
    code: &'a mut Code,
    core: &'a mut CoreCode,
    around: Vec<Around>,
    /// How often the current place is run, by the loops around it.
    times: u64,
    /// True when no loop is cut.
    all: bool,
}

impl Build<'_> {
    /// Adds a line; returns the number of the line after it and all inside it.
    // Recursion over the nesting of loops and branches, which readers limit.
    fn line(&mut self, line: &CoreLine, number: u32) -> u32 {
        let id = LineId(number);
        let next = number + 1;
        match &line.instruction {
            Instruction::Loop { name, n, may_be_zero, body } => {
                self.repeat(*name, *n, *may_be_zero, body, next)
            }
            Instruction::If { cond, then, otherwise } => self.branch(*cond, then, otherwise, next),
            other => {
                let issue = self.issue(id, other);
                self.core.code.push(Step::Issue(issue));
                next
            }
        }
    }

    fn lines(&mut self, lines: &[CoreLine], mut next: u32) -> u32 {
        for line in lines {
            next = self.line(line, next);
        }
        next
    }

    fn repeat(
        &mut self,
        name: Option<Sym>,
        n: u64,
        may_be_zero: bool,
        body: &[CoreLine],
        next: u32,
    ) -> u32 {
        let counter = self.core.loops;
        self.core.loops += 1;
        let trips = self.trips(name, n, body);
        let begin = self.core.code.len();
        self.core.code.push(Step::Jump(0));
        self.around.push(Around { name, counter });
        let before = self.times;
        self.times = self.times.saturating_mul(trips.max(1));
        let next = self.lines(body, next);
        self.times = before;
        self.around.pop();
        self.core.code.push(Step::Again { counter, trips, begin: begin + 1 });
        let end = self.core.code.len();
        self.core.code[begin] = Step::Loop { counter, trips, may_be_zero, end };
        next
    }

    /// How many trips are run: one where the loops around leave no more.
    fn trips(&mut self, name: Option<Sym>, n: u64, body: &[CoreLine]) -> u64 {
        let trips = self.wanted_trips(name, n, body);
        if !self.all && self.times.saturating_mul(trips) > MAX_TIMES {
            self.code.bounded = true;
            self.code.cut = true;
            return trips.min(1);
        }
        trips
    }

    /// How many trips show everything that a loop does.
    fn wanted_trips(&mut self, name: Option<Sym>, n: u64, body: &[CoreLine]) -> u64 {
        let work = self.times.saturating_mul(size(body)).saturating_mul(n);
        if self.all || (n <= ALL_TRIPS && work <= ALL_WORK) {
            return n;
        }
        let period = rotation(name, body, true);
        let least = period.saturating_mul(2).max(2);
        if n <= least {
            return n.min(ALL_TRIPS);
        }
        self.code.cut = true;
        if least > ALL_TRIPS {
            self.code.bounded = true;
            return ALL_TRIPS;
        }
        // As many as the loop has, but for whole turns of everything that rotates in it.
        least + (n - least) % period.max(1)
    }

    fn branch(&mut self, cond: Sym, then: &[CoreLine], otherwise: &[CoreLine], next: u32) -> u32 {
        let depth = self.code.conditions.get(&cond).copied().unwrap_or(0);
        let around = self.around.iter().take(depth).map(|a| a.counter).collect();
        let at = self.core.code.len();
        self.core.code.push(Step::Jump(0));
        let next = self.lines(then, next);
        let out = self.core.code.len();
        self.core.code.push(Step::Jump(0));
        self.core.code[at] = Step::If { cond, around, otherwise: out + 1 };
        let next = self.lines(otherwise, next);
        self.core.code[out] = Step::Jump(self.core.code.len());
        next
    }

    fn issue(&mut self, line: LineId, instruction: &Instruction) -> Issue {
        let (pipe, what, cost) = match instruction {
            Instruction::Copy { pipe, src, dst, cost } => {
                let what = What::Copy { src: self.operand(src), dst: self.operand(dst) };
                (Some(*pipe), what, *cost)
            }
            Instruction::Exec { pipe, r, w, accumulate, cost, .. } => {
                let r = r.iter().map(|place| self.operand(place)).collect();
                let w = w.iter().map(|place| self.operand(place)).collect();
                (Some(*pipe), What::Exec { r, w, accumulate: *accumulate }, *cost)
            }
            Instruction::Set { pipe, peer, id } => {
                (Some(*pipe), What::Set { to: *peer as PipeId, ids: self.ids(id) }, None)
            }
            Instruction::Wait { pipe, peer, id } => {
                (Some(*peer), What::Wait { from: *pipe as PipeId, ids: self.ids(id) }, None)
            }
            Instruction::Barrier { pipe } => (*pipe, What::Barrier, None),
            Instruction::XSet { pipe, mode, flag } => {
                (Some(*pipe), What::CrossSet { mode: *mode, flag: *flag }, None)
            }
            Instruction::XWait { pipe, mode, flag } => {
                (Some(*pipe), What::CrossWait { mode: *mode, flag: *flag }, None)
            }
            // Handled by the caller.
            Instruction::Loop { .. } | Instruction::If { .. } => (None, What::Barrier, None),
        };
        Issue { line, pipe: pipe.map(|pipe| pipe as PipeId), what, cost }
    }

    fn counter(&self, of: Option<Sym>) -> Option<usize> {
        let found = match of {
            Some(name) => self.around.iter().rev().find(|a| a.name == Some(name)),
            None => self.around.last(),
        };
        found.map(|around| around.counter)
    }

    fn ids(&self, rotation: &Rotation) -> Ids {
        Ids { ids: rotation.ids.clone(), counter: self.counter(rotation.of) }
    }

    fn operand(&mut self, place: &Place) -> Operand {
        let at = match place.at {
            Whole::Global(sym) => Memory::Global(sym),
            Whole::Scope(sym) => {
                let at = self.core.scopes.iter().position(|&s| s == sym).unwrap_or_else(|| {
                    self.core.scopes.push(sym);
                    self.core.scopes.len() - 1
                });
                Memory::Core(at)
            }
        };
        Operand {
            at,
            base: place.base,
            stride: place.stride,
            modulo: place.modulo.max(1),
            counter: self.counter(place.of).filter(|_| place.stride != 0),
            len: place.len,
            val: place.val.map(|val| (val, place.voff)),
        }
    }
}

/// Instructions that one run of the lines issues, loops inside cut.
fn size(lines: &[CoreLine]) -> u64 {
    let of = |line: &CoreLine| match &line.instruction {
        Instruction::Loop { n, body, .. } => size(body).saturating_mul((*n).min(ALL_TRIPS)),
        Instruction::If { then, otherwise, .. } => size(then).saturating_add(size(otherwise)),
        _ => 1,
    };
    lines.iter().fold(1u64, |sum, line| sum.saturating_add(of(line)))
}

/// The least common multiple of all rotations that the trips of a loop drive.
fn rotation(name: Option<Sym>, lines: &[CoreLine], innermost: bool) -> u64 {
    let of_loop = |of: Option<Sym>| match of {
        Some(of) => Some(of) == name,
        None => innermost,
    };
    let place = |p: &Place| if p.stride != 0 && of_loop(p.of) { p.modulo.max(1) } else { 1 };
    let ids = |r: &Rotation| if of_loop(r.of) { r.ids.len().max(1) as u64 } else { 1 };
    let mut all = 1u64;
    for line in lines {
        let here = match &line.instruction {
            Instruction::Copy { src, dst, .. } => lcm(place(src), place(dst)),
            Instruction::Exec { r, w, .. } => r.iter().chain(w).map(place).fold(1, lcm),
            Instruction::Set { id, .. } | Instruction::Wait { id, .. } => ids(id),
            Instruction::Loop { body, .. } => rotation(name, body, false),
            Instruction::If { then, otherwise, .. } => {
                lcm(rotation(name, then, innermost), rotation(name, otherwise, innermost))
            }
            _ => 1,
        };
        all = lcm(all, here);
    }
    all
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

/// The number of a pipe.
pub fn pipe(name: PipeName) -> PipeId {
    name as PipeId
}

/// The name of a pipe.
pub fn pipe_name(id: PipeId) -> &'static str {
    PipeName::ALL.get(id as usize).map_or("?", |pipe| pipe.name())
}
