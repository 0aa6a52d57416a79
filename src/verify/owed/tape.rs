//! One path as a list: which pipe touches which bytes, in the order of the program.

use crate::model::machine::{Costs, Machine};
use crate::model::{AccessMode, BufferId, FlagId, IdVec, LoopId, OpId, PipeId, PipeKind, Sync};
use crate::runtime::clock::{ActorId, Epoch};
use crate::runtime::program::{Instance, Phase, Ref, Walker};
use crate::verify::case::Case;
use crate::verify::objects::Objects;

/// Bytes that a stage touches, under both of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub buffer: BufferId,
    /// The slot of the buffer or of its colocation group: what has bytes of its own in the program.
    pub object: u32,
    /// Where the bytes lie among those of all objects.
    pub own: (u128, u128),
    /// Where the plan puts them.
    pub planned: (u128, u128),
    pub writes: bool,
    /// True for a write that keeps some of the bytes.
    pub partial: bool,
}

/// What one pipe does in one execution of an op: a phase of 13.1.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub op: OpId,
    /// The pipe, and how many stages it has had with this one.
    pub epoch: Epoch,
    /// True for the second and later phases of one execution.
    pub goes_on: bool,
    pub cost: u64,
    /// Reads before writes.
    pub parts: Vec<Part>,
    /// How often the bodies of the loops around had been begun, outermost first.
    pub begun: Vec<u64>,
}

/// A flag of a pair of pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flag {
    /// Between two pipes of a core.
    Pipes(ActorId, ActorId, u64),
    /// Between cores.
    Cores(u64),
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A stage, by position.
    Stage(u32),
    /// A pipe raises a flag.
    Set(OpId, ActorId, Flag),
    /// A pipe waits for a flag.
    Wait(OpId, ActorId, Flag),
    /// A pipe lets nothing pass; `None`: all of them.
    Barrier(OpId, Option<ActorId>),
}

/// A path.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub items: Vec<Item>,
    pub stages: Vec<Stage>,
    /// True when a flag has an id that nobody knows.
    pub unknown_flag: bool,
}

/// Who runs what: the pipes of the problem, and one more for ops without a pipe.
pub(super) struct Pipes {
    names: Vec<String>,
    weak: Vec<bool>,
    cube: Vec<bool>,
    scalar: Option<ActorId>,
}

/// What the track of ops without a pipe is called.
pub(super) const NO_PIPE: &str = "no pipe";

impl Pipes {
    pub(super) fn of(case: &Case<'_>, machine: &Machine) -> Self {
        let pipes = &case.problem.pipes;
        let weak = |name: &str| machine.weak_pipes.iter().any(|w| w.eq_ignore_ascii_case(name));
        let strong = |kind| kind == PipeKind::Scalar;
        let scalar = pipes.enumerate().find(|(_, p)| p.kind == PipeKind::Scalar);
        Self {
            names: pipes.iter().map(|p| p.name.clone()).chain([NO_PIPE.to_owned()]).collect(),
            weak: pipes.iter().map(|p| weak(&p.name) && !strong(p.kind)).chain([false]).collect(),
            cube: pipes.iter().map(|p| p.kind == PipeKind::Cube).chain([false]).collect(),
            scalar: scalar.map(|(id, _)| ActorId(id.0)),
        }
    }

    /// How many actors there are.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.names.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn name(&self, actor: ActorId) -> &str {
        self.names.get(actor.0 as usize).map_or(NO_PIPE, String::as_str)
    }

    /// True when an instruction of the pipe may still run when its next one starts.
    pub(super) fn weak(&self, actor: ActorId) -> bool {
        self.weak.get(actor.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn cube(&self, actor: ActorId) -> bool {
        self.cube.get(actor.0 as usize).copied().unwrap_or(false)
    }

    /// The pipe that issues to all others, where the machine has one.
    pub(super) fn scalar(&self) -> Option<ActorId> {
        self.scalar
    }

    /// True for the actor of ops without a pipe.
    pub(super) fn none(&self, actor: ActorId) -> bool {
        actor.0 + 1 == self.len()
    }

    pub(super) fn actor(&self, pipe: Option<PipeId>) -> ActorId {
        let none = self.len().saturating_sub(1);
        ActorId(pipe.map_or(none, |p| p.0.min(none)))
    }
}

/// Records the current path.
pub(super) struct Recorder<'c, 'a, F> {
    pub case: &'c Case<'a>,
    pub objects: &'c Objects,
    pub own: &'c Own,
    pub pipes: &'c Pipes,
    pub costs: &'c Costs,
    pub path: Path,
    pub counts: Vec<u32>,
    /// Gets each path when it has ended.
    pub done: F,
}

/// Numbers for what has bytes of its own: each slot of each colocation group.
pub(super) struct Own {
    first: Vec<u32>,
}

impl Own {
    pub(super) fn of(case: &Case<'_>) -> Self {
        let mut slots = vec![1u32; case.groups.len()];
        for id in case.function.buffers.ids() {
            if let Some(most) = slots.get_mut(case.groups.group(id) as usize) {
                let count = u32::try_from(case.offsets(id).len()).unwrap_or(u32::MAX);
                *most = (*most).max(count);
            }
        }
        let first = slots.iter().scan(0u32, |next, &count| {
            let first = *next;
            *next = next.saturating_add(count);
            Some(first)
        });
        Self { first: first.collect() }
    }

    fn object(&self, case: &Case<'_>, id: BufferId, slot: u32) -> u32 {
        let first = self.first.get(case.groups.group(id) as usize).copied().unwrap_or(0);
        first.saturating_add(slot)
    }
}

impl<F: FnMut(Path)> Walker for Recorder<'_, '_, F> {
    fn begin(&mut self) {
        self.path = Path::default();
        self.counts = vec![0; self.pipes.len() as usize];
    }

    fn instance(&mut self, instance: Instance<'_>) {
        if let Some(sync) = &self.case.function.ops[instance.op].sync {
            self.sync(instance.op, sync, instance.trips);
            return;
        }
        let loops = &self.case.order.loops_of_op[instance.op];
        let begun: Vec<u64> = loops.iter().map(|&l| instance.begun[l]).collect();
        let phases: Vec<(&Phase, Vec<Part>)> = instance
            .phases
            .iter()
            .map(|phase| (phase, self.parts(phase)))
            .filter(|(_, parts)| !parts.is_empty())
            .collect();
        let many = phases.len() as u64;
        for (at, (phase, parts)) in phases.into_iter().enumerate() {
            let actor = self.pipes.actor(phase.pipe);
            let cost = match self.case.function.ops[instance.op].cost {
                // What the op says is the time of all its phases.
                Some(ticks) => ticks / many + u64::from((at as u64) < ticks % many),
                None => self.cost(actor, &parts),
            };
            let Some(count) = self.counts.get_mut(actor.0 as usize) else { continue };
            *count = count.saturating_add(1);
            let epoch = Epoch { actor, n: *count };
            let place = u32::try_from(self.path.stages.len()).unwrap_or(u32::MAX);
            let (op, goes_on, begun) = (instance.op, at > 0, begun.clone());
            self.path.stages.push(Stage { op, epoch, goes_on, cost, parts, begun });
            self.path.items.push(Item::Stage(place));
        }
    }

    fn end(&mut self) {
        (self.done)(std::mem::take(&mut self.path));
    }
}

impl<F> Recorder<'_, '_, F> {
    fn parts(&self, phase: &Phase) -> Vec<Part> {
        let mut parts = Vec::new();
        for touch in phase.touches.iter().filter(|t| t.mode != AccessMode::Fresh) {
            let writes = touch.mode != AccessMode::Read;
            for r in &touch.refs {
                parts.extend(self.part(r, writes, touch.partial));
            }
        }
        parts.sort_by_key(|part| part.writes);
        parts
    }

    fn part(&self, r: &Ref, writes: bool, partial: bool) -> Option<Part> {
        let area = self.objects.area(self.case, r)?;
        let object = self.own.object(self.case, r.buffer, r.slot);
        let lead = u128::from(self.case.groups.lead(r.buffer));
        let start = (u128::from(object) << crate::verify::memory::SHIFT) + lead;
        let lo = start + u128::from(r.bytes.start);
        let own = (lo, lo + (area.hi - area.lo));
        Some(Part { buffer: r.buffer, object, own, planned: (area.lo, area.hi), writes, partial })
    }

    /// By the table: the longest operand passes through the pipe.
    fn cost(&self, actor: ActorId, parts: &[Part]) -> u64 {
        let most = parts.iter().map(|p| p.planned.1 - p.planned.0).max().unwrap_or(0);
        let name = if self.pipes.none(actor) { "S" } else { self.pipes.name(actor) };
        self.costs.of(name, u64::try_from(most).unwrap_or(u64::MAX))
    }

    fn sync(&mut self, op: OpId, sync: &Sync, trips: &IdVec<LoopId, u64>) {
        let pipe = |pipe: PipeId| self.pipes.actor(Some(pipe));
        let number = |id: &FlagId| match id {
            FlagId::Constant(id) => Some(*id),
            FlagId::Rotating { within, ids } => {
                let trip = trips.get(*within).copied().unwrap_or(0);
                let at = trip.checked_rem(ids.len() as u64)?;
                ids.get(usize::try_from(at).ok()?).copied()
            }
            FlagId::Unknown => None,
        };
        let scalar = || self.pipes.scalar().unwrap_or(self.pipes.actor(None));
        let pair = |from, to, id: &FlagId| Some(Flag::Pipes(pipe(from), pipe(to), number(id)?));
        let cross = |who: Option<PipeId>| who.map_or_else(scalar, pipe);
        let item = match *sync {
            Sync::Set { from, to, ref id } => {
                pair(from, to, id).map(|f| Item::Set(op, pipe(from), f))
            }
            Sync::Wait { from, to, ref id } => {
                pair(from, to, id).map(|f| Item::Wait(op, pipe(to), f))
            }
            Sync::Barrier(which) => Some(Item::Barrier(op, which.map(pipe))),
            Sync::CrossSet { pipe, ref id } => {
                number(id).map(|id| Item::Set(op, cross(pipe), Flag::Cores(id)))
            }
            Sync::CrossWait { pipe, ref id } => {
                number(id).map(|id| Item::Wait(op, cross(pipe), Flag::Cores(id)))
            }
            // Blocks take turns; within one of them nothing is ordered by it.
            Sync::Lock(_) | Sync::Unlock(_) => return,
        };
        match item {
            Some(item) => self.path.items.push(item),
            None => self.path.unknown_flag = true,
        }
    }
}
