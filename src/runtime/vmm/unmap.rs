//! The end of mappings (5.5).

use super::HandleId;
use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{Found, Range, Space, invalid, invalid_in_kernel};

/// What an unmap has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmapped {
    /// The bytes that were mapped.
    pub piece: Piece,
    /// The handle that they are of.
    pub handle: HandleId,
    /// The memory, when it was the last reference.
    pub freed: Option<Piece>,
}

impl Space {
    /// `halMemUnmap`: the whole mapping that starts at an address.
    ///
    /// # Errors
    /// `InvalidValue` for NULL; an argument error where no mapping starts; `Busy` while it is
    /// registered, or shared with other processes (Q-IPC-1).
    pub fn unmap(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<Unmapped, Refused> {
        self.process(process)?;
        let Some(pointer) = pointer else { return Err(invalid("the address is NULL")) };
        let Found::Live(range) = self.find(process, pointer) else {
            return Err(invalid_in_kernel(cx, "nothing is mapped there"));
        };
        let offset = pointer.address - range.start;
        let Some(mapping) = range.reserve().and_then(|r| r.mappings.get(&offset)) else {
            return Err(invalid_in_kernel(
                cx,
                format!("no mapping starts there in `{}`", range.name),
            ));
        };
        let end = offset.saturating_add(mapping.len);
        let meets = |at: u64, len: u64| at < end && offset < at.saturating_add(len);
        if range.registrations.iter().any(|r| meets(r.offset, r.len)) {
            let why = format!("bytes of `{}` are registered", range.name);
            return Err(Refused::new(Status::Busy, why).finding(Code::ReplayRegFree));
        }
        let shared = range.keys.iter().filter_map(|&key| self.keys.get(key.0 as usize));
        if shared.into_iter().any(|key| meets(key.offset, key.len)) {
            let why = format!("bytes of `{}` are shared with other processes", range.name);
            return Err(Refused::new(Status::Busy, why));
        }
        let start = range.start;
        self.drop_mapping(cx, process, start, offset, true)
            .ok_or_else(|| invalid("nothing is mapped there"))
    }

    /// Ends a mapping and the keys that share bytes of it.
    pub(in crate::runtime) fn drop_mapping(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        start: u64,
        offset: u64,
        orderly: bool,
    ) -> Option<Unmapped> {
        let range = self.processes.get_mut(process as usize)?.ranges.get_mut(&start)?;
        let mapping = range.reserve_mut()?.mappings.remove(&offset)?;
        let end = offset.saturating_add(mapping.len);
        let keys = self.processes.get(process as usize)?.ranges.get(&start).map(|r: &Range| {
            let meets = |key: &crate::runtime::share::Key| {
                key.offset < end && offset < key.offset.saturating_add(key.len)
            };
            let of_mapping = |id: &&crate::runtime::share::KeyId| {
                self.keys.get(id.0 as usize).is_some_and(meets)
            };
            r.keys.iter().filter(of_mapping).copied().collect::<Vec<_>>()
        });
        for key in keys.unwrap_or_default() {
            self.end_key(cx, key, "was unmapped by its owner", orderly);
        }
        let freed = self.drop_refs(cx, mapping.handle, 1, 1);
        let piece = Piece { object: mapping.object, start: 0, len: mapping.len };
        Some(Unmapped { piece, handle: mapping.handle, freed })
    }
}
