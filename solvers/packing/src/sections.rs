//! Time cut into the moments that matter.

use std::ops::Range;

use crate::instance::{Instance, ItemId};

/// The maximal sets of items that are alive at one step, in time order.
///
/// A set can only be maximal where a start is followed by an end; everything else that happens
/// in time is irrelevant to a packer.
///
/// ```text
///      a  ----------
///      b     ----------              section 0 = {a, b} (at the start of b)
///      c                ------       section 1 = {b, c} (at the start of c)
///      d                      ---    section 2 = {d}
///         |  0      |   1     |2     a lives in [0, 1), b in [0, 2), c in [1, 2), d in [2, 3)
/// ```
///
/// Memory is linear in the items and spans: the members of a section are not listed.
#[derive(Clone, Debug)]
pub struct Sections {
    steps: Vec<u64>,
    ranges: Vec<Range<u32>>,
    first: Vec<u32>,
}

impl Sections {
    /// The sections of an instance. Items without bytes are part of no section.
    pub fn new(instance: &Instance) -> Self {
        // Spans by item, one after the other; each end of one is an event.
        let with_bytes = || instance.items.iter().filter(|item| item.size > 0);
        let count = with_bytes().map(|item| item.live.len()).sum();
        let mut events: Vec<(u64, bool, u32)> = Vec::with_capacity(2 * count);
        for (at, span) in (0..).zip(with_bytes().flat_map(|item| &item.live)) {
            events.push((span.start, true, at));
            events.push((span.end, false, at));
        }
        // At one moment ends come before starts.
        events.sort_unstable();
        let mut steps = Vec::new();
        let mut spans = vec![0..0; count];
        let mut grown = None;
        for (time, starts, at) in events {
            // All sections so far lie before this moment, and all later ones do not.
            if starts {
                grown = Some(time);
                spans[at as usize].start = steps.len() as u32;
            } else {
                steps.extend(grown.take());
                spans[at as usize].end = steps.len() as u32;
            }
        }
        let mut ranges: Vec<Range<u32>> = Vec::with_capacity(count);
        let mut first = Vec::with_capacity(instance.items.len() + 1);
        let mut spans = spans.into_iter();
        for item in &instance.items {
            let own = ranges.len();
            first.push(own as u32);
            let lives = if item.size > 0 { item.live.len() } else { 0 };
            for span in spans.by_ref().take(lives) {
                match ranges[own..].last_mut() {
                    Some(Range { end, .. }) if *end == span.start => *end = span.end,
                    _ => ranges.push(span),
                }
            }
        }
        first.push(ranges.len() as u32);
        Self { steps, ranges, first }
    }

    /// How many sections there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True when nobody is alive.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A step of a section.
    pub fn step(&self, section: u32) -> u64 {
        self.steps[section as usize]
    }

    /// The sections in which an item lives: sorted, disjoint, non-touching ranges. Two items with
    /// bytes meet in time exactly when they have a section in common.
    pub fn of(&self, item: ItemId) -> &[Range<u32>] {
        let at = item as usize;
        &self.ranges[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Item, Span};

    #[test]
    fn the_picture_is_right() {
        let spans = [(0, 10), (3, 13), (11, 17), (17, 20)];
        let mut instance = Instance::default();
        instance.items.extend(spans.map(|(start, end)| Item::new(1, 1, start, end)));
        let sections = Sections::new(&instance);
        let steps: Vec<u64> = (0..sections.len() as u32).map(|s| sections.step(s)).collect();
        assert_eq!(steps, [3, 11, 17]);
        let of = |item| sections.of(item).iter().map(|r| (r.start, r.end)).collect::<Vec<_>>();
        assert_eq!((0..4).map(of).collect::<Vec<_>>(), [[(0, 1)], [(0, 2)], [(1, 2)], [(2, 3)]]);
    }

    #[test]
    fn a_gap_in_which_nothing_happens_does_not_split() {
        let mut item = Item::new(1, 1, 0, 2);
        item.live.push(Span::new(4, 6));
        let mut instance = Instance { items: vec![item], ..Instance::default() };
        assert_eq!(Sections::new(&instance).of(0).len(), 1);
        instance.items.push(Item::new(1, 1, 2, 4));
        assert_eq!(Sections::new(&instance).of(0), [(0..1), (2..3)]);
    }
}
