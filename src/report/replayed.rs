//! A replay built by hand, for the tests of reports.

use crate::diag::{Code, FileId, Loc, Severity, Sources};
use crate::model::{ByteRange, Evidence, Finding, OwedEdge, Problem, Slice, Timeline, Witness};
use crate::report::context::{Input, Replay};

const TEXT: &str = "trace = 1\nfirst\nsecond\nthird\n";

/// A trace that hands a block out too early.
pub(crate) struct Case {
    sources: Sources,
    problem: Problem,
    findings: Vec<Finding>,
    owed: Vec<OwedEdge>,
    timeline: Timeline,
    answers: Vec<(String, String)>,
}

fn loc(start: u32) -> Option<Loc> {
    Some(Loc { file: FileId(0), start, end: start + 5 })
}

impl Case {
    pub(crate) fn input(&self) -> Input<'_> {
        Input { name: "run.toml", sources: &self.sources, problem: &self.problem }
    }

    pub(crate) fn replay(&self) -> Replay<'_> {
        Replay {
            machine: "910B",
            findings: &self.findings,
            owed: &self.owed,
            timeline: &self.timeline,
            counters: vec![
                ("kernels", 1_200, "kernels run"),
                ("faults_host", 0, "page faults of the host"),
                ("pool_reused", 1, "of these, blocks that were used before"),
            ],
            schedule: "canonical",
            runs: 1,
            complete: true,
            answers: &self.answers,
        }
    }
}

/// One error with all of its evidence, one warning with none, an owed edge, an answer.
pub(crate) fn case() -> Case {
    let mut sources = Sources::default();
    sources.add("run.toml", TEXT);
    let finding = |code, severity, message: &str| Finding {
        code,
        severity,
        message: message.to_owned(),
        function: String::new(),
        scope: None,
        buffers: vec!["a".to_owned()],
        op: Some("10".to_owned()),
        loc: loc(23),
        bytes: None,
        witness: None,
        evidence: None,
    };
    let mut error = finding(
        Code::ReplayReuseUnsafe,
        Severity::Error,
        "block [0, 4194304) of pool `P` goes to `c` on stream C while stream B may still read `a`",
    );
    let witness = |op: &str, index, actor: &str, what: &str, at| Witness {
        op: op.to_owned(),
        index,
        actor: actor.to_owned(),
        what: what.to_owned(),
        loc: loc(at),
    };
    error.evidence = Some(Box::new(Evidence {
        earlier: Some(witness("6", 6, "stream B", "kernel `r` reads a@1[0, 4194304)", 10)),
        later: Some(witness("10", 10, "stream C", "pool_alloc `c`", 23)),
        logical: Some("a@1[0, 4194304)".to_owned()),
        physical: Some("pool P[0, 4194304)".to_owned()),
        missing: Some("op 7 (stream B) before op 10: record an event on B, wait on C".to_owned()),
        schedule: Some("A:3 C:2 B:2".to_owned()),
    }));
    let leak = finding(Code::ReplayLeak, Severity::Warning, "`c` is still there at the end");
    let owed = OwedEdge {
        function: "k".to_owned(),
        scope: "ub".to_owned(),
        first: "st".to_owned(),
        second: "v1".to_owned(),
        first_buffer: "x".to_owned(),
        second_buffer: "y".to_owned(),
        bytes: vec![ByteRange::new(0, 64)],
        pipes: ("MTE3".to_owned(), "V".to_owned()),
        stall: true,
        distance: 1,
        edge: "set_flag(MTE3, V) after st, wait_flag(MTE3, V) before v1".to_owned(),
        first_loc: loc(10),
        second_loc: loc(16),
    };
    let slice = Slice { track: "V".to_owned(), name: "v1".to_owned(), start: 0, end: 5_000 };
    let timeline = Timeline {
        makespan: 5_000,
        without_reuse: 4_000,
        slices: vec![slice],
        delays: vec![(0, 1_000)],
        ..Timeline::default()
    };
    Case {
        sources,
        problem: Problem::default(),
        findings: vec![leak, error],
        owed: vec![owed],
        timeline,
        answers: vec![("3".to_owned(), "device 0".to_owned())],
    }
}
