//! Greedy by breadth: the fullest moments first.

use std::cmp::Reverse;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Packing, Stop};

use crate::engine::Rule;
use crate::greedy::in_order;
use crate::niche::{lives, loads};
use crate::order::{Key, order};
use crate::problem::Problem;

/// Goes through the moments of time, those with the most bytes alive first, and places who is
/// alive then and not yet placed, the largest first, each in the smallest gap (Pisarchyk and Lee,
/// "Efficient memory management for deep neural net inference", offsets by breadth).
pub(crate) fn by_breadth(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let sections = Sections::new(problem.instance);
    let lives = lives(problem, &sections);
    let load = loads(sections.len(), &lives, |c| problem.shape(c as u32).extent);
    let mut fullest: Vec<u32> = (0..sections.len() as u32).collect();
    fullest.sort_by_key(|&section| Reverse(load[section as usize]));
    let mut turn = vec![0; sections.len()];
    for (at, &section) in fullest.iter().enumerate() {
        turn[section as usize] = at as u32;
    }
    let turns = Least::new(turn);
    let mut order = order(problem, &[Key::Size]);
    order.sort_by_cached_key(|&c| {
        lives[c as usize].as_ref().map(|life| turns.of(life.start as usize, life.end as usize))
    });
    in_order(problem, order, Rule::Best, budget)
}

/// The least number of a range, in a binary tree.
struct Least {
    nodes: Vec<u32>,
    leaves: usize,
}

impl Least {
    fn new(numbers: Vec<u32>) -> Self {
        let leaves = numbers.len();
        let mut nodes = vec![u32::MAX; leaves];
        nodes.extend(numbers);
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node].min(nodes[2 * node + 1]);
        }
        Self { nodes, leaves }
    }

    fn of(&self, from: usize, to: usize) -> u32 {
        let (mut from, mut to) = (from + self.leaves, to + self.leaves);
        let mut least = u32::MAX;
        while from < to {
            if from % 2 == 1 {
                least = least.min(self.nodes[from]);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                least = least.min(self.nodes[to]);
            }
            (from, to) = (from / 2, to / 2);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_range_is_found() {
        for n in 1..20usize {
            let numbers: Vec<u32> = (0..n as u32).map(|i| i * 7 % n as u32).collect();
            let tree = Least::new(numbers.clone());
            for from in 0..n {
                for to in from..=n {
                    let least = numbers[from..to].iter().copied().min().unwrap_or(u32::MAX);
                    assert_eq!(tree.of(from, to), least, "{from}..{to} of {n}");
                }
            }
        }
    }
}
