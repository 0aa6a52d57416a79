//! Depth first over the ways to fill niches, with an explicit stack.

use memplan_packing::Stop;

use super::level::Level;
use super::look::{Branch, Look};
use super::memo::{Key, Keys, Memo};
use super::niches::{Niche, Scratch};
use super::order::Manner;
use super::part::Part;
use super::problem::Problem;
use super::skyline::Skyline;
use super::state::{Placed, State};
use crate::rules::Rules;

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

/// What all runs have in common.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a, L> {
    pub(super) problem: &'a Problem<L>,
    pub(super) rules: Rules,
    pub(super) keys: &'a Keys,
    /// What earlier runs refuted.
    pub(super) memo: &'a Memo,
}

/// One search for a packing within a capacity.
pub(super) struct Search<'a, L: Level> {
    pub(super) problem: &'a Problem<L>,
    pub(super) rules: Rules,
    pub(super) capacity: L,
    pub(super) ranks: Vec<u32>,
    pub(super) manner: Manner,
    pub(super) keys: &'a Keys,
    known: &'a Memo,
    /// What this run refuted.
    pub(super) learned: Memo,
    /// How often each section was the one without a way.
    pub(super) weights: Vec<u32>,
    /// Nodes opened.
    pub(super) nodes: u64,
    pub(super) state: State<L>,
    pub(super) skyline: Skyline<L>,
    pub(super) niches: Vec<Niche<L>>,
    /// The part that the niches are of.
    pub(super) seen: Option<(u32, u32, u32)>,
    pub(super) scratch: Scratch<L>,
    /// Who may lie on the floor of the niche looked at.
    pub(super) inside: Vec<u32>,
    /// Least offsets and sizes of the section looked at.
    pub(super) heads: Vec<(L, L)>,
    /// The rectangles; a part is a stretch of it.
    pub(super) list: Vec<u32>,
    choices: Vec<u32>,
    parts: Vec<Part>,
    frames: Vec<Frame<L>>,
}

/// What is to be done when the way taken fails or succeeds.
#[derive(Clone, Copy, Debug)]
enum Frame<L> {
    /// One of several ways has to succeed: `choices[next..to]`, then the raise.
    Any { part: Part, branch: Branch<L>, from: usize, next: usize, mark: usize },
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

impl<'a, L: Level> Search<'a, L> {
    /// A search that has not begun.
    pub(super) fn new(
        Shared { problem, rules, keys, memo }: Shared<'a, L>,
        capacity: L,
        ranks: Vec<u32>,
        manner: Manner,
    ) -> Self {
        let n = problem.rects.len();
        Self {
            problem,
            rules,
            capacity,
            ranks,
            manner,
            keys,
            known: memo,
            learned: Memo::default(),
            weights: vec![1; problem.loads.len()],
            nodes: 0,
            state: State::new(problem),
            skyline: Skyline::new(problem.loads.len()),
            niches: Vec::new(),
            seen: None,
            scratch: Scratch::new(problem.loads.len(), n),
            inside: Vec::new(),
            heads: Vec::new(),
            list: (0..n as u32).collect(),
            choices: Vec::new(),
            parts: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Searches through at most so many nodes. After [`End::Found`] the offsets are in the state.
    pub(super) fn run(&mut self, nodes: u64, poll: &dyn Fn() -> Result<(), Stop>) -> End {
        let hi = self.problem.loads.len() as u32;
        let mut step = Step::Enter(Part { from: 0, to: self.list.len(), lo: 0, hi, level: 0 });
        loop {
            step = match step {
                Step::Enter(part) if part.from == part.to => Step::Succeed,
                Step::Enter(part) => match self.split(part) {
                    Some(step) => step,
                    None => {
                        if self.nodes >= nodes {
                            return End::Slice;
                        }
                        if self.nodes.is_multiple_of(64)
                            && let Err(stop) = poll()
                        {
                            return End::Stopped(stop);
                        }
                        self.nodes += 1;
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
                        self.state.undo(self.problem, mark);
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
        part.split(self.problem, &mut self.list, &self.state.crossing, &mut self.parts);
        let to = self.parts.len();
        if to == from {
            return None;
        }
        self.state.settle(self.problem, &self.list[part.from..part.to]);
        // Small parts fail at less cost.
        self.parts[from..to].sort_by_key(|p| (p.to - p.from, p.lo));
        self.frames.push(Frame::All { from, next: from + 1, to });
        Some(Step::Enter(self.parts[from]))
    }

    /// The section had no way left: it is decided earlier from now on.
    pub(super) fn blame(&mut self, section: u32) {
        self.weights[section as usize] += 1;
    }

    /// True when some run refuted the state.
    pub(super) fn knows(&self, key: Key) -> bool {
        self.known.knows(key) || self.learned.knows(key)
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
    fn retry(&mut self, part: Part, branch: Branch<L>, from: usize, next: usize) -> Step {
        let mark = self.state.mark();
        if let Some(&rect) = self.choices.get(next) {
            self.frames.push(Frame::Any { part, branch, from, next: next + 1, mark });
            return self.place(part, rect, true);
        }
        let Some(floor) = branch.raise else {
            self.choices.truncate(from);
            if branch.key != 0 {
                self.learned.learn(branch.key);
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
