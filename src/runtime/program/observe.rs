//! What the executor tells, and to whom.

use super::trails::TrailId;
use crate::model::{AccessMode, BufferId, ByteRange, OpId, Step};

/// Bytes of one slot of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ref {
    /// The buffer.
    pub buffer: BufferId,
    /// The slot.
    pub slot: u32,
    /// The bytes, counted from the start of the slot; may be empty.
    pub bytes: ByteRange,
    /// False when the access lies somewhere inside, nobody knows where.
    pub exact: bool,
}

/// One operand of an op, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Its position among the op's accesses.
    pub access: usize,
    /// How the bytes are touched.
    pub mode: AccessMode,
    /// True for a write that may leave some of the bytes as they were.
    pub partial: bool,
    /// What it may stand for; sorted. Any one of several is touched, a choice made at this access.
    pub refs: Vec<Ref>,
}

/// Where and when an op is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The op.
    pub op: OpId,
    /// Its step.
    pub step: Step,
    /// The trips and sides that lead here.
    pub trail: TrailId,
    /// The same for all states in which the op is executed in one trip; never again.
    pub instance: u64,
    /// How many states that are.
    pub states: usize,
}

/// An observer with a state that forks where paths part and joins where they meet.
///
/// Equality is what ends a loop: states that compare equal are taken to behave equally from then
/// on, so a state must not hold a clock, and what it holds must come from a finite set.
pub trait Shadow: Clone + PartialEq {
    /// What all forks share: findings, counters.
    type Log;

    /// An op runs. All reads come before all writes; temporaries are scratch during the op.
    fn op(&mut self, log: &mut Self::Log, at: &At, touches: &[Touch]);

    /// Control goes from one step of [`crate::model::Order`] to another; before the op there.
    fn step(&mut self, log: &mut Self::Log, from: Option<Step>, to: Step) {
        let _ = (log, from, to);
    }

    /// The states of two paths that meet become the states of either.
    fn join(&mut self, other: &Self);
}
