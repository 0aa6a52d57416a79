//! Mappings (5.5).

use std::collections::BTreeSet;

use super::{Handle, HandleId};
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Errno, Refused, Status};
use crate::runtime::svm::{
    Found, HUGE_PAGE, Mapping, Range, Reserve, Space, Zone, invalid, invalid_in_kernel,
};

/// What is asked of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRequest {
    /// Where, in a reserved range.
    pub pointer: Option<Pointer>,
    /// Bytes.
    pub size: u64,
    /// Reserved, 0.
    pub offset: u64,
    /// What.
    pub handle: Option<HandleId>,
    /// Reserved, 0.
    pub flag: u64,
    /// True when the author knows that the handle is mapped elsewhere too.
    pub alias: bool,
}

/// What the checks have found.
struct Target {
    start: u64,
    offset: u64,
    object: ObjectId,
    page: u64,
    len: u64,
}

impl Space {
    /// `halMemMap`: the first bytes of a handle appear in a reserved range, for the side that the
    /// handle is of. The first map binds the whole range to that side (Q-VMM-3). Answers with the
    /// bytes that are mapped.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, no bytes, an offset or a flag; `RepeatedUserd` where a mapping starts
    /// already; an argument error for addresses that are not reserved, not aligned, too many for the
    /// range or the handle, or bound to another side; `IoctlFail` where something is mapped;
    /// `NotSupport` in managed memory;
    /// `OutOfMemory` when the trace makes it fail. Mode `spec` wants the size of the whole handle
    /// (Q-VMM-6).
    pub fn map(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &MapRequest,
    ) -> Result<Piece, Refused> {
        self.process(process)?;
        let MapRequest { size, alias, .. } = *request;
        let (Some(pointer), Some(id)) = (request.pointer, request.handle) else {
            return Err(invalid("the address or the handle is NULL"));
        };
        if size == 0 || request.offset != 0 || request.flag != 0 {
            return Err(invalid("no bytes are to be mapped, or an offset or a flag is set"));
        }
        let handle = self.usable_handle(process, id)?;
        let target = self.map_target(cx, process, pointer, size, handle)?;
        if cx.injected.map_fails() {
            return Err(Refused::new(Status::OutOfMemory, "the trace makes this mapping fail"));
        }
        if let Some(handle) = self.handles.get_mut(id.0 as usize) {
            handle.refs = handle.refs.saturating_add(1);
            handle.maps = handle.maps.saturating_add(1);
        }
        let mut aliases = false;
        if let Some(store) = self.stores.get_mut(handle.store.0 as usize) {
            let mapped = store.mapped.entry(process).or_insert(0);
            aliases = *mapped > 0;
            *mapped = mapped.saturating_add(1);
            if aliases && !alias {
                let why = format!("`{}` is mapped at another address too", store.name);
                cx.notes.remark(Code::ReplayVmmAlias, why);
            }
        }
        if alias && !aliases {
            cx.notes.remark(Code::ReplayLint, "an alias is announced that is none");
        }
        let Target { start, offset, object, .. } = target;
        let mapping =
            Mapping { len: size, handle: id, object, access: BTreeSet::from([handle.location]) };
        let range = self.process_mut(process)?.ranges.get_mut(&start);
        if let Some(reserve) = range.and_then(Range::reserve_mut) {
            reserve.side = Some(handle.location);
            reserve.mappings.insert(offset, mapping);
        }
        cx.counters.maps += 1;
        Ok(Piece { object, start: 0, len: size })
    }

    fn map_target(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Pointer,
        size: u64,
        handle: Handle,
    ) -> Result<Target, Refused> {
        if Zone::Uvm.contains(pointer.address) {
            let why = "nothing is mapped into managed memory";
            return Err(Refused::new(Status::NotSupport, why));
        }
        let Found::Live(range) = self.find(process, pointer) else {
            return Err(invalid_in_kernel(cx, "nothing is reserved there"));
        };
        let Some(reserve) = range.reserve() else {
            return Err(invalid_in_kernel(cx, format!("`{}` is not reserved", range.name)));
        };
        let offset = pointer.address - range.start;
        if reserve.mappings.contains_key(&offset) {
            let why = "a mapping starts there already";
            return Err(Refused::new(Status::RepeatedUserd, why));
        }
        let Some(store) = self.stores.get(handle.store.0 as usize) else {
            return Err(invalid("the handle has no memory"));
        };
        let target = Target {
            start: range.start,
            offset,
            object: store.object,
            page: store.page.min(HUGE_PAGE),
            len: store.len,
        };
        let end = offset.checked_add(size).filter(|&end| end <= range.len);
        let aligned = pointer.address.is_multiple_of(HUGE_PAGE) && size.is_multiple_of(target.page);
        let Some(end) = end.filter(|_| aligned && size <= target.len) else {
            let why = format!(
                "{size} bytes at byte {offset} of `{}` are not aligned, or more than the range or \
                 the handle has",
                range.name
            );
            return Err(invalid_in_kernel(cx, why));
        };
        if size != target.len {
            cx.notes.quirk(Quirk::Vmm6);
            if !cx.source() {
                let why = format!("{size} bytes of a handle of {} are to be mapped", target.len);
                return Err(invalid(why));
            }
        }
        one_side(cx, reserve, handle.location)?;
        if reserve.within(offset, end).next().is_some() {
            let why = "something is mapped there already";
            return Err(Refused { why: why.to_owned(), ..Refused::from(Errno::Eaddrinuse) });
        }
        Ok(target)
    }
}

/// A range is for one side, also after everything was unmapped (Q-VMM-3).
fn one_side(cx: &mut Context<'_>, reserve: &Reserve, location: Bank) -> Result<(), Refused> {
    if reserve.side.is_none_or(|side| side == location) {
        return Ok(());
    }
    if reserve.mappings.is_empty() {
        cx.notes.remark(
            Code::ReplayLint,
            "a range stays bound to the side of its first map, even when nothing is mapped",
        );
    }
    Err(invalid_in_kernel(cx, "the range is bound to another side"))
}
