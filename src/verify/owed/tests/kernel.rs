//! Kernels on pipes in few words.

use crate::model::*;
use crate::verify::owed::{self, Limits, Owed};
use crate::verify::tests::build::Build;

/// A function on the pipes S, V, M, MTE1, MTE2 and MTE3.
pub(super) struct Kernel {
    pub b: Build,
    pub offsets: Vec<(String, Vec<u64>)>,
}

impl Kernel {
    /// A large scope `ub`, no alignment.
    pub(super) fn new() -> Self {
        let mut b = Build::new(1 << 20, 1);
        let kinds = [
            ("S", PipeKind::Scalar),
            ("V", PipeKind::Vector),
            ("M", PipeKind::Cube),
            ("MTE1", PipeKind::Dma),
            ("MTE2", PipeKind::Dma),
            ("MTE3", PipeKind::Dma),
        ];
        for (name, kind) in kinds {
            b.problem.pipes.push(Pipe { name: name.to_owned(), kind });
        }
        Self { b, offsets: Vec::new() }
    }

    /// A buffer at its offsets, one a slot.
    pub(super) fn buf(&mut self, name: &str, size: u64, offsets: &[u64]) -> BufferId {
        let id = self.b.buf(name, size);
        self.b.at(id).slots = offsets.len() as u32;
        self.offsets.push((name.to_owned(), offsets.to_vec()));
        id
    }

    /// An op on a pipe; on none for an empty name.
    pub(super) fn op(
        &mut self,
        name: &str,
        pipe: &str,
        reads: &[BufferId],
        writes: &[BufferId],
    ) -> OpId {
        let of = |ids: &[BufferId]| ids.iter().map(|&id| self.b.v(id)).collect::<Vec<_>>();
        let (reads, writes) = (of(reads), of(writes));
        let id = self.b.op(name, &reads, &writes);
        self.b.f.ops[id].pipe = self.b.problem.pipe(pipe);
        id
    }

    /// A loop around what `body` adds.
    pub(super) fn repeat(&mut self, trips: Trips, body: impl FnOnce(&mut Self, LoopId)) -> LoopId {
        let mut build = std::mem::replace(&mut self.b, Build::new(1, 1));
        let id = build.repeat(trips, |b, id| self.lend(b, |k| body(k, id)));
        self.b = build;
        id
    }

    /// A branch between what the two add.
    pub(super) fn branch(
        &mut self,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let mut build = std::mem::replace(&mut self.b, Build::new(1, 1));
        let this = std::cell::RefCell::new(&mut *self);
        build.branch(
            |b| {
                this.borrow_mut().lend(b, then);
                Vec::new()
            },
            |b| {
                this.borrow_mut().lend(b, otherwise);
                Vec::new()
            },
        );
        self.b = build;
    }

    /// Lets `f` add to a builder that somebody else holds.
    fn lend(&mut self, b: &mut Build, f: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.b, b);
        f(self);
        std::mem::swap(&mut self.b, b);
    }

    pub(super) fn temp(&mut self, op: OpId, id: BufferId) {
        let value = self.b.v(id);
        self.b.access(op, value, AccessMode::Temporary, |_| {});
    }

    pub(super) fn pipe(&self, name: &str) -> PipeId {
        self.b.problem.pipe(name).expect("a pipe of the kernel")
    }

    fn sync(&mut self, name: &str, sync: Sync) {
        let id = self.b.op(name, &[], &[]);
        self.b.f.ops[id].sync = Some(sync);
    }

    pub(super) fn set(&mut self, from: &str, to: &str, id: u64) {
        let (a, b) = (self.pipe(from), self.pipe(to));
        let name = format!("set {from} {to} {id}");
        self.sync(&name, Sync::Set { from: a, to: b, id: FlagId::Constant(id) });
    }

    pub(super) fn wait(&mut self, from: &str, to: &str, id: u64) {
        let (a, b) = (self.pipe(from), self.pipe(to));
        let name = format!("wait {from} {to} {id}");
        self.sync(&name, Sync::Wait { from: a, to: b, id: FlagId::Constant(id) });
    }

    /// A set, and the wait for it.
    pub(super) fn flag(&mut self, from: &str, to: &str, id: u64) {
        self.set(from, to, id);
        self.wait(from, to, id);
    }

    /// A flag whose number rotates with a loop.
    pub(super) fn turn(&mut self, set: bool, from: &str, to: &str, within: LoopId, ids: &[u64]) {
        let (from, to) = (self.pipe(from), self.pipe(to));
        let id = FlagId::Rotating { within, ids: ids.to_vec() };
        let sync = if set { Sync::Set { from, to, id } } else { Sync::Wait { from, to, id } };
        self.sync(if set { "turning set" } else { "turning wait" }, sync);
    }

    /// A barrier of a pipe; of all for an empty name.
    pub(super) fn barrier(&mut self, pipe: &str) {
        let which = self.b.problem.pipe(pipe);
        self.sync(&format!("barrier {pipe}"), Sync::Barrier(which));
    }

    pub(super) fn plan(&self) -> Plan {
        let offsets: Vec<(&str, &[u64])> =
            self.offsets.iter().map(|(name, o)| (name.as_str(), o.as_slice())).collect();
        self.b.plan(&offsets)
    }

    /// What it owes at its offsets.
    pub(super) fn owed(&self) -> Owed {
        self.owed_within(Limits::default())
    }

    pub(super) fn owed_within(&self, limits: Limits) -> Owed {
        let (problem, plan) = (self.b.problem(), self.plan());
        let machine = owed::machine(&problem);
        owed::check(&problem, &problem.functions[0], &plan.functions[0], &machine, limits)
    }

    /// The edges, such as `st -> v1`, with `+1` behind for the next trip.
    pub(super) fn edges(&self) -> Vec<String> {
        words(&self.owed())
    }

    /// The codes of the findings, without what stands before the last `::`.
    pub(super) fn faults(&self) -> Vec<String> {
        let of = |f: &Finding| f.code.name().rsplit("::").next().unwrap_or_default().to_owned();
        self.owed().findings.iter().map(of).collect()
    }
}

pub(super) fn words(owed: &Owed) -> Vec<String> {
    let word = |e: &OwedEdge| {
        let trips = if e.distance > 0 { format!(" +{}", e.distance) } else { String::new() };
        format!("{} -> {}{trips}", e.first, e.second)
    };
    owed.edges.iter().map(word).collect()
}
