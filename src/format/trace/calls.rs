//! The calls of hosts and the tasks of streams (9.2, 13.2).

use super::key::Kind::{
    Bytes, Expect, Label, Location, Locations, Name, Names, Number, Numbers, Pairs, Side, Span,
    Spans, Text, Truth, Val, Word, Words,
};
use super::key::{Key, Row, may, need, row};
use super::words::{
    ADVICES, ALLOCS, ATTRIBUTES, COPIES, FLAGS, INFOS, PAGES, POLICIES, POOL_ATTRIBUTES,
    PRIMITIVES, REGISTERS, SECTIONS, names,
};

/// Keys of every call.
pub const EVERY_CALL: &[Key] = &[
    need("op", Text, "what is done"),
    may("i", Label, "what reports call the line; default: its number"),
    may("at", Text, "where it comes from, for reports"),
    may("th", Name, "who does it: process and thread; default `p0.h0`"),
    may("expect", Expect, "what it answers; default: that it succeeds"),
];

const OUT: Key = may("out", Name, "what later lines call that which is made");
const DEVICE: Key = may("device", Number(32), "the device; default 0");
const P: Key = may("p", Name, "a pointer");
const OFF: Key = may("off", Bytes, "bytes from the pointer");
const LEN: Key = may("len", Bytes, "bytes; default: to the end of what is pointed to");
const VAL: Key = may("val", Val, "the value in the bytes");
const VOFF: Key = may("voff", Bytes, "the byte of the value that lies at `off`");
const SIZE: Key = need("size", Bytes, "bytes");
const HANDLE: Key = may("handle", Name, "the physical memory");
const SHARE: Key = may("key", Name, "the key of the share");
const STREAM: Key = may("stream", Name, "the stream");
const ASYNC: Key = may("stream", Name, "the stream; without one the call is synchronous");
const EVENT: Key = may("ev", Name, "the event").or("event");
const POOL: Key = may("pool", Name, "the pool");
const PAGE: Key = may("pages", Word(|| names(PAGES)), "page size; default `normal`");
const FLAG: Key = may("flag", Number(64), "the flag word; default 0");
const PLACE: Key = may("location", Location, "the place");
const PROCESSES: Key = may("processes", Names, "the processes");
const HAL: Key = may("hal", Truth, "by the HAL, not the runtime");
const RANGE: Key = may("span", Span, "the range, in place of `p`, `off`, `len`");
const CALLED: Key = may("name", Name, "for reports");
const READS: Key = may("r", Spans, "what is read");
const WRITES: Key = may("w", Spans, "what is written");
const MANAGER: Key = need("sections", Name, "the manager of the sections");
const ELEMENT: Key = may("handle", Name, "the handle of an element");
const HOST_POOL: Key = may("pool", Name, "the host memory pool");
const TYPE: Key = need("type", Word(|| names(PRIMITIVES)), "the type of the elements");

/// All calls.
pub const CALLS: &[Row] = &[
    row(
        "open",
        "The process opens a device (5.1).",
        &[DEVICE, may("flag", Number(32), "default 0")],
    ),
    row(
        "close",
        "The process closes a device (5.1).",
        &[DEVICE, may("fails", Truth, "the preparation of the close fails")],
    ),
    row(
        "alloc",
        "`halMemAlloc` (5.2).",
        &[
            OUT,
            SIZE,
            DEVICE,
            may("kind", Word(|| names(ALLOCS)), "default `dev`"),
            PAGE,
            may("flags", Words(|| names(FLAGS)), "other bits of the flag word"),
        ],
    ),
    row("free", "`halMemFree` (5.2).", &[P, OFF]),
    row(
        "memset",
        "`drvMemsetD8` (5.2).",
        &[
            may("dst", Span, "what is written").or("p"),
            OFF,
            may("len", Bytes, "bytes, where `dst` does not say"),
            may("dest_max", Bytes, "the length of the buffer; default: at least `len`"),
            may("value", Number(8), "the byte; default 0"),
            VAL,
            VOFF,
            ASYNC,
        ],
    ),
    row(
        "memcpy",
        "A copy (5.3).",
        &[
            may("dst", Span, "where to"),
            may("src", Span, "where from"),
            may("len", Bytes, "bytes, where `dst` and `src` do not say"),
            may("val", Val, "the value, where `dst` and `src` do not say"),
            may("dest_max", Bytes, "the length of the destination; default: at least `len`"),
            may("kind", Word(|| names(COPIES)), "`buffered`: the source is read when called"),
            ASYNC,
        ],
    ),
    row(
        "memcpy2d",
        "A copy of rows (5.3).",
        &[
            may("dst", Span, "where to"),
            may("src", Span, "where from"),
            need("width", Bytes, "bytes of a row"),
            need("height", Number(64), "rows"),
            need("dst_pitch", Bytes, "from row to row of the destination"),
            need("src_pitch", Bytes, "from row to row of the source"),
        ],
    ),
    row(
        "memcpy_batch",
        "Copies without order among themselves (5.3).",
        &[need("entries", Pairs, "pairs of destination and source"), ASYNC],
    ),
    row("query_attr", "`drvMemGetAttribute` (5.4).", &[P, OFF]),
    row(
        "query_info",
        "`halMemGetInfo` (5.4).",
        &[DEVICE, need("kind", Word(|| names(INFOS)), "what is asked for")],
    ),
    row("address_range", "`halMemGetAddressRange` (5.4).", &[P, OFF]),
    row("pointer_attr", "`aclrtPointerGetAttributes` (5.4).", &[P, OFF]),
    row(
        "reserve",
        "`halMemAddressReserve` (5.5).",
        &[
            OUT,
            SIZE,
            may("alignment", Bytes, "default 0"),
            may("at", Bytes, "the address asked for"),
            PAGE,
            may("shared", Truth, "the address is the same for several devices"),
        ],
    ),
    row("unreserve", "`halMemAddressFree` (5.5).", &[P, OFF]),
    row(
        "create",
        "`halMemCreate` (5.5).",
        &[OUT, SIZE, may("device", Side, "the device, or `\"host\"`; default 0"), PAGE, FLAG],
    ),
    row("release", "`halMemRelease` (5.5).", &[HANDLE]),
    row("retain", "`halMemRetainAllocationHandle` (5.5).", &[OUT, P, OFF]),
    row(
        "map",
        "`halMemMap` (5.5).",
        &[
            P,
            OFF,
            SIZE,
            may("offset", Bytes, "the first byte of the physical memory; default 0"),
            HANDLE,
            FLAG,
            may("alias", Truth, "the memory is mapped elsewhere too, and that is meant"),
        ],
    ),
    row("unmap", "`halMemUnmap` (5.5).", &[P, OFF]),
    row(
        "set_access",
        "`halMemSetAccess` (5.5).",
        &[
            P,
            OFF,
            SIZE,
            need("locations", Locations, "who may").or("location"),
            may("read_write", Truth, "default true; false: less than that is asked for"),
        ],
    ),
    row(
        "get_access",
        "`halMemGetAccess` (5.5).",
        &[P, OFF, need("location", Location, "who is asked about")],
    ),
    row(
        "granularity",
        "The granularity of physical memory (5.5).",
        &[
            may("device", Side, "the device, or `\"host\"`; default 0"),
            PAGE,
            may("minimum", Truth, "default true; false: the recommended one"),
        ],
    ),
    row("export", "A share of physical memory (5.7).", &[OUT, HANDLE]),
    row(
        "export_attr",
        "Who may import a share (5.7).",
        &[SHARE, PROCESSES, may("no_pid_check", Truth, "everybody may")],
    ),
    row("import", "The share of another process (5.7).", &[OUT, SHARE, DEVICE]),
    row(
        "ipc_create",
        "`halShmemCreateHandle` (5.6).",
        &[OUT, P, OFF, LEN, may("name_len", Number(64), "room for the name; default 65")],
    ),
    row(
        "ipc_setpid",
        "`halShmemSetPidHandle` (5.6).",
        &[SHARE, PROCESSES, may("no_whitelist", Truth, "everybody may")],
    ),
    row("ipc_open", "`halShmemOpenHandleByDevId` (5.6).", &[OUT, SHARE, DEVICE]),
    row("ipc_close", "`halShmemCloseHandle` (5.6).", &[P]),
    row("ipc_destroy", "`halShmemDestroyHandle` (5.6).", &[SHARE]),
    row(
        "reg",
        "Memory is registered with the other side (5.8).",
        &[
            OUT,
            may("src", Span, "the range").or("p"),
            OFF,
            may("len", Bytes, "bytes, where `src` does not say"),
            may("kind", Word(|| names(REGISTERS)), "default `host_mem_map_dev`"),
            DEVICE,
            may("read_only", Truth, "default false"),
        ],
    ),
    row("unreg", "And no longer (5.8).", &[P, OFF, DEVICE]),
    row(
        "get_dev_ptr",
        "The address of registered memory on the other side (5.8).",
        &[
            OUT,
            P,
            OFF,
            DEVICE,
            may("capability_asked", Truth, "whether the device can was asked before; default true"),
        ],
    ),
    row(
        "advise",
        "`halMemManagedAdvise` (5.10).",
        &[
            P,
            OFF,
            LEN,
            need(
                "advice",
                Word(|| names(ADVICES)),
                "the advice; a number that none has is an error",
            ),
            PLACE,
        ],
    ),
    row(
        "prefetch",
        "`halMemManagedPrefetch` (5.12).",
        &[
            P,
            OFF,
            LEN,
            need("location", Location, "where to"),
            may("flags", Number(64), "default 0"),
            ASYNC,
        ],
    ),
    row(
        "prefetch_batch",
        "`halMemManagedPrefetchBatch` (5.12).",
        &[
            need("ranges", Spans, "the ranges"),
            need("locations", Locations, "where to"),
            need(
                "index",
                Numbers,
                "`locations[k]` is for the ranges from `index[k]` to `index[k+1]`",
            ),
            may("flags", Number(64), "default 0"),
            ASYNC,
        ],
    ),
    row(
        "range_attr",
        "`halMemManagedRangeGetAttribute` (5.11).",
        &[
            P,
            OFF,
            LEN,
            need("attribute", Word(|| names(ATTRIBUTES)), "what is asked for"),
            may("data_size", Number(64), "bytes for the answer; default 4"),
        ],
    ),
    row("host_read", "The host reads.", &[P, OFF, LEN, VAL, VOFF, RANGE]),
    row("host_write", "The host writes.", &[P, OFF, LEN, VAL, VOFF, RANGE]),
    row("compute", "The host works for a while.", &[need("cost", Number(64), "ticks")]),
    row(
        "pool_create",
        "A pool (5.15).",
        &[
            OUT,
            DEVICE,
            may("max", Bytes, "bytes; default 0: all of the device"),
            may("threshold", Bytes, "bytes that are kept at a synchronisation; default 0"),
            may("reuse", Words(|| names(POLICIES)), "who may reuse; default `[\"single\"]`"),
            may("ipc", Truth, "to be shared between processes"),
            HAL,
        ],
    ),
    row("pool_destroy", "And no longer (5.15).", &[POOL]),
    row(
        "pool_set",
        "An attribute of a pool is set (5.15).",
        &[
            POOL,
            need("attribute", Word(|| names(POOL_ATTRIBUTES)), "which"),
            need("value", Bytes, "to what"),
        ],
    ),
    row(
        "pool_get",
        "An attribute of a pool is asked for (5.15).",
        &[POOL, need("attribute", Word(|| names(POOL_ATTRIBUTES)), "which")],
    ),
    row(
        "pool_alloc",
        "A block of a pool, in the order of a stream (5.15).",
        &[OUT, SIZE, POOL, STREAM, HAL],
    ),
    row(
        "pool_free",
        "A block goes back (5.15).",
        &[P, OFF, may("stream", Name, "the stream; without one the free is synchronous"), HAL],
    ),
    row(
        "pool_trim",
        "A pool gives memory back (5.15).",
        &[POOL, need("keep", Bytes, "bytes that it keeps")],
    ),
    row("stream_create", "A stream (5.16).", &[need("out", Name, "its name").or("stream"), DEVICE]),
    row(
        "stream_destroy",
        "And no longer (5.16).",
        &[STREAM, may("force", Truth, "tasks that have not run are dropped")],
    ),
    row(
        "event_create",
        "An event (5.16).",
        &[
            need("out", Name, "its name").or("ev"),
            DEVICE,
            may("sync", Truth, "made with the flag SYNC: it may be reset"),
            may("external", Truth, "an external event"),
        ],
    ),
    row(
        "event_record",
        "An event stands for what a stream was given so far (5.16).",
        &[EVENT, STREAM],
    ),
    row("event_wait", "Later tasks of a stream wait for an event (5.16).", &[EVENT, STREAM]),
    row("event_reset", "An event is as before its record (5.16).", &[EVENT, STREAM]),
    row("event_query", "Whether an event is complete (5.16).", &[EVENT]),
    row("event_destroy", "An event is no longer (5.16).", &[EVENT]),
    row("ipc_event_export", "An event for other processes (5.16).", &[OUT, EVENT]),
    row("ipc_event_import", "The event of another process (5.16).", &[OUT, SHARE]),
    row(
        "notify_record",
        "A notification is given (5.16).",
        &[need("notify", Name, "its name"), STREAM],
    ),
    row(
        "notify_wait",
        "A notification is awaited (5.16).",
        &[need("notify", Name, "its name"), STREAM],
    ),
    row("stream_sync", "The host waits for a stream (5.16).", &[STREAM]),
    row("event_sync", "The host waits for an event (5.16).", &[EVENT]),
    row("device_sync", "The host waits for a device (5.16).", &[DEVICE]),
    row(
        "value_write",
        "A number is written (5.16).",
        &[
            need("p", Span, "where").or("span"),
            OFF,
            need("value", Number(64), "the number"),
            may("stream", Name, "the stream; without one the host does it"),
        ],
    ),
    row(
        "value_wait",
        "A number is awaited (5.16).",
        &[
            need("p", Span, "where").or("span"),
            OFF,
            need("value", Number(64), "the number"),
            may("stream", Name, "the stream; without one the host does it"),
        ],
    ),
    row(
        "host_func",
        "A function of the host, in the order of a stream (5.16).",
        &[STREAM, READS, WRITES, CALLED],
    ),
    row(
        "kernel",
        "A kernel, in the order of a stream.",
        &[
            STREAM,
            CALLED,
            READS,
            WRITES,
            may("rw", Spans, "what is read and written"),
            may("cost", Number(64), "ticks; default: the machine's"),
            may("body", Name, "the core program that it runs"),
            may("device", Number(32), "the device; default: the stream's"),
        ],
    ),
    row(
        "section_reserve",
        "A JIT linker maps all of its sections at once.",
        &[
            need("sections", Name, "the manager of the sections, made by its first reserve"),
            may("code", Bytes, "bytes of code; default 0"),
            may("code_align", Bytes, "the largest alignment in it; default 1"),
            may("ro", Bytes, "bytes of read-only data; default 0"),
            may("ro_align", Bytes, "the largest alignment in it; default 1"),
            may("rw", Bytes, "bytes of writable data; default 0"),
            may("rw_align", Bytes, "the largest alignment in it; default 1"),
        ],
    ),
    row(
        "section_allocate",
        "Bytes of a section.",
        &[
            OUT,
            MANAGER,
            need("section", Word(|| names(SECTIONS)), "which"),
            SIZE,
            may("align", Bytes, "default 1"),
        ],
    ),
    row(
        "section_finalize",
        "Code may be run and no longer written, read-only data no longer written.",
        &[MANAGER],
    ),
    row("section_destroy", "All sections are unmapped.", &[MANAGER]),
    row(
        "host_pool_create",
        "128 elements of pinned host memory.",
        &[OUT, TYPE, may("device", Number(32), "the device of the executor; default 0")],
    ),
    row(
        "host_pool_acquire",
        "An element is handed out: the one that is free for longest.",
        &[OUT, HOST_POOL, may("count", Number(64), "so many, one after the other; default 1")],
    ),
    row(
        "host_pool_get",
        "The address of an element, as a type.",
        &[OUT, ELEMENT, need("type", Word(|| names(PRIMITIVES)), "as what it is read")],
    ),
    row(
        "host_pool_move",
        "A handle takes over what another holds.",
        &[need("out", Name, "the handle that takes over"), ELEMENT],
    ),
    row("host_pool_release", "A handle ends; its element goes to the back.", &[ELEMENT]),
    row("host_pool_destroy", "The pool goes, with its memory.", &[HOST_POOL]),
    row(
        "fork",
        "A thread of this process starts; it knows what its parent knew.",
        &[need("thread", Name, "its name: `h1`")],
    ),
    row("join", "This thread waits for the end of another.", &[need("thread", Name, "the other")]),
    row("barrier", "Threads wait for each other.", &[need("threads", Names, "all of them")]),
    row("exit", "The process ends.", &[]),
];
