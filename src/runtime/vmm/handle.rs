//! Handles of physical memory (5.5): create, release, retain.

use std::collections::BTreeMap;

use super::ShareId;
use crate::diag::Code;
use crate::model::trace::PageClass;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::objects::{ObjectId, ObjectKind, Piece};
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Found, GIANT_PAGE, HUGE_PAGE, NORMAL_PAGE, Space, invalid, invalid_in_kernel, no_device,
    not_open, round_up, stale,
};

/// A handle of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandleId(pub u32);

/// The physical memory behind handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreId(pub u32);

/// What a process holds of a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// Whose it is.
    pub process: u32,
    /// The memory.
    pub store: StoreId,
    /// References: those of the user and those of mappings. Without one it is gone.
    pub refs: u32,
    /// Those of mappings.
    pub maps: u32,
    /// The side that it is used from.
    pub location: Bank,
    /// True when another process has made the memory.
    pub imported: bool,
    /// The value that it was exported as.
    pub share: Option<ShareId>,
}

/// Physical memory; given back when no process holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub object: ObjectId,
    /// Where it is.
    pub home: Bank,
    /// Bytes of a page.
    pub page: u64,
    /// Bytes.
    pub len: u64,
    /// Handles with references.
    pub holders: u32,
    /// Mappings, by process.
    pub mapped: BTreeMap<u32, u32>,
}

/// What is asked of a new handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreateRequest<'a> {
    /// What the author calls it; `None`: there is nowhere to put the handle.
    pub name: Option<&'a str>,
    /// Bytes.
    pub size: u64,
    /// The device; `None`: the host.
    pub device: Option<u32>,
    /// Its pages.
    pub pages: PageClass,
    /// Reserved, 0.
    pub flag: u64,
}

/// A new handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Created {
    /// The handle.
    pub handle: HandleId,
    /// Its bytes.
    pub object: ObjectId,
    /// How many.
    pub len: u64,
}

impl Handle {
    /// References of the user.
    pub fn user_refs(&self) -> u32 {
        self.refs.saturating_sub(self.maps)
    }
}

impl Space {
    /// `halMemCreate`: physical memory with one reference. Pages of 4 KiB become huge from 2 MiB on
    /// (Q-VMM-4); giant ones round up to 1 GiB.
    ///
    /// # Errors
    /// `InvalidValue` for nowhere to put the handle, no bytes or a flag; `InvalidDevice`,
    /// `InvalidHandle` for a device that does not exist or is not open; an argument error for
    /// bytes that are no multiple of the page; `OutOfMemory`.
    pub fn create(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &CreateRequest<'_>,
    ) -> Result<Created, Refused> {
        let this = self.process(process)?;
        let CreateRequest { size, device, pages, flag, .. } = *request;
        let Some(name) = request.name else {
            return Err(invalid("there is nowhere to put the handle"));
        };
        if size == 0 || flag != 0 {
            return Err(invalid("no bytes are asked for, or a flag is set"));
        }
        let location = match device {
            None if this.has_any_open() => Bank::Host,
            None => return Err(not_open(0)),
            Some(device) if device >= self.devices => return Err(no_device(device)),
            Some(device) if !this.has_open(device) => return Err(not_open(device)),
            Some(device) => Bank::Device(device),
        };
        let normal = pages == PageClass::Normal;
        let multiple = if normal { NORMAL_PAGE } else { HUGE_PAGE };
        if !size.is_multiple_of(multiple) {
            let why = format!("{size} bytes are no multiple of {multiple}");
            return Err(invalid_in_kernel(cx, why));
        }
        let page = match pages {
            PageClass::Normal if size < HUGE_PAGE => NORMAL_PAGE,
            PageClass::Giant => GIANT_PAGE,
            _ => HUGE_PAGE,
        };
        let len = round_up(size, page);
        let asked = this.asked_granularity;
        self.take(cx, location, Purpose::Vmm, len)?;
        if location == Bank::Host && !cx.source() {
            cx.notes.remark(Code::ReplayLint, "the document has handles of device memory only");
        }
        if !asked {
            self.process_mut(process)?.asked_granularity = true;
            cx.notes.remark(Code::ReplayLint, "the granularity was not asked for before");
        }
        let object = cx.objects.make(name, len, ObjectKind::Handle(location));
        let store = StoreId(u32::try_from(self.stores.len()).unwrap_or(u32::MAX));
        self.stores.push(Store {
            name: name.to_owned(),
            object,
            home: location,
            page,
            len,
            holders: 0,
            mapped: BTreeMap::new(),
        });
        let handle = self.hold(process, store, location, false);
        Ok(Created { handle, object, len })
    }

    /// A new handle with one reference.
    pub(super) fn hold(
        &mut self,
        process: u32,
        store: StoreId,
        location: Bank,
        imported: bool,
    ) -> HandleId {
        let id = HandleId(u32::try_from(self.handles.len()).unwrap_or(u32::MAX));
        let handle = Handle { process, store, refs: 1, maps: 0, location, imported, share: None };
        self.handles.push(handle);
        if let Some(store) = self.stores.get_mut(store.0 as usize) {
            store.holders += 1;
        }
        id
    }

    /// `halMemRelease`: gives a reference of the user back. The memory goes with the last reference
    /// of all processes; answers with it then.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, and when the user has no reference left but mappings have (finding: a
    /// double free); `InvalidHandle` for a handle that is gone, or another process's.
    pub fn release(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        handle: Option<HandleId>,
    ) -> Result<Option<Piece>, Refused> {
        self.process(process)?;
        let Some(id) = handle else { return Err(invalid("the handle is NULL")) };
        let handle = self.own_handle(process, id)?;
        if handle.maps != 0 && handle.refs <= handle.maps {
            let why = "released more often than it was created and retained";
            return Err(invalid(why).finding(Code::ReplayDoubleFree));
        }
        Ok(self.drop_refs(cx, id, 1, 0))
    }

    /// `halMemRetainAllocationHandle`: one reference more for what is mapped at an address.
    ///
    /// # Errors
    /// `InvalidValue` for NULL; an argument error where nothing is mapped, and in mode `source` for
    /// an address that is not the start of a mapping (Q-VMM-2).
    pub fn retain(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<HandleId, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let found = match self.find(process, pointer) {
            Found::Live(range) => {
                let offset = pointer.address - range.start;
                let around = range.reserve().and_then(|r| r.around(offset));
                around.map(|(start, mapping)| (start == offset, mapping.handle))
            }
            Found::Dead(_) | Found::Unknown => None,
        };
        let Some((at_start, handle)) = found else {
            return Err(invalid_in_kernel(cx, "nothing is mapped there"));
        };
        if !at_start {
            cx.notes.quirk(Quirk::Vmm2);
            if cx.source() {
                return Err(invalid_in_kernel(cx, "no mapping starts there"));
            }
        }
        if let Some(handle) = self.handles.get_mut(handle.0 as usize) {
            handle.refs = handle.refs.saturating_add(1);
        }
        Ok(handle)
    }

    /// A handle of this process that has references.
    pub(super) fn own_handle(&self, process: u32, id: HandleId) -> Result<Handle, Refused> {
        match self.handles.get(id.0 as usize) {
            Some(handle) if handle.process != process => Err(Refused::new(
                Status::InvalidHandle,
                format!("the handle is one of process {}", handle.process),
            )),
            Some(handle) if handle.refs > 0 => Ok(*handle),
            _ => Err(stale("the handle")),
        }
    }

    /// A handle that the user still has a reference of.
    pub(super) fn usable_handle(&self, process: u32, id: HandleId) -> Result<Handle, Refused> {
        let handle = self.own_handle(process, id)?;
        if handle.user_refs() == 0 { Err(stale("the handle")) } else { Ok(handle) }
    }

    /// Drops references, `maps` of them of mappings; answers with the memory when it goes.
    pub(in crate::runtime) fn drop_refs(
        &mut self,
        cx: &mut Context<'_>,
        id: HandleId,
        refs: u32,
        maps: u32,
    ) -> Option<Piece> {
        let handle = self.handles.get_mut(id.0 as usize).filter(|h| h.refs > 0)?;
        handle.refs = handle.refs.saturating_sub(refs);
        handle.maps = handle.maps.saturating_sub(maps);
        let (process, store, gone) = (handle.process, handle.store, handle.refs == 0);
        let store = self.stores.get_mut(store.0 as usize)?;
        if maps > 0
            && let Some(mapped) = store.mapped.get_mut(&process)
        {
            *mapped = mapped.saturating_sub(maps);
        }
        if !gone {
            return None;
        }
        store.holders = store.holders.saturating_sub(1);
        if store.holders > 0 {
            return None;
        }
        let piece = Piece { object: store.object, start: 0, len: store.len };
        let (home, len) = (store.home, store.len);
        self.give(cx, home, Purpose::Vmm, len);
        Some(piece)
    }

    /// The side that a handle is used from.
    pub(in crate::runtime) fn handle_location(&self, id: HandleId) -> Option<Bank> {
        self.handles.get(id.0 as usize).map(|h| h.location)
    }

    /// References of a handle: all, and those of mappings.
    pub fn handle_refs(&self, id: HandleId) -> (u32, u32) {
        self.handles.get(id.0 as usize).map_or((0, 0), |h| (h.refs, h.maps))
    }
}
