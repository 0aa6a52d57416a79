//! What must be complete before what, and whether anything sees to it (13.1, steps 4 to 7).

use super::queues::Carried;
use super::shadow::{Before, Befores, Mark, Shadow};
use super::tape::{Part, Path, Pipes, Stage};
use crate::runtime::clock::{Clock, Epoch};

/// A dependency that nothing before it implies.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Has to be complete.
    pub first: u32,
    /// Before this starts.
    pub second: u32,
    pub before: Before,
    /// True when it is there because of where the plan puts things.
    pub placement: bool,
}

/// The order of one path.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    /// For each stage, the last stage of each pipe that the program's data needs to be complete.
    pub data: Vec<Vec<u32>>,
    /// Dependencies that nothing implied: what the placement owes, and, for programs that order
    /// their data themselves, also what they forgot.
    pub edges: Vec<Edge>,
}

struct Engine<'a> {
    path: &'a Path,
    pipes: &'a Pipes,
    own: Shadow,
    planned: Shadow,
    /// What each pipe has acquired.
    clocks: Vec<Clock>,
    /// What is known when a stage, and all of its pipe before it, are complete.
    done: Vec<Clock>,
}

/// Orders the stages of a path. `carried` is what the program's synchronisation makes known; `complete`
/// says that it is meant to order the program's own data as well.
pub(super) fn order(
    path: &Path,
    pipes: &Pipes,
    carried: Option<&Carried>,
    complete: bool,
) -> Ordered {
    let mut engine = Engine {
        path,
        pipes,
        own: Shadow::new(),
        planned: Shadow::new(),
        clocks: vec![Clock::default(); pipes.len() as usize],
        done: Vec::with_capacity(path.stages.len()),
    };
    let mut out = Ordered::default();
    for (at, stage) in (0u32..).zip(&path.stages) {
        let known = carried.and_then(|c| c.known.get(at as usize));
        engine.stage(at, stage, known, complete, &mut out);
    }
    out
}

impl Engine<'_> {
    fn stage(
        &mut self,
        at: u32,
        stage: &Stage,
        known: Option<&Clock>,
        complete: bool,
        out: &mut Ordered,
    ) {
        let Epoch { actor, n } = stage.epoch;
        let mut clock = self.clocks.get(actor.0 as usize).cloned().unwrap_or_default();
        if let Some(known) = known {
            clock.join(known);
        }
        if !self.pipes.weak(actor) {
            clock.raise(actor, n - 1);
        }
        if stage.goes_on
            && let Some(done) = self.done.last()
        {
            clock.join(done);
        }
        let (data, placed) = self.befores(stage);
        let both = latest_first(&data).map(|b| (b, false));
        for (before, placement) in both.chain(latest_first(&placed).map(|b| (b, true))) {
            let Some(earlier) = self.path.stages.get(before.stage as usize) else { continue };
            if clock.has(earlier.epoch) {
                continue;
            }
            if placement || complete {
                let (first, before) = (before.stage, before.clone());
                out.edges.push(Edge { first, second: at, before, placement });
            }
            if let Some(done) = self.done.get(before.stage as usize) {
                clock.join(done);
            }
        }
        out.data.push(data.values().map(|before| before.stage).collect());
        let mut done = clock.clone();
        done.raise(actor, n);
        self.done.push(done);
        if let Some(own) = self.clocks.get_mut(actor.0 as usize) {
            *own = clock;
        }
        self.touch(at, stage);
    }

    /// What the program's data needs to be complete, and what the placement does besides.
    fn befores(&self, stage: &Stage) -> (Befores, Befores) {
        let (mut data, mut placed) = (Befores::new(), Befores::new());
        for part in &stage.parts {
            let counts = |mark: &Mark| !self.accumulates(mark, stage, part);
            self.own.conflicts(part, part.own, counts, &mut data);
            let other = |mark: &Mark| mark.object != part.object;
            self.planned.conflicts(part, part.planned, other, &mut placed);
        }
        (data, placed)
    }

    /// True when the matrix unit adds to what it has just written there: it keeps that order itself.
    fn accumulates(&self, mark: &Mark, stage: &Stage, part: &Part) -> bool {
        let actor = stage.epoch.actor;
        if mark.actor != actor || !self.pipes.cube(actor) || !(part.writes && part.partial) {
            return false;
        }
        let earlier = self.path.stages.get(mark.stage as usize);
        earlier.is_some_and(|s| s.parts.iter().any(|p| p.writes && p.own == part.own))
    }

    fn touch(&mut self, at: u32, stage: &Stage) {
        for part in &stage.parts {
            let actor = stage.epoch.actor;
            let mark = Mark { stage: at, actor, buffer: part.buffer, object: part.object };
            self.own.touch(part.own, mark, part.writes);
            self.planned.touch(part.planned, mark, part.writes);
        }
    }
}

/// The latest first: it may imply the earlier ones.
fn latest_first(befores: &Befores) -> impl Iterator<Item = &Before> {
    let mut all: Vec<&Before> = befores.values().collect();
    all.sort_by_key(|before| std::cmp::Reverse(before.stage));
    all.into_iter()
}
