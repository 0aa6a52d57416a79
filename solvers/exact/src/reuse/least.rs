//! From below and from above, in turns.

use memplan_packing::{Meter, Stop};

use super::anneal::Anneal;
use super::bound::bound;
use crate::descend::Race;
use crate::model::Model;
use crate::rules::Rules;
use crate::units::Unit;

/// One model and where its cost is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'a> {
    pub(crate) model: &'a Model,
    pub(crate) rules: Rules,
    /// Nothing may lie higher.
    pub(crate) peak: Unit,
    /// Where to start from.
    pub(crate) start: Option<&'a [Unit]>,
    /// Stop when the meter shows this many nodes.
    pub(crate) until: u64,
}

/// Runs the exact search on a race until the meter shows so many nodes.
pub(crate) type Search<'a> =
    dyn FnMut(&mut Race, u64, &mut Meter<'_>) -> Result<(), Option<Stop>> + 'a;

/// Moves at each temperature of the first cycle, for each body; every cycle gets twice as many.
const FIRST: u64 = 8;
/// Cycles whose moves are doubled: all later ones are as long as the last of them.
const DOUBLED: u32 = 12;
/// Bodies of which the search may get as many nodes as the moves; of more it gets few.
const SEARCHED: usize = 64;

/// How often the range of peaks is halved with covers.
const HALVINGS: u32 = 8;

/// Looks for the least cost, with the exact search where moves and covers do not meet.
///
/// The race is closed at the end, or the reason why not.
pub(crate) fn cheapest(
    aim: Aim<'_>,
    race: &mut Race,
    meter: &mut Meter<'_>,
    search: &mut Search<'_>,
) -> Result<(), Option<Stop>> {
    if aim.rules.covers && !race.closed() {
        // No packing at all: above everything that counts.
        race.low = race.low.max(bound(aim.model, aim.peak, meter).unwrap_or(u64::MAX));
    }
    if !aim.rules.moves {
        return search(race, aim.until, meter);
    }
    let start = race.best.as_ref().map(|best| best.1.as_slice()).or(aim.start);
    let mut anneal = Anneal::new(aim.model, aim.peak, start, SEED);
    let bodies = aim.model.bodies.len();
    for cycle in 0.. {
        if race.closed() {
            return Ok(());
        }
        if meter.nodes() >= aim.until {
            return Err(None);
        }
        let moves = (FIRST * bodies.max(4) as u64) << u32::min(cycle, DOUBLED);
        let end = anneal.cycle(moves, race.low, aim.until, meter);
        if let Some((cost, bases)) = &anneal.best
            && race.most().is_some_and(|most| *cost <= most)
        {
            race.best = Some((*cost, bases.clone()));
        }
        end.map_err(Some)?;
        if !race.closed() {
            // As many as the moves took, and ever more: the search has to end some day.
            let share = (3 * bodies.max(4) as u64) << u32::min(cycle, 40);
            let share = if bodies <= SEARCHED { share } else { share / 16 };
            let until = meter.nodes().saturating_add(share).min(aim.until);
            match search(race, until, meter) {
                Ok(()) | Err(None) => {}
                stop => return stop,
            }
        }
    }
    Ok(())
}

/// Looks for a small peak at a cost of at most `cost`, without a proof that it is the smallest;
/// raises the race's lower end where covers show that everything below costs more.
pub(crate) fn lowest(
    aim: Aim<'_>,
    cost: u64,
    race: &mut Race,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let bodies = aim.model.bodies.len();
    if aim.rules.covers && bodies <= SEARCHED {
        let (mut low, mut high) = (race.low, race.most().unwrap_or(0));
        for _ in 0..HALVINGS {
            if low >= high {
                break;
            }
            let middle = low + (high - low) / 2;
            if bound(aim.model, middle as Unit, meter).is_none_or(|least| least > cost) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        race.low = race.low.max(low);
    }
    let mut low = race.low;
    while aim.rules.moves && !race.closed() && meter.nodes() < aim.until {
        let Some(most) = race.most().filter(|most| low <= *most) else { break };
        let peak = (low + (most - low) / 2) as Unit;
        // Who stands too high comes down first.
        let lower = |start: &[Unit]| -> Vec<Unit> {
            let tops = aim.model.bodies.iter().map(|body| body.top(peak));
            start.iter().zip(tops).map(|(&base, top)| base.min(top)).collect()
        };
        let start = race.best.as_ref().map(|best| lower(&best.1));
        let mut anneal = Anneal::new(aim.model, peak, start.as_deref(), SEED);
        let moves = 4 * FIRST * bodies.max(4) as u64;
        anneal.cycle(moves, cost, aim.until, meter)?;
        match anneal.best.filter(|best| best.0 <= cost) {
            Some((_, bases)) => race.best = Some((aim.model.peak(&bases) as u64, bases)),
            None => low = peak as u64 + 1,
        }
    }
    Ok(())
}

const SEED: u64 = 0x63_6865_6170;
