//! The owner's side of shared device memory (5.6): create, whitelist, destroy.

use std::collections::{BTreeMap, BTreeSet};

use super::{Key, KeyId};
use crate::diag::Code;
use crate::model::machine::Product;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::Pointer;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Body, Found, HUGE_PAGE, NORMAL_PAGE, Range, Space, Zone, invalid, invalid_in_kernel, round_up,
    stale,
};

/// What is asked of a new name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcRequest<'a> {
    /// What the author calls it; `None`: there is no buffer for it.
    pub name: Option<&'a str>,
    /// Bytes of that buffer.
    pub name_len: u64,
    /// The memory.
    pub pointer: Option<Pointer>,
    /// Bytes; `None`: all that follow.
    pub len: Option<u64>,
}

/// Bytes of a buffer for a name, at least.
const NAME_BYTES: u64 = 65;
/// Processes in one call.
const MAX_PIDS: usize = 31;
/// Names in all.
const MAX_KEYS: usize = 480_000;

impl Space {
    /// `halShmemCreateHandle`: a name for device memory, known to nobody else yet.
    ///
    /// # Errors
    /// `InvalidValue` for no buffer, or one that is too small; an argument error for memory that is
    /// not whole pages of a device, present, writable, of this process, and shared once at most. In
    /// mode `spec` also for mapped memory, which in mode `source` cannot be unmapped while it is
    /// shared (Q-IPC-1). `NotSupport` for managed memory.
    pub fn ipc_create(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &IpcRequest<'_>,
    ) -> Result<KeyId, Refused> {
        self.process(process)?;
        let Some(name) = request.name.filter(|_| request.name_len >= NAME_BYTES) else {
            return Err(invalid(format!("the name needs a buffer of {NAME_BYTES} bytes")));
        };
        let Some(pointer) = request.pointer else { return Err(invalid("the address is NULL")) };
        if request.len == Some(0) {
            return Err(invalid("no bytes are to be shared"));
        }
        if Zone::Uvm.contains(pointer.address) || Zone::Soma.contains(pointer.address) {
            return Err(Refused::new(Status::NotSupport, "only device memory is shared by name"));
        }
        let Found::Live(range) = self.find(process, pointer) else {
            return Err(invalid_in_kernel(cx, "nothing is allocated there"));
        };
        let offset = pointer.address - range.start;
        let len = request.len.unwrap_or(range.usable.saturating_sub(offset));
        let end = offset.saturating_add(len);
        if len == 0 || !pointer.address.is_multiple_of(NORMAL_PAGE) || end > range.usable {
            return Err(invalid_in_kernel(cx, format!("no whole pages of `{}`", range.name)));
        }
        let taken = |id: &KeyId| {
            let key = self.keys.get(id.0 as usize);
            key.is_some_and(|k| k.offset < end && offset < k.offset.saturating_add(k.len))
        };
        if range.keys.iter().any(taken) {
            return Err(invalid_in_kernel(cx, format!("`{}` is shared already", range.name)));
        }
        let (home, pieces) = shareable(cx, range, offset, end)?;
        let home = match home {
            Some(home) => home,
            None => self.mapped_home(cx, range, offset)?,
        };
        if self.keys.len() >= MAX_KEYS {
            return Err(Refused::new(Status::NoResources, "there are too many names"));
        }
        let (id, generation) =
            (KeyId(u32::try_from(self.keys.len()).unwrap_or(u32::MAX)), range.generation);
        self.keys.push(Key {
            name: name.to_owned(),
            creator: process,
            generation,
            offset,
            len,
            pieces,
            home,
            valid: true,
            no_whitelist: false,
            listed: false,
            whitelist: BTreeMap::new(),
            openers: BTreeSet::new(),
        });
        if let Some(range) = self.process_mut(process)?.range_mut(generation) {
            range.keys.push(id);
        }
        Ok(id)
    }

    /// The device of mapped memory.
    fn mapped_home(
        &self,
        cx: &mut Context<'_>,
        range: &Range,
        offset: u64,
    ) -> Result<Bank, Refused> {
        let mapping = range.reserve().and_then(|r| r.around(offset));
        let handle = mapping.and_then(|(_, m)| self.handles.get(m.handle.0 as usize));
        let device = handle.filter(|h| !h.imported && h.location != Bank::Host);
        let Some(location) = device.map(|h| h.location) else {
            return Err(invalid_in_kernel(
                cx,
                "the mapped memory is not a device's of this process",
            ));
        };
        cx.notes.quirk(Quirk::Ipc1);
        if cx.source() {
            Ok(location)
        } else {
            Err(invalid("mapped memory is shared by its handle, not by name"))
        }
    }

    /// `halShmemSetPidHandle`, and `SetAttribute(NO_WLIST)` when `no_whitelist`. Its own process is
    /// skipped. Processes that start later are not meant, even with the same number.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, fewer than 1 or more than 31 processes, or none but the own one;
    /// `InvalidHandle` for a name that is gone; `OperNotPermitted` for another process's name, a
    /// whitelist after it was switched off, and switching it off after it was written; `OverLimit`.
    pub fn ipc_setpid(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        key: Option<KeyId>,
        processes: &[u32],
        no_whitelist: bool,
    ) -> Result<(), Refused> {
        self.process(process)?;
        let Some(id) = key else { return Err(invalid("the name is NULL")) };
        let known = self.processes.len();
        self.moment += 1;
        let moment = self.moment;
        let limit = if cx.machine.product == Product::P950 { 65_535 } else { 32_768 };
        let Some(key) = self.keys.get_mut(id.0 as usize).filter(|key| key.valid) else {
            return Err(stale("the name"));
        };
        let forbidden = |why: &str| Err(Refused::new(Status::OperNotPermitted, why));
        if key.creator != process {
            let why = "only its creator says who may open a name";
            return Err(Refused::new(Status::OperNotPermitted, why).finding(Code::ReplayIpcPerm));
        }
        if no_whitelist {
            if key.listed {
                return forbidden("the whitelist was written before");
            }
            key.no_whitelist = true;
            return Ok(());
        }
        if !(1..=MAX_PIDS).contains(&processes.len()) {
            return Err(invalid(format!("{} processes are named", processes.len())));
        }
        if key.no_whitelist {
            return forbidden("the whitelist is switched off");
        }
        let others: Vec<u32> = processes.iter().copied().filter(|&p| p != process).collect();
        if others.is_empty() || others.iter().any(|&p| p as usize >= known) {
            return Err(invalid("no other process is named, or one that does not exist"));
        }
        if key.whitelist.len().saturating_add(others.len()) > limit {
            return Err(Refused::new(Status::OverLimit, "the whitelist is full"));
        }
        key.listed = true;
        key.whitelist.extend(others.into_iter().map(|p| (p, moment)));
        Ok(())
    }

    /// `halShmemDestroyHandle`. Whoever has it open loses the memory (Q-IPC-3).
    ///
    /// # Errors
    /// `InvalidValue` for NULL, `IoctlFail` for another process's name, `InvalidHandle` for one that
    /// was destroyed.
    pub fn ipc_destroy(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        key: Option<KeyId>,
    ) -> Result<(), Refused> {
        self.process(process)?;
        let Some(id) = key else { return Err(invalid("the name is NULL")) };
        let Some(key) = self.keys.get(id.0 as usize) else {
            return Err(invalid_in_kernel(cx, "there is no such name"));
        };
        if key.creator != process {
            let why = "only its creator destroys a name";
            return Err(Refused::new(Status::IoctlFail, why).finding(Code::ReplayIpcPerm));
        }
        if !key.valid {
            return Err(stale("the name"));
        }
        self.end_key(cx, id, "was destroyed by its owner", true);
        Ok(())
    }
}

/// The bytes to share, and their home where the range alone says it.
fn shareable(
    cx: &mut Context<'_>,
    range: &Range,
    offset: u64,
    end: u64,
) -> Result<(Option<Bank>, Vec<Piece>), Refused> {
    let name = &range.name;
    match &range.body {
        Body::Block(block) => {
            let device_memory = matches!(block.kind, AllocKind::Dev | AllocKind::Dvpp);
            if !device_memory || block.flags.read_only || block.flags.host_rw_dev_ro {
                let why = format!("`{name}` is not memory of a device that can be written");
                return Err(invalid_in_kernel(cx, why));
            }
            if block.flags.acl && round_up(range.usable, NORMAL_PAGE) < HUGE_PAGE {
                cx.notes.remark(
                    Code::ReplayLint,
                    "a small allocation may be a part of a larger block, which is not shared",
                );
            }
            let piece = Piece { object: block.object, start: offset, len: end - offset };
            Ok((Some(block.bank), vec![piece]))
        }
        Body::Reserve(reserve) => {
            let mut pieces = Vec::new();
            let mut at = offset;
            for (first, mapping) in reserve.within(offset, end) {
                let (from, to) = (first.max(at), first.saturating_add(mapping.len).min(end));
                if first <= at && from < to {
                    let start = from - first;
                    pieces.push(Piece { object: mapping.object, start, len: to - from });
                    at = to;
                }
            }
            if at < end {
                return Err(invalid_in_kernel(cx, format!("`{name}` is not mapped throughout")));
            }
            Ok((None, pieces))
        }
        Body::Import(_) | Body::Window(_) => {
            Err(invalid_in_kernel(cx, format!("`{name}` is not memory of its own")))
        }
    }
}
