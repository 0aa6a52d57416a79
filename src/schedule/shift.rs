//! Local search: at the peak something is alive that is not needed there. Either what makes it runs later,
//! with all that follows from it, or what needs it last runs before, with all that that needs.

use super::bound::{birthplaces, touchers};
use super::model::Model;
use super::state::run;

/// An order that is being improved.
struct Shift<'a> {
    model: &'a Model,
    born: Vec<Option<u32>>,
    touched: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// The position of each place.
    at: Vec<u32>,
    profile: Vec<u64>,
    steps: u64,
}

/// How bad an order is: its peak, then the bytes by which it comes near it, over all instructions.
type Badness = (u64, u128);

/// Improves an order until no shift helps, the peak is at the floor or the steps run out.
pub(crate) fn shift(
    model: &Model,
    order: Vec<u32>,
    floor: u64,
    steps: &mut u64,
    limit: u64,
) -> Vec<u32> {
    let mut shift = Shift {
        model,
        born: birthplaces(model),
        touched: touchers(model),
        profile: run(model, &order),
        at: vec![0; order.len()],
        order,
        steps: 0,
    };
    shift.number();
    let room = limit.saturating_sub(*steps);
    while shift.peak() > floor && shift.steps < room && shift.improve(room) {}
    *steps += shift.steps;
    shift.order
}

impl Shift<'_> {
    fn number(&mut self) {
        for (position, &place) in (0_u32..).zip(&self.order) {
            self.at[place as usize] = position;
        }
    }

    fn peak(&self) -> u64 {
        self.profile.iter().copied().max().unwrap_or(0)
    }

    /// Takes the first shift that makes the order better; false when there is none.
    fn improve(&mut self, room: u64) -> bool {
        let peak = self.peak();
        let now = badness(&self.profile, peak);
        let Some(top) = self.profile.iter().position(|&bytes| bytes == peak) else { return false };
        let top = u32::try_from(top).unwrap_or(u32::MAX);
        for item in self.alive_at(top) {
            for block in [self.later(item, top), self.earlier(item, top)].into_iter().flatten() {
                for order in self.placed(&block, top) {
                    if self.steps > room {
                        return false;
                    }
                    self.steps += order.len() as u64;
                    let profile = run(self.model, &order);
                    if badness(&profile, peak) < now {
                        (self.order, self.profile) = (order, profile);
                        self.number();
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Items alive at a position that the instruction there does not touch, the largest first.
    fn alive_at(&self, top: u32) -> Vec<u32> {
        let alive = |&item: &u32| {
            let of = self.model.items[item as usize];
            let touched = &self.touched[item as usize];
            let born = self.born[item as usize].map(|place| self.at[place as usize]);
            let last = touched.iter().map(|&place| self.at[place as usize]).max();
            let stays = of.touches as usize > touched.len();
            let here = |&place: &u32| self.at[place as usize] == top;
            of.size > 0
                && (of.enters || born.is_some_and(|born| born < top))
                && (stays || last.is_some_and(|last| last > top))
                && !touched.iter().any(here)
        };
        let items = 0..u32::try_from(self.model.items.len()).unwrap_or(u32::MAX);
        let mut found: Vec<u32> = items.filter(alive).collect();
        found.sort_by_key(|&item| (std::cmp::Reverse(self.model.items[item as usize].size), item));
        found
    }

    /// What has to run after the top so that the item is born after it.
    fn later(&self, item: u32, top: u32) -> Option<Block> {
        let first = self.born[item as usize]?;
        let block = self.closure(&[first], |place| &self.model.after[place as usize], |p| p <= top);
        self.block(block, top, true)
    }

    /// What has to run before the top so that the item is dead at it.
    fn earlier(&self, item: u32, top: u32) -> Option<Block> {
        let of = &self.touched[item as usize];
        if self.model.items[item as usize].touches as usize > of.len() {
            return None;
        }
        let last: Vec<u32> = of.iter().copied().filter(|&p| self.at[p as usize] > top).collect();
        let block = self.closure(&last, |place| &self.model.before[place as usize], |p| p >= top);
        self.block(block, top, false)
    }

    /// Places that follow from these over edges, as long as their positions are inside.
    fn closure<'b>(
        &'b self,
        from: &[u32],
        next: impl Fn(u32) -> &'b Vec<u32>,
        inside: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let mut seen: std::collections::BTreeSet<u32> = from.iter().copied().collect();
        let mut open = from.to_vec();
        while let Some(place) = open.pop() {
            for &on in next(place) {
                if inside(self.at[on as usize]) && seen.insert(on) {
                    open.push(on);
                }
            }
        }
        let mut found: Vec<u32> = seen.into_iter().collect();
        found.sort_by_key(|&place| self.at[place as usize]);
        found
    }

    fn block(&self, places: Vec<u32>, top: u32, is_later: bool) -> Option<Block> {
        let holds_top = places.iter().any(|&place| self.at[place as usize] == top);
        (!holds_top && !places.is_empty()).then_some(Block { places, is_later })
    }

    /// The orders with the block beside the top, and as far from it as possible.
    fn placed(&self, block: &Block, top: u32) -> Vec<Vec<u32>> {
        let mut is_moved = vec![false; self.order.len()];
        block.places.iter().for_each(|&place| is_moved[place as usize] = true);
        let bounds = block.places.iter().flat_map(|&place| match block.is_later {
            true => &self.model.after[place as usize],
            false => &self.model.before[place as usize],
        });
        let bounds = bounds.filter(|&&on| !is_moved[on as usize]).map(|&on| self.at[on as usize]);
        // The block goes in front of the instruction at this position.
        let (near, far) = match block.is_later {
            true => (top + 1, bounds.min().unwrap_or(u32::MAX)),
            false => (top, bounds.max().map_or(0, |last| last + 1)),
        };
        let mut out = vec![self.moved(block, &is_moved, near)];
        if far != near {
            out.push(self.moved(block, &is_moved, far));
        }
        out
    }

    fn moved(&self, block: &Block, is_moved: &[bool], before: u32) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.order.len());
        for (position, &place) in (0_u32..).zip(&self.order) {
            if position == before {
                order.extend(&block.places);
            }
            if !is_moved[place as usize] {
                order.push(place);
            }
        }
        if order.len() < self.order.len() {
            order.extend(&block.places);
        }
        order
    }
}

/// Instructions that move together, in their order.
struct Block {
    places: Vec<u32>,
    is_later: bool,
}

fn badness(profile: &[u64], peak: u64) -> Badness {
    let near = peak - peak / 50;
    let over = profile.iter().map(|&bytes| u128::from(bytes.saturating_sub(near)));
    (profile.iter().copied().max().unwrap_or(0), over.sum())
}
