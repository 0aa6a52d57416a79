//! What the search for a better order needs to know once.

use std::collections::BTreeSet;

use super::edges::{Edges, clashes, edges};
use super::graph::Places;
use super::meter::{Cost, Life, Meter};
use super::nest::Nest;
use super::times::Clock;
use crate::ir::hlo::{ComputationId, InstructionId, Sequences};
use crate::model::IdVec;

/// What does not depend on the order, but on the text's: who runs whom, what must stay before what.
pub(crate) struct Fixed<'a> {
    /// Values and how they are measured.
    pub(crate) meter: Meter<'a>,
    /// Who runs whom.
    pub(crate) nest: Nest,
    /// What must stay before what.
    pub(crate) edges: Edges,
    /// Places in the text.
    pub(crate) places: Places,
    /// Entries and the places of each computation where they are touched, there or in what runs there.
    pub(crate) touches: IdVec<ComputationId, Vec<(u32, u32)>>,
    /// Values of one group that are alive together in the text's order.
    pub(crate) clashing: BTreeSet<(u32, u32)>,
}

/// An order and what follows from it.
pub(crate) struct Moment {
    /// The order.
    pub(crate) order: Sequences,
    /// Times.
    pub(crate) clock: Clock,
    /// When values are alive.
    pub(crate) lives: Vec<Life>,
}

impl<'a> Fixed<'a> {
    /// What the search needs, by the order of the text.
    pub(crate) fn of(meter: Meter<'a>, given: &Sequences) -> Self {
        let module = meter.facts.module;
        let clock = meter.clock(given);
        let lives = meter.lives_at(&clock);
        let nest = Nest::of(module, &meter.times, &clock);
        let edges = edges(&meter, &nest, given, &lives);
        let clashing = clashes(&meter, &lives);
        let places = Places::of(module);
        let mut touches = IdVec::filled(Vec::new(), module.computations.len());
        for entry in 0..u32::try_from(meter.entries.len()).unwrap_or(u32::MAX) {
            let mut seen = BTreeSet::new();
            for toucher in meter.touchers(entry) {
                for at in nest.around(module, toucher).take_while(|&at| seen.insert(at)) {
                    let computation = module.instructions[at].computation;
                    if let Some(place) = places.get(module, computation, at) {
                        touches[computation].push((entry, place));
                    }
                }
            }
        }
        touches.iter_mut().for_each(|list: &mut Vec<_>| list.sort_unstable());
        Self { meter, nest, edges, places, touches, clashing }
    }

    /// The place of a computation at which an instruction runs, there or in what runs there.
    pub(crate) fn place_around(&self, of: ComputationId, id: InstructionId) -> Option<u32> {
        let module = self.meter.facts.module;
        let mut around = self.nest.around(module, id);
        around.find_map(|at| self.places.get(module, of, at))
    }

    /// The order of a computation by places.
    pub(crate) fn places(&self, of: ComputationId, at: &Moment) -> Vec<u32> {
        let module = self.meter.facts.module;
        at.order.0[of].iter().filter_map(|&id| self.places.get(module, of, id)).collect()
    }

    /// What follows from an order.
    pub(crate) fn moment(&self, order: Sequences) -> Moment {
        let clock = self.meter.clock(&order);
        let lives = self.meter.lives_at(&clock);
        Moment { order, clock, lives }
    }

    /// What an order costs; `None` when values of one group that were apart meet in it.
    pub(crate) fn cost(&self, moment: &Moment) -> Option<Cost> {
        let sound = clashes(&self.meter, &moment.lives).is_subset(&self.clashing);
        sound.then(|| self.meter.cost_of(&moment.lives))
    }
}
