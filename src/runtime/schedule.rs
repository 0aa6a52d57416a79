//! Who goes next where nothing says it (9.5).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::clock::ActorId;
use super::watch::LineId;

/// Somebody who can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Who.
    pub actor: ActorId,
    /// With which of the things that he has started: 0 is the oldest.
    pub nth: u32,
    /// The line.
    pub line: LineId,
}

/// How the next one is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one whose line comes first.
    Canonical,
    /// This actor last.
    Late(ActorId),
    /// This actor first.
    Early(ActorId),
    /// By chance.
    Random,
    /// By chance, but by priorities that change at few steps.
    Pct {
        /// Changes are one less.
        depth: u64,
        /// Steps that a run is expected to have.
        steps: u64,
    },
    /// `actor` does not start `line` until `other` has run, unless nobody else can go on.
    Delay {
        /// What waits.
        line: LineId,
        /// For what.
        other: LineId,
    },
    /// These choices, then none is given up that could go on.
    Depth {
        /// Positions among the choices, first to last.
        path: Vec<u32>,
    },
    /// By name, with repetitions; canonical when it cannot be followed.
    Script(Vec<Word>),
}

/// A word of a schedule string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An actor, with which of the things it has started, and how often.
    Go(String, u32, u64),
    /// A choice.
    Choose(u32),
}

/// Chooses, and remembers what was chosen.
#[derive(Debug)]
pub struct Driver {
    order: Order,
    noise: u64,
    priorities: BTreeMap<ActorId, u64>,
    changes: Vec<u64>,
    steps: u64,
    last: Option<ActorId>,
    done: Vec<LineId>,
    script_at: (usize, u64),
    /// For [`Order::Depth`]: how many there were to choose from, and the cost of each choice but
    /// the first in switches away from somebody who could go on.
    pub choices: Vec<Choice>,
    /// True when a word of a script named somebody who could not go on.
    pub astray: bool,
    record: Record,
    /// True when the machine could do one of several things (6.5): more than who goes first.
    pub chose: bool,
}

/// One choice of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many there were.
    pub of: u32,
    /// Which was taken.
    pub taken: u32,
    /// True when all but the first are switches away from an actor that could go on.
    pub preempts: bool,
}

#[derive(Debug, Default)]
struct Record {
    words: Vec<(ActorId, u32, u64)>,
    choices: Vec<(usize, u32)>,
}

/// Choices that are remembered; more are made, but a run with more cannot be told.
const MAX_RECORD: usize = 1 << 16;

impl Driver {
    /// A driver.
    pub fn new(order: Order, seed: u64) -> Self {
        let mut driver = Self {
            order,
            noise: seed ^ 0x9e37_79b9_7f4a_7c15,
            priorities: BTreeMap::new(),
            changes: Vec::new(),
            steps: 0,
            last: None,
            done: Vec::new(),
            script_at: (0, 0),
            choices: Vec::new(),
            astray: false,
            record: Record::default(),
            chose: false,
        };
        if let Order::Pct { depth, steps } = driver.order {
            let changes = (1..depth).map(|_| driver.below(steps.max(1))).collect();
            driver.changes = changes;
        }
        driver
    }

    /// True when the first that can go on is always taken, so that nobody has to be asked.
    pub fn canonical(&self) -> bool {
        self.order == Order::Canonical
    }

    /// Chooses one of those who can go on: a position. `ready` is not empty, and sorted by line.
    pub fn pick(&mut self, ready: &[Ready], names: &dyn Fn(ActorId) -> String) -> usize {
        let at = self.choose_actor(ready, names).min(ready.len().saturating_sub(1));
        self.steps += 1;
        if let Some(one) = ready.get(at) {
            self.last = Some(one.actor);
            self.remember(one.actor, one.nth);
            if let Order::Delay { other, .. } = self.order
                && one.line == other
            {
                self.done.push(other);
            }
        }
        at
    }

    fn choose_actor(&mut self, ready: &[Ready], names: &dyn Fn(ActorId) -> String) -> usize {
        let first = |wanted: &dyn Fn(&Ready) -> bool| ready.iter().position(wanted);
        match &self.order {
            Order::Canonical => 0,
            Order::Late(actor) => first(&|r| r.actor != *actor).unwrap_or(0),
            Order::Early(actor) => first(&|r| r.actor == *actor).unwrap_or(0),
            Order::Random => self.below(ready.len() as u64) as usize,
            Order::Pct { depth, .. } => {
                let depth = *depth;
                self.priority(ready, depth)
            }
            Order::Delay { line, other } => {
                let (line, other) = (*line, *other);
                if self.done.contains(&other) {
                    return 0;
                }
                // What the other needs first comes in the order written.
                first(&|r| r.line == other).or_else(|| first(&|r| r.line != line)).unwrap_or(0)
            }
            Order::Depth { path } => {
                let here = self.choices.len();
                let stay = self.last.and_then(|last| first(&|r| r.actor == last));
                // The one who went last stands first, so that 0 never switches.
                let order = |at: u32| match (stay, at as usize) {
                    (Some(stay), 0) => stay,
                    (Some(stay), at) if at <= stay => at - 1,
                    (_, at) => at,
                };
                let taken = path.get(here).copied().unwrap_or(0);
                let of = u32::try_from(ready.len()).unwrap_or(u32::MAX);
                self.choices.push(Choice { of, taken, preempts: stay.is_some() });
                order(taken)
            }
            Order::Script(words) => {
                let (at, times) = self.script_at;
                let Some(Word::Go(name, nth, count)) = words.get(at) else { return 0 };
                let found = first(&|r| r.nth == *nth && names(r.actor) == *name);
                let next = if times + 1 >= *count { (at + 1, 0) } else { (at, times + 1) };
                self.script_at = next;
                self.astray |= found.is_none();
                found.unwrap_or(0)
            }
        }
    }

    fn priority(&mut self, ready: &[Ready], depth: u64) -> usize {
        for r in ready {
            if !self.priorities.contains_key(&r.actor) {
                let high = depth + self.below(1 << 32);
                self.priorities.insert(r.actor, high);
            }
        }
        let best = |priorities: &BTreeMap<ActorId, u64>| {
            (0..ready.len()).max_by_key(|&at| {
                (priorities.get(&ready[at].actor).copied().unwrap_or(0), ready.len() - at)
            })
        };
        let at = best(&self.priorities).unwrap_or(0);
        if let Some(low) = self.changes.iter().position(|&step| step == self.steps) {
            self.priorities.insert(ready[at].actor, low as u64);
            return best(&self.priorities).unwrap_or(0);
        }
        at
    }

    /// Chooses one of `n` things that the machine may do; 0 is what it does when nothing else is
    /// asked for.
    pub fn choose(&mut self, n: usize) -> usize {
        if n < 2 {
            return 0;
        }
        self.chose = true;
        let taken = match &self.order {
            Order::Random | Order::Pct { .. } => self.below(n as u64) as usize,
            Order::Depth { path } => {
                let taken = path.get(self.choices.len()).copied().unwrap_or(0);
                let of = u32::try_from(n).unwrap_or(u32::MAX);
                self.choices.push(Choice { of, taken, preempts: false });
                taken as usize
            }
            Order::Script(words) => match words.get(self.script_at.0) {
                Some(Word::Choose(taken)) => {
                    let taken = *taken as usize;
                    self.script_at = (self.script_at.0 + 1, 0);
                    taken
                }
                _ => 0,
            },
            _ => 0,
        };
        let taken = taken.min(n - 1);
        if self.record.choices.len() < MAX_RECORD {
            self.record.choices.push((self.record.words.len(), taken as u32));
        }
        taken
    }

    fn remember(&mut self, actor: ActorId, nth: u32) {
        let words = self.record.words.len();
        let fresh = self.record.choices.last().is_some_and(|&(at, _)| at == words);
        match self.record.words.last_mut() {
            Some(last) if (last.0, last.1) == (actor, nth) && !fresh => last.2 += 1,
            _ if words < MAX_RECORD => self.record.words.push((actor, nth, 1)),
            _ => {}
        }
    }

    /// What was chosen, for [`words`].
    pub fn told(&self, names: &dyn Fn(ActorId) -> String) -> String {
        let mut text = String::new();
        let mut choices = self.record.choices.iter().peekable();
        for (at, (actor, nth, times)) in self.record.words.iter().enumerate() {
            while let Some((_, taken)) = choices.next_if(|(before, _)| *before <= at) {
                let _ = write!(text, "?{taken} ");
            }
            let _ = write!(text, "{}", names(*actor));
            if *nth > 0 {
                let _ = write!(text, "#{nth}");
            }
            let _ = write!(text, ":{times} ");
        }
        for (_, taken) in choices {
            let _ = write!(text, "?{taken} ");
        }
        text.trim_end().to_owned()
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: u64) -> u64 {
        // splitmix64: what matters is that it repeats.
        self.noise = self.noise.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.noise;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }
}

/// Reads a schedule string: `p0.h0:3 A:2 ?1 aiv0.V#1:1`.
///
/// # Errors
/// The word that is not one.
pub fn words(text: &str) -> Result<Vec<Word>, String> {
    let word = |word: &str| {
        if let Some(taken) = word.strip_prefix('?') {
            return taken.parse().ok().map(Word::Choose);
        }
        let (name, times) = word.rsplit_once(':')?;
        let (name, nth) = match name.rsplit_once('#') {
            Some((name, nth)) => (name, nth.parse().ok()?),
            None => (name, 0),
        };
        Some(Word::Go(name.to_owned(), nth, times.parse().ok()?))
    };
    text.split_whitespace().map(|w| word(w).ok_or_else(|| w.to_owned())).collect()
}
