//! Local search: at the peak something is alive that is not needed there. Either what makes it runs later,
//! with all that follows from it, or what needs it last runs before, with all that that needs.

use std::cmp::Reverse;

use super::bound::{birthplaces, touchers};
use super::model::Model;
use super::state::State;

/// Positions from one saved state to the next, at least.
const STRIDE: usize = 32;

/// Saved states are fewer where they are large: their numbers stay below this.
const SAVED: usize = 8_000_000;

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
    /// The states before every `stride`th position.
    saved: Vec<State>,
    stride: usize,
    /// Marks of places; `marks` is the newest.
    mark: Vec<u32>,
    marks: u32,
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
    /// The mark that they bear until the next block is made.
    mark: u32,
    is_later: bool,
}

/// Improves an order until no shift and no `patience` kicks in a row help, the peak is at the floor or the steps
/// run out. Never returns a worse one.
pub(crate) fn shift(
    model: &Model,
    order: Vec<u32>,
    floor: u64,
    patience: u32,
    steps: &mut u64,
    limit: u64,
) -> Vec<u32> {
    let mut shift = Shift {
        model,
        born: birthplaces(model),
        touched: touchers(model),
        profile: Vec::new(),
        at: vec![0; order.len()],
        mark: vec![0; order.len()],
        marks: 0,
        saved: Vec::new(),
        stride: STRIDE.max(order.len().saturating_mul(2 * model.items.len()) / SAVED),
        order,
        steps: *steps,
        limit,
        random: 1,
    };
    shift.replay();
    shift.descend(floor);
    let mut best = (shift.badness(), shift.order.clone());
    let mut idle = 0;
    while best.0.0 > floor && idle < patience && shift.steps < limit {
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
            shift.replay();
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

    /// Runs the whole order.
    fn replay(&mut self) {
        self.number();
        self.saved = vec![State::of(self.model); self.order.len().div_ceil(self.stride)];
        self.profile = vec![0; self.order.len()];
        self.rerun(0, self.order.len());
    }

    /// Runs the order again between two positions; after the second all is as it was.
    fn rerun(&mut self, begin: usize, end: usize) {
        let first = begin / self.stride;
        let Some(mut state) = self.saved.get(first).cloned() else { return };
        for position in first * self.stride..end {
            if position % self.stride == 0 {
                self.saved[position / self.stride].clone_from(&state);
            }
            self.profile[position] = state.step(self.model, self.order[position]).peak;
        }
        self.steps += (end - first * self.stride) as u64;
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
        self.steps += self.order.len() as u64 / 4;
        let now = (peak, sides.all());
        for item in self.alive_at(top) {
            for is_later in [true, false] {
                let Some(block) = self.either(item, top, is_later) else { continue };
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
        let is_later = self.dice(2) == 0;
        let Some(block) = self.either(item, top, is_later) else { return };
        let windows = self.windows(&block, top);
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
        let first = window.begin / self.stride;
        let mut state = self.saved.get(first).cloned().unwrap_or_else(|| State::of(self.model));
        for &place in &self.order[first * self.stride..window.begin] {
            state.step(self.model, place);
        }
        self.steps += (window.begin - first * self.stride + window.places.len()) as u64;
        window.places.iter().map(|&place| state.step(self.model, place).peak).collect()
    }

    fn take(&mut self, window: &Window) {
        let end = window.begin + window.places.len();
        self.order[window.begin..end].copy_from_slice(&window.places);
        for position in window.begin..end {
            self.at[self.order[position] as usize] = u32::try_from(position).unwrap_or(u32::MAX);
        }
        self.rerun(window.begin, end);
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
    fn later(&mut self, item: u32, top: u32) -> Option<Block> {
        let first = self.born[item as usize]?;
        let begin = self.at[first as usize];
        self.begin_block();
        self.mark[first as usize] = self.marks;
        let (model, mut places) = (self.model, Vec::new());
        for position in begin..=top {
            self.follow(position, &model.after, &mut places);
            if self.is_marked(top) {
                return None;
            }
        }
        self.block(places, begin.abs_diff(top), true)
    }

    /// What has to run before the top so that the item is dead at it.
    fn earlier(&mut self, item: u32, top: u32) -> Option<Block> {
        let of = &self.touched[item as usize];
        if self.model.items[item as usize].touches as usize > of.len() {
            return None;
        }
        self.begin_block();
        let mut last = top;
        for &place in &self.touched[item as usize] {
            let position = self.at[place as usize];
            if position > top {
                self.mark[place as usize] = self.marks;
                last = last.max(position);
            }
        }
        let (model, mut places) = (self.model, Vec::new());
        for position in (top..=last).rev() {
            self.follow(position, &model.before, &mut places);
            if self.is_marked(top) {
                return None;
            }
        }
        places.reverse();
        self.block(places, last.abs_diff(top), false)
    }

    fn either(&mut self, item: u32, top: u32, is_later: bool) -> Option<Block> {
        if is_later { self.later(item, top) } else { self.earlier(item, top) }
    }

    fn begin_block(&mut self) {
        self.marks += 1;
    }

    /// Takes the instruction at a position into the block if it is marked, and marks what it leads to.
    fn follow(&mut self, position: u32, next: &[Vec<u32>], places: &mut Vec<u32>) {
        let place = self.order[position as usize];
        if self.mark[place as usize] == self.marks {
            places.push(place);
            for &on in &next[place as usize] {
                self.mark[on as usize] = self.marks;
            }
        }
    }

    /// True when the instruction at a position belongs to the block that is being made.
    fn is_marked(&self, position: u32) -> bool {
        self.mark[self.order[position as usize] as usize] == self.marks
    }

    fn block(&mut self, places: Vec<u32>, span: u32, is_later: bool) -> Option<Block> {
        self.steps += u64::from(span) / 8 + 1;
        // What it leads to outside of the span was marked too, but does not move.
        self.begin_block();
        places.iter().for_each(|&place| self.mark[place as usize] = self.marks);
        (!places.is_empty()).then_some(Block { places, mark: self.marks, is_later })
    }

    /// The orders with the block beside the top, and as far from it as possible.
    fn windows(&self, block: &Block, top: u32) -> Vec<Window> {
        let bounds = block.places.iter().flat_map(|&place| match block.is_later {
            true => &self.model.after[place as usize],
            false => &self.model.before[place as usize],
        });
        let stays = |on: &&u32| self.mark[**on as usize] != block.mark;
        let bounds = bounds.filter(stays).map(|&on| self.at[on as usize]);
        let len = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        // The block goes in front of the instruction at this position.
        let (near, far) = match block.is_later {
            true => (top + 1, bounds.min().unwrap_or(len)),
            false => (top, bounds.max().map_or(0, |last| last + 1)),
        };
        let fronts = if near == far { vec![near] } else { vec![near, far] };
        fronts.into_iter().filter_map(|front| self.window(block, front as usize)).collect()
    }

    fn window(&self, block: &Block, front: usize) -> Option<Window> {
        let first = self.at[*block.places.first()? as usize] as usize;
        let last = self.at[*block.places.last()? as usize] as usize;
        let (begin, end) = if block.is_later { (first, front) } else { (front, last + 1) };
        let stays = |place: &u32| self.mark[*place as usize] != block.mark;
        let rest = self.order.get(begin..end)?.iter().copied().filter(stays);
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
