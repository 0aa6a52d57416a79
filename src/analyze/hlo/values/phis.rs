//! Which meetings of values make a new value (4.4).

use super::super::components::Graph;

/// A node where values meet.
pub(super) struct Phi {
    /// The node.
    pub(super) node: u32,
    /// Where what meets is born or meets in turn: nodes.
    pub(super) inputs: Vec<u32>,
}

/// What a set of phis leads to besides phis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Nothing,
    One(u32),
    Many,
}

impl Reach {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, reach) | (reach, Self::Nothing) => reach,
            (a, b) if a == b => a,
            _ => Self::Many,
        }
    }
}

/// For every node of `0..nodes`: itself, or for a phi that is no value of its own the node of its
/// value. `phis` are sorted by node.
///
/// The two rules commute: replacing a phi by its only input changes no set of non-phi inputs that a
/// closed set of phis has, so the closed sets go first and one round of each is the fixpoint.
pub(super) fn simplify(phis: &[Phi], nodes: usize) -> Vec<u32> {
    let mut same = Same((0..u32::try_from(nodes).unwrap_or(u32::MAX)).collect());
    let phi = |node: u32| {
        let at = phis.binary_search_by_key(&node, |phi| phi.node).ok()?;
        u32::try_from(at).ok()
    };
    let mut graph = Graph::default();
    for each in phis {
        graph.push(each.inputs.iter().filter_map(|&input| phi(input)));
    }
    let components = graph.components();
    closed_sets(phis, &graph, &components, &phi, &mut same);
    single_inputs(phis, &graph, &components, &phi, &mut same);
    (0..same.0.len()).map(|node| same.find(u32::try_from(node).unwrap_or(u32::MAX))).collect()
}

/// Rule 2: phis that lead to one other value in all are that value.
fn closed_sets(
    phis: &[Phi],
    graph: &Graph,
    components: &[Vec<u32>],
    phi: &impl Fn(u32) -> Option<u32>,
    same: &mut Same,
) {
    let mut reach = vec![Reach::Nothing; phis.len()];
    for component in components {
        let mut all = Reach::Nothing;
        for &at in component {
            for &input in &phis[at as usize].inputs {
                if phi(input).is_none() {
                    all = all.and(Reach::One(input));
                }
            }
            for &to in graph.edges(at) {
                all = all.and(reach[to as usize]);
            }
        }
        for &at in component {
            reach[at as usize] = all;
            if let Reach::One(value) = all {
                same.set(phis[at as usize].node, value);
            }
        }
    }
}

/// Rule 1: a phi with one input besides itself is that input, until nothing changes.
fn single_inputs(
    phis: &[Phi],
    graph: &Graph,
    components: &[Vec<u32>],
    phi: &impl Fn(u32) -> Option<u32>,
    same: &mut Same,
) {
    let mut users = vec![Vec::new(); phis.len()];
    for at in 0..u32::try_from(phis.len()).unwrap_or(u32::MAX) {
        for &to in graph.edges(at) {
            users[to as usize].push(at);
        }
    }
    // Inputs first; what a change concerns goes on top.
    let mut todo: Vec<u32> = components.iter().rev().flatten().copied().collect();
    while let Some(at) = todo.pop() {
        let Phi { node, inputs } = &phis[at as usize];
        if same.find(*node) != *node {
            continue;
        }
        let mut only = None;
        let mut several = false;
        for &input in inputs {
            let input = same.find(input);
            if input != *node && only != Some(input) {
                several = only.is_some();
                only = Some(input);
            }
            if several {
                break;
            }
        }
        if let (Some(value), false) = (only, several) {
            same.set(*node, value);
            let mut moved = std::mem::take(&mut users[at as usize]);
            todo.extend(&moved);
            if let Some(kept) = phi(value).and_then(|to| users.get_mut(to as usize)) {
                if kept.len() < moved.len() {
                    std::mem::swap(kept, &mut moved);
                }
                kept.append(&mut moved);
            }
        }
    }
}

/// Which nodes are the same value as another node.
struct Same(Vec<u32>);

impl Same {
    fn find(&mut self, node: u32) -> u32 {
        let mut at = node;
        while let Some(&next) = self.0.get(at as usize) {
            if next == at {
                break;
            }
            // Halve the way for the next time.
            let after = self.0.get(next as usize).copied().unwrap_or(next);
            self.0[at as usize] = after;
            at = after;
        }
        at
    }

    fn set(&mut self, node: u32, value: u32) {
        if let Some(is) = self.0.get_mut(node as usize) {
            *is = value;
        }
    }
}
