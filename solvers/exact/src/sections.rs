//! Sets of blocks that conflict pairwise: at any step, everything alive.
//!
//! ```text
//!   bytes ^  |  +---+ |
//!         |  |  | b | |  +----+     Only the maximal sets matter. Sweep the spans; whenever one
//!         | ++--+-+-+-+  | d  |     ends after another began, what is alive now is one:
//!         | | a | | c |  |    |     {a, b}, {b, c}, {d}
//!         +-+---+-+---+--+----+--> time
//! ```

use memplan_packing::Instance;

use crate::model::Block;
use crate::relations::{Conflict, Relations};

/// The sections of an instance, each a sorted list of blocks.
///
/// A set alive is thinned to blocks that conflict whatever their offsets: in-place pairs,
/// exclusive pairs and colocated items keep only the larger block.
pub(crate) fn sections(
    instance: &Instance,
    relations: &Relations,
    blocks: &[Block],
) -> Vec<Vec<u32>> {
    let mut events: Vec<(u64, bool, u32)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        for span in &instance.items[block.item as usize].live {
            // At one step ends come before starts.
            events.push((span.end, false, index as u32));
            events.push((span.start, true, index as u32));
        }
    }
    events.sort_unstable();
    let mut alive: Vec<u32> = Vec::new();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut grown = false;
    for (_, starts, block) in events {
        if starts {
            alive.push(block);
            grown = true;
            continue;
        }
        if grown {
            sets.push(thin(instance, relations, blocks, &alive));
            grown = false;
        }
        alive.retain(|&b| b != block);
    }
    // Items that are alone conflict with everybody: the largest others do at least.
    if instance.items.iter().any(|item| item.alone) {
        let all: Vec<u32> = (0..blocks.len() as u32).collect();
        sets.push(thin(instance, relations, blocks, &all));
    }
    maximal(sets)
}

/// A subset whose blocks conflict pairwise, the largest blocks first; `alone` ones join too.
fn thin(instance: &Instance, relations: &Relations, blocks: &[Block], set: &[u32]) -> Vec<u32> {
    let alone = |b: u32| instance.items[blocks[b as usize].item as usize].alone;
    let mut order: Vec<u32> = set.to_vec();
    order.extend((0..blocks.len() as u32).filter(|&b| alone(b) && !set.contains(&b)));
    order.sort_by_key(|&b| (std::cmp::Reverse(blocks[b as usize].size), b));
    let mut kept: Vec<u32> = Vec::new();
    for b in order {
        let y = &blocks[b as usize];
        let apart = |&a: &u32| {
            let x = &blocks[a as usize];
            if x.body == y.body {
                return x.shift >= y.shift + y.size || y.shift >= x.shift + x.size;
            }
            relations.blocks(x, y) == Conflict::Always
        };
        if kept.iter().all(apart) {
            kept.push(b);
        }
    }
    kept.sort_unstable();
    kept
}

/// Drops the sets that are inside another one.
fn maximal(mut sets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    sets.retain(|set| set.len() > 1);
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    let mut kept: Vec<Vec<u32>> = Vec::new();
    for set in sets {
        let inside = |other: &Vec<u32>| {
            let mut rest = other.iter();
            set.iter().all(|b| rest.any(|o| o == b))
        };
        if !kept.iter().any(inside) {
            kept.push(set);
        }
    }
    kept
}
