//! The smallest capacity that works, with its proof.
//!
//! More capacity never hurts, so the question "does it fit in N bytes" is monotone. The scope is planned
//! as if it had no end; where the peak meets a proven bound, that is the answer. Else the bytes between
//! are halved, and each half is asked of the solvers with the budget of one question.

use std::ops::Range;

use memplan_packing::Instance;
use memplan_packing::bounds::Bounds;

use super::answer::place;
use super::instance::{Built, Scene, Sharing, build};
use super::options::Options;
use super::rung::{Reporter, Rung, run};
use super::{Arena, Progress};
use crate::analyze;
use crate::model::{LimitedBy, Placement, Problem, ReuseLevel, ScopeId};

/// What is known about the smallest capacity of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smallest {
    /// The smallest capacity in bytes for which there is a plan.
    pub found: Option<u64>,
    /// That plan.
    pub placements: Vec<Placement>,
    /// No capacity below this works: a proof. Where it is [`Self::found`], nothing is open.
    pub bound: u64,
    /// What ended a search before it closed.
    pub limited_by: Option<LimitedBy>,
}

/// The smallest capacity of a scope of a function (by its index) at the level that the options ask for,
/// else at `lifetime`. What is reserved at the end of the
/// scope stays at its end; other reserved ranges stay where they are.
///
/// # Errors
/// Why there is no such number, as a fragment.
pub fn smallest(
    problem: &Problem,
    index: usize,
    scope: ScopeId,
    options: &Options,
) -> Result<Smallest, String> {
    let options = &options.started();
    let function = &problem.functions[index];
    let mine = |id| function.buffers[id].scope == scope;
    if let Some((_, fault)) = function.faults.iter().find(|(id, _)| mine(*id)) {
        return Err(format!("no plan can be right: {}", fault.message));
    }
    if function.buffers.iter().any(|b| b.scope == scope && b.coupling.is_some()) {
        return Err("two functions share its buffers".to_owned());
    }
    if !problem.scopes[scope].partitions.is_empty() {
        return Err("its partitions have sizes of their own".to_owned());
    }
    let facts = analyze::facts(problem, function);
    let scene = Scene { problem, function, facts: &facts, scope };
    let Some(arena) = Arena::of(problem, function, scope).into_iter().next() else {
        return Ok(Smallest { found: Some(0), placements: Vec::new(), bound: 0, limited_by: None });
    };
    let whole = &problem.scopes[scope];
    let mut arena = Arena { capacity: None, ..arena };
    // What is reserved at the end moves with it.
    let end = whole.bytes().map_or(u64::MAX, |all| all - whole.reserved_at_end());
    arena.reserved.retain(|range| range.start < end);
    let hard = build(&scene, &arena, Sharing::Hard)?;
    let bounds = Bounds::new(&hard.instance);
    let level = match problem.pipes.is_empty() {
        true => ReuseLevel::Lifetime,
        false => options.lowest(),
    };
    let mut search = Search {
        scene: &scene,
        level,
        options,
        asked: Vec::new(),
        best: None,
        bound: bounds.lower_bound.max(bounds.max_load.sum),
        limited_by: None,
    };
    search.ways(&arena)?;
    search.open();
    search.halve();
    let Search { asked, best, bound, limited_by, .. } = search;
    let placements = best.as_ref().map(|(_, way, packing)| place(&scene, &asked[*way], packing));
    let found = best.map(|(peak, ..)| peak);
    let limited_by = limited_by.filter(|_| found != Some(bound));
    let (found, bound) = (found.map(|peak| whole.capacity_for(peak)), whole.capacity_for(bound));
    Ok(Smallest { found, placements: placements.unwrap_or_default(), bound, limited_by })
}

struct Search<'a> {
    scene: &'a Scene<'a>,
    level: ReuseLevel,
    options: &'a Options,
    /// The packing problems whose packings are plans: one, or two that each give up a chance.
    asked: Vec<Built>,
    /// The smallest peak, whose problem it is, the packing.
    best: Option<(u64, usize, memplan_packing::Packing)>,
    /// The best proven bound.
    bound: u64,
    limited_by: Option<LimitedBy>,
}

impl Search<'_> {
    /// The packing problems of the level.
    fn ways(&mut self, arena: &Arena) -> Result<(), String> {
        for promote in [false, true] {
            let sharing = Sharing::Level { level: self.level, promote };
            let mut built = build(self.scene, arena, sharing)?;
            built.instance.costs.clear();
            let last = !built.partial;
            self.asked.push(built);
            if last {
                break;
            }
        }
        Ok(())
    }

    /// True when what is proven of the packing problem is proven of the level.
    fn whole(&self) -> bool {
        matches!(self.asked.as_slice(), [only] if !only.partial)
    }

    /// Asks for the smallest peak, whatever the capacity.
    fn open(&mut self) {
        for way in 0..self.asked.len() {
            let instance = Instance { capacity: None, ..self.asked[way].instance.clone() };
            let rung = self.ask(&instance, way);
            if self.whole() {
                self.bound = self.bound.max(rung.bound);
            }
        }
    }

    /// Halves what is between bound and peak until nothing is left, or the budget does not do.
    fn halve(&mut self) {
        let granule = self.asked.iter().map(|b| granule(&b.instance)).fold(0, gcd).max(1);
        let up = |n: u64| n.checked_next_multiple_of(granule).unwrap_or(n);
        // Packings can be pushed down until every offset is a multiple of the granule.
        self.bound = match &self.best {
            Some((peak, ..)) => up(self.bound).min(*peak),
            None => self.bound,
        };
        let mut low = self.bound;
        while let Some((peak, ..)) = self.best.as_ref().filter(|(peak, ..)| low < *peak) {
            let stopped = matches!(self.limited_by, Some(LimitedBy::Interrupt | LimitedBy::Time));
            let middle = (low + (*peak - low) / 2) / granule * granule;
            let middle = middle.max(low);
            if stopped || middle >= *peak {
                break;
            }
            let (before, mut refuted) = (*peak, self.whole());
            for way in 0..self.asked.len() {
                let instance =
                    Instance { capacity: Some(middle), ..self.asked[way].instance.clone() };
                refuted &= self.ask(&instance, way).refuted.is_some();
            }
            let fits = self.best.as_ref().is_some_and(|(peak, ..)| *peak < before);
            if fits {
                continue;
            }
            if refuted && self.bound == low {
                self.bound = up(middle + 1).min(before);
            }
            low = up(middle + 1);
        }
    }

    fn ask(&mut self, instance: &Instance, way: usize) -> Rung {
        let start = Progress {
            function: self.scene.function.name.clone(),
            scope: self.scene.problem.scopes[self.scene.scope].name.clone(),
            level: Some(self.level),
            solver: "",
            nodes: 0,
            best: None,
            bound: 0,
        };
        let reporter = Reporter { on: &|_| (), start };
        let rung = run(instance, Some(self.level), self.options, &reporter);
        self.limited_by = rung.limited_by.or(self.limited_by);
        if let Some(packing) = &rung.packing {
            let peak = packing.peak(instance);
            if self.best.as_ref().is_none_or(|(best, ..)| peak < *best) {
                self.best = Some((peak, way, packing.clone()));
            }
        }
        rung
    }
}

/// A number that every size, fixed place and distance is a multiple of, and that every alignment divides
/// or is a multiple of: pushed down, every offset is a multiple of it.
fn granule(instance: &Instance) -> u64 {
    let sizes = instance.items.iter().flat_map(|i| [i.size, i.pin.unwrap_or(0)]);
    let ends = |r: &Range<u64>| [r.start, r.end];
    let reserved = instance.reserved.iter().flat_map(ends);
    let apart = instance.colocated.iter().map(|c| c.delta);
    let mut granule = sizes.chain(reserved).chain(apart).fold(0, gcd);
    loop {
        let mut aligned = instance.items.iter().map(|i| i.align.max(1));
        match aligned
            .find(|align| !granule.is_multiple_of(*align) && gcd(granule, *align) < granule)
        {
            Some(align) => granule = gcd(granule, align),
            None => return granule.max(1),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::gcd;

    #[test]
    fn nothing_divides_nothing() {
        assert_eq!([gcd(0, 0), gcd(0, 6), gcd(6, 0), gcd(96, 64), gcd(7, 5)], [0, 6, 6, 32, 1]);
    }
}
