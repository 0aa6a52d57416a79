//! Instances made to measure, hard ones among them.
//!
//! ```text
//!   perfect, near    cut      rectangles that fill a rectangle, or did before some were taken out
//!   loops            kernel   tiles of loops with their slots, temporaries, accumulators
//!   chain            graph    each result used by the next op, and by one further down
//!   aligned          shapes   odd sizes on coarse alignments
//!   equal            shapes   a handful of sizes, many times
//!   mixed            shapes   a few live long, most hardly at all
//! ```
//!
//! An instance depends on its [`Order`] alone: integers only, so it is the same on every machine.

mod cut;
mod graph;
mod kernel;
mod order;
mod shapes;
#[cfg(test)]
mod tests;

use memplan_packing::random::SplitMix64;

use super::table::{Line, table};
pub use order::{Kind, MOST, Order};

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its name: `near5-60-1`.
    pub name: String,
    /// Its blocks.
    pub blocks: Vec<Line>,
    /// Bytes that are known to be enough, where it is built so.
    pub capacity: Option<u64>,
    /// The smallest peak, where it is known by construction.
    pub optimum: Option<u64>,
}

impl Generated {
    /// As rows of the public packing benchmarks.
    pub fn csv(&self) -> String {
        table(&self.blocks)
    }
}

/// Makes what was ordered.
pub fn generate(order: &Order) -> Generated {
    let count = order.count as usize;
    let mut random = order.random();
    let (mut capacity, mut optimum) = (None, None);
    let blocks = match order.kind {
        Kind::Perfect | Kind::Near { .. } => {
            let dropped = order.dropped();
            capacity = Some(cut::HEIGHT);
            optimum = capacity.filter(|_| dropped == 0);
            // They come shuffled, so the first ones are as good as any.
            let pieces = cut::cut(count, &mut random).into_iter().take(count - dropped);
            pieces.map(|(line, _)| line).collect()
        }
        Kind::Loops => kernel::loops(count, &mut random),
        Kind::Chain => graph::chain(count, &mut random),
        Kind::Aligned => shapes::aligned(count, &mut random),
        Kind::Equal => shapes::equal(count, &mut random),
        Kind::Mixed => shapes::mixed(count, &mut random),
    };
    Generated { name: order.name(), blocks, capacity, optimum }
}

/// One of some.
fn pick<T: Copy>(random: &mut SplitMix64, some: &[T]) -> T {
    some[random.below(some.len() as u64) as usize]
}
