//! A small language for inputs in bytes.

use crate::plan::hivm::{Buffer, BufferNo, Entry, Failure, Input, Life, Scope, Success, place};

/// An input in the making; sizes, capacities and offsets in bytes.
#[derive(Clone, Default)]
pub(super) struct Case {
    pub(super) input: Input,
}

/// What is said of an entry beyond size and life.
#[derive(Clone, Copy, Default)]
pub(super) struct Traits {
    pub(super) slots: u32,
    pub(super) buffer: (bool, bool, bool),
    pub(super) anchor: Option<u32>,
}

/// A vector buffer with one slot, in no loop.
pub(super) const PLAIN: Traits = Traits { slots: 1, buffer: (false, false, false), anchor: None };
/// A DMA buffer.
pub(super) const DMA: Traits = Traits { buffer: (false, true, false), ..PLAIN };
/// A scalar buffer.
pub(super) const SCALAR: Traits = Traits { buffer: (false, false, true), ..PLAIN };
/// A buffer that shares with nobody.
pub(super) const UNIQUE: Traits = Traits { buffer: (true, false, false), ..PLAIN };

impl Traits {
    pub(super) fn slots(self, slots: u32) -> Self {
        Self { slots, ..self }
    }

    pub(super) fn anchor(self, anchor: u32) -> Self {
        Self { anchor: Some(anchor), ..self }
    }
}

impl Case {
    /// One scope, aligned to 32 B (512 B for `cc`).
    pub(super) fn new(scope: &str, capacity: u64) -> Self {
        Self::default().scope(scope, capacity)
    }

    pub(super) fn scope(mut self, name: &str, capacity: u64) -> Self {
        let alignment = if name == "cc" { 4096 } else { 256 };
        let (name, capacity) = (name.to_owned(), Some(capacity * 8));
        self.input.scopes.push(Scope { name, capacity, alignment, sequential_only: false });
        self
    }

    /// One byte is the unit: sizes are not rounded.
    pub(super) fn unaligned(mut self) -> Self {
        for scope in &mut self.input.scopes {
            scope.alignment = 8;
        }
        self
    }

    /// An entry of one buffer in the newest scope.
    pub(super) fn entry(mut self, bytes: u64, life: (i64, i64), traits: Traits) -> Self {
        let no = self.input.buffers.len() as BufferNo;
        let (unique, dma, scalar) = traits.buffer;
        let Traits { slots, anchor, .. } = traits;
        self.input.buffers.push(Buffer { unique, dma, scalar, anchor, coupled: None });
        let lives = vec![Life { start: life.0, end: life.1, buffer: no }];
        let scope = self.input.scopes.len() - 1;
        self.input.entries.push(Entry { scope, buffers: vec![no], bits: bytes * 8, slots, lives });
        self
    }

    /// A further buffer of the newest entry, as after merging.
    pub(super) fn with(mut self, traits: Traits) -> Self {
        let no = self.input.buffers.len() as BufferNo;
        let (unique, dma, scalar) = traits.buffer;
        self.input.buffers.push(Buffer {
            unique,
            dma,
            scalar,
            anchor: traits.anchor,
            coupled: None,
        });
        if let Some(entry) = self.input.entries.last_mut() {
            entry.buffers.push(no);
        }
        self
    }

    pub(super) fn stall(mut self, a: BufferNo, b: BufferNo) -> Self {
        self.input.stall_pairs.insert((a.min(b), a.max(b)));
        self
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut Input)) -> Self {
        change(&mut self.input);
        self
    }

    pub(super) fn place(&self) -> Result<Success, Failure> {
        place(&self.input)
    }

    /// The offsets of all buffers in bytes; a failure as its need in bits.
    pub(super) fn bytes(&self) -> Result<Vec<Vec<u64>>, u64> {
        let success = self.place().map_err(|f| f.need)?;
        let bytes = |list: Option<Vec<u64>>| {
            list.unwrap_or_default().into_iter().map(|o| o.div_ceil(8)).collect()
        };
        Ok(success.offsets.into_iter().map(bytes).collect())
    }
}
