//! Interchangeable bodies are packed in the order of their numbers.
//!
//! Slots of one multi-buffer are the usual case: swapping two of them changes nothing, so only
//! packings where the one with the smaller number lies lower need to be looked at.

use crate::model::Model;
use crate::units::Unit;

/// Pairs of interchangeable bodies with the orders left to them: first and last index.
pub(crate) fn order(model: &Model) -> Vec<(u32, (u32, u32))> {
    let mut rows: Vec<Vec<Row<'_>>> = vec![Vec::new(); model.bodies.len()];
    for pair in &model.pairs {
        let (a, b) = (pair.first, pair.second);
        rows[a as usize].push(Row { other: b, sign: 1, price: pair.price, allowed: &pair.allowed });
        rows[b as usize].push(Row {
            other: a,
            sign: -1,
            price: pair.price,
            allowed: &pair.allowed,
        });
    }
    // A price that several pairs share ties more than two bodies: leave those alone.
    let mut order = Vec::new();
    // The body last found interchangeable with each body of a class, in the order of numbers.
    let mut lasts: Vec<u32> = Vec::new();
    for body in 0..model.bodies.len() as u32 {
        let same = lasts.iter().position(|&last| interchangeable(model, &rows, last, body));
        let Some(class) = same else {
            lasts.push(body);
            continue;
        };
        let last = std::mem::replace(&mut lasts[class], body);
        let between = |p: &(usize, &crate::model::Pair)| {
            p.1.price.is_none() && p.1.first == last && p.1.second == body
        };
        if let Some((p, pair)) = model.pairs.iter().enumerate().find(between) {
            let from = pair.allowed.partition_point(|range| range.1 < 0) as u32;
            order.push((p as u32, (from, pair.allowed.len() as u32 - 1)));
        }
    }
    order
}

/// A pair as one of its bodies sees it.
#[derive(Clone)]
struct Row<'a> {
    other: u32,
    sign: Unit,
    price: Option<u32>,
    allowed: &'a [(Unit, Unit)],
}

impl Row<'_> {
    /// The allowed ranges of `base(other) - base(self)`.
    fn ranges(&self) -> Vec<(Unit, Unit)> {
        let turned = |&(start, end): &(Unit, Unit)| (-end, -start);
        match self.sign {
            1 => self.allowed.to_vec(),
            _ => self.allowed.iter().rev().map(turned).collect(),
        }
    }
}

fn interchangeable(model: &Model, rows: &[Vec<Row<'_>>], a: u32, b: u32) -> bool {
    let (x, y) = (&model.bodies[a as usize], &model.bodies[b as usize]);
    let (xs, ys) = (&rows[a as usize], &rows[b as usize]);
    if x.height != y.height || xs.len() != ys.len() || x.place != y.place {
        return false;
    }
    let priced = |row: &Row<'_>| row.price.is_some();
    if xs.iter().any(priced) || ys.iter().any(priced) {
        return false;
    }
    let sees = |rows: &[Row<'_>], skip: u32| -> Vec<(u32, Vec<(Unit, Unit)>)> {
        let others = rows.iter().filter(|row| row.other != skip);
        let mut seen: Vec<_> = others.map(|row| (row.other, row.ranges())).collect();
        seen.sort();
        seen
    };
    let between = xs.iter().find(|row| row.other == b).map(Row::ranges);
    let mirrored = ys.iter().find(|row| row.other == a).map(Row::ranges);
    between == mirrored && sees(xs, b) == sees(ys, a)
}

#[cfg(test)]
mod tests {
    use memplan_packing::{Inplace, Instance, Item};

    use super::*;
    use crate::build::Builder;
    use crate::choice::Choice;

    fn orders(instance: &Instance) -> Vec<(u32, (u32, u32))> {
        let model = Builder::new(instance, 1).model(&Choice::default(), false);
        order(&model.expect("it has a model"))
    }

    #[test]
    fn twins_are_ordered_and_others_are_not() {
        let items = vec![Item::new(2, 1, 0, 2), Item::new(2, 1, 0, 2), Item::new(2, 1, 0, 3)];
        let mut instance = Instance { items, ..Instance::default() };
        // All three meet each other and nobody else: any two may be swapped.
        assert_eq!(orders(&instance).len(), 2);
        instance.items.push(Item::new(2, 1, 2, 3));
        assert_eq!(orders(&instance).len(), 1);
        instance.items[0].pin = Some(0);
        assert_eq!(orders(&instance).len(), 0);
    }

    #[test]
    fn twins_in_place_may_still_start_at_one_offset() {
        let items = vec![Item::new(2, 1, 0, 2); 2];
        let inplace = vec![Inplace { from: 0, into: 1 }];
        let instance = Instance { items, inplace, ..Instance::default() };
        // Ranges: below, equal, above; equal and above are left.
        assert_eq!(orders(&instance), [(0, (1, 2))]);
    }
}
