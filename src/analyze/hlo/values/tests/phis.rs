//! Both rules of 4.4 on any graph of meetings, against one phi at a time until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use quickcheck::{QuickCheck, TestResult};

use super::super::phis::{Phi, simplify};

/// Nodes that are no phis come first.
const PLAIN: u32 = 4;

fn follow(same: &BTreeMap<u32, u32>, mut node: u32) -> u32 {
    while let Some(&next) = same.get(&node) {
        node = next;
    }
    node
}

/// What a phi leads to: other phis and itself, and the rest.
fn closure(phis: &BTreeMap<u32, BTreeSet<u32>>, from: u32) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut closed, mut outside) = (BTreeSet::from([from]), BTreeSet::new());
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        for &input in &phis[&at] {
            if !phis.contains_key(&input) {
                outside.insert(input);
            } else if closed.insert(input) {
                todo.push(input);
            }
        }
    }
    (closed, outside)
}

fn naive(phis: &BTreeMap<u32, BTreeSet<u32>>) -> BTreeMap<u32, u32> {
    let mut same = BTreeMap::new();
    loop {
        let before = same.len();
        for (&phi, inputs) in phis {
            if same.contains_key(&phi) {
                continue;
            }
            let mut others: BTreeSet<_> = inputs.iter().map(|&i| follow(&same, i)).collect();
            others.remove(&phi);
            let (closed, outside) = closure(phis, phi);
            if let (1, Some(&value)) = (outside.len(), outside.first()) {
                same.extend(closed.into_iter().map(|phi| (phi, value)));
            } else if let (1, Some(&value)) = (others.len(), others.first()) {
                same.insert(phi, value);
            }
        }
        if same.len() == before {
            return same;
        }
    }
}

fn agrees(graph: Vec<Vec<u8>>) -> TestResult {
    let graph: Vec<_> = graph.into_iter().take(12).collect();
    let nodes = PLAIN + u32::try_from(graph.len()).expect("few");
    // Half of the inputs are among the last few nodes: circles are the point.
    let input = |byte: u8| match u32::from(byte) % (2 * PLAIN + nodes) {
        byte if byte < nodes => byte,
        byte => nodes - 1 - (byte - nodes).min(nodes - 1),
    };
    let sets = graph.iter().map(|bytes| bytes.iter().take(4).map(|&b| input(b)).collect());
    let phis: BTreeMap<u32, BTreeSet<u32>> = (PLAIN..).zip(sets).collect();
    if phis.keys().any(|&phi| closure(&phis, phi).1.is_empty()) {
        return TestResult::discard();
    }
    let list: Vec<_> = phis
        .iter()
        .map(|(&node, inputs)| Phi { node, inputs: inputs.iter().copied().collect() })
        .collect();
    let ours = simplify(&list, nodes as usize);
    let same = naive(&phis);
    TestResult::from_bool((0..nodes).zip(ours).all(|(node, ours)| follow(&same, node) == ours))
}

#[test]
fn meetings_are_simplified_as_by_hand() {
    let cases = std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    QuickCheck::new().tests(cases).max_tests(cases * 100).quickcheck(agrees as fn(_) -> TestResult);
}
