//! Packings without search: bodies one after the other, each as low as it goes.

use std::cmp::Reverse;

use crate::model::Model;
use crate::units::Unit;

/// One packing for each order of bodies that has one under the limit.
pub(crate) fn packings(model: &Model, limit: Unit) -> Vec<Vec<Unit>> {
    let n = model.bodies.len();
    let mut bulk = vec![0i128; n];
    for block in &model.blocks {
        bulk[block.body as usize] += i128::from(block.size);
    }
    let degree = |b: usize| model.near[b].len() as i128;
    let room = |b: usize| model.bodies[b].top(limit) - model.bodies[b].place.low;
    let mut orders: Vec<Vec<usize>> = vec![(0..n).collect(); 4];
    orders[1].sort_by_key(|&b| Reverse(model.bodies[b].height));
    orders[2].sort_by_key(|&b| Reverse(bulk[b] * (1 + degree(b))));
    orders[3].sort_by_key(|&b| Reverse(degree(b)));
    for order in &mut orders {
        // Whoever has little room of its own goes first.
        order.sort_by_key(|&b| room(b).min(limit / 2));
    }
    orders.iter().filter_map(|order| pack(model, order, limit)).collect()
}

/// Packs the bodies in the given order; prices are kept apart.
fn pack(model: &Model, order: &[usize], limit: Unit) -> Option<Vec<Unit>> {
    let mut bases: Vec<Option<Unit>> = vec![None; model.bodies.len()];
    for &body in order {
        let most = model.bodies[body].top(limit);
        let mut at = model.bodies[body].place.up(0);
        loop {
            let before = at;
            for &p in &model.near[body] {
                let pair = &model.pairs[p as usize];
                let first = pair.first as usize == body;
                let other = if first { pair.second } else { pair.first } as usize;
                let Some(base) = bases[other] else { continue };
                // Rising means a shorter distance for the first and a longer one for the second.
                if first {
                    let next = pair.allowed.partition_point(|range| range.0 <= base - at);
                    let range = pair.allowed.get(next.checked_sub(1)?)?;
                    at = at.max(base - range.1);
                } else {
                    let next = pair.allowed.partition_point(|range| range.1 < at - base);
                    at = at.max(base + pair.allowed.get(next)?.0);
                }
            }
            at = model.bodies[body].place.up(at);
            if at > most {
                return None;
            }
            if at == before {
                break;
            }
        }
        bases[body] = Some(at);
    }
    bases.into_iter().collect()
}
