//! JSON packing problems from text to a checked plan. What a plan must keep is worked out from the
//! JSON itself, by nobody's code but this folder's.

mod shared;

#[path = "dsa/corpus.rs"]
mod corpus;
#[path = "dsa/generate.rs"]
mod generate;
#[path = "dsa/oracle.rs"]
mod oracle;

use memplan::diag::{Severity, Sources};
use memplan::front::dsa;
use memplan::model::{Answer, FunctionPlan, Placement, Problem};
use memplan::plan::{Options, Question, solve};
use memplan::verify;
use quickcheck::QuickCheck;
use serde_json::Value;

use generate::Document;

/// Reads a document that must be right.
fn read(name: &str, text: &str) -> Problem {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    match dsa::read(&sources, file) {
        Ok(read) => read.problem,
        Err(errors) => panic!("{name}: {errors:#?}\n{text}"),
    }
}

fn plan(problem: &Problem, nodes: u64) -> Answer {
    let options = Options { nodes: Some(nodes), jobs: 1, ..Options::default() };
    solve(&Question::of(problem), &options, &|_| ())
}

/// The offset of each buffer, by its place in the document; none in pools without a plan.
fn offsets(problem: &Problem, plan: &FunctionPlan) -> Vec<Option<u64>> {
    let mut out = vec![None; problem.functions[0].buffers.len()];
    for placement in &plan.placements {
        let id = placement.id.expect("an id") as usize;
        out[id] = placement.offsets.first().copied();
    }
    out
}

/// True when the judge has nothing against a plan.
fn accepted(problem: &Problem, plan: &FunctionPlan) -> bool {
    let findings = verify::one(problem, &problem.functions[0], plan);
    findings.iter().all(|f| f.severity != Severity::Error)
}

#[test]
fn every_plan_keeps_what_its_document_says_and_costs_what_it_claims() {
    fn holds(document: Document) -> bool {
        let text = document.0.to_string();
        let problem = read("generated", &text);
        let answer = plan(&problem, 2_000);
        let function = &answer.functions[0];
        let offsets = offsets(&problem, &function.plan);
        let faults = oracle::faults(&document.0, &offsets);
        assert!(faults.is_empty(), "{faults:?}\n{text}\n{offsets:?}");
        for scope in function.scopes.iter().filter(|s| s.verdict.has_plan()) {
            let paid = oracle::cost(&document.0, scope.scope.0 as usize, &offsets);
            assert_eq!(scope.reuse_cost, paid, "{text}\n{offsets:?}");
            assert!(scope.reuse_cost_bound <= scope.reuse_cost);
            assert_eq!(scope.level, None);
        }
        if function.scopes.iter().all(|s| s.verdict.has_plan()) {
            assert!(accepted(&problem, &function.plan), "{text}\n{offsets:?}");
        }
        true
    }
    QuickCheck::new().tests(300).quickcheck(holds as fn(Document) -> bool);
}

#[test]
fn no_plan_is_refuted_that_a_search_over_all_offsets_finds() {
    fn holds(document: Document) -> bool {
        let text = document.0.to_string();
        let problem = read("generated", &text);
        let answer = plan(&problem, 20_000);
        for scope in &answer.functions[0].scopes {
            let Some(best) = oracle::best(&document.0, scope.scope.0 as usize) else { continue };
            match (scope.verdict.has_plan(), best) {
                (true, Some((cost, _))) => {
                    assert!(scope.reuse_cost >= cost, "cheaper than possible\n{text}");
                    assert!(
                        scope.reuse_cost_bound <= cost,
                        "{}: {cost}\n{text}",
                        scope.reuse_cost_bound
                    );
                    assert!(scope.peak.is_some_and(|peak| scope.lower_bound <= peak));
                }
                (false, None) => {}
                (planned, best) => panic!("planned: {planned}, but {best:?}\n{text}"),
            }
        }
        true
    }
    QuickCheck::new().tests(200).quickcheck(holds as fn(Document) -> bool);
}

#[test]
fn the_judge_accepts_exactly_the_placements_that_keep_the_document() {
    fn holds(document: Document, moves: Vec<(u8, u8)>) -> bool {
        let text = document.0.to_string();
        let problem = read("generated", &text);
        let buffers = &problem.functions[0].buffers;
        let mut at: Vec<u64> = vec![0; buffers.len()];
        let planned = plan(&problem, 500);
        for (old, new) in at.iter_mut().zip(offsets(&problem, &planned.functions[0].plan)) {
            *old = new.unwrap_or(0);
        }
        for (which, to) in moves {
            if let Some(count) = at.len().checked_sub(1) {
                at[usize::from(which) % (count + 1)] = u64::from(to % 24) * 4;
            }
        }
        let placements = buffers.enumerate().map(|(id, buffer)| Placement {
            name: buffer.name.clone(),
            id: Some(id.0),
            scope: None,
            offsets: vec![at[id.0 as usize]],
            loc: None,
        });
        let plan = FunctionPlan {
            name: problem.functions[0].name.clone(),
            fingerprint: None,
            placements: placements.collect(),
        };
        let offsets: Vec<Option<u64>> = at.iter().copied().map(Some).collect();
        let faults = oracle::faults(&document.0, &offsets);
        let accepted = accepted(&problem, &plan);
        assert_eq!(accepted, faults.is_empty(), "{faults:?}\n{text}\n{at:?}");
        let judged = verify::reuse_cost(&problem, &problem.functions[0], &plan);
        for (scope, paid) in judged {
            assert_eq!(paid, oracle::cost(&document.0, scope.0 as usize, &offsets));
        }
        true
    }
    let property = holds as fn(Document, Vec<(u8, u8)>) -> bool;
    QuickCheck::new().tests(400).quickcheck(property);
}

#[test]
fn documents_differ_in_their_fingerprint_by_every_constraint_and_price_but_not_by_provenance() {
    let text = include_str!("../specs/examples/conv-pipeline.json");
    let of = |text: &str| {
        let problem = read("example", text);
        memplan::model::fingerprint(&problem, &problem.functions[0])
    };
    let first = of(text);
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        of(&text.replacen(from, to, 1))
    };
    for (from, to) in [
        ("\"cost\": 4", "\"cost\": 5"),
        ("{\"first\": 19, \"second\": 20}", ""),
        ("\"exclusive_for_all_time\": true", "\"exclusive_for_all_time\": false"),
        ("\"begin\": 1120", "\"begin\": 1088"),
        ("\"lower\": 20", "\"lower\": 21"),
        ("[\"capacity_overflow\", \"reuse_cost\"]", "[\"total_peak\"]"),
    ] {
        assert_ne!(first, changed(from, to), "{from}");
    }
    for (from, to) in [
        ("written by hand", "somebody else"),
        ("\"reason\": \"pipeline_serialization\"", "\"reason\": \"generic\""),
        ("\"metadata\"", "\"pypto\""),
    ] {
        assert_eq!(first, changed(from, to), "{from}");
    }
}

#[test]
fn a_document_is_read_as_it_is_written() {
    let text = include_str!("../specs/examples/conv-pipeline.json");
    let problem = read("example", text);
    let json: Value = serde_json::from_str(text).expect("JSON");
    let function = &problem.functions[0];
    assert_eq!(function.name, "conv_pipeline");
    for (id, buffer) in function.buffers.enumerate() {
        let written = &json["problem"]["buffers"][id.0 as usize];
        assert_eq!(written["name"], *buffer.name);
        assert_eq!(written["size"], buffer.size.0);
        let loc = buffer.loc.expect("a place");
        let shown = &text[loc.start as usize..loc.end as usize];
        assert_eq!(shown, format!("{:?}", buffer.name));
    }
    assert_eq!(
        problem.scopes.iter().map(|s| s.usable()).collect::<Vec<_>>(),
        [Some(1120), Some(2048)]
    );
}
