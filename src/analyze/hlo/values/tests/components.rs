//! Components of graphs.

use quickcheck::QuickCheck;

use crate::analyze::hlo::components::Graph;

/// Which nodes each node leads to, itself included.
fn reach(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut out = Vec::new();
    for start in 0..edges.len() {
        let mut seen = vec![false; edges.len()];
        let mut todo = vec![start];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&edges[at]);
            }
        }
        out.push(seen);
    }
    out
}

fn components_are_right(graph: Vec<Vec<u8>>) -> bool {
    let count = graph.len();
    let edges: Vec<Vec<usize>> = graph
        .iter()
        .map(|bytes| bytes.iter().take(3).map(|&byte| usize::from(byte) % count).collect())
        .collect();
    let mut all = Graph::default();
    for to in &edges {
        all.push(to.iter().map(|&to| u32::try_from(to).expect("few")));
    }
    let reach = reach(&edges);
    let components = all.components();
    let mut of = vec![usize::MAX; count];
    for (at, component) in components.iter().enumerate() {
        component.iter().for_each(|&node| of[node as usize] = at);
    }
    let together = |a: usize, b: usize| reach[a][b] && reach[b][a];
    let pairs = || (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    let right = pairs().all(|(a, b)| (of[a] == of[b]) == together(a, b));
    let ordered = pairs().all(|(a, b)| !edges[a].contains(&b) || of[b] <= of[a]);
    right && ordered && components.iter().map(Vec::len).sum::<usize>() == count
}

#[test]
fn nodes_that_reach_each_other_are_a_component_and_edges_lead_back() {
    QuickCheck::new().tests(300).quickcheck(components_are_right as fn(_) -> bool);
}
