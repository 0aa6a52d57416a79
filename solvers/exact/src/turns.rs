//! One question and all choices of promotions, each in its turn.

use memplan_packing::{Event, Goal, Instance, Meter, Packing, Stop, check};

use crate::bound::bound;
use crate::build::Builder;
use crate::choice::{Choice, Role, roles, singles};
use crate::leaf::{self, Found, Task};
use crate::model::Model;
use crate::rules::Rules;
use crate::search::{Memory, Verdict, decide};
use crate::state::Limits;
use crate::units::Unit;

/// Nodes for one choice of promotions before the next one gets its turn.
const TURN: u64 = 2_000;
/// Nodes for the refutation of a choice whose later singles are left out.
const RELAXED: u64 = 200;
/// Choices that wait for their next turn at most; what is beyond stays open.
const WAITING: usize = 4_096;

/// What is known about a choice that is not closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    /// Nothing has a smaller peak.
    pub(crate) low: Unit,
    /// Nothing costs less.
    pub(crate) least: u64,
}

/// One question and what is known about it.
pub(crate) struct Run<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) goal: Goal,
    pub(crate) rules: Rules,
    pub(crate) builder: Builder<'a>,
    pub(crate) granule: u64,
    /// The capacity in units.
    pub(crate) limit: Unit,
    pub(crate) meter: Meter<'a>,
    pub(crate) on: &'a mut dyn FnMut(Event),
    pub(crate) best: Option<(u64, u64, Packing)>,
    /// The least peak told so far.
    pub(crate) told: u64,
    pub(crate) waiting: Vec<(Choice, Open)>,
    /// Some choice was dropped unsolved.
    pub(crate) dropped: bool,
    /// Every choice had its first turn.
    pub(crate) explored: bool,
}

impl Run<'_> {
    /// Keeps a packing if it is right and better. A wrong one would be a defect of this crate.
    pub(crate) fn keep(&mut self, packing: Packing) -> bool {
        if !check(self.instance, &packing).is_empty() {
            return false;
        }
        let peak = packing.peak(self.instance);
        let cost = match self.goal {
            Goal::CostThenPeak => packing.cost(self.instance),
            Goal::Fit | Goal::Peak => 0,
        };
        if self.best.as_ref().is_none_or(|best| (cost, peak) < (best.0, best.1)) {
            // Under a cost goal a better packing may have a larger peak, and is told too.
            if peak < self.told || self.goal == Goal::CostThenPeak {
                self.told = peak;
                (self.on)(Event::Incumbent { peak });
            }
            self.best = Some((cost, peak, packing));
        }
        true
    }

    /// True when nothing can be better than the best found.
    fn finished(&self, low: u64) -> bool {
        self.best.as_ref().is_some_and(|best| match self.goal {
            Goal::Fit => true,
            Goal::Peak => best.1 <= low,
            Goal::CostThenPeak => best.0 == 0 && best.1 <= low,
        })
    }

    /// Goes through all choices of promotions; an error when that was cut short.
    pub(crate) fn choices(&mut self, floor: Unit) -> Result<(), Stop> {
        let low = (floor as u64).saturating_mul(self.granule);
        let singles = singles(self.instance);
        let mut stack = vec![Vec::new()];
        while let Some(roles_so_far) = stack.pop() {
            if self.finished(low) {
                return Ok(());
            }
            if singles.is_empty() {
                self.explored = true;
                return self.turn(&Choice::default(), floor, u64::MAX).map(|_| ());
            }
            self.meter.tick()?;
            let next = singles.get(roles_so_far.len()).copied();
            let choice = self.choice(&singles, &roles_so_far);
            let Some(single) = next else {
                let until = self.meter.nodes().saturating_add(TURN);
                if let Some(open) = self.turn(&choice, floor, until)? {
                    self.wait(choice, open);
                }
                continue;
            };
            if self.rules.relax && !roles_so_far.is_empty() && self.refuted(&choice)? {
                continue;
            }
            for role in roles(self.instance, single).into_iter().rev() {
                let mut longer: Vec<Role> = roles_so_far.clone();
                longer.push(role);
                stack.push(longer);
            }
        }
        self.explored = true;
        let mut turn = TURN;
        while !self.waiting.is_empty() && !self.finished(low) {
            turn = turn.saturating_mul(2);
            let mut index = 0;
            while index < self.waiting.len() {
                let choice = self.waiting[index].0.clone();
                let until = self.meter.nodes().saturating_add(turn);
                match self.turn(&choice, floor, until)? {
                    Some(open) => {
                        self.waiting[index].1 = open;
                        index += 1;
                    }
                    None => {
                        self.waiting.remove(index);
                    }
                }
            }
        }
        if self.finished(low) {
            self.waiting.clear();
            self.dropped = false;
        }
        Ok(())
    }

    fn wait(&mut self, choice: Choice, open: Open) {
        if self.waiting.len() < WAITING {
            self.waiting.push((choice, open));
        } else {
            self.dropped = true;
        }
    }

    fn choice(&self, singles: &[u32], so_far: &[Role]) -> Choice {
        let rest = std::iter::repeat(Role::Absent);
        let roles = so_far.iter().copied().chain(rest);
        Choice(singles.iter().copied().zip(roles).collect())
    }

    /// The largest peak that would help, in units.
    fn most(&self) -> Unit {
        match (&self.best, self.goal) {
            (Some((_, peak, _)), Goal::Peak) => match peak.checked_sub(1) {
                Some(less) => self.limit.min((less / self.granule) as Unit),
                None => -1,
            },
            _ => self.limit,
        }
    }

    /// True when the choice has no packing even without the singles that are left out.
    fn refuted(&mut self, choice: &Choice) -> Result<bool, Stop> {
        let Ok(model) = self.builder.model(choice, false) else { return Ok(true) };
        let peak = self.most();
        if bound(&model) > peak {
            return Ok(true);
        }
        let mut memory = Memory::new(&model, Vec::new());
        let limits = Limits { peak, cost: u64::MAX };
        match decide(&model, self.rules, &mut memory, limits, RELAXED, &mut self.meter) {
            Verdict::Refuted => Ok(true),
            Verdict::Stopped(stop) if stop != Stop::Failed => Err(stop),
            _ => Ok(false),
        }
    }

    /// Works on one choice. What is known about it when it is not closed.
    fn turn(&mut self, choice: &Choice, floor: Unit, until: u64) -> Result<Option<Open>, Stop> {
        let costs = self.goal == Goal::CostThenPeak;
        let Ok(model) = self.builder.model(choice, costs) else { return Ok(None) };
        let peak = self.most();
        if peak < 0 {
            return Ok(None);
        }
        let cost = self.best.as_ref().map_or(u64::MAX, |best| best.0);
        let cost = costs.then_some(cost);
        let start = self.best.as_ref().filter(|_| costs);
        let start = start.and_then(|best| self.bases(choice, &model, &best.2));
        let any = self.goal == Goal::Fit;
        let task = Task { peak, cost, floor, any, start: start.as_deref(), until };
        let (on, granule) = (&mut self.on, self.granule);
        let told = &mut self.told;
        let mut better = |units: Unit| {
            let peak = (units as u64).saturating_mul(granule);
            if peak < *told && !costs {
                *told = peak;
                on(Event::Incumbent { peak });
            }
        };
        let Found { best, low, least, closed, stop } =
            leaf::solve(&model, self.rules, task, &mut self.meter, &mut better);
        if let Some((_, _, bases)) = best {
            let packing = self.packing(choice, &model, &bases);
            if !self.keep(packing) {
                return Err(Stop::Failed);
            }
        }
        match stop {
            _ if closed => Ok(None),
            Some(stop) => {
                self.wait(choice.clone(), Open { low, least });
                Err(stop)
            }
            None => Ok(Some(Open { low, least })),
        }
    }

    /// The bases of a packing that makes the same choice, where it has them in whole units.
    fn bases(&self, choice: &Choice, model: &Model, packing: &Packing) -> Option<Vec<Unit>> {
        if choice.promoted() != packing.promoted {
            return None;
        }
        let mut bases: Vec<Unit> = model.bodies.iter().map(|body| body.place.up(0)).collect();
        for (&(body, shift), offset) in model.at.iter().zip(&packing.offsets) {
            let whole = offset.is_multiple_of(self.granule).then(|| offset / self.granule)?;
            bases[body as usize] = Unit::try_from(whole).ok()? - shift;
        }
        Some(bases)
    }

    fn packing(&self, choice: &Choice, model: &Model, bases: &[Unit]) -> Packing {
        let offset = |&(body, shift): &(u32, Unit)| {
            ((bases[body as usize] + shift) as u64).saturating_mul(self.granule)
        };
        Packing { offsets: model.at.iter().map(offset).collect(), promoted: choice.promoted() }
    }
}
