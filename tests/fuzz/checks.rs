//! What each fuzz target and the smoke test run on any bytes.

use memplan::analyze;
use memplan::diag::{Severity, Sources};
use memplan::emit;
use memplan::format::plan;
use memplan::front;
use memplan::ir::{hlo, mlir};
use memplan::model::machine::Machine;
use memplan::model::{Function, Live, Plan, Problem};
use memplan::plan::{Options, Question, solve};
use memplan::verify;

/// The spec reader, and the analysis of what it reads.
pub fn spec(bytes: &[u8]) {
    let Some(problem) = front::spec::fuzz::check(bytes) else { return };
    for function in &problem.functions {
        facts(&problem, function);
    }
    // The judge on a plan that places nothing: faults by the dozen, but no panic.
    let ops: usize = problem.functions.iter().map(|f| f.ops.len()).sum();
    if ops <= 200 {
        verify::verify(&problem, &Plan::default());
    }
}

fn facts(problem: &Problem, function: &Function) {
    let facts = analyze::facts(problem, function);
    let len = facts.order.len;
    assert_eq!(facts.order.at.len() as u64, len);
    for (id, live) in facts.live.enumerate() {
        let given = function.buffers[id].live.is_some();
        let sound = |l: &Live| l.start < l.end && (given || l.end.0 <= len.max(1));
        assert!(live.iter().all(sound), "{live:?} of {len}");
        assert!(live.windows(2).all(|w| w[0].end < w[1].start), "{live:?}");
    }
    for pair in &facts.inplace {
        assert_ne!(pair.from, pair.into);
        assert!(function.buffers[pair.into].size <= function.buffers[pair.from].size);
    }
}

/// The CSV reader.
pub fn csv(bytes: &[u8]) {
    front::csv::fuzz::check(bytes);
}

/// The reader of JSON packing problems, and the planner and the judge on small ones.
pub fn dsa(bytes: &[u8]) {
    let Some(problem) = front::dsa::fuzz::check(bytes) else { return };
    verify::verify(&problem, &Plan::default());
    let buffers = problem.functions.iter().map(|f| f.buffers.len()).sum::<usize>();
    if buffers > 16 {
        return;
    }
    let options = Options { nodes: Some(50), jobs: 1, ..Options::default() };
    let answer = solve(&Question::of(&problem), &options, &|_| ());
    for f in answer.functions.iter().filter(|f| f.verdict.has_plan()) {
        let findings = verify::one(&problem, &problem.functions[f.index], &f.plan);
        assert!(findings.iter().all(|f| f.severity != Severity::Error), "{findings:#?}");
        let paid = verify::reuse_cost(&problem, &problem.functions[f.index], &f.plan);
        for (scope, paid) in paid {
            let said = f.scopes.iter().find(|s| s.scope == scope);
            assert_eq!(said.map(|s| s.reuse_cost), Some(paid));
        }
    }
}

/// The readers of traces and machine files.
pub fn trace(bytes: &[u8]) {
    let trace = front::trace::fuzz::check(bytes);
    let mut sources = Sources::default();
    let file = sources.add("fuzz.toml", String::from_utf8_lossy(bytes).as_ref());
    if let Err(errors) = front::machine::read(&sources, file) {
        assert!((1..=20).contains(&errors.len()));
    }
    // What the reader lets through can be applied.
    if let (Some(trace), Some(mut machine)) = (trace, Machine::named("910B")) {
        assert!(front::machine::apply(&mut machine, &trace.settings).is_ok());
    }
}

/// The reader of MLIR text.
pub fn mlir(bytes: &[u8]) {
    mlir::fuzz::check(bytes);
}

/// The reader and the printer of HLO text, on the bytes and on the small module that they choose.
pub fn hlo(bytes: &[u8]) {
    hlo::fuzz::check(bytes);
    let text = hlo::arbitrary::module_of(&bytes[bytes.len().saturating_sub(40)..]);
    assert!(hlo::fuzz::check(text.as_bytes()), "{text}");
}

/// The reader of plan files: what it reads is what it reads again after writing.
pub fn plan_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for functions in [&["main"][..], &["f", "g"]] {
        let mut sources = Sources::default();
        let file = sources.add("fuzz.plan.toml", text.as_ref());
        match plan::read(&sources, file, functions) {
            Ok(mut read) => {
                let file = sources.add("again.plan.toml", emit::plan(&read, &[]));
                let again = plan::read(&sources, file, functions);
                let mut again = again.unwrap_or_else(|e| unreachable!("{e:?}"));
                bare(&mut read);
                bare(&mut again);
                assert_eq!(read, again);
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for label in errors.iter().flat_map(|e| &e.labels) {
                    let (start, end) = (label.loc.start as usize, label.loc.end as usize);
                    assert!(text.get(start..end).is_some(), "{start}..{end}");
                }
            }
        }
    }
}

/// Without places, and with the functions that placements name: those without any are the same.
fn bare(plan: &mut Plan) {
    for placement in plan.functions.iter_mut().flat_map(|f| &mut f.placements) {
        placement.loc = None;
    }
}
