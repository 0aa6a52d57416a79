//! Proofs without search that there is no packing.

use super::Load;
use super::load::Loads;
use super::place::{self, Window};
use crate::check::{Fault, check};
use crate::composite::Composites;
use crate::instance::{Instance, ItemId};
use crate::outcome::{Packing, Refutation};
use crate::relations::Relations;

/// See [`super::refute`]. The simplest proof comes first.
pub(super) fn refute(
    instance: &Instance,
    relations: &Relations,
    composites: &Composites,
    loads: &Loads,
    windows: &[Window],
) -> Option<Refutation> {
    let usable = |from: u64, to: u64| {
        let inside = |r: &std::ops::Range<u64>| r.end.min(to).saturating_sub(r.start.max(from));
        to.saturating_sub(from) - instance.reserved.iter().map(inside).sum::<u64>()
    };
    no_place(instance, relations, composites)
        .or_else(|| clash(instance, relations, composites))
        .or_else(|| too_much(&loads.full, usable(0, instance.capacity?)))
        .or_else(|| {
            let over = |w: &Window| {
                let end = w.range.end.min(instance.capacity.unwrap_or(u64::MAX));
                too_much(&w.load, usable(w.range.start, end))
            };
            windows.iter().find_map(over)
        })
        .or_else(|| {
            let room = usable(0, instance.capacity?);
            let wide =
                |&&(a, b): &&(ItemId, ItemId)| place::beside(instance, relations, a, b) > room;
            let &(a, b) = instance.separate.iter().find(wide)?;
            Some(Refutation::Clash(a, b))
        })
        .or_else(|| {
            let load = loads.rounded.as_ref()?;
            let need = load.sum - place::padding(instance, load, loads.granule);
            let load = Load { sum: need, ..load.clone() };
            // Reserved ranges would have to be rounded as well; without them it is simple.
            let room = instance.capacity.filter(|_| instance.reserved.is_empty())?;
            too_much(&load, room)
        })
}

fn too_much(load: &Load, room: u64) -> Option<Refutation> {
    let proof = || Refutation::Load { at: load.at, items: load.items.clone(), sum: load.sum };
    (load.sum > room).then(proof)
}

/// An item that has no place, whatever the others do.
fn no_place(
    instance: &Instance,
    relations: &Relations,
    composites: &Composites,
) -> Option<Refutation> {
    let capacity = instance.capacity.unwrap_or(u64::MAX);
    let fits = |composite: u32| {
        let members = composites.members(composite).iter().filter(|m| m.size > 0);
        let end = members.map(|m| m.delta.saturating_add(m.size)).max().unwrap_or(0);
        let base = composites.lowest(composite, 0);
        base.is_some_and(|base| end == 0 || base.saturating_add(end) <= capacity)
    };
    let lost = (0..composites.len() as u32).find(|&composite| !fits(composite))?;
    let item = relations.group.iter().position(|&(group, _)| group == lost)?;
    Some(Refutation::NoPlace(item as ItemId))
}

/// Two items that are fixed by pins, on bytes that they must not share.
fn clash(
    instance: &Instance,
    relations: &Relations,
    composites: &Composites,
) -> Option<Refutation> {
    let fixed = |id: ItemId| composites.get(relations.group[id as usize].0).pinned;
    let items: Vec<ItemId> = (0..instance.items.len() as ItemId).filter(|&id| fixed(id)).collect();
    if items.len() < 2 {
        return None;
    }
    let mut part = instance.restrict(&items);
    // A single has no pin, so no promotion can excuse two fixed items.
    part.promotions.clear();
    let offsets = items.iter().map(|&id| {
        let (group, delta) = relations.group[id as usize];
        composites.get(group).low + delta
    });
    let packing = Packing { offsets: offsets.collect(), promoted: Vec::new() };
    check(&part, &packing).into_iter().find_map(|fault| match fault {
        Fault::Overlap(a, b) => Some(Refutation::Clash(items[a as usize], items[b as usize])),
        _ => None,
    })
}
