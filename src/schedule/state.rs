//! How far the execution of a model has come.

use super::model::Model;

/// What is alive after some instructions have run.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// How many more instructions touch each item.
    left: Vec<u32>,
    /// How many items of each group are alive.
    alive: Vec<u32>,
    /// Bytes alive.
    pub(crate) live: u64,
}

/// What running an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    /// The most bytes alive while it runs.
    pub(crate) peak: u64,
    /// Bytes alive after it.
    pub(crate) after: u64,
}

impl State {
    /// Before the first instruction.
    pub(crate) fn of(model: &Model) -> Self {
        let mut state = Self {
            left: model.items.iter().map(|item| item.touches).collect(),
            alive: vec![0; model.groups],
            live: model.base,
        };
        for item in model.items.iter().filter(|item| item.enters) {
            state.wake(item.group as usize, item.size);
        }
        state
    }

    fn wake(&mut self, group: usize, size: u64) {
        self.alive[group] += 1;
        if self.alive[group] == 1 {
            self.live += size;
        }
    }

    /// Bytes of dying items that items born there take over.
    fn taken(&self, model: &Model, place: usize) -> u64 {
        let mut taken: Vec<u32> = Vec::new();
        let mut bytes = 0;
        for may_take in &model.takes[place] {
            let dies = |from: &&u32| self.left[**from as usize] == 1 && !taken.contains(from);
            if let Some(&from) = may_take.iter().find(dies) {
                taken.push(from);
                bytes += model.items[from as usize].size;
            }
        }
        bytes
    }

    /// Runs an instruction.
    pub(crate) fn step(&mut self, model: &Model, place: u32) -> Step {
        let place = place as usize;
        let taken = self.taken(model, place);
        for &item in &model.born[place] {
            let item = model.items[item as usize];
            self.wake(item.group as usize, item.size);
        }
        let peak = (self.live + model.inner[place]).saturating_sub(taken);
        for &at in &model.touched[place] {
            let item = model.items[at as usize];
            let left = &mut self.left[at as usize];
            *left = left.saturating_sub(1);
            if *left == 0 {
                let alive = &mut self.alive[item.group as usize];
                *alive = alive.saturating_sub(1);
                if *alive == 0 {
                    self.live = self.live.saturating_sub(item.size);
                }
            }
        }
        Step { peak, after: self.live }
    }

    /// What running an instruction would do.
    pub(crate) fn probe(&self, model: &Model, place: u32) -> Step {
        let at = place as usize;
        let size = |&item: &u32| model.items[item as usize].size;
        let taken = self.taken(model, at);
        if model.is_joint[at] {
            return self.probe_joint(model, at, taken);
        }
        let born: u64 = model.born[at].iter().map(size).sum();
        let dies = |item: &&u32| self.left[**item as usize] == 1;
        let dead: u64 = model.touched[at].iter().filter(dies).map(size).sum();
        let most = self.live + born;
        let peak = (most + model.inner[at]).saturating_sub(taken);
        Step { peak, after: most.saturating_sub(dead) }
    }

    /// As [`Self::probe`] where several items are the same bytes.
    fn probe_joint(&self, model: &Model, at: usize, taken: u64) -> Step {
        let mut changed: Vec<(u32, u32)> = Vec::new();
        let mut alive = |group: u32, up: bool| -> u32 {
            let known = changed.iter().position(|(of, _)| *of == group);
            let known = known.unwrap_or_else(|| {
                changed.push((group, self.alive[group as usize]));
                changed.len() - 1
            });
            let count = &mut changed[known].1;
            *count = if up { *count + 1 } else { count.saturating_sub(1) };
            *count
        };
        let mut live = self.live;
        for &item in &model.born[at] {
            let item = model.items[item as usize];
            if alive(item.group, true) == 1 {
                live += item.size;
            }
        }
        let peak = (live + model.inner[at]).saturating_sub(taken);
        for &of in &model.touched[at] {
            let item = model.items[of as usize];
            if self.left[of as usize] == 1 && alive(item.group, false) == 0 {
                live = live.saturating_sub(item.size);
            }
        }
        Step { peak, after: live }
    }
}

/// The bytes alive while each instruction of an order runs.
pub(crate) fn run(model: &Model, order: &[u32]) -> Vec<u64> {
    let mut state = State::of(model);
    order.iter().map(|&place| state.step(model, place).peak).collect()
}

/// The most bytes alive under an order.
pub(crate) fn peak(model: &Model, order: &[u32]) -> u64 {
    run(model, order).into_iter().max().unwrap_or(0)
}
