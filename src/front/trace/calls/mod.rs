//! Lines of calls become [`Call`]s: a file for each part of the interface.

mod host;
mod managed;
mod memory;
mod pools;
mod share;
mod streams;
mod virtual_memory;

use super::line::Line;
use super::reader::Space;
use crate::model::trace::{Call, Sym};

/// A pointer and the bytes from it.
type Place = (Option<Sym>, u64);

/// The call of a line; none where its row is not here, or after an error.
pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let family = match line.row.name {
        "open" | "close" | "alloc" | "free" | "memset" | "memcpy" | "memcpy2d" | "memcpy_batch"
        | "query_attr" | "query_info" | "address_range" | "pointer_attr" | "host_read"
        | "host_write" | "compute" => memory::call,
        "reserve" | "unreserve" | "create" | "release" | "retain" | "map" | "unmap"
        | "set_access" | "get_access" | "granularity" => virtual_memory::call,
        "export" | "export_attr" | "import" | "ipc_create" | "ipc_setpid" | "ipc_open"
        | "ipc_close" | "ipc_destroy" | "reg" | "unreg" | "get_dev_ptr" => share::call,
        "advise" | "prefetch" | "prefetch_batch" | "range_attr" => managed::call,
        name if name.starts_with("pool_") => pools::call,
        name if name.starts_with("section_") || name.starts_with("host_pool_") => host::call,
        _ => streams::call,
    };
    family(line)
}

impl Line<'_, '_> {
    /// `p` and `off`.
    fn place(&mut self) -> Place {
        let p = self.name("p", Space::Pointer);
        (p, self.bytes("off"))
    }

    fn stream(&mut self) -> Option<Sym> {
        self.name("stream", Space::Stream)
    }
}
