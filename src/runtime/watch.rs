//! What the machine tells whoever watches it.

use super::clock::{Clock, Epoch};
use super::objects::{ObjectId, Piece};
use super::status::Remark;
use crate::model::trace::Val;

/// A line of the trace, or of a core program in it: a number that [`super::lines::Lines`] explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

/// When something happens, and what its actor knows then.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The line.
    pub line: LineId,
    /// Whose action it is, and which.
    pub epoch: Epoch,
    /// What is known to be complete.
    pub clock: &'a Clock,
}

/// Bytes that are touched under one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The bytes.
    pub piece: Piece,
    /// The allocation that the address was made for; 0 where nothing is allocated or freed.
    pub generation: u32,
    /// The value that is meant, and the byte of it that lies at the start of the piece.
    pub val: Option<(Val, u64)>,
    /// True when the same actor may touch the same bytes again without waiting: a matrix product
    /// that adds to its result (13.4).
    pub adds: bool,
}

/// Somebody who watches. Reads of an action are told before its writes.
pub trait Watch {
    /// Bytes are read.
    fn read(&mut self, at: &At<'_>, bytes: &Touched);

    /// Bytes are written.
    fn write(&mut self, at: &At<'_>, bytes: &Touched);

    /// Bytes are moved, and what they hold with them. Both sides are equally long. The read and
    /// the write are not told besides.
    fn copy(&mut self, at: &At<'_>, from: &Touched, to: &Touched);

    /// The contents of bytes are read and put aside under a number, behind what is there already.
    fn snapshot(&mut self, at: &At<'_>, from: &Touched, number: u64);

    /// What was put aside is written, from this byte of it on.
    fn paste(&mut self, at: &At<'_>, number: u64, from: u64, to: &Touched);

    /// Bytes are given to somebody: undefined from now on.
    fn alloc(&mut self, at: &At<'_>, piece: Piece, generation: u32);

    /// Bytes are taken back.
    fn free(&mut self, at: &At<'_>, piece: Piece, generation: u32);

    /// An address is used without touching bytes (an asynchronous prefetch or advice): it must be
    /// allocated.
    fn touch(&mut self, at: &At<'_>, bytes: &Touched);

    /// The bytes of the object hold nothing that can be relied on.
    fn poison(&mut self, at: &At<'_>, piece: Piece);

    /// An object begins: its bytes are undefined, or defined from outside.
    fn begin(&mut self, object: ObjectId, defined: bool);

    /// Everything is over, and these bytes have to hold their value.
    fn output(&mut self, at: &At<'_>, bytes: &Touched);

    /// An edge is taken; `implied` when the actor knew all of it already.
    fn edge(&mut self, line: LineId, implied: bool);

    /// Something is odd; `earlier` is the line that it has to do with.
    fn notice(&mut self, at: &At<'_>, remark: Remark, earlier: Option<LineId>);
}
