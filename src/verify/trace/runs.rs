//! Which orders are run, and what all of them together say (9.5, 13.2).

use super::checker::{Checker, Role};
use super::found::{Found, Founds};
use super::{Options, Schedule};
use crate::diag::Code as Class;
use crate::model::machine::{Machine, Mode};
use crate::model::trace::{Fault, Trace};
use crate::runtime::clock::ActorId;
use crate::runtime::lines::Lines;
use crate::runtime::objects::ObjectId;
use crate::runtime::pipes::code::Code;
use crate::runtime::run::{Path, Ran, Setup, run};
use crate::runtime::schedule::{Driver, Order, words};
use crate::runtime::watch::LineId;

/// Paths through branches that are run one by one; with more, both pure ones and samples (13.2).
const MAX_PATHS: usize = 1 << 10;
/// Instructions and lines of all paths together after which no further one is begun.
const MAX_WORK: u64 = 1 << 26;
/// Samples of paths where there are too many.
const SAMPLES: u64 = 64;
/// Orders that an exhaustive search runs at most.
const MAX_ORDERS: u64 = 1 << 17;
/// Instructions of cores beyond which only the order written is run: others keep all that is issued
/// in queues and look through them at every step.
const MAX_EXPLORED: u64 = 1 << 14;
/// Races for which an order is looked for that shows a wrong value.
const MAX_WITNESSES: usize = 32;

/// What all runs together say.
#[derive(Debug)]
pub(super) struct Said {
    pub founds: Founds,
    /// The canonical run, on its first path.
    pub first: Ran,
    /// Lines whose edges never said anything new, in no run.
    pub redundant: Vec<LineId>,
    pub runs: u64,
    pub complete: bool,
    pub bounded: Vec<String>,
    /// True when the order mattered: something was chosen that happens-before does not decide.
    pub chose: bool,
}

/// A trace, ready to be run.
pub(super) struct Stage<'t> {
    pub setup: Setup<'t>,
    pub roles: Vec<Role>,
}

impl Stage<'_> {
    fn checker(&self) -> Checker {
        Checker::new(self.roles.clone())
    }

    /// One run.
    fn once(&self, path: Path, driver: &mut Driver) -> (Checker, Ran) {
        let mut checker = self.checker();
        let ran = run(&self.setup, path, driver, &mut checker);
        checker.finish();
        (checker, ran)
    }

    /// All paths in the order written; at least one.
    pub(super) fn canonical(&self) -> Said {
        let mut bounded = Vec::new();
        let mut driver = Driver::new(Order::Canonical, 0);
        let (checker, first) = self.once(Path::then(), &mut driver);
        let mut redundant = checker.redundant();
        let mut founds = checker.found;
        let mut runs = 1;
        let mut path = first.path.clone().next();
        let one =
            |ran: &Ran| ran.counters.instructions.saturating_add(self.setup.lines.len() as u64);
        let mut work = one(&first);
        while let Some(next) = path {
            if work > MAX_WORK {
                bounded.push(format!("{runs} paths through branches were run, there are more"));
                break;
            }
            if runs as usize >= MAX_PATHS {
                bounded.push(format!("more than {MAX_PATHS} paths through branches: both pure ones and samples were run"));
                for sample in self.samples() {
                    let (checker, _) = self.once(sample, &mut Driver::new(Order::Canonical, 0));
                    merge(&mut founds, checker.found, None);
                    runs += 1;
                }
                break;
            }
            let (checker, ran) = self.once(next, &mut Driver::new(Order::Canonical, 0));
            let also = checker.redundant();
            redundant.retain(|line| also.contains(line));
            merge(&mut founds, renumbered(checker.found, &ran, &first), None);
            runs += 1;
            work = work.saturating_add(one(&ran));
            path = ran.path.next();
        }
        // Which of two threads is faster can decide what is run: this is one of several orders.
        let chose = first.open || driver.chose;
        Said { founds, first, redundant, runs, complete: !chose, bounded, chose }
    }

    fn samples(&self) -> Vec<Path> {
        let noise = (1..=SAMPLES).map(Path::noise);
        std::iter::once(Path::otherwise()).chain(noise).collect()
    }

    /// Other orders, added to what the canonical one has said.
    pub(super) fn others(&self, said: &mut Said, schedule: &Schedule, seed: u64) {
        if Self::too_long(said) {
            if !matches!(schedule, Schedule::Canonical) {
                let words = format!(
                    "more than {MAX_EXPLORED} instructions of cores: only the order written was run"
                );
                said.bounded.push(words);
            }
            return;
        }
        match schedule {
            Schedule::Canonical => self.slowed(said),
            Schedule::Skew => {
                for at in 0..said.first.actors.all().len() {
                    let actor = ActorId(u32::try_from(at).unwrap_or(u32::MAX));
                    self.other(said, Order::Late(actor), seed);
                    self.other(said, Order::Early(actor), seed);
                }
            }
            Schedule::Random { runs } => {
                for n in 0..*runs {
                    self.other(said, Order::Random, seed.wrapping_add(n));
                }
            }
            Schedule::Pct { runs, depth } => {
                let steps = said.first.counters.instructions + self.setup.lines.len() as u64 * 2;
                for n in 0..*runs {
                    let order = Order::Pct { depth: (*depth).max(1), steps };
                    self.other(said, order, seed.wrapping_add(n));
                }
            }
            Schedule::Exhaustive { bound } => self.exhaust(said, *bound),
            Schedule::Replay(text) => match words(text) {
                Ok(words) => {
                    self.other(said, Order::Script(words), seed);
                }
                Err(word) => said.bounded.push(format!("`{word}` is no word of a schedule")),
            },
        }
        if !matches!(schedule, Schedule::Exhaustive { .. }) {
            said.complete = !said.chose;
        }
    }

    /// Actors that the trace slows down run as late as they can.
    fn slowed(&self, said: &mut Said) {
        for injection in &self.setup.trace.injections {
            let Fault::Slow(sym) = injection.fault else { continue };
            let actor = said.first.actors.find(self.setup.trace.text(sym));
            if let Some(actor) = actor {
                self.other(said, Order::Late(actor), 0);
            }
        }
    }

    fn other(&self, said: &mut Said, order: Order, seed: u64) {
        let mut driver = Driver::new(order, seed);
        let (checker, ran) = self.once(Path::then(), &mut driver);
        said.runs += 1;
        said.chose |= driver.chose || ran.open;
        if driver.astray {
            let words =
                "the schedule names somebody who could not go on: the order written was run there";
            said.bounded.push(words.to_owned());
        }
        let found = renumbered(checker.found, &ran, &said.first);
        merge(&mut said.founds, found, Some(told_by(&driver, &ran)));
    }

    /// All orders with at most `bound` switches away from an actor that could go on, depth first.
    fn exhaust(&self, said: &mut Said, bound: u64) {
        let mut path: Vec<u32> = Vec::new();
        let (mut runs, mut cut) = (0, false);
        loop {
            let mut driver = Driver::new(Order::Depth { path: path.clone() }, 0);
            let (checker, ran) = self.once(Path::then(), &mut driver);
            runs += 1;
            said.runs += 1;
            said.chose |= driver.chose || ran.open;
            let found = renumbered(checker.found, &ran, &said.first);
            merge(&mut said.founds, found, Some(told_by(&driver, &ran)));
            let mut choices = driver.choices;
            // The last choice that has another left, within the bound.
            let next = loop {
                let Some(last) = choices.pop() else { break None };
                let switches = choices.iter().filter(|c| c.preempts && c.taken > 0).count() as u64;
                let more = last.taken + 1 < last.of;
                let costs = u64::from(last.preempts);
                if more && switches + costs <= bound {
                    let mut path: Vec<u32> = choices.iter().map(|c| c.taken).collect();
                    path.push(last.taken + 1);
                    break Some(path);
                }
                cut |= more;
            };
            match next {
                None => {
                    // Where only the order is open, one was enough; else these are all, unless the
                    // bound left some out.
                    said.complete = !said.chose || !cut;
                    return;
                }
                Some(_) if runs >= MAX_ORDERS => {
                    said.complete = false;
                    said.bounded.push(format!("{MAX_ORDERS} orders were run, there are more"));
                    return;
                }
                Some(next) => path = next,
            }
        }
    }

    fn too_long(said: &Said) -> bool {
        said.first.counters.instructions > MAX_EXPLORED
    }

    /// For each race, an order in which it does harm, where one is found: everything that the later
    /// line needs runs, and the earlier one waits.
    pub(super) fn witnesses(&self, said: &mut Said) {
        if Self::too_long(said) {
            return;
        }
        let races: Vec<usize> = (0..said.founds.list.len())
            .filter(|&at| is_race(said.founds.list[at].code))
            .take(MAX_WITNESSES)
            .collect();
        let known: Vec<_> = said.founds.list.iter().map(Found::key).collect();
        for at in races {
            let race = &said.founds.list[at];
            let (Some((line, _)), (other, _)) = (race.earlier, race.later) else { continue };
            if line == other {
                continue;
            }
            let mut driver = Driver::new(Order::Delay { line, other }, 0);
            let (checker, ran) = self.once(Path::then(), &mut driver);
            let wrong = checker
                .found
                .list
                .iter()
                .any(|found| is_wrong_value(found.code) && !known.contains(&found.key()));
            if wrong {
                said.founds.list[at].schedule = Some(told_by(&driver, &ran));
            }
        }
    }
}

pub(super) fn is_race(code: Class) -> bool {
    matches!(
        code,
        Class::ReplayRaceRaw
            | Class::ReplayRaceWar
            | Class::ReplayRaceWaw
            | Class::ReplaySamePipe
            | Class::ReplayReuseUnsafe
            | Class::ReplayStagingReuse
    )
}

fn is_wrong_value(code: Class) -> bool {
    matches!(code, Class::ReplayWrongValue | Class::ReplayPartialValue | Class::ReplayUninitRead)
}

/// What a run chose, by the names that it had for its actors.
fn told_by(driver: &Driver, ran: &Ran) -> String {
    driver.told(&|actor| ran.actors.name(actor).to_owned())
}

/// Actors and objects are numbered as they come, in another order not as in the first run: what one
/// run has found, in the numbers of another.
fn renumbered(mut founds: Founds, from: &Ran, to: &Ran) -> Founds {
    let actor = |id: ActorId| {
        let name = from.actors.name(id);
        if to.actors.name(id) == name { id } else { to.actors.find(name).unwrap_or(id) }
    };
    let object = |id: ObjectId| {
        let name = from.objects.get(id).map(|o| &o.name);
        if to.objects.get(id).map(|o| &o.name) == name {
            return id;
        }
        let count = u32::try_from(to.objects.len()).unwrap_or(u32::MAX);
        let same = |&other: &ObjectId| to.objects.get(other).map(|o| &o.name) == name;
        (0..count).map(ObjectId).find(same).unwrap_or(id)
    };
    for found in &mut founds.list {
        found.earlier = found.earlier.map(|(line, id)| (line, actor(id)));
        found.later.1 = actor(found.later.1);
        found.bytes = found.bytes.map(|(id, start, end)| (object(id), start, end));
    }
    founds
}

/// Adds what another run has found.
fn merge(all: &mut Founds, more: Founds, schedule: Option<String>) {
    for mut found in more.list {
        if !all.has(&found.key()) {
            found.schedule = found.schedule.or_else(|| schedule.clone());
            all.add(found);
        }
    }
}

/// What the other mode would have found in the order written.
pub(super) fn in_mode(
    trace: &Trace,
    lines: &Lines<'_>,
    codes: &[Code],
    machine: &Machine,
    mode: Mode,
    roles: &[Role],
) -> (Founds, Ran) {
    let setup = Setup { trace, lines, codes, machine, mode };
    let stage = Stage { setup, roles: roles.to_vec() };
    let (checker, ran) = stage.once(Path::then(), &mut Driver::new(Order::Canonical, 0));
    (checker.found, ran)
}

/// How options name what was run.
pub(super) fn told(options: &Options, runs: u64) -> String {
    match &options.schedule {
        Schedule::Canonical => "canonical".to_owned(),
        Schedule::Skew => "skew".to_owned(),
        Schedule::Random { .. } => format!("random, seed {}, {runs} runs", options.seed),
        Schedule::Pct { depth, .. } => {
            format!("pct, depth {depth}, seed {}, {runs} runs", options.seed)
        }
        Schedule::Exhaustive { bound } => format!("exhaustive, {bound} switches, {runs} runs"),
        Schedule::Replay(text) => text.clone(),
    }
}
