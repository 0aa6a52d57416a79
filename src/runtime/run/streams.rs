//! Streams, events, notifies and values (5.16).

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::model::trace::Sym;
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::Pointer;
use crate::runtime::soma::FreeMark;

/// A stream: one task after the other.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub name: Sym,
    pub actor: ActorId,
    pub process: u32,
    pub device: u32,
    pub tasks: VecDeque<Task>,
    /// What its tasks have done and learnt.
    pub clock: Clock,
    /// What the task that comes next will know, as far as it can be said when it is launched.
    pub tail: Clock,
    /// Tasks launched so far.
    pub launched: u32,
    /// The calls that launched them.
    pub launches: Calls,
    /// When the last task was through.
    pub time: u64,
    /// False once it is destroyed.
    pub alive: bool,
}

/// A task of a stream.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The position of its line.
    pub line: usize,
    /// Its number on the stream, from 1.
    pub n: u32,
    /// What the host knew when it launched it.
    pub launched: Rc<Clock>,
    /// When it was launched.
    pub time: u64,
    pub what: What,
}

/// What a task does.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// What its line says.
    Line,
    /// Writes what was put aside when it was launched.
    Paste(u64),
    /// An event is recorded.
    Record(usize),
    /// A record is awaited.
    Wait(usize),
    /// A block of a pool gets its memory.
    Populate { pointer: Pointer, piece: Piece, after: Vec<FreeMark> },
    /// A block goes back to its pool.
    Return { pointer: Pointer, piece: Piece },
    /// Memory that was not from a pool is freed.
    Free(Pointer),
    /// Nothing: the line was refused, or its entries are all that there was.
    Nothing,
}

/// One record of an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub done: bool,
    /// What is known to whoever waits for it.
    pub clock: Clock,
    /// The same, as far as it could be said when it was launched.
    pub tail: Clock,
    pub time: u64,
    pub stream: usize,
}

/// An event.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub name: Sym,
    pub process: u32,
    pub device: u32,
    /// Made with the flag that allows resetting.
    pub sync: bool,
    pub external: bool,
    pub alive: bool,
    /// The latest record.
    pub latest: Option<usize>,
    /// The calls that recorded it, and those that waited for it: of each thread the last, those
    /// that a later one knows left out.
    pub recorded: Calls,
    pub waited: Calls,
}

/// Calls of threads that may have no order.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls(Vec<Epoch>);

impl Calls {
    /// True when somebody who knows this comes after all of them.
    pub(super) fn within(&self, known: &Clock) -> bool {
        self.0.iter().all(|&call| known.has(call))
    }

    /// One more, by somebody who knows this.
    pub(super) fn add(&mut self, call: Epoch, known: &Clock) {
        self.0.retain(|&e| e.actor != call.actor && !known.has(e));
        self.0.push(call);
    }
}

/// A notify: set once, taken once.
#[derive(Clone, Debug, Default)]
pub(super) struct Notify {
    pub tokens: VecDeque<(Clock, u64)>,
    /// Those who set it, and those who took it.
    pub recorded: Calls,
    pub waited: Calls,
}

/// What value writes have left at an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// By object and byte: what was written, in order, with what the writers knew.
    pub written: BTreeMap<(ObjectId, u64), Vec<Written>>,
}

/// One value write.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub value: u64,
    pub clock: Clock,
    pub epoch: Epoch,
    pub time: u64,
}

/// A kernel that was launched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launched {
    pub epoch: Epoch,
    pub line: usize,
}
