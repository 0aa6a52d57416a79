//! Problems and plans in few words.

use crate::diag::Severity;
use crate::model::*;

/// A problem with one function being written.
pub(crate) struct Build {
    pub problem: Problem,
    pub f: Function,
    open: Vec<Region>,
    around: Vec<LoopId>,
}

impl Build {
    /// One scope `ub`.
    pub(crate) fn new(capacity: u64, alignment: u64) -> Self {
        let mut build = Self {
            problem: Problem::default(),
            f: Function { name: "f".to_owned(), ..Function::default() },
            open: vec![Region::default()],
            around: Vec::new(),
        };
        build.scope("ub", capacity, alignment);
        build
    }

    pub(crate) fn scope(&mut self, name: &str, capacity: u64, alignment: u64) -> ScopeId {
        self.problem.scopes.push(Scope {
            name: name.to_owned(),
            capacity: Capacity::Bytes(capacity),
            alignment,
            round_up: false,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        })
    }

    /// A buffer in the first scope, with its alignment.
    pub(crate) fn buf(&mut self, name: &str, size: u64) -> BufferId {
        let id = BufferId(self.f.buffers.len() as u32);
        let value = self.value(name, ValueKind::Buffer(id));
        self.f.buffers.push(Buffer {
            name: name.to_owned(),
            loc: None,
            scope: ScopeId(0),
            size: Bytes(size),
            shape: None,
            alignment: self.problem.scopes[ScopeId(0)].alignment,
            slots: 1,
            spare_slots: false,
            rotates_in: None,
            pin: None,
            unique: false,
            owner: None,
            class: LifetimeClass::Local,
            temporary: false,
            preload: false,
            coupling: None,
            live: None,
            lives_in: None,
            pipes: Vec::new(),
            value,
        })
    }

    pub(crate) fn live(&mut self, name: &str, size: u64, live: &[(u64, u64)]) -> BufferId {
        let id = self.buf(name, size);
        self.at(id).live = Some(live.iter().map(|&(a, b)| Live::new(a, b)).collect());
        id
    }

    pub(crate) fn at(&mut self, id: BufferId) -> &mut Buffer {
        &mut self.f.buffers[id]
    }

    /// The value of a buffer.
    pub(crate) fn v(&self, id: BufferId) -> ValueId {
        self.f.buffers[id].value
    }

    pub(crate) fn value(&mut self, name: &str, kind: ValueKind) -> ValueId {
        self.f.values.push(Value { name: name.to_owned(), loc: None, kind })
    }

    pub(crate) fn view(
        &mut self,
        base: ValueId,
        delta: impl Into<Option<u64>>,
        length: impl Into<Option<u64>>,
    ) -> ValueId {
        let kind = ValueKind::View { base, delta: delta.into(), length: length.into() };
        self.value("view", kind)
    }

    pub(crate) fn select(&mut self, of: &[ValueId]) -> ValueId {
        self.value("select", ValueKind::Select(of.to_vec()))
    }

    pub(crate) fn relation(&mut self, kind: RelationKind, first: BufferId, second: BufferId) {
        self.f.relations.push(Relation { kind, first, second, why: None, loc: None });
    }

    pub(crate) fn op(&mut self, name: &str, reads: &[ValueId], writes: &[ValueId]) -> OpId {
        let one = |&value: &ValueId, mode| Access {
            value,
            range: None,
            mode,
            partial: false,
            pipe: None,
            loc: None,
        };
        let reads = reads.iter().map(|v| one(v, AccessMode::Read));
        let writes = writes.iter().map(|v| one(v, AccessMode::Write));
        let id = self.f.ops.push(Op {
            name: name.to_owned(),
            loc: None,
            pipe: None,
            inplace: InplaceRule::Never,
            accesses: reads.chain(writes).collect(),
            sync: None,
            cost: None,
        });
        self.node(Node::Op(id));
        id
    }

    /// Adds an access to an op; `set` changes it.
    pub(crate) fn access(
        &mut self,
        op: OpId,
        value: ValueId,
        mode: AccessMode,
        set: impl FnOnce(&mut Access),
    ) {
        let mut access = Access { value, range: None, mode, partial: false, pipe: None, loc: None };
        set(&mut access);
        self.f.ops[op].accesses.push(access);
    }

    fn node(&mut self, node: Node) {
        self.open.last_mut().unwrap().nodes.push(node);
    }

    /// A loop; `body` gets its id.
    pub(crate) fn repeat(&mut self, trips: Trips, body: impl FnOnce(&mut Self, LoopId)) -> LoopId {
        let parent = self.around.last().copied();
        let name = format!("l{}", self.f.loops.len());
        let empty = Region::default();
        let new = Loop { name, loc: None, trips, carries: Vec::new(), body: empty, parent };
        let id = self.f.loops.push(new);
        self.open.push(Region::default());
        self.around.push(id);
        body(self, id);
        self.around.pop();
        self.f.loops[id].body = self.open.pop().unwrap();
        self.node(Node::Loop(id));
        id
    }

    /// A carry of a loop: its value inside and its result. Set `next` with [`Self::next`].
    pub(crate) fn carry(&mut self, id: LoopId, init: ValueId) -> (ValueId, ValueId) {
        let n = self.f.loops[id].carries.len() as u32;
        let value = self.value("carry", ValueKind::Carry(id, n));
        let result = self.value("result", ValueKind::LoopResult(id, n));
        self.f.loops[id].carries.push(Carry { value, init, next: value, result });
        (value, result)
    }

    pub(crate) fn next(&mut self, id: LoopId, n: usize, next: ValueId) {
        self.f.loops[id].carries[n].next = next;
    }

    /// A branch with the values it leaves behind.
    pub(crate) fn branch(
        &mut self,
        then: impl FnOnce(&mut Self) -> Vec<ValueId>,
        otherwise: impl FnOnce(&mut Self) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let name = format!("b{}", self.f.branches.len());
        let id = self.f.branches.push(Branch {
            name,
            loc: None,
            results: Vec::new(),
            then: Region::default(),
            otherwise: Region::default(),
        });
        self.open.push(Region::default());
        let lefts = then(self);
        self.f.branches[id].then = self.open.pop().unwrap();
        self.open.push(Region::default());
        let rights = otherwise(self);
        self.f.branches[id].otherwise = self.open.pop().unwrap();
        self.node(Node::Branch(id));
        let mut values = Vec::new();
        for (n, (then, otherwise)) in lefts.into_iter().zip(rights).enumerate() {
            let value = self.value("either", ValueKind::BranchResult(id, n as u32));
            self.f.branches[id].results.push(BranchResult { value, then, otherwise });
            values.push(value);
        }
        values
    }

    /// The problem as it stands.
    pub(crate) fn problem(&self) -> Problem {
        let mut problem = self.problem.clone();
        let mut function = self.f.clone();
        function.body = self.open[0].clone();
        problem.functions.push(function);
        problem
    }

    /// A plan with the right fingerprint.
    pub(crate) fn plan(&self, offsets: &[(&str, &[u64])]) -> Plan {
        let problem = self.problem();
        let place = |&(name, offsets): &(&str, &[u64])| Placement {
            name: name.to_owned(),
            id: None,
            scope: None,
            offsets: offsets.to_vec(),
            loc: None,
        };
        let function = FunctionPlan {
            name: "f".to_owned(),
            fingerprint: Some(fingerprint(&problem, &problem.functions[0])),
            placements: offsets.iter().map(place).collect(),
        };
        Plan { functions: vec![function] }
    }

    pub(crate) fn verify(&self, offsets: &[(&str, &[u64])]) -> Vec<Finding> {
        crate::verify::verify(&self.problem(), &self.plan(offsets))
    }

    /// Codes and buffers of the errors, such as `overlap a b`.
    pub(crate) fn errors(&self, offsets: &[(&str, &[u64])]) -> Vec<String> {
        words(&self.verify(offsets), Severity::Error)
    }

    pub(crate) fn warnings(&self, offsets: &[(&str, &[u64])]) -> Vec<String> {
        words(&self.verify(offsets), Severity::Warning)
    }
}

pub(crate) fn words(findings: &[Finding], severity: Severity) -> Vec<String> {
    let of = findings.iter().filter(|f| f.severity == severity);
    of.map(|f| {
        let code = f.code.name().rsplit("::").next().unwrap();
        std::iter::once(code)
            .chain(f.buffers.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ")
    })
    .collect()
}
