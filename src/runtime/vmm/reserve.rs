//! Reserved addresses (5.5): reserve and free.

use crate::diag::Code;
use crate::model::trace::PageClass;
use crate::runtime::context::Context;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Body, Found, GIANT_PAGE, HALF_HEAP, HUGE_PAGE, Range, Reserve, Space, Zone, invalid, not_open,
    round_up,
};

/// What is asked of a reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReserveRequest<'a> {
    /// What the author calls it; `None`: there is nowhere to put the address.
    pub name: Option<&'a str>,
    /// Bytes.
    pub size: u64,
    /// Reserved, 0.
    pub alignment: u64,
    /// The address that is wanted.
    pub at: Option<u64>,
    /// Its pages.
    pub pages: PageClass,
    /// For mappings of other devices or servers; wants an address.
    pub shared: bool,
}

/// Reserved addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The first.
    pub pointer: Pointer,
    /// How many.
    pub len: u64,
}

impl Space {
    /// `halMemAddressReserve`: addresses without memory, a multiple of 2 MiB (1 GiB for giant pages).
    ///
    /// # Errors
    /// `InvalidValue` for nowhere to put the address, no bytes, an alignment, or a wanted address that
    /// is misaligned or outside of the window; `NotSupport` for a shared range without an address;
    /// `OutOfMemory` when the addresses are in use or, in mode `source`, still kept after a free
    /// (Q-ALLOC-2).
    pub fn reserve(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &ReserveRequest<'_>,
    ) -> Result<Reserved, Refused> {
        let this = self.process(process)?;
        let ReserveRequest { size, at, pages, shared, .. } = *request;
        let Some(name) = request.name else {
            return Err(invalid("there is nowhere to put the address"));
        };
        if size == 0 || request.alignment != 0 {
            return Err(invalid("no bytes are asked for, or an alignment is"));
        }
        if !this.has_any_open() {
            return Err(not_open(0));
        }
        if shared && at.is_none() {
            let why = "a shared range wants an address";
            return Err(Refused::new(Status::NotSupport, why));
        }
        let page = if pages == PageClass::Giant { GIANT_PAGE } else { HUGE_PAGE };
        let len = round_up(size, page);
        let start = match at {
            Some(at) => self.reserve_at(cx, process, size, len, at)?,
            None => {
                self.settle(cx);
                let align = if size > HALF_HEAP { GIANT_PAGE } else { page };
                let addresses = &mut self.process_mut(process)?.addresses;
                addresses.take(Zone::Reserve, len, align).ok_or_else(|| {
                    Refused::new(
                        Status::OutOfMemory,
                        format!("no {len} addresses are free in a row"),
                    )
                })?
            }
        };
        self.remember_reuse(process, start, len);
        let range = Range {
            name: name.to_owned(),
            start,
            len,
            usable: len,
            generation: self.new_generation(),
            zone: Zone::Reserve,
            body: Body::Reserve(Reserve::default()),
            keys: Vec::new(),
            registrations: Vec::new(),
        };
        let pointer = range.pointer(process);
        self.process_mut(process)?.add(range);
        Ok(Reserved { pointer, len })
    }

    fn reserve_at(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        size: u64,
        len: u64,
        at: u64,
    ) -> Result<u64, Refused> {
        let align = if size > HALF_HEAP {
            GIANT_PAGE
        } else {
            size.max(HUGE_PAGE).checked_next_power_of_two().unwrap_or(GIANT_PAGE)
        };
        let (first, behind) = Zone::Reserve.bounds();
        let inside = at >= first && at.checked_add(len).is_some_and(|end| end <= behind);
        if !inside || !at.is_multiple_of(align) {
            let why = format!("{at:#x} is no multiple of {align}, or not in the window");
            return Err(invalid(why));
        }
        self.settle(cx);
        let kept = self.is_kept(process, at, len);
        if self.process_mut(process)?.addresses.take_at(Zone::Reserve, at, len) {
            // Only the other mode would have kept them.
            if kept {
                cx.notes.quirk(Quirk::Alloc2);
            }
            return Ok(at);
        }
        if kept && cx.source() {
            cx.notes.quirk(Quirk::Alloc2);
        }
        Err(Refused::new(Status::OutOfMemory, format!("addresses at {at:#x} are in use")))
    }

    /// `halMemAddressFree`. With something still mapped, mode `spec` refuses and mode `source` unmaps
    /// it silently (Q-VMM-1). Answers with the memory that is gone.
    ///
    /// # Errors
    /// `InvalidValue` for NULL and for what is not the start of a reserved range; `Busy` for one that
    /// is registered or, in mode `spec`, mapped.
    pub fn unreserve(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<Vec<Piece>, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let range = match self.find(process, pointer) {
            Found::Live(range) => range,
            Found::Dead(dead) => {
                let why = format!("`{}` was freed before", dead.name);
                return Err(invalid(why).finding(Code::ReplayDoubleFree));
            }
            Found::Unknown => {
                return Err(invalid("nothing is reserved there").finding(Code::ReplayBadFree));
            }
        };
        let Some(reserve) = range.reserve().filter(|_| pointer.address == range.start) else {
            let why = format!("it is not the start of a reserved range but in `{}`", range.name);
            return Err(invalid(why).finding(Code::ReplayBadFree));
        };
        if !range.registrations.is_empty() {
            let why = format!("`{}` is registered", range.name);
            return Err(Refused::new(Status::Busy, why).finding(Code::ReplayRegFree));
        }
        let (start, mapped) = (range.start, reserve.mappings.len());
        let starts: Vec<u64> = reserve.mappings.keys().copied().collect();
        if mapped > 0 {
            cx.notes.quirk(Quirk::Vmm1);
            let why = format!("`{}` still has {mapped} mappings", range.name);
            if !cx.source() {
                return Err(Refused::new(Status::Busy, why).finding(Code::ReplayVmmFreeMapped));
            }
            cx.notes.remark(Code::ReplayVmmFreeMapped, why);
        }
        let mut gone = Vec::new();
        for offset in starts {
            gone.extend(self.drop_mapping(cx, process, start, offset, true).and_then(|u| u.freed));
        }
        self.process_mut(process)?.remove(start, false);
        Ok(gone)
    }
}
