//! A machine around a [`Space`], for tests.

use crate::diag::Code;
use crate::model::machine::{Machine, Mode, Product};
use crate::model::trace::{AllocKind, Fault, Injection, MemoryFlags, PageClass};
use crate::runtime::context::Context;
use crate::runtime::counters::Counters;
use crate::runtime::injected::Injected;
use crate::runtime::memory::Memory;
use crate::runtime::objects::Objects;
use crate::runtime::pointer::{How, Pointer, Reach, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Notes, Refused, Status};
use crate::runtime::svm::{AllocRequest, Freed, Made, Space};
use crate::runtime::vmm::{CreateRequest, Created, HandleId, MapRequest, ReserveRequest};

pub(crate) const KIB: u64 = 1 << 10;
pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const GIB: u64 = 1 << 30;
pub(crate) const TIB: u64 = 1 << 40;

/// A machine and what the last call has left.
pub(crate) struct Rig {
    pub space: Space,
    pub machine: Machine,
    pub mode: Mode,
    pub memory: Memory,
    pub objects: Objects,
    pub injected: Injected,
    pub counters: Counters,
    pub notes: Notes,
}

impl Rig {
    /// Two processes, each with both devices of 4 GiB open.
    pub(crate) fn new(mode: Mode) -> Self {
        Self::sized(mode, 4 * GIB, 8 * GIB)
    }

    pub(crate) fn sized(mode: Mode, device: u64, host: u64) -> Self {
        let mut rig = Self::closed(mode, device, host);
        for (process, device) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            rig.call(|space, cx| space.open(cx, process, device, 0)).unwrap();
        }
        rig
    }

    pub(crate) fn closed(mode: Mode, device: u64, host: u64) -> Self {
        Self {
            space: Space::new(2, 2),
            machine: Machine::of(Product::A2, "910B3"),
            mode,
            memory: Memory::new(2, device, host),
            objects: Objects::default(),
            injected: Injected::default(),
            counters: Counters::default(),
            notes: Notes::default(),
        }
    }

    pub(crate) fn inject(&mut self, faults: &[Fault]) {
        let all: Vec<_> = faults.iter().map(|&fault| Injection { fault, loc: None }).collect();
        self.injected = Injected::new(&all);
    }

    /// Makes a call and looks whether everything still adds up.
    pub(crate) fn call<T>(&mut self, call: impl FnOnce(&mut Space, &mut Context<'_>) -> T) -> T {
        self.notes = Notes::default();
        let mut cx = Context {
            machine: &self.machine,
            mode: self.mode,
            memory: &mut self.memory,
            objects: &mut self.objects,
            injected: &mut self.injected,
            counters: &mut self.counters,
            notes: &mut self.notes,
            now: 0,
        };
        let answer = call(&mut self.space, &mut cx);
        self.space.check(&self.memory).unwrap();
        answer
    }

    pub(crate) fn alloc(
        &mut self,
        process: u32,
        request: &AllocRequest<'_>,
    ) -> Result<Made, Refused> {
        self.call(|space, cx| space.alloc(cx, process, request))
    }

    pub(crate) fn dev(&mut self, process: u32, size: u64) -> Made {
        self.alloc(process, &dev(size)).unwrap()
    }

    pub(crate) fn free(&mut self, process: u32, pointer: Pointer) -> Result<Freed, Refused> {
        self.call(|space, cx| space.free(cx, process, Some(pointer)))
    }

    pub(crate) fn reserve(&mut self, process: u32, size: u64) -> Pointer {
        let request = reserve(size);
        self.call(|space, cx| space.reserve(cx, process, &request)).unwrap().pointer
    }

    pub(crate) fn create(&mut self, process: u32, size: u64) -> Created {
        let request = create(size);
        self.call(|space, cx| space.create(cx, process, &request)).unwrap()
    }

    pub(crate) fn map(&mut self, process: u32, pointer: Pointer, size: u64, handle: HandleId) {
        let request = map(pointer, size, handle);
        self.call(|space, cx| space.map(cx, process, &request)).unwrap();
    }

    pub(crate) fn reach(
        &self,
        process: u32,
        pointer: Pointer,
        len: u64,
        who: Who,
        how: How,
    ) -> Reach {
        self.space.reach(process, pointer, len, who, how)
    }

    /// The classes of what is wrong with an access.
    pub(crate) fn wrong(
        &self,
        process: u32,
        pointer: Pointer,
        len: u64,
        who: Who,
        how: How,
    ) -> Vec<Code> {
        self.reach(process, pointer, len, who, how).wrong.iter().map(|r| r.code).collect()
    }

    /// The classes of the remarks of the last call.
    pub(crate) fn remarks(&self) -> Vec<Code> {
        self.notes.remarks.iter().map(|r| r.code).collect()
    }

    pub(crate) fn noted(&self, quirk: Quirk) -> bool {
        self.notes.quirks.contains(&quirk)
    }

    /// The last call is refused with exactly this code in mode `source`, with its class in `spec`.
    #[track_caller]
    pub(crate) fn refuses<T: std::fmt::Debug>(&self, answer: Result<T, Refused>, status: Status) {
        let refused = answer.unwrap_err();
        match self.mode {
            Mode::Spec => assert_eq!(refused.status.class(), status.class(), "{refused}"),
            Mode::Source => assert_eq!(refused.status, status, "{refused}"),
        }
    }
}

/// Runs a test in both modes.
pub(crate) fn both(test: impl Fn(Rig)) {
    for mode in [Mode::Spec, Mode::Source] {
        test(Rig::new(mode));
    }
}

/// Device memory of device 0 in normal pages.
pub(crate) fn dev(size: u64) -> AllocRequest<'static> {
    of_kind(size, AllocKind::Dev)
}

pub(crate) fn of_kind(size: u64, kind: AllocKind) -> AllocRequest<'static> {
    AllocRequest {
        name: Some("x"),
        size,
        device: 0,
        kind,
        pages: PageClass::Normal,
        flags: MemoryFlags::default(),
    }
}

pub(crate) fn reserve(size: u64) -> ReserveRequest<'static> {
    ReserveRequest {
        name: Some("r"),
        size,
        alignment: 0,
        at: None,
        pages: PageClass::Huge,
        shared: false,
    }
}

pub(crate) fn create(size: u64) -> CreateRequest<'static> {
    CreateRequest { name: Some("h"), size, device: Some(0), pages: PageClass::Huge, flag: 0 }
}

pub(crate) fn map(pointer: Pointer, size: u64, handle: HandleId) -> MapRequest {
    MapRequest {
        pointer: Some(pointer),
        size,
        offset: 0,
        handle: Some(handle),
        flag: 0,
        alias: false,
    }
}

#[track_caller]
pub(crate) fn finds<T: std::fmt::Debug>(answer: &Result<T, Refused>, code: Code) {
    assert_eq!(answer.as_ref().unwrap_err().finding, Some(code));
}
