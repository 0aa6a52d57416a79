//! Strongly connected components of a directed graph.

/// A directed graph; the edges of a node lie side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Graph {
    /// Adds the next node, with its edges. They may lead to nodes that are added later.
    pub(super) fn push(&mut self, to: impl IntoIterator<Item = u32>) {
        self.first.push(number(self.to.len()));
        self.to.extend(to);
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// Where the edges of a node lead.
    pub(super) fn edges(&self, node: u32) -> &[u32] {
        let at = node as usize;
        let start = self.first.get(at).map_or(self.to.len(), |&start| start as usize);
        let end = self.first.get(at + 1).map_or(self.to.len(), |&end| end as usize);
        self.to.get(start..end).unwrap_or_default()
    }

    /// The components, each after all that its edges lead to (Tarjan's algorithm, with a stack of its
    /// own).
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        let mut out = Vec::new();
        let mut order = vec![u32::MAX; self.len()];
        let mut low = order.clone();
        let mut done = vec![false; self.len()];
        let mut next = 0;
        let (mut open, mut calls) = (Vec::new(), Vec::new());
        for start in 0..number(self.len()) {
            if order[start as usize] == u32::MAX {
                calls.push((start, 0));
            }
            while let Some((node, edge)) = calls.last_mut() {
                let (node, at) = (*node, *node as usize);
                if *edge == 0 {
                    (order[at], low[at]) = (next, next);
                    next += 1;
                    open.push(node);
                }
                let to = self.edges(node).get(*edge).copied();
                *edge += 1;
                match to {
                    Some(to) if order[to as usize] == u32::MAX => calls.push((to, 0)),
                    Some(to) if !done[to as usize] => low[at] = low[at].min(order[to as usize]),
                    Some(_) => {}
                    None => {
                        calls.pop();
                        if let Some((caller, _)) = calls.last() {
                            let caller = *caller as usize;
                            low[caller] = low[caller].min(low[at]);
                        }
                        if low[at] == order[at] {
                            let from = open.iter().rposition(|&n| n == node).unwrap_or(0);
                            let component = open.split_off(from);
                            component.iter().for_each(|&n| done[n as usize] = true);
                            out.push(component);
                        }
                    }
                }
            }
        }
        out
    }
}

fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
