//! The kernels of the shared corpus: each is read, planned, and checked from its JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memplan::diagnose;
use memplan::model::Verdict;
use memplan::plan::Options;
use serde_json::Value;

use super::{accepted, offsets, oracle, plan, read, shared};

/// Search nodes of one question.
const NODES: u64 = 400;

fn documents(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            documents(&path, out);
        } else if path.extension().is_some_and(|e| e == "json") {
            out.push(path);
        }
    }
}

/// The least costs that anybody has reached, by the path of the document.
fn best_known(folder: &Path) -> BTreeMap<String, u64> {
    let text = fs::read_to_string(folder.join("best.csv")).expect("best.csv");
    let row = |line: &str| {
        let mut fields = line.split(',');
        let file = fields.next()?.to_owned();
        Some((file, fields.next()?.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_kernel_of_the_corpus_is_planned_within_its_pools_or_refuted_with_a_witness() {
    let Some(shared) = shared::folder() else { return };
    let folder = shared.join("corpus/dsa");
    let best = best_known(&folder);
    let mut paths = Vec::new();
    documents(&folder, &mut paths);
    assert_eq!(paths.len(), 279);
    let (mut planned, mut refuted, mut dearer) = (0, 0, Vec::new());
    for path in paths {
        let name = path.strip_prefix(&folder).expect("inside").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("text");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let problem = read(&name, &text);
        let mut answer = plan(&problem, NODES);
        let options = Options { nodes: Some(NODES), ..Options::default() };
        if answer.functions[0].verdict == Verdict::Infeasible {
            diagnose::explain(&problem, &mut answer, &options);
        }
        let function = &answer.functions[0];
        let at = offsets(&problem, &function.plan);
        assert_eq!(oracle::faults(&document, &at), [""; 0], "{name}");
        let mut cost = 0;
        for scope in &function.scopes {
            assert_eq!(scope.level, None, "{name}");
            if scope.verdict.has_plan() {
                let paid = oracle::cost(&document, scope.scope.0 as usize, &at);
                assert_eq!(scope.reuse_cost, paid, "{name}");
                assert!(scope.reuse_cost_bound <= paid, "{name}");
                cost += paid;
            } else {
                assert_eq!(scope.verdict, Verdict::Infeasible, "{name}");
                witness(&name, &document, scope);
            }
        }
        if function.verdict.has_plan() {
            planned += 1;
            assert!(accepted(&problem, &function.plan), "{name}");
            if best.get(&name).is_some_and(|best| cost > *best) {
                dearer.push(format!("{name}: {cost}, known {}", best[&name]));
            }
        } else {
            refuted += 1;
            assert!(!best.contains_key(&name), "{name} has a plan");
        }
    }
    println!("{planned} planned, {refuted} refuted, dearer than known: {dearer:#?}");
    assert!(dearer.is_empty(), "{dearer:#?}");
}

/// Buffers of which no two may share bytes, and that need more than there is.
fn witness(name: &str, document: &Value, scope: &memplan::model::ScopeAnswer) {
    let overflow = scope.overflow.as_ref().expect("a reason");
    let core: Vec<usize> = overflow.core.iter().map(|id| id.0 as usize).collect();
    assert!(!core.is_empty(), "{name}");
    for (n, &a) in core.iter().enumerate() {
        for &b in &core[n + 1..] {
            assert!(oracle::conflict(document, a, b), "{name}: {a} and {b} may share");
        }
    }
    let size = |n: &usize| document["problem"]["buffers"][*n]["size"].as_u64().unwrap_or(0);
    assert!(core.iter().map(size).sum::<u64>() > overflow.available, "{name}");
}
