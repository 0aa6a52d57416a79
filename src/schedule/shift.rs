//! Local search: at the peak something is alive that is not needed there. Either what makes it runs later,
//! with all that follows from it, or what needs it last runs before, with all that that needs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::bound::{birthplaces, touchers};
use super::model::Model;
use super::state::State;

/// Positions from one saved state to the next.
const STRIDE: usize = 32;

/// Kicks without a better order after which the search gives up.
const PATIENCE: u32 = 60;

/// An order that is being improved.
struct Shift<'a> {
    model: &'a Model,
    born: Vec<Option<u32>>,
    touched: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// The position of each place.
    at: Vec<u32>,
    /// Bytes alive at each position.
    profile: Vec<u64>,
    /// The states before every 32nd position.
    saved: Vec<State>,
    steps: u64,
    limit: u64,
    random: u64,
}

/// How bad an order is: its peak, then the bytes by which it comes near it, over all instructions.
type Badness = (u64, u128);

/// Part of an order, anew: the positions from `begin` hold these places.
struct Window {
    begin: usize,
    places: Vec<u32>,
}

/// Instructions that move together, in their order.
struct Block {
    places: Vec<u32>,
    is_later: bool,
}

/// Improves an order until no shift and no number of kicks helps, the peak is at the floor or the steps
/// run out. Never returns a worse one.
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
        profile: Vec::new(),
        at: vec![0; order.len()],
        saved: Vec::new(),
        order,
        steps: *steps,
        limit,
        random: 1,
    };
    shift.number();
    shift.replay(0);
    shift.descend(floor);
    let mut best = (shift.badness(), shift.order.clone());
    let mut idle = 0;
    while best.0.0 > floor && idle < PATIENCE && shift.steps < limit {
        idle += 1;
        for _ in 0..=idle % 3 {
            shift.kick();
        }
        shift.descend(floor);
        let now = shift.badness();
        if now < best.0 {
            idle = 0;
            best = (now, shift.order.clone());
        } else if now.0 > best.0.0 {
            shift.order.clone_from(&best.1);
            shift.number();
            shift.replay(0);
        }
    }
    *steps = shift.steps;
    best.1
}

impl Shift<'_> {
    fn number(&mut self) {
        for (position, &place) in (0_u32..).zip(&self.order) {
            self.at[place as usize] = position;
        }
    }

    /// Runs the order again from a position.
    fn replay(&mut self, from: usize) {
        let first = from / STRIDE;
        self.saved.truncate(first + 1);
        let mut state = self.saved.get(first).cloned().unwrap_or_else(|| State::of(self.model));
        self.saved.truncate(first);
        self.profile.truncate(first * STRIDE);
        for (position, &place) in self.order.iter().enumerate().skip(first * STRIDE) {
            if position % STRIDE == 0 {
                self.saved.push(state.clone());
            }
            self.profile.push(state.step(self.model, place).peak);
        }
        self.steps += (self.order.len() - first * STRIDE) as u64;
    }

    fn peak(&self) -> u64 {
        self.profile.iter().copied().max().unwrap_or(0)
    }

    fn badness(&self) -> Badness {
        let peak = self.peak();
        (peak, self.profile.iter().map(|&bytes| near(bytes, peak)).sum())
    }

    fn top(&self) -> Option<u32> {
        let peak = self.peak();
        let top = self.profile.iter().position(|&bytes| bytes == peak)?;
        u32::try_from(top).ok()
    }

    /// Shifts until none makes the order better.
    fn descend(&mut self, floor: u64) {
        while self.peak() > floor && self.steps < self.limit && self.improve() {}
    }

    /// Takes the first shift that makes the order better; false when there is none.
    fn improve(&mut self) -> bool {
        let Some(top) = self.top() else { return false };
        let peak = self.peak();
        let sides = Sides::of(&self.profile, peak);
        let now = (peak, sides.all());
        for item in self.alive_at(top) {
            for block in [self.later(item, top), self.earlier(item, top)].into_iter().flatten() {
                for window in self.windows(&block, top) {
                    if self.steps > self.limit {
                        return false;
                    }
                    let profile = self.tried(&window);
                    if sides.with(window.begin, &profile, peak) < now {
                        self.take(&window);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Shifts something at random, for better or worse.
    fn kick(&mut self) {
        let Some(top) = self.top() else { return };
        let items = self.alive_at(top);
        let Some(&item) = items.get(self.dice(items.len())) else { return };
        let blocks: Vec<_> =
            [self.later(item, top), self.earlier(item, top)].into_iter().flatten().collect();
        let Some(block) = blocks.get(self.dice(blocks.len())) else { return };
        let windows = self.windows(block, top);
        if let Some(window) = windows.get(self.dice(windows.len())) {
            self.take(window);
        }
    }

    /// A number below `sides`, the same at every run.
    fn dice(&mut self, sides: usize) -> usize {
        // Knuth's linear congruential generator; the low bits are weak.
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        let high = self.random >> 33;
        usize::try_from(high % (sides.max(1) as u64)).unwrap_or(0)
    }

    /// The bytes alive at the positions of a window.
    fn tried(&mut self, window: &Window) -> Vec<u64> {
        let first = window.begin / STRIDE;
        let mut state = self.saved.get(first).cloned().unwrap_or_else(|| State::of(self.model));
        for &place in &self.order[first * STRIDE..window.begin] {
            state.step(self.model, place);
        }
        self.steps += (window.begin - first * STRIDE + window.places.len()) as u64;
        window.places.iter().map(|&place| state.step(self.model, place).peak).collect()
    }

    fn take(&mut self, window: &Window) {
        let end = window.begin + window.places.len();
        self.order[window.begin..end].copy_from_slice(&window.places);
        self.number();
        self.replay(window.begin);
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
        found.sort_by_key(|&item| (Reverse(self.model.items[item as usize].size), item));
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
        let mut seen: BTreeSet<u32> = from.iter().copied().collect();
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
    fn windows(&self, block: &Block, top: u32) -> Vec<Window> {
        let moved: BTreeSet<u32> = block.places.iter().copied().collect();
        let bounds = block.places.iter().flat_map(|&place| match block.is_later {
            true => &self.model.after[place as usize],
            false => &self.model.before[place as usize],
        });
        let bounds = bounds.filter(|on| !moved.contains(on)).map(|&on| self.at[on as usize]);
        let len = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        // The block goes in front of the instruction at this position.
        let (near, far) = match block.is_later {
            true => (top + 1, bounds.min().unwrap_or(len)),
            false => (top, bounds.max().map_or(0, |last| last + 1)),
        };
        let fronts = if near == far { vec![near] } else { vec![near, far] };
        fronts.into_iter().filter_map(|front| self.window(block, &moved, front as usize)).collect()
    }

    fn window(&self, block: &Block, moved: &BTreeSet<u32>, front: usize) -> Option<Window> {
        let first = self.at[*block.places.first()? as usize] as usize;
        let last = self.at[*block.places.last()? as usize] as usize;
        let (begin, end) = if block.is_later { (first, front) } else { (front, last + 1) };
        let rest =
            self.order.get(begin..end)?.iter().filter(|place| !moved.contains(place)).copied();
        let places = match block.is_later {
            true => rest.chain(block.places.iter().copied()).collect(),
            false => block.places.iter().copied().chain(rest).collect(),
        };
        Some(Window { begin, places })
    }
}

/// What a profile amounts to before and after every position.
struct Sides {
    before: Vec<Badness>,
    after: Vec<Badness>,
}

impl Sides {
    fn of(profile: &[u64], peak: u64) -> Self {
        let step = |(most, sum): &mut Badness, &bytes: &u64| {
            let last = (*most, *sum);
            *most = (*most).max(bytes);
            *sum += near(bytes, peak);
            Some(last)
        };
        // One more at the end, for the sum of all.
        let ends = profile.iter().chain(&[0]);
        let before: Vec<_> = ends.scan((0, 0), step).collect();
        let ends = profile.iter().rev().chain(&[0]);
        let mut after: Vec<_> = ends.scan((0, 0), step).collect();
        after.reverse();
        Self { before, after }
    }

    fn all(&self) -> u128 {
        self.before.last().map_or(0, |last| last.1)
    }

    /// How bad the order is with these bytes from that position on.
    fn with(&self, begin: usize, profile: &[u64], peak: u64) -> Badness {
        let nothing = (0, 0);
        let left = self.before.get(begin).copied().unwrap_or(nothing);
        let right = self.after.get(begin + profile.len()).copied().unwrap_or(nothing);
        let most = profile.iter().copied().max().unwrap_or(0).max(left.0).max(right.0);
        let sum: u128 = profile.iter().map(|&bytes| near(bytes, peak)).sum();
        (most, left.1 + right.1 + sum)
    }
}

/// By how much bytes are within a fiftieth of the peak, or above it.
fn near(bytes: u64, peak: u64) -> u128 {
    u128::from(bytes.saturating_sub(peak - peak / 50))
}
