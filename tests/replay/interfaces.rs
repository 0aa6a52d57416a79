//! `docs/INTERFACES.md`: the interfaces that the document names, what stands for them in a trace, and
//! the files that use it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use libtest_mimic::Failed;

use crate::cases::{all, name};
use crate::scenarios::fresh;

/// Interfaces and the lines of a trace that stand for them.
const INTERFACES: [(&str, &str); 27] = [
    ("halMemAgentOpen", "open"),
    ("halMemAlloc", "alloc"),
    ("halMemFree", "free"),
    ("drvMemsetD8", "memset"),
    ("halMemAddressReserve", "reserve"),
    ("halMemAddressFree", "unreserve"),
    ("halMemCreate", "create"),
    ("halMemRelease", "release"),
    ("halMemMap", "map"),
    ("halMemUnmap", "unmap"),
    ("drvMemGetAttribute", "query_attr"),
    ("halMemGetInfo", "query_info"),
    ("halMemcpy", "memcpy"),
    ("halShmemCreateHandle", "ipc_create"),
    ("halShmemDestroyHandle", "ipc_destroy"),
    ("halShmemOpenHandleByDevId", "ipc_open"),
    ("halShmemCloseHandle", "ipc_close"),
    ("halHostRegister", "reg"),
    ("halHostUnregister", "unreg"),
    ("halMemManagedAdvise", "advise"),
    ("halMemManagedPrefetch", "prefetch"),
    ("halMemPoolCreate", "pool_create"),
    ("halMemPoolDestroy", "pool_destroy"),
    ("halMemPoolMalloc (device side)", "pool_alloc"),
    ("halMemPoolFree (device side)", "pool_free"),
    ("halMemPoolSetAttr", "pool_set"),
    ("halMemPoolGetAttr", "pool_get"),
];

/// Files named in a row at most.
const SHOWN: usize = 4;

pub(crate) fn table() -> Result<(), Failed> {
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in all() {
        let text = fs::read_to_string(&path)?;
        for op in text.lines().filter_map(|l| l.strip_prefix("op = \"")?.strip_suffix('"')) {
            let files = uses.entry(op.to_owned()).or_default();
            if files.last() != Some(&name(&path)) {
                files.push(name(&path));
            }
        }
    }
    let mut text = String::from(
        "# Interfaces\n\nThe interfaces that the document names, the lines of a trace that stand for them, and files of\n\
         `tests/files/replay` that have such lines. The two of the device side are what the task of a\n\
         `pool_alloc` or `pool_free` does when its stream comes to it; called by the host (`hal = true`)\n\
         they are refused. Written by `MEMPLAN_BLESS=1 cargo test --test replay`.\n\n\
         | interface | line | files |\n|---|---|---|\n",
    );
    for (interface, op) in INTERFACES {
        let none = Vec::new();
        let files = uses.get(op).unwrap_or(&none);
        if files.is_empty() {
            return Err(format!("no file has a line `{op}`, for {interface}").into());
        }
        let first =
            files.iter().take(SHOWN).map(|f| format!("`{f}`")).collect::<Vec<_>>().join(" ");
        let more = match files.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "| {interface} | `{op}` | {first}{more} |");
    }
    fresh("docs/INTERFACES.md", &text)
}
