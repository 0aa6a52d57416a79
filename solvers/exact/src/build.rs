//! From an instance and a choice of promotions to a model.

use memplan_packing::{Colocation, Instance, ItemId};

use crate::choice::{Choice, Role};
use crate::differences::{Allowed, Forbidden, aligned};
use crate::model::{Block, Body, Model, Pair, Price};
use crate::place::Place;
use crate::relations::{Conflict, Relations};
use crate::sections::sections;
use crate::units::{FAR, Unit, gcd};

/// Why a choice has no packing, before any search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoWay {
    /// This item has no place, whatever the others do.
    Item(ItemId),
    /// Promotions that cannot be in force together.
    Choice,
}

/// Builds models of one instance.
pub(crate) struct Builder<'a> {
    instance: &'a Instance,
    relations: Relations,
    granule: u64,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(instance: &'a Instance, granule: u64) -> Self {
        Self { instance, relations: Relations::new(instance), granule }
    }

    /// The model of a choice; `costs` says whether prices matter.
    pub(crate) fn model(&self, choice: &Choice, costs: bool) -> Result<Model, NoWay> {
        if choice.chained(self.instance) {
            return Err(NoWay::Choice);
        }
        let mut relations = self.relations.clone();
        let mut tied = self.instance.clone();
        for &(single, role) in &choice.0 {
            if let Role::Joined(promotion) = role {
                let slots = &self.instance.promotions[promotion as usize].slots;
                let first = slots[0];
                tied.colocated.push(Colocation { first, second: single, delta: 0 });
                slots.iter().for_each(|&s| relations.join(single, s));
            }
        }
        let groups = tied.groups().map_err(|_| NoWay::Choice)?;
        let mut model = Model::default();
        self.bodies(choice, &groups, &mut model)?;
        self.walls(&mut model)?;
        self.pairs(&relations, &mut model)?;
        if costs {
            self.prices(&relations, &mut model);
        }
        model.sections = sections(self.instance, &relations, &model.blocks);
        model.index();
        Ok(model)
    }

    fn units(&self, bytes: u64) -> Unit {
        Unit::try_from(bytes / self.granule).unwrap_or(FAR).min(FAR)
    }

    /// Bodies with alignments, pins and windows; blocks of the items that take bytes.
    fn bodies(
        &self,
        choice: &Choice,
        groups: &[(u32, u64)],
        model: &mut Model,
    ) -> Result<(), NoWay> {
        let items = &self.instance.items;
        let bodies = groups.iter().map(|g| g.0 as usize + 1).max().unwrap_or(0);
        model.bodies = vec![Body { place: Place::anywhere(), height: 0 }; bodies];
        for (id, &(group, shift)) in groups.iter().enumerate() {
            let (item, shift) = (&items[id], self.units(shift));
            let role = choice.role(id as ItemId);
            model.at.push((group, shift));
            if role == Role::Absent {
                continue;
            }
            let body = group;
            let place = &mut model.bodies[body as usize].place;
            let no_place = NoWay::Item(id as ItemId);
            // An alignment that divides the granule asks for nothing.
            if !self.granule.is_multiple_of(item.align)
                && !place.align(shift, self.units(item.align))
            {
                return Err(no_place);
            }
            if let Some(pin) = item.pin {
                if !pin.is_multiple_of(item.align) {
                    return Err(no_place);
                }
                place.low = place.low.max(self.units(pin) - shift);
                place.high = place.high.min(self.units(pin) - shift);
            }
            if let Some(window) = item.window.as_ref().filter(|_| item.size > 0) {
                place.low = place.low.max(self.units(window.start) - shift);
                let end = self.units(window.end) - self.units(item.size);
                place.high = place.high.min(end - shift);
            }
            if place.low > place.high {
                return Err(no_place);
            }
            if !matches!(role, Role::Joined(_)) {
                self.block(id, None, body, shift, model);
            }
        }
        for &(single, role) in &choice.0 {
            let Role::Joined(promotion) = role else { continue };
            for &slot in &self.instance.promotions[promotion as usize].slots {
                let (body, shift) = model.at[slot as usize];
                let align = items[single as usize].align;
                let place = &mut model.bodies[body as usize].place;
                if !self.granule.is_multiple_of(align) && !place.align(shift, self.units(align)) {
                    return Err(NoWay::Choice);
                }
                self.block(single as usize, Some(slot), body, shift, model);
            }
        }
        Ok(())
    }

    fn block(&self, item: usize, slot: Option<u32>, body: u32, shift: Unit, model: &mut Model) {
        let size = self.units(self.instance.items[item].size);
        if size > 0 {
            model.blocks.push(Block { item: item as u32, slot, body, shift, size });
            let height = &mut model.bodies[body as usize].height;
            *height = (*height).max(shift + size);
        }
    }

    /// Reserved ranges, in every body's place and for the sections.
    fn walls(&self, model: &mut Model) -> Result<(), NoWay> {
        let wall = |r: &std::ops::Range<u64>| (self.units(r.start), self.units(r.end));
        model.walls = self.instance.reserved.iter().map(wall).collect();
        for block in &model.blocks {
            let hit = |&(start, end): &(Unit, Unit)| {
                (start - block.shift - block.size + 1, end - block.shift - 1)
            };
            let taken = model.walls.iter().map(hit).collect();
            let place = &mut model.bodies[block.body as usize].place;
            place.take(taken);
            if place.up(0) > place.high {
                return Err(NoWay::Item(block.item));
            }
        }
        Ok(())
    }

    /// Pairs of bodies whose blocks conflict.
    fn pairs(&self, relations: &Relations, model: &mut Model) -> Result<(), NoWay> {
        let by_body = by_body(model);
        for second in 0..by_body.len() {
            for first in 0..=second {
                let mut forbidden = Forbidden::default();
                let mut any = false;
                for x in &by_body[first] {
                    for y in &by_body[second] {
                        let conflict = relations.blocks(x, y);
                        if conflict == Conflict::None {
                            continue;
                        }
                        let equal = conflict == Conflict::UnlessEqual;
                        if first == second {
                            if overlap(x, y) && !(equal && x.shift == y.shift) {
                                return Err(NoWay::Choice);
                            }
                            continue;
                        }
                        forbidden.block((x.shift, x.size), (y.shift, y.size), equal);
                        any = true;
                    }
                }
                if any {
                    let (first, second) = (first as u32, second as u32);
                    let allowed = aligned_between(model, first, second, forbidden);
                    model.pairs.push(Pair { first, second, allowed, price: None });
                }
            }
        }
        Ok(())
    }

    /// Costs that offsets decide about; the others are free or paid whatever happens.
    fn prices(&self, relations: &Relations, model: &mut Model) {
        let by_body = by_body(model);
        let blocks_of = |item: ItemId| -> Vec<Block> {
            by_body.iter().flatten().filter(|block| block.item == item).copied().collect()
        };
        for cost in self.instance.costs.iter().filter(|c| c.cost > 0) {
            if relations.joined(cost.first, cost.second) {
                continue;
            }
            let (xs, ys) = (blocks_of(cost.first), blocks_of(cost.second));
            let mut between: Vec<(u32, u32, Forbidden)> = Vec::new();
            let mut paid = false;
            for x in &xs {
                for y in &ys {
                    if x.body == y.body {
                        paid |= overlap(x, y);
                        continue;
                    }
                    let kept_apart = relations.blocks(x, y) == Conflict::Always;
                    if kept_apart {
                        continue;
                    }
                    let (low, high) = if x.body < y.body { (x, y) } else { (y, x) };
                    let ends = (low.body, high.body);
                    let found = between.iter().position(|b| (b.0, b.1) == ends);
                    let index = found.unwrap_or_else(|| {
                        between.push((ends.0, ends.1, Forbidden::default()));
                        between.len() - 1
                    });
                    between[index].2.block((low.shift, low.size), (high.shift, high.size), false);
                }
            }
            if paid {
                model.always = model.always.saturating_add(cost.cost);
            } else if !between.is_empty() {
                let price = model.prices.len() as u32;
                let mut pairs = Vec::new();
                for (first, second, forbidden) in between {
                    pairs.push(model.pairs.len() as u32);
                    let allowed = aligned_between(model, first, second, forbidden);
                    model.pairs.push(Pair { first, second, allowed, price: Some(price) });
                }
                model.prices.push(Price { cost: cost.cost, pairs });
            }
        }
    }
}

/// The distances allowed between two bodies, and possible with their alignments.
fn aligned_between(model: &Model, first: u32, second: u32, forbidden: Forbidden) -> Allowed {
    let (a, m) = model.bodies[first as usize].place.class();
    let (b, n) = model.bodies[second as usize].place.class();
    let modulus = gcd(m as u64, n as u64) as Unit;
    aligned(forbidden.allowed(), b - a, modulus)
}

fn by_body(model: &Model) -> Vec<Vec<Block>> {
    let mut by_body = vec![Vec::new(); model.bodies.len()];
    for block in &model.blocks {
        by_body[block.body as usize].push(*block);
    }
    by_body
}

fn overlap(x: &Block, y: &Block) -> bool {
    x.shift < y.shift + y.size && y.shift < x.shift + x.size
}
