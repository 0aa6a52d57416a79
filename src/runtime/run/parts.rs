//! Parts of one allocation that are handed out one by one: bytes of a section, elements of a pool.
//!
//! The address space knows the allocation around them; which part an address was given for, and
//! how far that goes, is known here.

use super::access::{Ledger, Owned};
use super::engine::Engine;
use crate::diag::Code;
use crate::model::trace::{Section, Sym};
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer};
use crate::runtime::status::{Refused, Status};
use crate::runtime::watch::{At, Watch};

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// What the trace calls it.
    pub name: Option<Sym>,
    pub of: Whole,
}

/// What a part is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// A section of a manager.
    Section(Sym, Section),
    /// A host memory pool.
    HostPool,
}

impl<W: Watch> Engine<'_, '_, W> {
    /// Gives out the bytes `[start, start + len)` of an allocation under an address of their own.
    ///
    /// # Errors
    /// `ProcessExit` when the process has ended.
    pub(super) fn hand_out(
        &mut self,
        at: &At<'_>,
        whole: Pointer,
        start: u64,
        len: u64,
        part: Part,
    ) -> Result<Pointer, Refused> {
        let generation = self.space.part(whole.process, whole.generation)?;
        let pointer = Pointer { generation, ..whole.offset(start) };
        let Some(&around) = self.owned.get(&(Ledger::Space, whole.generation)) else {
            return Ok(pointer);
        };
        let start = around.start.saturating_add(start);
        let owned = Owned { start, len, address: pointer.address, alive: true, ..around };
        self.owned.insert((Ledger::Space, generation), owned);
        self.parts.insert(generation, part);
        self.watch.alloc(at, Piece { object: around.object, start, len }, generation);
        Ok(pointer)
    }

    /// How many bytes of an access are inside the part that its address was given for; what is
    /// beyond is told.
    pub(super) fn within_part(&mut self, at: &At<'_>, pointer: Pointer, len: u64, how: How) -> u64 {
        let Some(part) = self.parts.get(&pointer.generation).copied() else { return len };
        let key = (Ledger::Space, pointer.generation);
        let Some(owned) = self.owned.get(&key).copied() else { return len };
        let off = pointer.address.saturating_sub(owned.address);
        let end = off.saturating_add(len);
        if owned.alive && end > owned.len {
            let name = self.part_name(part);
            let words = format!("bytes [{off}, {end}) of `{name}`, which has {}", owned.len);
            self.notice(at, Code::ReplayOob, words);
        }
        let len = len.min(owned.len.saturating_sub(off));
        match part.of {
            Whole::Section(manager, section) if owned.alive && len > 0 => {
                let protection = self.linkers.protection(manager, section);
                let Some(protection) = protection.filter(|p| !p.allows(how)) else { return len };
                let words = format!(
                    "the host may not write bytes [{off}, {}) of `{}`: {} is {protection} since it \
                     was finalized",
                    off.saturating_add(len),
                    self.part_name(part),
                    section.name(),
                );
                self.notice(at, Code::ReplayPerm, words);
                0
            }
            _ => len,
        }
    }

    fn part_name(&self, part: Part) -> String {
        let name = match (part.name, part.of) {
            (Some(name), _) => name,
            (None, Whole::Section(manager, _)) => manager,
            (None, Whole::HostPool) => return "an element".to_owned(),
        };
        self.setup.trace.text(name).to_owned()
    }

    /// Parts are not freed on their own.
    ///
    /// # Errors
    /// `InvalidValue` for an address of a part (finding: a bad free).
    pub(super) fn freeable(&self, pointer: Pointer) -> Result<(), Refused> {
        let Some(&part) = self.parts.get(&pointer.generation) else { return Ok(()) };
        let name = self.part_name(part);
        let why = match part.of {
            Whole::Section(..) => format!("`{name}` lies in a section, which goes as a whole"),
            Whole::HostPool => {
                format!("`{name}` is an element of a host memory pool, which is released")
            }
        };
        Err(Refused::new(Status::InvalidValue, why).finding(Code::ReplayBadFree))
    }

    /// An address that leads nowhere: NULL.
    pub(super) fn null(process: u32) -> Pointer {
        Pointer { process, address: 0, generation: 0 }
    }
}
