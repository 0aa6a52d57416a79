//! What every part of the machine is given with a call.

use super::counters::Counters;
use super::injected::Injected;
use super::memory::Memory;
use super::objects::Objects;
use super::status::Notes;
use crate::model::machine::{Machine, Mode};

/// The machine around a call.
#[derive(Debug)]
pub struct Context<'a> {
    /// Its numbers.
    pub machine: &'a Machine,
    /// Whose behaviour counts.
    pub mode: Mode,
    /// Physical memory.
    pub memory: &'a mut Memory,
    /// Physical things made so far.
    pub objects: &'a mut Objects,
    /// Faults to inject.
    pub injected: &'a mut Injected,
    /// Counters.
    pub counters: &'a mut Counters,
    /// Remarks about this call, quirks that mattered, ticks spent.
    pub notes: &'a mut Notes,
    /// The time in ticks when the call starts.
    pub now: u64,
}

impl Context<'_> {
    /// True in mode `source`.
    pub fn source(&self) -> bool {
        self.mode == Mode::Source
    }

    /// The call takes so many ticks more.
    pub fn spend(&mut self, ticks: u64) {
        self.notes.ticks = self.notes.ticks.saturating_add(ticks);
    }
}
