//! What is known of a run of bytes (9.3, 9.4).

use crate::model::trace::Val;
use crate::runtime::clock::{ActorId, Epoch};
use crate::runtime::watch::{At, LineId};

/// One access, as later ones need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub epoch: Epoch,
    pub line: LineId,
}

/// What the bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Nothing that was written.
    Undefined,
    /// What a transfer that failed left behind.
    Poison,
    /// What was there before the trace began: whatever is asked for.
    Outside,
    /// Written without a name.
    Unnamed,
    /// A value; byte `b` of the object is byte `b + shift` of the value.
    Value { val: Val, shift: i128 },
}

/// Reads since the last write: for each actor the last one, those that others know left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Reads {
    #[default]
    None,
    One(Access),
    Many(Vec<Access>),
}

/// A run of bytes to which the same has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The byte after the last.
    pub end: u64,
    pub data: Data,
    pub write: Option<Access>,
    pub reads: Reads,
}

impl Access {
    pub(super) fn of(at: &At<'_>) -> Self {
        Self { epoch: at.epoch, line: at.line }
    }

    /// True when it is not known to be complete by then, and not part of the same action.
    #[inline]
    pub(super) fn races(&self, at: &At<'_>) -> bool {
        self.epoch != at.epoch && !at.clock.has(self.epoch)
    }

    pub(super) fn actor(&self) -> ActorId {
        self.epoch.actor
    }
}

impl Reads {
    #[inline]
    pub(super) fn add(&mut self, at: &At<'_>) {
        let new = Access::of(at);
        match self {
            Self::None => *self = Self::One(new),
            Self::One(one) if one.actor() == new.actor() || !one.races(at) => *one = new,
            Self::One(one) => *self = Self::Many(vec![*one, new]),
            Self::Many(all) => {
                all.retain(|a| a.actor() != new.actor() && a.races(at));
                all.push(new);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Access> {
        match self {
            Self::None => [].iter(),
            Self::One(one) => std::slice::from_ref(one).iter(),
            Self::Many(all) => all.iter(),
        }
    }
}

impl Data {
    /// What a copy by so many bytes upwards makes of it; `asked` is the value that the copy names,
    /// with the shift at the source.
    pub(super) fn moved(self, by: i128, asked: Option<(Val, i128)>) -> Self {
        match (self, asked) {
            (Self::Value { val, shift }, _) => Self::Value { val, shift: shift - by },
            (Self::Outside, Some((val, shift))) => Self::Value { val, shift: shift - by },
            (data, _) => data,
        }
    }
}
