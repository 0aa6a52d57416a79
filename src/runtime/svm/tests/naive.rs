//! A second model of all calls, slow and simple: plain lists that are searched from end to end, pages
//! one by one. It shares no code with the first and is told only which addresses the first has chosen.

use std::collections::BTreeMap;

use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{AllocKind, Location, PageClass, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::status::Status;

pub(crate) const PAGE: u64 = 4096;
pub(crate) const HUGE: u64 = 2 << 20;
pub(crate) const DEVICE_BYTES: u64 = 24 << 20;
pub(crate) const HOST_BYTES: u64 = 12 << 20;

/// Whose code, and which finding.
pub(crate) type Bad = (Status, Option<Code>);

/// A call with everything resolved. The first number is the process.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Open(u32, u32, u32),
    Close(u32, u32, bool),
    Alloc { p: u32, size: u64, device: u32, kind: AllocKind, pages: PageClass, ro: bool, acl: bool },
    Free(u32, Pointer),
    Reserve { p: u32, size: u64, at: Option<u64> },
    Unreserve(u32, Pointer),
    Create { p: u32, size: u64, device: Option<u32>, pages: PageClass },
    Release(u32, u32),
    Retain(u32, Pointer),
    Map { p: u32, ptr: Pointer, size: u64, handle: u32, alias: bool },
    Unmap(u32, Pointer),
    SetAccess(u32, Pointer, u64, Location),
    GetAccess(u32, Pointer, Location),
    IpcCreate(u32, Pointer, Option<u64>),
    SetPid(u32, u32, Vec<u32>, bool),
    IpcOpen(u32, u32, u32),
    IpcClose(u32, Pointer),
    IpcDestroy(u32, u32),
    Export(u32, u32),
    ExportAttr(u32, u32, Vec<u32>, bool),
    Import(u32, u32, u32),
    Reg { p: u32, src: Pointer, len: Option<u64>, kind: Register, device: u32, ro: bool },
    Unreg(u32, Pointer, u32),
    DevPtr(u32, Pointer, u32),
    Touch(u32, Pointer, u64, Who),
    Exit(u32),
    Crash(u32),
    Reach(u32, Pointer, u64, Who, How),
}

/// What a call answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Nothing,
    Made(Pointer, Option<ObjectId>, u64),
    Handle(u32, ObjectId, u64),
    Id(u32),
    /// Sorted.
    Gone(Vec<ObjectId>),
    Flag(bool),
    /// Pieces without seams, and sorted classes of what is wrong.
    Reach(Vec<(ObjectId, u64, u64)>, Vec<Code>),
}

pub(crate) struct Proc {
    pub alive: bool,
    pub started: u64,
    pub opens: [u32; 2],
    pub broken: [bool; 2],
    pub asked: bool,
}

pub(crate) struct Thing {
    pub p: u32,
    pub start: Pointer,
    pub len: u64,
    pub usable: u64,
    pub live: bool,
    pub what: What,
    pub regs: Vec<Reg>,
}

#[derive(Clone)]
pub(crate) enum What {
    Block(Block),
    Reserve { side: Option<Bank>, maps: Vec<Mapped> },
    Import { key: usize, device: u32, opens: u32 },
    Window { of: usize, offset: u64, device: u32, for_device: bool, ro: bool },
}

#[derive(Clone)]
pub(crate) struct Block {
    pub object: ObjectId,
    pub kind: AllocKind,
    pub device: u32,
    pub bank: Bank,
    pub page: u64,
    pub held: u64,
    pub ro: bool,
    pub acl: bool,
    /// Pages that are there, by number.
    pub there: BTreeMap<u64, Bank>,
}

#[derive(Clone)]
pub(crate) struct Mapped {
    pub at: u64,
    pub len: u64,
    pub handle: usize,
    pub access: Vec<Bank>,
}

#[derive(Clone)]
pub(crate) struct Reg {
    pub offset: u64,
    pub len: u64,
    pub kind: Register,
    pub device: u32,
    pub ro: bool,
    /// The window, where there is one.
    pub window: Option<usize>,
}

pub(crate) struct Handle {
    pub p: u32,
    pub store: usize,
    pub refs: u32,
    pub maps: u32,
    pub location: Bank,
    pub imported: bool,
    pub exported: bool,
}

pub(crate) struct Store {
    pub object: ObjectId,
    pub home: Bank,
    pub page: u64,
    pub len: u64,
    pub live: bool,
}

pub(crate) struct Key {
    pub creator: u32,
    pub of: usize,
    pub offset: u64,
    pub len: u64,
    pub parts: Vec<(ObjectId, u64, u64)>,
    pub valid: bool,
    pub off: bool,
    pub listed: Vec<(u32, u64)>,
}

pub(crate) struct Share {
    pub handle: usize,
    pub p: u32,
    pub all: bool,
    pub listed: Vec<(u32, u64)>,
}

pub(crate) struct Cached {
    pub p: u32,
    pub bank: Bank,
    pub ro: bool,
    pub page: u64,
    pub start: u64,
    pub len: u64,
}

pub(crate) struct Naive {
    pub source: bool,
    pub peer: bool,
    pub procs: Vec<Proc>,
    pub things: Vec<Thing>,
    pub handles: Vec<Handle>,
    pub stores: Vec<Store>,
    pub keys: Vec<Key>,
    pub shares: Vec<Share>,
    pub cache: Vec<Cached>,
    pub moment: u64,
    pub allocs: u64,
    pub frees: u64,
    pub maps: u64,
    pub remarks: Vec<Code>,
    /// Which try to take memory, and to map, fails; counts down.
    pub fail_take: u64,
    pub fail_map: u64,
}

/// True when the count reaches its end.
pub(crate) fn turn(count: &mut u64) -> bool {
    let last = *count == 1;
    *count = count.saturating_sub(1);
    last
}

pub(crate) fn no<T>(status: Status) -> Result<T, Bad> {
    Err((status, None))
}

pub(crate) fn up(bytes: u64, page: u64) -> u64 {
    bytes.div_ceil(page) * page
}

impl Naive {
    pub(crate) fn new(mode: Mode, peer: bool) -> Self {
        let proc =
            || Proc { alive: true, started: 0, opens: [0; 2], broken: [false; 2], asked: false };
        Self {
            source: mode == Mode::Source,
            peer,
            procs: vec![proc(), proc()],
            things: Vec::new(),
            handles: Vec::new(),
            stores: Vec::new(),
            keys: Vec::new(),
            shares: Vec::new(),
            cache: Vec::new(),
            moment: 0,
            allocs: 0,
            frees: 0,
            maps: 0,
            remarks: Vec::new(),
            fail_take: 0,
            fail_map: 0,
        }
    }

    /// What the kernel refuses.
    pub(crate) fn kernel<T>(&self) -> Result<T, Bad> {
        no(if self.source { Status::ParaError } else { Status::InvalidValue })
    }

    pub(crate) fn has_open(&self, p: u32, device: u32) -> bool {
        let proc = &self.procs[p as usize];
        device < 2 && proc.opens[device as usize] > 0 && !proc.broken[device as usize]
    }

    pub(crate) fn any_open(&self, p: u32) -> bool {
        self.has_open(p, 0) || self.has_open(p, 1)
    }

    /// The thing of a pointer, live or not, for a process.
    pub(crate) fn thing(&self, p: u32, ptr: Pointer) -> Option<usize> {
        self.things.iter().position(|t| {
            self.procs[p as usize].alive
                && t.p == p
                && ptr.process == p
                && t.start.generation == ptr.generation
                && ptr.address >= t.start.address
        })
    }

    pub(crate) fn live(&self, p: u32, ptr: Pointer) -> Option<usize> {
        self.thing(p, ptr).filter(|&at| self.things[at].live)
    }

    /// Bytes of a bank by purpose: allocations, handles, kept.
    pub(crate) fn used(&self, bank: Bank) -> [u64; 3] {
        let mut svm = 0;
        for thing in self.things.iter().filter(|t| t.live) {
            if let What::Block(block) = &thing.what {
                if block.bank == bank {
                    svm += block.held;
                }
                svm += block.page * block.there.values().filter(|&&b| b == bank).count() as u64;
            }
        }
        let vmm = self.stores.iter().filter(|s| s.live && s.home == bank).map(|s| s.len).sum();
        [svm, vmm, self.cached(bank)]
    }

    fn cached(&self, bank: Bank) -> u64 {
        self.cache.iter().filter(|c| c.bank == bank).map(|c| c.len).sum()
    }

    /// Takes memory; the caller makes it count by what it adds to the lists.
    pub(crate) fn take(&mut self, bank: Bank, bytes: u64) -> Result<(), Bad> {
        if turn(&mut self.fail_take) {
            return no(Status::OutOfMemory);
        }
        let (capacity, code) = match bank {
            Bank::Host => (HOST_BYTES, Code::ReplayOomHost),
            Bank::Device(_) => (DEVICE_BYTES, Code::ReplayOomDevice),
        };
        let used: u64 = self.used(bank).iter().sum();
        if used - self.cached(bank) + bytes > capacity {
            return Err((Status::OutOfMemory, Some(code)));
        }
        let mut missing = (used + bytes).saturating_sub(capacity);
        while missing > 0 {
            let at = self.cache.iter().position(|c| c.bank == bank).unwrap();
            missing = missing.saturating_sub(self.cache.remove(at).len);
        }
        self.allocs += 1;
        Ok(())
    }

    /// True when the addresses are in use, or kept.
    pub(crate) fn in_use(&self, p: u32, start: u64, len: u64) -> bool {
        let meets = |s: u64, l: u64| s < start + len && start < s + l;
        self.things.iter().any(|t| t.p == p && t.live && meets(t.start.address, t.len))
            || self.cache.iter().any(|c| c.p == p && meets(c.start, c.len))
    }
}
