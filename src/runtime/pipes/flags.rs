//! Flags between the pipes of a core, and counters between cores (5.17, 13.4).

use std::collections::{BTreeMap, VecDeque};

use super::code::PipeId;
use crate::runtime::clock::Clock;
use crate::runtime::watch::LineId;

/// What a set leaves for its wait.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What the setter knew, all that it had issued included.
    pub clock: Clock,
    /// When it was set.
    pub time: u64,
    /// Where.
    pub line: LineId,
    /// The last action of the setter that touched bytes.
    pub work: u32,
}

/// One flag: wait `k` takes the token of set `k`.
#[derive(Clone, Debug, Default)]
pub(super) struct Flag {
    tokens: VecDeque<Token>,
    sets: u64,
    waits: u64,
    /// The index of the last wait among the actions of the waiting pipe.
    last_wait: u32,
    last_set: Option<LineId>,
    /// True after a set that came too early: nothing else is said of the flag then.
    overrun: bool,
}

/// All flags of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    numbers: BTreeMap<u32, u32>,
    /// For small ids: the place in `list` plus one.
    dense: Vec<u16>,
    list: Vec<(Key, Flag)>,
}

/// The pipe that sets, the pipe that waits, the id.
pub(super) type Key = (PipeId, PipeId, u32);

const PIPES: usize = 10;
const DENSE: u32 = 16;

impl Flag {
    /// A set; the line of the set that it overruns, if it is the first that does.
    ///
    /// `known` is how many actions of the waiting pipe the setter knows to be complete.
    pub(super) fn set(&mut self, token: Token, known: u32) -> Option<LineId> {
        let early = self.sets > 0 && (self.waits < self.sets || self.last_wait > known);
        let first = early && !self.overrun;
        self.overrun |= early;
        let before = self.last_set.replace(token.line);
        self.sets += 1;
        self.tokens.push_back(token);
        before.filter(|_| first)
    }

    /// A wait, the action `n` of its pipe; `None` when there is no token yet.
    pub(super) fn wait(&mut self, n: u32) -> Option<Token> {
        let token = self.tokens.pop_front()?;
        self.waits += 1;
        self.last_wait = n;
        Some(token)
    }

    /// True when a wait would go on.
    pub(super) fn is_set(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// The line of a set that nobody has waited for.
    pub(super) fn left(&self) -> Option<LineId> {
        self.tokens.front().filter(|_| !self.overrun).map(|token| token.line)
    }
}

impl Flags {
    /// The flag of that key.
    pub(super) fn get(&mut self, key: Key) -> &mut Flag {
        let (from, to, id) = key;
        let pair = (from as usize) * PIPES + to as usize;
        let at = if id < DENSE {
            let at = pair * DENSE as usize + id as usize;
            if self.dense.len() <= at {
                self.dense.resize(PIPES * PIPES * DENSE as usize, 0);
            }
            if self.dense[at] == 0 {
                self.list.push((key, Flag::default()));
                self.dense[at] = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
            }
            self.dense[at] as usize - 1
        } else {
            let number = (pair as u32).wrapping_mul(1 << 24) ^ id;
            let next = self.list.len() as u32;
            let at = *self.numbers.entry(number).or_insert(next);
            if at == next {
                self.list.push((key, Flag::default()));
            }
            at as usize
        };
        &mut self.list[at].1
    }

    /// True when a wait for the flag would go on.
    pub(super) fn is_set(&self, key: Key) -> bool {
        self.list.iter().any(|(k, flag)| *k == key && flag.is_set())
    }

    /// All flags that were used.
    pub(super) fn all(&self) -> impl Iterator<Item = &(Key, Flag)> {
        self.list.iter()
    }
}

/// A counter from one core to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    tokens: VecDeque<Token>,
    overflown: bool,
}

impl Counter {
    /// Raises it; true when that is once too often, for the first time.
    pub(super) fn raise(&mut self, token: Token, limit: u32) -> bool {
        self.tokens.push_back(token);
        let over = self.tokens.len() as u64 > u64::from(limit);
        let first = over && !self.overflown;
        self.overflown |= over;
        first
    }

    /// True when a wait would go on.
    pub(super) fn is_raised(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Takes one.
    pub(super) fn take(&mut self) -> Option<Token> {
        self.tokens.pop_front()
    }

    /// The line of a set that nobody has waited for.
    pub(super) fn left(&self) -> Option<LineId> {
        self.tokens.front().map(|token| token.line)
    }
}
