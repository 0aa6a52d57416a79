//! Allocations (5.2).

use super::Space;
use super::cache::{Class, Kept};
use super::pages::Pages;
use super::range::{Block, Body, Range};
use super::zones::{GIANT_PAGE, HALF_HEAP, HUGE_PAGE, NORMAL_PAGE, Zone, round_up};
use crate::model::machine::Product;
use crate::model::trace::{AllocKind, MemoryFlags, PageClass};
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::{ObjectId, ObjectKind};
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};

/// What is asked of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocRequest<'a> {
    /// What the author calls it; `None`: there is nowhere to put the address.
    pub name: Option<&'a str>,
    /// Bytes.
    pub size: u64,
    /// The device; 64 is the host, for host memory.
    pub device: u32,
    /// Its kind; `Uvm` is not made here.
    pub kind: AllocKind,
    /// Its pages.
    pub pages: PageClass,
    /// Its flags.
    pub flags: MemoryFlags,
}

/// What an allocation has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its address.
    pub pointer: Pointer,
    /// Its bytes.
    pub object: ObjectId,
    /// How many may be used.
    pub len: u64,
}

/// One way to serve a request.
#[derive(Clone, Copy)]
struct Attempt {
    page: u64,
    len: u64,
    zone: Zone,
    bank: Bank,
    /// Physical bytes that it takes now.
    held: u64,
}

impl Space {
    /// Allocates. Every allocation is a fresh object with undefined bytes (13.4). Sizes are rounded
    /// up to pages; only the bytes asked for may be used.
    ///
    /// # Errors
    /// Those of 5.2 in the order given there; `NotSupport` for kind `Uvm`.
    pub fn alloc(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &AllocRequest<'_>,
    ) -> Result<Made, Refused> {
        self.alloc_check(cx, process, request)?;
        if request.kind == AllocKind::Uvm {
            return Err(Refused::new(Status::NotSupport, "managed memory is made elsewhere"));
        }
        self.settle(cx);
        let pages: &[u64] = match (request.kind, request.pages) {
            (AllocKind::User, _) | (_, PageClass::Normal) => &[NORMAL_PAGE],
            (_, PageClass::HugeFirst) => &[HUGE_PAGE, NORMAL_PAGE],
            (_, PageClass::Huge) => &[HUGE_PAGE],
            (_, PageClass::Giant) => &[GIANT_PAGE],
        };
        let mut failed = Refused::new(Status::OutOfMemory, "there is no page size to try");
        for &page in pages {
            let attempt = attempt(cx, request, page);
            match self.place(cx, process, request, attempt) {
                Ok(start) => return self.finish(cx, process, request, attempt, start),
                Err(refused) => failed = refused,
            }
        }
        Err(failed)
    }

    /// Finds addresses and pages.
    fn place(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &AllocRequest<'_>,
        attempt: Attempt,
    ) -> Result<u64, Refused> {
        let Attempt { page, len, zone, bank, held } = attempt;
        if cx.source() && request.kind == AllocKind::Dev {
            let class = Class::of(request.flags, page);
            let wanted = Kept { process, bank, class, start: 0, len, page, zone };
            if let Some(start) = self.reuse(cx, &wanted) {
                return Ok(start);
            }
        }
        let align = if request.size > HALF_HEAP { GIANT_PAGE } else { page };
        let addresses = &mut self.process_mut(process)?.addresses;
        let start = addresses.take(zone, len, align).ok_or_else(|| {
            Refused::new(Status::OutOfMemory, format!("no {len} addresses are free in a row"))
        })?;
        if held > 0 {
            let taken = self.take(cx, bank, Purpose::Svm, held);
            if let Err(refused) = taken {
                self.process_mut(process)?.addresses.give(zone, start);
                return Err(refused);
            }
        }
        Ok(start)
    }

    fn finish(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &AllocRequest<'_>,
        attempt: Attempt,
        start: u64,
    ) -> Result<Made, Refused> {
        let Attempt { page, len, zone, bank, held } = attempt;
        let name = request.name.unwrap_or_default().to_owned();
        let what = match request.kind {
            AllocKind::User => ObjectKind::User,
            _ => ObjectKind::Allocation(bank),
        };
        let object = cx.objects.make(name.clone(), request.size, what);
        let block = Block {
            object,
            kind: request.kind,
            device: request.device,
            bank,
            page,
            held,
            flags: request.flags,
            peers: request.flags.p2p || cx.machine.capabilities.peer,
            pages: Pages::default(),
        };
        let range = Range {
            name,
            start,
            len,
            usable: request.size,
            generation: self.new_generation(),
            zone,
            body: Body::Block(block),
            keys: Vec::new(),
            registrations: Vec::new(),
        };
        let pointer = range.pointer(process);
        self.remember_reuse(process, start, len);
        self.process_mut(process)?.add(range);
        Ok(Made { pointer, object, len: request.size })
    }
}

/// How a request is served with pages of one size.
fn attempt(cx: &Context<'_>, request: &AllocRequest<'_>, page: u64) -> Attempt {
    let AllocRequest { size, device, kind, flags, .. } = *request;
    // `aclrtMalloc` keeps 32 bytes behind the memory (2.1).
    let padded = matches!(cx.machine.product, Product::A2 | Product::A3) && page != GIANT_PAGE;
    let bytes = if flags.acl && padded { round_up(size, 32).saturating_add(32) } else { size };
    let len = round_up(bytes, page);
    let (zone, bank) = match kind {
        AllocKind::User => (Zone::User, Bank::Host),
        AllocKind::Host => (Zone::HostPin, Bank::Host),
        AllocKind::HostUva => (Zone::Svm, Bank::Host),
        AllocKind::Svm | AllocKind::Dev | AllocKind::Dvpp | AllocKind::Uvm => {
            let zone = if page == HUGE_PAGE { Zone::SvmHuge } else { Zone::Svm };
            (zone, Bank::Device(device))
        }
    };
    let held = if kind == AllocKind::Svm { 0 } else { len };
    Attempt { page, len, zone, bank, held }
}
