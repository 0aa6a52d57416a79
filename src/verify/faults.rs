//! What the replay found, each fault once.

use std::collections::{BTreeMap, BTreeSet};

use super::cap::{MAX_COUNTED, MAX_LISTED};
use super::memory::{Blame, How};
use crate::diag::Code;
use crate::model::{BufferId, OpId};
use crate::runtime::program::{At, TrailId};

/// What makes two faults the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// Data of `victim` is gone when it is needed.
    Lost { victim: BufferId, by: Option<(BufferId, Option<OpId>, How)> },
    /// An op, or the end of the function, needs bytes that nothing wrote.
    Unwritten { buffer: BufferId, op: Option<OpId> },
    /// Two operands of one op share bytes.
    Operands { op: OpId, first: BufferId, second: BufferId, code: Code },
    /// An op writes bytes that a buffer with given live ranges holds.
    Held { op: OpId, writer: BufferId, holder: BufferId },
}

/// One fault.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub key: Key,
    /// The bytes, as keys.
    pub bytes: (u128, u128),
    /// The op at which it shows first; none at the end of the function.
    pub op: Option<OpId>,
    /// The trail on which it shows first.
    pub trail: TrailId,
    /// For lost data, who did it and how he came there.
    pub blame: Option<Blame>,
    /// All ops at which it shows.
    pub at: BTreeSet<Option<OpId>>,
    /// For unwritten bytes: true when on every path that leads there nothing at all was written.
    pub certain: bool,
}

/// All faults in the order in which they were found first.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    pub list: Vec<Fault>,
    places: BTreeMap<Key, Option<usize>>,
    /// How many there are of each code, listed or not.
    pub counts: BTreeMap<Code, usize>,
    /// For each operand that was read: in how many states of its last execution nothing at all
    /// was written, and the faults that were noted then.
    empty: BTreeMap<(OpId, usize), (u64, usize, BTreeSet<Key>)>,
}

impl Key {
    pub(super) fn code(self) -> Code {
        match self {
            Self::Lost { .. } => Code::VerifyClobbered,
            Self::Unwritten { .. } => Code::VerifyReadBeforeWrite,
            Self::Operands { code, .. } => code,
            Self::Held { .. } => Code::VerifyOverlap,
        }
    }
}

impl Faults {
    /// Notes a fault; gives it back unless it is past what is listed.
    pub(super) fn note(
        &mut self,
        key: Key,
        bytes: (u128, u128),
        op: Option<OpId>,
        trail: TrailId,
    ) -> Option<&mut Fault> {
        if let Some(&place) = self.places.get(&key) {
            let fault = place.and_then(|at| self.list.get_mut(at))?;
            fault.at.insert(op);
            return Some(fault);
        }
        let count = self.counts.entry(key.code()).or_insert(0);
        if *count >= MAX_COUNTED {
            return None;
        }
        *count += 1;
        if *count > MAX_LISTED {
            self.places.insert(key, None);
            return None;
        }
        self.places.insert(key, Some(self.list.len()));
        let at = BTreeSet::from([op]);
        self.list.push(Fault { key, bytes, op, trail, blame: None, at, certain: false });
        self.list.last_mut()
    }

    /// In one of the states in which an op is executed, an operand has nothing at all written;
    /// when that is so in all of them, the faults noted for it are certain.
    pub(super) fn nothing(
        &mut self,
        at: &At,
        access: usize,
        buffers: impl Iterator<Item = BufferId>,
    ) {
        let tally = self.empty.entry((at.op, access)).or_default();
        if tally.0 != at.instance {
            *tally = (at.instance, 0, BTreeSet::new());
        }
        tally.1 += 1;
        tally.2.extend(buffers.map(|buffer| Key::Unwritten { buffer, op: Some(at.op) }));
        if tally.1 < at.states {
            return;
        }
        for key in &tally.2 {
            let place = self.places.get(key).copied().flatten();
            if let Some(fault) = place.and_then(|at| self.list.get_mut(at)) {
                fault.certain = true;
            }
        }
    }
}
