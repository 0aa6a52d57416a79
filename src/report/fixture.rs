//! Answers built by hand: what the reports print does not depend on what a solver finds.

use crate::diag::{FileId, Loc, Sources};
use crate::model::{
    Advice, Answer, Attempt, AttemptEnd, Buffer, BufferId, ByteRange, Bytes, Capacity, Change,
    CoreIs, Function, FunctionAnswer, FunctionPlan, LifetimeClass, LimitedBy, Live, Load, Mode, Op,
    OpId, Overflow, Pipe, PipeId, PipeKind, Placement, Problem, Reserved, Reuse, ReuseLevel, Scope,
    ScopeAnswer, ScopeId, Step, ValueId, Verdict,
};
use crate::report::context::Input;

const TEXT: &str = "version = 1\ntile = 1\nacc = 1\nout = 1\ntmp = 1\nmul = 1\n";

/// A problem with its answer.
pub(crate) struct Case {
    sources: Sources,
    pub(crate) problem: Problem,
    pub(crate) answer: Answer,
}

impl Case {
    pub(crate) fn input(&self) -> Input<'_> {
        Input { name: "kernel.toml", sources: &self.sources, problem: &self.problem }
    }
}

fn loc(name: &str) -> Option<Loc> {
    let start = TEXT.find(&format!("{name} =")).and_then(|at| u32::try_from(at).ok())?;
    Some(Loc { file: FileId(0), start, end: start + 3 })
}

fn buffer(name: &str, size: u64, slots: u32) -> Buffer {
    Buffer {
        name: name.to_owned(),
        loc: loc(name),
        scope: ScopeId(0),
        size: Bytes(size),
        shape: None,
        alignment: 32,
        slots,
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
        value: ValueId(0),
    }
}

fn scope(name: &str, capacity: Capacity, reserved: Option<ByteRange>) -> Scope {
    Scope {
        name: name.to_owned(),
        capacity,
        alignment: 32,
        round_up: true,
        reserved: reserved.into_iter().map(|range| Reserved { range, why: None }).collect(),
        partitions: Vec::new(),
        source: None,
        loc: None,
    }
}

fn problem(buffers: Vec<Buffer>) -> Problem {
    let pipe = |name: &str, kind| Pipe { name: name.to_owned(), kind };
    let mul = Op {
        name: "mul".to_owned(),
        loc: loc("mul"),
        pipe: None,
        inplace: crate::model::InplaceRule::Never,
        accesses: Vec::new(),
        sync: None,
        cost: None,
    };
    let function = Function {
        name: "matmul".to_owned(),
        buffers: buffers.into(),
        ops: vec![mul].into(),
        ..Function::default()
    };
    let reserved = Some(ByteRange::new(188_416, 196_608));
    Problem {
        name: "kernel".to_owned(),
        scopes: vec![
            scope("ub", Capacity::Bytes(196_608), reserved),
            scope("gm", Capacity::Unbounded, None),
        ]
        .into(),
        pipes: vec![pipe("MTE2", PipeKind::Dma), pipe("V", PipeKind::Vector)].into(),
        functions: vec![function],
        ..Problem::default()
    }
}

fn answer(verdict: Verdict, peak: Option<u64>, load: u64, buffers: &[(u32, u64)]) -> ScopeAnswer {
    ScopeAnswer {
        scope: ScopeId(0),
        buffers: Vec::new(),
        verdict,
        peak,
        max_load: Load {
            at: Step(2),
            op: Some(OpId(0)),
            step_name: Some("mul".to_owned()),
            bytes: load,
            buffers: buffers.iter().map(|(id, bytes)| (BufferId(*id), *bytes)).collect(),
        },
        lower_bound: load,
        reuse_cost: 0,
        reuse_cost_bound: 0,
        mode: Mode::Reuse,
        level: None,
        strategy: "exact".to_owned(),
        message: None,
        warnings: Vec::new(),
        nodes: 0,
        limited_by: None,
        reuse: Vec::new(),
        attempts: Vec::new(),
        overflow: None,
        diagnosis: None,
    }
}

fn case(problem: Problem, functions: Vec<FunctionAnswer>) -> Case {
    let mut sources = Sources::default();
    sources.add("kernel.toml", TEXT);
    Case { sources, problem, answer: Answer { functions } }
}

fn function(scopes: Vec<ScopeAnswer>, placements: &[(&str, &[u64])]) -> FunctionAnswer {
    let place = |(name, offsets): &(&str, &[u64])| Placement {
        name: (*name).to_owned(),
        id: None,
        scope: None,
        offsets: offsets.to_vec(),
        loc: None,
    };
    FunctionAnswer {
        name: "matmul".to_owned(),
        index: 0,
        fingerprint: "00112233445566778899aabbccddeeff".to_owned(),
        verdict: scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal),
        warnings: Vec::new(),
        message: None,
        errors: Vec::new(),
        scopes,
        plan: FunctionPlan {
            name: "matmul".to_owned(),
            fingerprint: None,
            placements: placements.iter().map(place).collect(),
        },
        allocations: Vec::new(),
    }
}

fn attempt(level: ReuseLevel, end: AttemptEnd, peak: Option<u64>) -> Attempt {
    let solver = "first-fit".to_owned();
    Attempt { level: Some(level), solver, end, peak, bound: 163_840, nodes: 1200, note: None }
}

/// Four buffers at level `slot`, one of them promoted, one pair stalling.
pub(crate) fn planned() -> Case {
    let problem = problem(vec![
        buffer("tile", 49_152, 2),
        buffer("acc", 65_536, 1),
        buffer("out", 24_576, 1),
        buffer("tmp", 32_768, 1),
    ]);
    let mut scope = answer(Verdict::Optimal, Some(163_840), 163_840, &[(0, 98_304), (1, 65_536)]);
    scope.buffers = vec![
        (BufferId(0), vec![Live::new(0, 4)]),
        (BufferId(1), vec![Live::new(2, 5), Live::new(7, 9)]),
        (BufferId(2), vec![Live::new(4, 12)]),
        (BufferId(3), vec![Live::new(4, 6)]),
    ];
    scope.level = Some(ReuseLevel::Slot);
    scope.message = Some("level slot: level loop is proven not to fit".to_owned());
    scope.warnings = vec!["`tmp` is never read".to_owned()];
    scope.reuse_cost = 16;
    scope.reuse_cost_bound = 16;
    let pair = |first, second, stall, pipes: &[u32], cost| Reuse {
        first: BufferId(first),
        second: BufferId(second),
        level: Some(ReuseLevel::Slot),
        stall,
        pipes: pipes.iter().map(|p| PipeId(*p)).collect(),
        cost,
        why: None,
        inplace: !stall,
    };
    scope.reuse = vec![pair(0, 3, false, &[], 0), pair(0, 2, true, &[0, 1], 16)];
    scope.attempts = vec![
        attempt(ReuseLevel::Pipe, AttemptEnd::Refuted, None),
        attempt(ReuseLevel::Loop, AttemptEnd::Skipped("same pairs as pipe".to_owned()), None),
        attempt(ReuseLevel::Slot, AttemptEnd::Found, Some(163_840)),
    ];
    let placements: [(&str, &[u64]); 4] =
        [("tile", &[0, 49_152]), ("acc", &[98_304]), ("out", &[0, 49_152]), ("tmp", &[98_304])];
    case(problem, vec![function(vec![scope], &placements)])
}

/// One tile whose double buffer does not fit, with advice.
pub(crate) fn overflown() -> Case {
    let problem = problem(vec![buffer("tile", 96_000, 2), buffer("acc", 96_000, 1)]);
    let mut scope = answer(Verdict::Infeasible, None, 288_000, &[(0, 192_000), (1, 96_000)]);
    let tile = BufferId(0);
    let one = |change, cost, peak, level| Advice {
        change,
        with: Vec::new(),
        cost,
        peak,
        level,
        stalls: 0,
        reuse_cost: 0,
    };
    scope.overflow = Some(Overflow {
        impossible: true,
        available: 188_416,
        requires: 288_000,
        requires_is: "max_load",
        owner: None,
        core: vec![BufferId(0), BufferId(1)],
        core_is: CoreIs::Proven,
        works_at: Some(288_000),
        advice: vec![
            one(
                Change::Slots { buffer: tile, from: 2, to: 1 },
                96_000,
                192_000,
                Some(ReuseLevel::Pipe),
            ),
            one(Change::Size { buffer: tile, from: 96_000, to: 46_208 }, 99_584, 188_416, None),
            one(Change::Capacity { to: 296_192, proven: true }, 0, 288_000, None),
        ],
    });
    case(problem, vec![function(vec![scope], &[])])
}

/// A search that ended early, between bound and capacity.
pub(crate) fn undecided() -> Case {
    let problem = problem(vec![buffer("tile", 96_000, 1), buffer("acc", 88_000, 1)]);
    let mut scope = answer(Verdict::Undecided, None, 184_000, &[(0, 96_000), (1, 88_000)]);
    scope.lower_bound = 186_000;
    scope.limited_by = Some(LimitedBy::Nodes);
    scope.overflow = Some(Overflow {
        impossible: false,
        available: 188_416,
        requires: 190_016,
        requires_is: "heuristic peak",
        owner: None,
        core: Vec::new(),
        core_is: CoreIs::Unknown,
        works_at: Some(198_208),
        advice: vec![Advice {
            change: Change::Level { to: ReuseLevel::Lifetime },
            with: Vec::new(),
            cost: 0,
            peak: 187_000,
            level: Some(ReuseLevel::Lifetime),
            stalls: 0,
            reuse_cost: 0,
        }],
    });
    case(problem, vec![function(vec![scope], &[])])
}

/// Two functions: one sequential, with a workspace; one that does not fit.
pub(crate) fn several() -> Case {
    let mut case = overflown();
    let mut other = case.problem.functions[0].clone();
    other.name = "store\u{1b}[31m".to_owned();
    other.buffers = vec![buffer("out", 0, 1), buffer("tmp", 100, 1)].into();
    case.problem.functions.push(other);
    let mut small = answer(Verdict::Feasible, Some(128), 64, &[(1, 64)]);
    small.mode = Mode::Sequential;
    small.strategy = "sequential".to_owned();
    small.buffers =
        vec![(BufferId(0), vec![Live::new(0, 1)]), (BufferId(1), vec![Live::new(0, 3)])];
    let mut work = answer(Verdict::Optimal, Some(4096), 4096, &[]);
    work.scope = ScopeId(1);
    work.level = Some(ReuseLevel::Lifetime);
    let mut second = function(vec![small, work], &[("out", &[0]), ("tmp", &[0])]);
    second.name.clone_from(&case.problem.functions[1].name);
    second.index = 1;
    case.answer.functions.push(second);
    case
}
