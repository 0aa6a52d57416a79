//! First fit and best fit in any order, for rectangles of time and bytes.
//!
//! Looking at every placed rectangle is quadratic, but each look costs about a nanosecond: where
//! thousands are alive together it beats every tree that has to list and sort them.

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Packing, Stop};

use crate::engine::Rule;
use crate::greedy::clock;
use crate::problem::Problem;

/// A chunk of so many rectangles is cut in two, so that inserting moves little.
const CHUNK: usize = 512;

/// Places all items of a plain problem in this order, each by the rule.
pub(crate) fn in_order(
    problem: &Problem<'_>,
    order: &[u32],
    rule: Rule,
    budget: &Budget,
) -> Result<Packing, Stop> {
    let mut clock = clock(budget);
    let sections = Sections::new(problem.instance);
    let mut placed = Shelf::new(problem, &sections);
    let mut offsets = vec![0; problem.len()];
    for &id in order {
        clock()?;
        let item = &problem.instance.items[id as usize];
        let Some(life) = sections.of(id).first() else { continue };
        let place = Place { from: life.start, to: life.end, size: item.size, align: item.align };
        let base = match rule {
            Rule::Best => placed.best(&place),
            Rule::Above => placed.above(&place),
            _ => placed.first(&place),
        };
        let lo = base.ok_or(Stop::Failed)?;
        placed.insert(Rectangle { from: place.from, to: place.to, lo, hi: lo + place.size });
        offsets[id as usize] = lo;
    }
    Ok(Packing { offsets, promoted: Vec::new() })
}

/// What is placed: the sections `from..to` and the bytes `lo..hi`.
#[derive(Clone, Copy)]
struct Rectangle {
    from: u32,
    to: u32,
    lo: u64,
    hi: u64,
}

/// What asks for a place.
struct Place {
    from: u32,
    to: u32,
    size: u64,
    align: u64,
}

impl Place {
    /// The lowest aligned base in the gap, if the gap is large enough.
    fn fit(&self, gap: std::ops::Range<u64>) -> Option<u64> {
        let base = gap.start.checked_next_multiple_of(self.align)?;
        (base.checked_add(self.size)? <= gap.end).then_some(base)
    }
}

/// All rectangles in the order of their lowest byte.
struct Shelf {
    chunks: Vec<Vec<Rectangle>>,
}

impl Shelf {
    /// Nothing but the reserved ranges, which are there at all times.
    fn new(problem: &Problem<'_>, sections: &Sections) -> Self {
        let always = sections.len() as u32;
        let reserved = problem.instance.reserved.iter();
        let all = reserved.map(|r| Rectangle { from: 0, to: always, lo: r.start, hi: r.end });
        Self { chunks: vec![all.collect()] }
    }

    fn insert(&mut self, new: Rectangle) {
        let after = |chunk: &Vec<Rectangle>| chunk.first().is_none_or(|first| first.lo <= new.lo);
        let at = self.chunks.partition_point(after).max(1) - 1;
        let chunk = &mut self.chunks[at];
        let place = chunk.partition_point(|old| old.lo <= new.lo);
        chunk.insert(place, new);
        if chunk.len() > CHUNK {
            let upper = chunk.split_off(CHUNK / 2);
            self.chunks.insert(at + 1, upper);
        }
    }

    /// Calls `gap` for every run of free bytes from below, the room above everything last; stops
    /// when it answers `true`.
    fn gaps(&self, place: &Place, mut gap: impl FnMut(std::ops::Range<u64>) -> bool) {
        let mut at = 0;
        for r in self.chunks.iter().flatten() {
            if r.from < place.to && place.from < r.to {
                if r.lo > at && gap(at..r.lo) {
                    return;
                }
                at = at.max(r.hi);
            }
        }
        gap(at..u64::MAX);
    }

    /// The lowest place.
    fn first(&self, place: &Place) -> Option<u64> {
        let mut found = None;
        self.gaps(place, |gap| {
            found = place.fit(gap);
            found.is_some()
        });
        found
    }

    /// The place in the smallest gap, the lowest of equal ones.
    fn best(&self, place: &Place) -> Option<u64> {
        let mut best: Option<(u64, u64)> = None;
        self.gaps(place, |gap| {
            let length = gap.end - gap.start;
            if length >= place.size && best.is_none_or(|(known, _)| length < known) {
                best = place.fit(gap).map(|base| (length, base)).or(best);
            }
            false
        });
        best.map(|(_, base)| base)
    }

    /// The place above everything that is in the way.
    fn above(&self, place: &Place) -> Option<u64> {
        let mut top = None;
        self.gaps(place, |gap| {
            top = place.fit(gap.start..u64::MAX);
            false
        });
        top
    }
}

#[cfg(test)]
mod tests {
    use memplan_packing::sample::Shape;
    use quickcheck::quickcheck;

    use super::*;
    use crate::greedy;
    use crate::order::{BY_SIZE, order};

    quickcheck! {
        fn the_shelf_finds_the_places_that_the_engine_finds(seed: u64, items: u16) -> bool {
            let mut shape = Shape::plain(1 + usize::from(items) % 700);
            (shape.aligns, shape.reserved) = (true, seed.is_multiple_of(2));
            let instance = shape.instance(seed);
            let problem = Problem::new(&instance);
            let order = order(&problem, BY_SIZE);
            [Rule::First, Rule::Best, Rule::Above].into_iter().all(|rule| {
                let flat = in_order(&problem, &order, rule, &Budget::default());
                flat == greedy::placed_in_order(&problem, order.clone(), rule, &Budget::default())
            })
        }
    }
}
