//! A first packing: the largest composite first, each as low as it goes.

use std::cmp::Reverse;

use memplan_packing::{ItemId, Packing};

use crate::order::Frame;

/// The packing, if this simple rule finds one.
pub(crate) fn greedy(frame: &Frame<'_>) -> Option<Packing> {
    let composites = &frame.composites;
    let count = composites.len() as u32;
    // For each item the pairs that it is in.
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); frame.instance.items.len()];
    // What sharing costs is left to the program.
    let bound = frame.pairs.iter().enumerate().filter(|(_, pair)| pair.price.is_none());
    for (index, pair) in bound {
        near[pair.first as usize].push(index);
        near[pair.second as usize].push(index);
    }
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_key(|&c| {
        let shape = composites.get(c);
        // Whoever has little room of its own goes first.
        ((shape.high - shape.low.min(shape.high)).min(1 << 40), Reverse(shape.extent))
    });
    let mut offsets: Vec<Option<u64>> = vec![None; frame.instance.items.len()];
    for c in order {
        let mut base = composites.lowest(c, 0)?;
        loop {
            let blocked = composites.members(c).iter().find_map(|member| {
                let at = base.checked_add(member.delta)?;
                let past = near[member.item as usize].iter();
                past.filter_map(|&p| past_pair(frame, &offsets, p, member.item, at))
                    .max()
                    .map(|end| end.saturating_sub(member.delta))
            });
            let Some(next) = blocked else { break };
            base = composites.lowest(c, next)?;
        }
        for member in composites.members(c) {
            offsets[member.item as usize] = Some(base.checked_add(member.delta)?);
        }
    }
    let packing =
        Packing { offsets: offsets.into_iter().collect::<Option<_>>()?, promoted: Vec::new() };
    memplan_packing::check(frame.instance, &packing).is_empty().then_some(packing)
}

/// When the item at this offset breaks the pair: the end of the other item.
fn past_pair(
    frame: &Frame<'_>,
    offsets: &[Option<u64>],
    pair: usize,
    item: ItemId,
    at: u64,
) -> Option<u64> {
    let pair = frame.pairs[pair];
    let other = if pair.first == item { pair.second } else { pair.first };
    let start = offsets[other as usize]?;
    let size = |id: ItemId| frame.instance.items[id as usize].size;
    let end = start.saturating_add(size(other));
    let apart = at >= end || at.saturating_add(size(item)) <= start;
    let right = apart || (pair.equal && at == start);
    (!right).then_some(end)
}
