//! A machine around managed memory, for tests.

use super::super::page::{Home, Page};
use super::super::{Done, Uvm};
use crate::diag::Code;
use crate::model::machine::{Machine, Mode};
use crate::model::trace::{Advice, Fault, Injection, Location};
use crate::runtime::context::Context;
use crate::runtime::counters::Counters;
use crate::runtime::injected::Injected;
use crate::runtime::memory::{Bank, Memory};
use crate::runtime::objects::Objects;
use crate::runtime::pointer::{How, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Notes, Refused};

pub(super) const PAGE: u64 = 2 << 20;
pub(super) const BOTH: [Mode; 2] = [Mode::Spec, Mode::Source];

pub(super) struct World {
    pub(super) machine: Machine,
    pub(super) mode: Mode,
    pub(super) memory: Memory,
    pub(super) objects: Objects,
    pub(super) injected: Injected,
    pub(super) counters: Counters,
    /// Of the last call.
    pub(super) notes: Notes,
    pub(super) now: u64,
    pub(super) uvm: Uvm,
}

impl World {
    /// Two devices and a host with room for many pages.
    pub(super) fn new(mode: Mode) -> Self {
        Self::sized(mode, 64, 64)
    }

    pub(super) fn sized(mode: Mode, device_pages: u64, host_pages: u64) -> Self {
        let machine = Machine::named("910B3").expect("a chip of the table");
        let page = machine.uvm_page;
        Self {
            memory: Memory::new(2, device_pages * page, host_pages * page),
            machine,
            mode,
            objects: Objects::default(),
            injected: Injected::default(),
            counters: Counters::default(),
            notes: Notes::default(),
            now: 0,
            uvm: Uvm::new(0),
        }
    }

    pub(super) fn inject(&mut self, faults: &[Fault]) {
        let all: Vec<Injection> =
            faults.iter().map(|&fault| Injection { fault, loc: None }).collect();
        self.injected = Injected::new(&all);
    }

    /// A call; the invariants hold after it.
    pub(super) fn call<R>(&mut self, call: impl FnOnce(&mut Uvm, &mut Context<'_>) -> R) -> R {
        self.notes = Notes::default();
        let mut cx = Context {
            machine: &self.machine,
            mode: self.mode,
            memory: &mut self.memory,
            objects: &mut self.objects,
            injected: &mut self.injected,
            counters: &mut self.counters,
            notes: &mut self.notes,
            now: self.now,
        };
        let answer = call(&mut self.uvm, &mut cx);
        let banks = [Bank::Host, Bank::Device(0), Bank::Device(1)];
        Uvm::check_all([&self.uvm], &self.memory, &banks).expect("the invariants hold");
        answer
    }

    pub(super) fn alloc(&mut self, pages: u64) -> u64 {
        self.call(|uvm, cx| uvm.alloc(cx, pages * PAGE)).expect("addresses are left")
    }

    pub(super) fn touch(
        &mut self,
        who: Who,
        address: u64,
        len: u64,
        how: How,
    ) -> Result<Done, Refused> {
        self.call(|uvm, cx| uvm.touch(cx, who, address, len, how))
    }

    pub(super) fn read(&mut self, who: Who, address: u64, pages: u64) {
        self.touch(who, address, pages * PAGE, How::Read).expect("the pages can be read");
    }

    pub(super) fn write(&mut self, who: Who, address: u64, pages: u64) {
        self.touch(who, address, pages * PAGE, How::Write).expect("the pages can be written");
    }

    pub(super) fn advise(
        &mut self,
        address: u64,
        pages: u64,
        advice: Advice,
        location: Location,
    ) -> Result<Done, Refused> {
        self.call(|uvm, cx| uvm.advise(cx, address, pages * PAGE, Some(advice), location))
    }

    pub(super) fn prefetch(
        &mut self,
        address: u64,
        pages: u64,
        location: Location,
    ) -> Result<Done, Refused> {
        self.call(|uvm, cx| uvm.prefetch(cx, address, pages * PAGE, location, 0))
    }

    /// One page in a state of section 4: `U`, `H`, `H-RO`, `D0`, `D1`, `R{0}`, `R{1}`, `R{0,1}`.
    pub(super) fn page_in(&mut self, state: &str) -> u64 {
        let page = self.alloc(1);
        self.make(page, state);
        page
    }

    /// Brings a new page into a state.
    pub(super) fn make(&mut self, page: u64, state: &str) {
        match state {
            "U" => {}
            "H" => self.write(Who::Host, page, 1),
            "D0" => self.write(Who::Device(0), page, 1),
            "D1" => self.write(Who::Device(1), page, 1),
            _ => {
                self.advise(page, 1, Advice::ReadMostly, Location::Host).expect("a host page");
                for device in 0..2 {
                    if state.starts_with('R') && state.contains(&device.to_string()) {
                        self.read(Who::Device(device), page, 1);
                    }
                }
            }
        }
        assert_eq!(self.state(page), state, "a page is brought into a state");
        self.counters = Counters::default();
    }

    pub(super) fn page(&self, address: u64) -> Option<&Page> {
        let at = self.uvm.page_of(address);
        self.uvm.runs.at(at, at + 1).map(|(_, page)| page)
    }

    /// The state of a page as `page_in` writes it.
    pub(super) fn state(&self, address: u64) -> String {
        match self.page(address).map(|page| &page.home) {
            None => "none".to_owned(),
            Some(Home::Unmapped) => "U".to_owned(),
            Some(Home::Host) => "H".to_owned(),
            Some(Home::Device(one)) => format!("D{}", one.device),
            Some(Home::ReadMostly(all)) if all.is_empty() => "H-RO".to_owned(),
            Some(Home::ReadMostly(all)) => {
                let ids: Vec<String> = all.iter().map(|one| one.device.to_string()).collect();
                format!("R{{{}}}", ids.join(","))
            }
        }
    }

    pub(super) fn remarked(&self, code: Code) -> bool {
        self.notes.remarks.iter().any(|remark| remark.code == code)
    }

    pub(super) fn noted(&self, quirk: Quirk) -> bool {
        self.notes.quirks.contains(&quirk)
    }
}
