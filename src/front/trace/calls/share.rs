//! Memory that others see: shares between processes, registrations (5.6 to 5.8).

use super::super::line::{Found, Line};
use super::super::reader::Space;
use crate::format::trace::words::REGISTERS;
use crate::model::trace::{Call, Register};

/// Room for the name of a share that `halShmemCreateHandle` asks for.
const NAME_LEN: u64 = 65;

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let key = |line: &mut Line<'_, '_>| line.name("key", Space::Key);
    Some(match line.row.name {
        "export" => Call::Export {
            handle: line.name("handle", Space::Handle),
            out: line.out("out", Space::Key),
        },
        "export_attr" => Call::ExportAttr {
            key: key(line),
            processes: line.names("processes"),
            no_pid_check: line.truth("no_pid_check", false),
        },
        "import" => Call::Import {
            key: key(line),
            device: line.small("device"),
            out: line.out("out", Space::Handle),
        },
        "ipc_create" => {
            let (p, off) = line.place();
            Call::IpcCreate {
                out: line.out("out", Space::Key),
                p,
                off,
                len: line.maybe_bytes("len"),
                name_len: line.maybe_number("name_len").unwrap_or(NAME_LEN),
            }
        }
        "ipc_setpid" => Call::IpcSetpid {
            key: key(line),
            processes: line.names("processes"),
            no_whitelist: line.truth("no_whitelist", false),
        },
        "ipc_open" => Call::IpcOpen {
            key: key(line),
            device: line.small("device"),
            out: line.out("out", Space::Pointer),
        },
        "ipc_close" => Call::IpcClose { p: line.name("p", Space::Pointer) },
        "ipc_destroy" => Call::IpcDestroy { key: key(line) },
        "reg" => Call::Reg {
            src: line.wide_span("src"),
            kind: match line.word("kind", REGISTERS) {
                None => Register::HostMemMapDev,
                Some(Found::Known(kind)) => kind,
                Some(Found::Number(n)) => Register::Unknown(n),
            },
            device: line.small("device"),
            read_only: line.truth("read_only", false),
            out: line.out("out", Space::Pointer),
        },
        "unreg" => {
            let (p, off) = line.place();
            Call::Unreg { p, off, device: line.small("device") }
        }
        "get_dev_ptr" => {
            let (p, off) = line.place();
            Call::GetDevPtr {
                out: line.out("out", Space::Pointer),
                p,
                off,
                device: line.small("device"),
                capability_asked: line.truth("capability_asked", true),
            }
        }
        _ => return None,
    })
}
