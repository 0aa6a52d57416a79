//! Lower bounds on the peak that need no search, with a witness.

use memplan_packing::{Instance, ItemId, Refutation, Span};

use crate::model::Model;
use crate::units::Unit;

/// The least peak that leaves room for `sum` units outside the walls.
fn peak_for(walls: &[(Unit, Unit)], sum: Unit) -> Unit {
    let mut peak = sum;
    for &(start, end) in walls {
        if start >= peak {
            break;
        }
        peak += end - start;
    }
    peak
}

/// The larger of all sections' loads and all bodies' lowest ends.
pub(crate) fn bound(model: &Model) -> Unit {
    let bodies = model.bodies.iter().filter(|body| body.height > 0);
    let alone = bodies.map(|body| body.place.up(0) + body.height);
    let loads = model.sections.iter().map(|section| {
        let sum = section.iter().map(|&b| model.blocks[b as usize].size).sum();
        peak_for(&model.walls, sum)
    });
    alone.chain(loads).max().unwrap_or(0)
}

/// The section whose load exceeds the limit by most, as a refutation.
///
/// Only sections of items alive at one step count: the witness names the step.
pub(crate) fn overload(instance: &Instance, model: &Model, limit: Unit) -> Option<Refutation> {
    let mut worst: Option<(Unit, &Vec<u32>, u64)> = None;
    for section in &model.sections {
        let size = |&b: &u32| model.blocks[b as usize].size;
        let peak = peak_for(&model.walls, section.iter().map(size).sum());
        if peak > limit
            && worst.is_none_or(|w| peak > w.0)
            && let Some(at) = common_step(instance, model, section)
        {
            worst = Some((peak, section, at));
        }
    }
    let (_, section, at) = worst?;
    let mut items: Vec<ItemId> = section.iter().map(|&b| model.blocks[b as usize].item).collect();
    items.sort_unstable();
    let size = |sum: u64, &i: &ItemId| sum.checked_add(instance.items[i as usize].size);
    let sum = items.iter().try_fold(0u64, size)?;
    // Rounding to granules can refute more than the sum of bytes alone shows.
    let shows = instance.usable().is_some_and(|usable| sum > usable);
    shows.then_some(Refutation::Load { at, items, sum })
}

/// A step at which all items of the section are alive, and no item stands there twice.
fn common_step(instance: &Instance, model: &Model, section: &[u32]) -> Option<u64> {
    let items: Vec<ItemId> = section.iter().map(|&b| model.blocks[b as usize].item).collect();
    let twice = items.iter().enumerate().any(|(i, a)| items[..i].contains(a));
    let starts = items.iter().flat_map(|&i| instance.items[i as usize].live.iter());
    let mut starts: Vec<u64> = starts.map(|span| span.start).collect();
    starts.sort_unstable();
    let all_alive = |&at: &u64| {
        let now = Span::new(at, at + 1);
        items.iter().all(|&i| instance.items[i as usize].live.iter().any(|s| s.meets(now)))
    };
    starts.into_iter().find(all_alive).filter(|_| !twice)
}
