//! The smallest capacity: what is proven is so, by a slow and obvious search.

use quickcheck::quickcheck;

use super::super::min_capacity;
use super::read;
use crate::model::{Capacity, FunctionPlan, Problem, ReuseLevel, ScopeId};
use crate::plan::{self, Options, Question};
use crate::verify;

/// Up to five buffers of a scope, some with slots, alignments and pipes: few enough for the oracle.
fn problem(bytes: &[u8]) -> Problem {
    let mut at = bytes.iter().copied().cycle();
    let mut draw =
        |of: u8| if bytes.is_empty() { 0 } else { u64::from(at.next().unwrap_or(0) % of) };
    let mut text = "version = 1\n[[scope]]\nname = \"s\"\n".to_owned();
    if draw(3) == 0 {
        let start = 8 * draw(6);
        text.push_str(&format!("reserved = [{start}, {}]\n", start + 8));
    }
    for n in 0..2 + draw(4) {
        let (size, start) = (4 * (1 + draw(9)), draw(6));
        let pipes = ["[\"MTE2:w\", \"V:r\"]", "[\"V:w\", \"V:r\"]", "[\"V:w\", \"MTE3:r\"]"];
        text.push_str(&format!(
            "[[buffer]]\nname = \"b{n}\"\nsize = {size}\nlive = [{start}, {}]\npipes = {}\n",
            start + 1 + draw(4),
            pipes[draw(3) as usize]
        ));
        match draw(6) {
            0 => text.push_str("alignment = 16\n"),
            1 => text.push_str("unique = true\n"),
            2 if n == 0 => text.push_str("slots = 2\n"),
            _ => {}
        }
    }
    read(&text)
}

fn level(bytes: &[u8]) -> Option<ReuseLevel> {
    let n = bytes.iter().map(|b| usize::from(*b)).sum::<usize>();
    [None, Some(ReuseLevel::Pipe), Some(ReuseLevel::Loop), Some(ReuseLevel::Slot)][n % 4]
}

quickcheck! {
    fn the_smallest_capacity_has_a_plan_and_one_byte_less_has_none(bytes: Vec<u8>) -> bool {
        let mut problem = problem(&bytes);
        let options = Options { level: level(&bytes), ..Options::default() };
        let scope = ScopeId(0);
        let Ok(minimum) = min_capacity(&problem, 0, scope, &options) else { return false };
        let Some(found) = minimum.found else { return false };
        if !minimum.proven() || minimum.bound > found {
            return false;
        }
        // In just so many bytes the judge accepts the plan.
        problem.scopes[scope].capacity = Capacity::Bytes(found);
        let plan = FunctionPlan {
            name: problem.functions[0].name.clone(),
            fingerprint: None,
            placements: minimum.placements,
        };
        let findings = verify::one(&problem, &problem.functions[0], &plan);
        let right = findings.iter().all(|f| f.severity != crate::diag::Severity::Error);
        // The oracle finds no smaller peak.
        let asked = options.level.unwrap_or(ReuseLevel::Lifetime);
        problem.scopes[scope].capacity = Capacity::Unbounded;
        let built = plan::problems(&Question::of(&problem), 0, scope, asked).unwrap_or_default();
        let Some(mut instance) = built.into_iter().next().map(|b| b.instance) else { return false };
        instance.costs.clear();
        let best = memplan_oracle::optimum(&instance).map(|(peak, _)| peak);
        right && best == Some(found)
    }
}

#[test]
fn partitions_have_sizes_of_their_own() {
    let problem = read(
        "version = 1\n[[scope]]\nname = \"s\"\ncapacity = 64\n[[partition]]\nscope = \"s\"\n\
         owner = \"o\"\nrange = [0, 32]\n[[buffer]]\nname = \"a\"\nsize = 8\nlive = [0, 1]\n",
    );
    let why = min_capacity(&problem, 0, ScopeId(0), &Options::default());
    assert_eq!(why, Err("its partitions have sizes of their own".to_owned()));
}

#[test]
fn no_budget_leaves_an_interval_open() {
    // Many buffers whose bound is not met, and no node to search with.
    let mut text = "version = 1\n[[scope]]\nname = \"s\"\n".to_owned();
    for n in 0..60u64 {
        let (start, size) = (n * 7919 % 61, 1 + n * 104_729 % 97);
        text.push_str(&format!(
            "[[buffer]]\nname = \"b{n}\"\nsize = {size}\nlive = [{start}, {}]\n",
            start + 3 + n * 31 % 19
        ));
    }
    let problem = read(&text);
    let options = Options { nodes: Some(1), ..Options::default() };
    let minimum = min_capacity(&problem, 0, ScopeId(0), &options).map(|m| (m.found, m.bound));
    let (found, bound) = minimum.unwrap_or_default();
    assert!(bound > 0 && found >= Some(bound), "{found:?} {bound}");
}
