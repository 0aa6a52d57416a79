//! Refutations that need no search.

use memplan_packing::{Instance, ItemId, Refutation};

use crate::bound::overload;
use crate::build::NoWay;
use crate::model::Model;
use crate::units::Unit;

/// Why a model has no packing under the limit, if that can be seen at once.
///
/// `model` is a relaxation: the singles with promotions are left out.
pub(crate) fn refute(instance: &Instance, model: &Model, limit: Unit) -> Option<Refutation> {
    for (index, body) in model.bodies.iter().enumerate() {
        if body.place.up(0) > body.top(limit) {
            let block = model.blocks.iter().find(|block| block.body as usize == index);
            let item = block.map(|block| block.item);
            return Some(item.map_or(Refutation::Exhausted, |item| no_place(instance, item)));
        }
    }
    overload(instance, model, limit).or_else(|| clash(model, limit))
}

/// The refutation for a model that could not be built.
pub(crate) fn no_way(instance: &Instance, why: NoWay) -> Refutation {
    match why {
        NoWay::Item(item) => no_place(instance, item),
        NoWay::Choice => Refutation::Exhausted,
    }
}

/// `NoPlace` blames one item alone, so it must not be tied to others.
fn no_place(instance: &Instance, item: ItemId) -> Refutation {
    if instance.colocated.iter().any(|c| c.first == item || c.second == item) {
        Refutation::Exhausted
    } else {
        Refutation::NoPlace(item)
    }
}

/// Two items whose places leave no distance that is allowed.
fn clash(model: &Model, limit: Unit) -> Option<Refutation> {
    let only = |body: u32| {
        let mut blocks = model.blocks.iter().filter(|block| block.body == body);
        let first = blocks.next()?;
        let tied = blocks.next().is_some() || model.at.iter().filter(|at| at.0 == body).count() > 1;
        (!tied).then_some(first.item)
    };
    for pair in model.pairs.iter().filter(|pair| pair.price.is_none()) {
        let ends = |body: u32| {
            let body = &model.bodies[body as usize];
            (body.place.up(0), body.top(limit))
        };
        let ((a, b), (c, d)) = (ends(pair.first), ends(pair.second));
        let possible = |range: &(Unit, Unit)| range.0 <= d - a && range.1 >= c - b;
        if !pair.allowed.iter().any(possible) {
            let items = only(pair.first).zip(only(pair.second));
            return Some(items.map_or(Refutation::Exhausted, |(a, b)| Refutation::Clash(a, b)));
        }
    }
    None
}
