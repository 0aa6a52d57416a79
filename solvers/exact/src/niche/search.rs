//! Depth first over the ways to fill niches, with an explicit stack.

use memplan_packing::{Meter, Stop};

use super::look::{Branch, Look};
use super::memo::Memo;
use super::order::Pick;
use super::part::Part;
use super::problem::Problem;
use super::scratch::Scratch;
use super::state::{Placed, State};
use crate::rules::Rules;
use crate::units::Unit;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Everybody is placed.
    Found,
    /// There is no packing.
    Refuted,
    /// So many nodes were not enough.
    Slice,
    /// The budget is used up.
    Stopped(Stop),
}

/// One search for a packing within a capacity.
pub(super) struct Search<'a> {
    pub(super) problem: &'a Problem,
    pub(super) rules: Rules,
    pub(super) capacity: Unit,
    pub(super) ranks: Vec<u32>,
    pub(super) pick: Pick,
    pub(super) memo: &'a mut Memo,
    pub(super) state: State,
    pub(super) scratch: Scratch,
    /// The rectangles; a part is a stretch of it.
    pub(super) list: Vec<u32>,
    pub(super) crossing: Vec<i32>,
    choices: Vec<u32>,
    parts: Vec<Part>,
    frames: Vec<Frame>,
}

/// What is to be done when the way taken fails or succeeds.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// One of several ways has to succeed: `choices[next..to]`, then the raise.
    Any { part: Part, branch: Branch, from: usize, next: usize, mark: usize },
    /// All parts have to succeed: `parts[next..]` up to the end as it was.
    All { from: usize, next: usize, to: usize },
}

/// Where the search stands.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enter(Part),
    Succeed,
    Fail,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub(super) fn new(
        problem: &'a Problem,
        rules: Rules,
        capacity: Unit,
        (ranks, pick): (Vec<u32>, Pick),
        memo: &'a mut Memo,
    ) -> Self {
        let n = problem.rects.len();
        Self {
            problem,
            rules,
            capacity,
            ranks,
            pick,
            memo,
            state: State::new(problem),
            scratch: Scratch::new(problem.loads.len(), n),
            list: (0..n as u32).collect(),
            crossing: Vec::new(),
            choices: Vec::new(),
            parts: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Searches through at most so many nodes. After [`End::Found`] the offsets are in the state.
    pub(super) fn run(&mut self, slice: u64, meter: &mut Meter<'_>) -> End {
        let until = meter.nodes().saturating_add(slice);
        let hi = self.problem.loads.len() as u32;
        let mut step = Step::Enter(Part { from: 0, to: self.list.len(), lo: 0, hi, level: 0 });
        loop {
            step = match step {
                Step::Enter(part) if part.from == part.to => Step::Succeed,
                Step::Enter(part) => match self.split(part) {
                    Some(step) => step,
                    None => {
                        if meter.nodes() >= until {
                            return End::Slice;
                        }
                        if let Err(stop) = meter.tick() {
                            return End::Stopped(stop);
                        }
                        self.node(part)
                    }
                },
                Step::Succeed => match self.frames.pop() {
                    None => return End::Found,
                    Some(Frame::Any { from, .. }) => {
                        self.choices.truncate(from);
                        Step::Succeed
                    }
                    Some(Frame::All { from, next, to }) if next < to => {
                        self.frames.push(Frame::All { from, next: next + 1, to });
                        Step::Enter(self.parts[next])
                    }
                    Some(Frame::All { from, .. }) => {
                        self.parts.truncate(from);
                        Step::Succeed
                    }
                },
                Step::Fail => match self.frames.pop() {
                    None => return End::Refuted,
                    Some(Frame::All { from, .. }) => {
                        self.parts.truncate(from);
                        Step::Fail
                    }
                    Some(Frame::Any { part, branch, from, next, mark }) => {
                        self.state.undo(mark);
                        self.retry(part, branch, from, next)
                    }
                },
            };
        }
    }

    /// Cuts a part in pieces if nobody crosses somewhere.
    fn split(&mut self, part: Part) -> Option<Step> {
        if !self.rules.components {
            return None;
        }
        let from = self.parts.len();
        part.split(self.problem, &mut self.list, &mut self.crossing, &mut self.parts);
        let to = self.parts.len();
        if to == from {
            return None;
        }
        self.state.settle(&self.list[part.from..part.to]);
        // Small parts fail at less cost.
        self.parts[from..to].sort_by_key(|p| (p.to - p.from, p.lo));
        self.frames.push(Frame::All { from, next: from + 1, to });
        Some(Step::Enter(self.parts[from]))
    }

    /// Looks at a part and does what has to be done.
    fn node(&mut self, part: Part) -> Step {
        let mut choices = std::mem::take(&mut self.choices);
        let from = choices.len();
        let look = self.look(part, &mut choices);
        self.choices = choices;
        match look {
            Look::Fail => Step::Fail,
            Look::Place(rect) => self.place(part, rect, false),
            Look::Branch(branch) => self.retry(part, branch, from, from),
        }
    }

    /// Goes the next way of a branch; it failed when there is none.
    fn retry(&mut self, part: Part, branch: Branch, from: usize, next: usize) -> Step {
        let mark = self.state.mark();
        if let Some(&rect) = self.choices.get(next) {
            self.frames.push(Frame::Any { part, branch, from, next: next + 1, mark });
            return self.place(part, rect, true);
        }
        let Some(floor) = branch.raise else {
            self.choices.truncate(from);
            if self.rules.memo {
                self.memo.learn(branch.key);
            }
            return Step::Fail;
        };
        let last = Branch { raise: None, ..branch };
        self.frames.push(Frame::Any { part, branch: last, from, next, mark });
        self.state.raise(self.problem, branch.section, floor, &self.list[part.from..part.to]);
        Step::Enter(part)
    }

    fn place(&mut self, part: Part, rect: u32, chosen: bool) -> Step {
        let end = self.state.least[rect as usize] + self.problem.rects[rect as usize].size;
        if end > self.capacity {
            return Step::Fail;
        }
        let rest = part.without(&mut self.list, rect);
        let how = Placed { chosen, level: part.level };
        self.state.place(self.problem, rect, &self.list[rest.from..rest.to], how);
        Step::Enter(rest)
    }
}
