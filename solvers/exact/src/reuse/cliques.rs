//! Sets of bodies that are related pairwise.

use crate::units::Unit;

/// Largest sets whose members are related pairwise, each sorted; at most `limit` of them.
///
/// The branching of Bron and Kerbosch with a pivot; large bodies first, for they fill more.
pub(super) fn cliques(
    sizes: &[Unit],
    related: impl Fn(u32, u32) -> bool,
    limit: usize,
) -> Vec<Vec<u32>> {
    let n = sizes.len() as u32;
    let mut order: Vec<u32> = (0..n).filter(|&b| sizes[b as usize] > 0).collect();
    order.sort_by_key(|&b| (std::cmp::Reverse(sizes[b as usize]), b));
    let near: Vec<Vec<bool>> =
        (0..n).map(|a| (0..n).map(|b| a != b && related(a, b)).collect()).collect();
    let mut all = All { near: &near, found: Vec::new(), limit, steps: 20 * limit };
    // Each body is the first of its cliques once, so that a limit leaves nobody out.
    for (index, &first) in order.iter().enumerate() {
        let (before, after) = (&order[..index], &order[index + 1..]);
        let tied = |set: &[u32]| all.among(first, set);
        let (left, done) = (tied(after), tied(before));
        all.limit = limit * (index + 1) / order.len().max(1);
        all.grow(&mut vec![first], left, done);
    }
    let mut found = all.found;
    found.iter_mut().for_each(|set| set.sort_unstable());
    found
}

struct All<'a> {
    near: &'a [Vec<bool>],
    found: Vec<Vec<u32>>,
    limit: usize,
    steps: usize,
}

impl All<'_> {
    fn among(&self, body: u32, set: &[u32]) -> Vec<u32> {
        set.iter().copied().filter(|&b| self.near[body as usize][b as usize]).collect()
    }

    fn grow(&mut self, set: &mut Vec<u32>, mut left: Vec<u32>, mut done: Vec<u32>) {
        if self.found.len() >= self.limit || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        if left.is_empty() {
            if done.is_empty() {
                self.found.push(set.clone());
            }
            return;
        }
        let tied = |&&b: &&u32| {
            let near = &self.near[b as usize];
            left.iter().filter(|&&a| near[a as usize]).count()
        };
        let Some(&pivot) = left.iter().chain(&done).max_by_key(tied) else { return };
        let branches: Vec<u32> =
            left.iter().copied().filter(|&b| !self.near[pivot as usize][b as usize]).collect();
        for body in branches {
            let (more, past) = (self.among(body, &left), self.among(body, &done));
            set.push(body);
            self.grow(set, more, past);
            set.pop();
            left.retain(|&b| b != body);
            done.push(body);
        }
    }
}
