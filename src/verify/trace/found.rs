//! Findings as they are made: each pair of lines once.

use std::collections::BTreeMap;

use super::cell::{Access, Data};
use crate::diag::Code;
use crate::model::trace::Val;
use crate::runtime::clock::ActorId;
use crate::runtime::objects::ObjectId;
use crate::runtime::watch::{At, LineId};

/// One finding.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub code: Code,
    /// What happened before, or was written before.
    pub earlier: Option<(LineId, ActorId)>,
    /// At what it shows.
    pub later: (LineId, ActorId),
    /// The bytes at fault.
    pub bytes: Option<(ObjectId, u64, u64)>,
    /// The value that was wanted, and the byte of it at the start of `bytes`.
    pub wanted: Option<(Val, u64)>,
    /// What was there instead.
    pub holds: Option<Data>,
    /// The words of whoever noticed it.
    pub words: Option<String>,
    /// How often it was seen.
    pub times: u64,
    /// A schedule that shows it, when the canonical one does not.
    pub schedule: Option<String>,
    /// Which action of the later actor showed it first.
    pub order: u64,
}

/// What makes two findings the same: class, earlier line, later line, and the words where there
/// is no earlier line.
pub(super) type Key = (Code, Option<LineId>, LineId, Option<String>);

/// Findings of one class that are kept; more are counted with the last.
const MAX_OF_A_CLASS: usize = 1_000;

/// All findings of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Founds {
    places: BTreeMap<Key, usize>,
    of_class: BTreeMap<Code, usize>,
    pub list: Vec<Found>,
}

impl Found {
    pub(super) fn new(code: Code, at: &At<'_>) -> Self {
        Self {
            code,
            earlier: None,
            later: (at.line, at.epoch.actor),
            bytes: None,
            wanted: None,
            holds: None,
            words: None,
            times: 1,
            schedule: None,
            order: 0,
        }
    }

    pub(super) fn earlier(mut self, access: Option<Access>) -> Self {
        self.earlier = access.map(|a| (a.line, a.epoch.actor));
        self
    }

    pub(super) fn bytes(mut self, object: ObjectId, start: u64, end: u64) -> Self {
        self.bytes = Some((object, start, end));
        self
    }

    pub(super) fn key(&self) -> Key {
        let words = if self.earlier.is_none() { self.words.clone() } else { None };
        (self.code, self.earlier.map(|(line, _)| line), self.later.0, words)
    }
}

impl Founds {
    /// Adds a finding, or counts it again; bytes that touch those seen before are joined.
    pub(super) fn add(&mut self, mut found: Found) {
        let key = found.key();
        if let Some(&at) = self.places.get(&key) {
            let Some(known) = self.list.get_mut(at) else { return };
            known.times = known.times.saturating_add(1);
            if let (Some((object, start, end)), Some((other, from, to))) =
                (&mut known.bytes, found.bytes)
                && *object == other
                && from <= *end
                && *start <= to
                && known.later.1 == found.later.1
            {
                (*start, *end) = ((*start).min(from), (*end).max(to));
            }
            return;
        }
        let count = self.of_class.entry(found.code).or_insert(0);
        *count += 1;
        if *count > MAX_OF_A_CLASS {
            return;
        }
        found.order = self.list.len() as u64;
        self.places.insert(key, self.list.len());
        self.list.push(found);
    }

    pub(super) fn has(&self, key: &Key) -> bool {
        self.places.contains_key(key)
    }
}
