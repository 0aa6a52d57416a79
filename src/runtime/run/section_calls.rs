//! Calls of a JIT linker about its sections (xla-memory 17).

use std::collections::BTreeMap;

use super::access::{Ledger, Owned};
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use super::parts::{Part, Whole};
use super::streams::Calls;
use crate::diag::Code;
use crate::model::trace::{AllocKind, Call, MemoryFlags, PageClass, Section, SectionSize, Sym};
use crate::runtime::pointer::Pointer;
use crate::runtime::sections::{Layout, Manager, Protection, RELATIVE_REACH, SectionError};
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{AllocRequest, NORMAL_PAGE};
use crate::runtime::watch::Watch;

/// The managers of all linkers, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Linkers {
    all: BTreeMap<Sym, Linker>,
    /// Calls, whose order decides who gets which bytes.
    calls: Calls,
}

#[derive(Clone, Debug)]
struct Linker {
    manager: Manager,
    process: u32,
    /// Its mapping, where there is one.
    mapping: Option<Pointer>,
    /// Generations of what it has handed out.
    parts: Vec<u32>,
}

impl Linkers {
    /// What may be done with a section of a manager; none where it is no more.
    pub(super) fn protection(&self, manager: Sym, section: Section) -> Option<Protection> {
        self.all.get(&manager).map(|linker| linker.manager.protection(section))
    }
}

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn section_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        self.open |= !self.linkers.calls.within(caller.at.clock);
        self.linkers.calls.add(caller.at.epoch, caller.at.clock);
        match call {
            Call::SectionReserve { sections, code, ro, rw } => {
                self.section_reserve(caller, *sections, [*code, *ro, *rw])
            }
            Call::SectionAllocate { out, sections, section, size, align } => {
                let process = caller.process;
                let given =
                    self.linker(caller, *sections)?.manager.allocate(*section, *size, *align);
                let given = given.map_err(|error| {
                    // The linker is given NULL, and what it asked for has no address.
                    self.bind(*out, Self::null(process), 0);
                    refused(&error)
                })?;
                let linker = self.linker(caller, *sections)?;
                let Some(mapping) = linker.mapping else {
                    self.bind(*out, Self::null(process), 0);
                    return Ok(None);
                };
                let part = Part { name: *out, of: Whole::Section(*sections, *section) };
                let pointer = self.hand_out(caller.at, mapping, given.offset, *size, part)?;
                self.linker(caller, *sections)?.parts.push(pointer.generation);
                self.bind(*out, pointer, *size);
                add(&mut self.counters.section_allocated, *size);
                add(&mut self.counters.section_padding, given.padding);
                Ok(Some(format!(
                    "offset {} padding {} free {}",
                    given.offset, given.padding, given.free
                )))
            }
            Call::SectionFinalize { sections } => {
                self.linker(caller, *sections)?;
                let Some(linker) = self.linkers.all.get_mut(sections) else { return Ok(None) };
                let injected = &mut self.injected;
                let done = linker.manager.finalize(|| !injected.protect_fails());
                let done = done.map_err(|error| refused(&error))?;
                add(&mut self.counters.section_flushed, done.flushed);
                let [code, ro, rw] = done.protections;
                Ok(Some(format!("code {code} ro {ro} rw {rw} flushed {}", done.flushed)))
            }
            Call::SectionDestroy { sections } => {
                let linker = self.linker(caller, *sections)?.clone();
                if let Some(mapping) = linker.mapping {
                    let process = caller.process;
                    self.ask(caller, |cx, space, _, _| space.free(cx, process, Some(mapping)))?;
                    for &generation in &linker.parts {
                        self.died(caller.at, Ledger::Space, generation);
                    }
                    self.died(caller.at, Ledger::Space, mapping.generation);
                }
                self.linkers.all.remove(sections);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn section_reserve(
        &mut self,
        caller: &mut Caller<'_, '_>,
        name: Sym,
        wanted: [SectionSize; 3],
    ) -> Reply {
        let process = caller.process;
        let linker = self.linkers.all.entry(name).or_insert_with(|| Linker {
            manager: Manager::default(),
            process,
            mapping: None,
            parts: Vec::new(),
        });
        let layout = linker.manager.reserve(wanted, NORMAL_PAGE);
        let layout = layout.map_err(|error| refused(&error))?;
        let request = AllocRequest {
            name: Some(self.setup.trace.text(name)),
            size: layout.total,
            device: 0,
            kind: AllocKind::User,
            pages: PageClass::Normal,
            flags: MemoryFlags::default(),
        };
        let made = self.ask(caller, |cx, space, _, _| space.alloc(cx, process, &request));
        let made = made.map_err(|mut refused| {
            refused.why.push_str("; the sections stay empty");
            refused
        })?;
        let pointer = made.pointer;
        let owned = Owned {
            object: made.object,
            start: 0,
            len: made.len,
            address: pointer.address,
            alive: true,
        };
        self.owned.insert((Ledger::Space, pointer.generation), owned);
        self.watch.begin(made.object, false);
        if let Some(linker) = self.linkers.all.get_mut(&name) {
            linker.manager.mapped(pointer.address, &layout);
            linker.mapping = Some(pointer);
        }
        add(&mut self.counters.section_mapped, layout.total);
        add(&mut self.counters.section_waste, layout.waste());
        if layout.reach() > RELATIVE_REACH {
            let words = format!(
                "the read-only data ends {} bytes behind the start of the code: relative \
                 relocations reach {RELATIVE_REACH}",
                layout.reach()
            );
            self.notice(caller.at, Code::ReplayLint, words);
        }
        Ok(Some(told(&layout)))
    }

    fn linker(&mut self, caller: &Caller<'_, '_>, name: Sym) -> Result<&mut Linker, Refused> {
        let none = self.no(name, "manager of sections");
        let linker = self.linkers.all.get_mut(&name).filter(|l| l.process == caller.process);
        linker.ok_or(none)
    }
}

fn add(counter: &mut u64, bytes: u64) {
    *counter = counter.saturating_add(bytes);
}

fn refused(error: &SectionError) -> Refused {
    let status = match error {
        SectionError::Twice => Status::RepeatedInit,
        SectionError::Alignment { .. } => Status::InvalidValue,
        SectionError::TooLarge | SectionError::Full { .. } => Status::OutOfMemory,
        SectionError::Protect { .. } => Status::OperNotPermitted,
    };
    Refused { status, finding: error.code(), why: error.to_string() }
}

/// `total 24576 code offset 0 bytes 4096 padding 3996 ro offset 4096 ..`.
fn told(layout: &Layout) -> String {
    let mut text = format!("total {}", layout.total);
    for (section, placed) in Section::ALL.into_iter().zip(layout.sections) {
        text.push_str(&format!(
            " {} offset {} bytes {} padding {}",
            section.name(),
            placed.offset,
            placed.reserved,
            placed.padding
        ));
    }
    text.push_str(&format!(" slack {} waste {}", layout.slack, layout.waste()));
    text
}
