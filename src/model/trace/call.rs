//! The calls: every operation of 9.2 and 13.2, by the names of the trace language.

use super::{
    Advice, AllocKind, Attribute, CopyKind, InfoKind, Location, MemoryFlags, PageClass,
    PoolAttribute, Primitive, Register, ReusePolicy, Section, SectionSize, Span, Sym, Val,
};

/// A call or event. Names ending in `out` are bound to what the call makes. `None` for a pointer
/// or name means NULL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the keys of the trace language, explained in docs/FORMATS.md")]
pub enum Call {
    // 5.1
    Open {
        device: u32,
        flag: u32,
    },
    Close {
        device: u32,
        fails: bool,
    },
    // 5.2
    Alloc {
        out: Option<Sym>,
        size: u64,
        device: u32,
        kind: AllocKind,
        pages: PageClass,
        flags: MemoryFlags,
    },
    Free {
        p: Option<Sym>,
        off: u64,
    },
    /// With a stream: asynchronous.
    Memset {
        dst: Option<Span>,
        dest_max: Option<u64>,
        value: u8,
        stream: Option<Sym>,
        val: Option<Val>,
    },
    // 5.3; with a stream: asynchronous
    Memcpy {
        dst: Option<Span>,
        src: Option<Span>,
        dest_max: Option<u64>,
        kind: CopyKind,
        stream: Option<Sym>,
    },
    /// `height` rows of `width` bytes; rows are `dst_pitch` and `src_pitch` apart.
    Memcpy2d {
        dst: Option<Span>,
        src: Option<Span>,
        width: u64,
        height: u64,
        dst_pitch: u64,
        src_pitch: u64,
    },
    MemcpyBatch {
        entries: Vec<(Span, Span)>,
        stream: Option<Sym>,
    },
    // 5.4
    QueryAttr {
        p: Option<Sym>,
        off: u64,
    },
    QueryInfo {
        device: u32,
        kind: InfoKind,
    },
    AddressRange {
        p: Option<Sym>,
        off: u64,
    },
    PointerAttr {
        p: Option<Sym>,
        off: u64,
    },
    // 5.5
    Reserve {
        out: Option<Sym>,
        size: u64,
        alignment: u64,
        at: Option<u64>,
        pages: PageClass,
        shared: bool,
    },
    Unreserve {
        p: Option<Sym>,
        off: u64,
    },
    Create {
        out: Option<Sym>,
        size: u64,
        device: Option<u32>,
        pages: PageClass,
        flag: u64,
    },
    Release {
        handle: Option<Sym>,
    },
    Retain {
        out: Option<Sym>,
        p: Option<Sym>,
        off: u64,
    },
    Map {
        p: Option<Sym>,
        off: u64,
        size: u64,
        offset: u64,
        handle: Option<Sym>,
        flag: u64,
        alias: bool,
    },
    Unmap {
        p: Option<Sym>,
        off: u64,
    },
    SetAccess {
        p: Option<Sym>,
        off: u64,
        size: u64,
        locations: Vec<Location>,
        read_write: bool,
    },
    GetAccess {
        p: Option<Sym>,
        off: u64,
        location: Location,
    },
    Granularity {
        device: Option<u32>,
        pages: PageClass,
        minimum: bool,
    },
    // 5.7
    Export {
        out: Option<Sym>,
        handle: Option<Sym>,
    },
    /// Whitelists processes, or switches the whitelist off.
    ExportAttr {
        key: Option<Sym>,
        processes: Vec<Sym>,
        no_pid_check: bool,
    },
    Import {
        out: Option<Sym>,
        key: Option<Sym>,
        device: u32,
    },
    // 5.6
    IpcCreate {
        out: Option<Sym>,
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
        name_len: u64,
    },
    IpcSetpid {
        key: Option<Sym>,
        processes: Vec<Sym>,
        no_whitelist: bool,
    },
    IpcOpen {
        out: Option<Sym>,
        key: Option<Sym>,
        device: u32,
    },
    IpcClose {
        p: Option<Sym>,
    },
    IpcDestroy {
        key: Option<Sym>,
    },
    // 5.8
    Reg {
        out: Option<Sym>,
        src: Option<Span>,
        kind: Register,
        device: u32,
        read_only: bool,
    },
    Unreg {
        p: Option<Sym>,
        off: u64,
        device: u32,
    },
    GetDevPtr {
        out: Option<Sym>,
        p: Option<Sym>,
        off: u64,
        device: u32,
        capability_asked: bool,
    },
    // 5.10 to 5.12; with a stream: asynchronous
    Advise {
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
        advice: Option<Advice>,
        location: Location,
    },
    Prefetch {
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
        location: Location,
        flags: u64,
        stream: Option<Sym>,
    },
    PrefetchBatch {
        ranges: Vec<Span>,
        locations: Vec<Location>,
        /// `locations[k]` is for `ranges[index[k] .. index[k + 1]]`.
        index: Vec<u64>,
        flags: u64,
        stream: Option<Sym>,
    },
    RangeAttr {
        p: Option<Sym>,
        off: u64,
        len: Option<u64>,
        attribute: Option<Attribute>,
        data_size: u64,
    },
    // the host itself
    HostRead {
        span: Span,
    },
    HostWrite {
        span: Span,
    },
    /// The host works for a while.
    Compute {
        cost: u64,
    },
    // 5.15
    PoolCreate {
        out: Option<Sym>,
        device: u32,
        max: u64,
        threshold: u64,
        reuse: Vec<ReusePolicy>,
        ipc: bool,
        hal: bool,
    },
    PoolDestroy {
        pool: Option<Sym>,
    },
    PoolSet {
        pool: Option<Sym>,
        attribute: PoolAttribute,
        value: u64,
    },
    PoolGet {
        pool: Option<Sym>,
        attribute: PoolAttribute,
    },
    PoolAlloc {
        out: Option<Sym>,
        size: u64,
        pool: Option<Sym>,
        stream: Option<Sym>,
        hal: bool,
    },
    /// Without a stream: the synchronous free of a pool pointer (`aclrtFree`).
    PoolFree {
        p: Option<Sym>,
        off: u64,
        stream: Option<Sym>,
        hal: bool,
    },
    PoolTrim {
        pool: Option<Sym>,
        keep: u64,
    },
    // 5.16
    StreamCreate {
        out: Sym,
        device: u32,
    },
    StreamDestroy {
        stream: Option<Sym>,
        force: bool,
    },
    EventCreate {
        out: Sym,
        device: u32,
        sync: bool,
        external: bool,
    },
    EventRecord {
        event: Option<Sym>,
        stream: Option<Sym>,
    },
    EventWait {
        event: Option<Sym>,
        stream: Option<Sym>,
    },
    EventReset {
        event: Option<Sym>,
        stream: Option<Sym>,
    },
    EventQuery {
        event: Option<Sym>,
    },
    EventDestroy {
        event: Option<Sym>,
    },
    IpcEventExport {
        out: Option<Sym>,
        event: Option<Sym>,
    },
    IpcEventImport {
        out: Option<Sym>,
        key: Option<Sym>,
    },
    NotifyRecord {
        notify: Sym,
        stream: Option<Sym>,
    },
    NotifyWait {
        notify: Sym,
        stream: Option<Sym>,
    },
    StreamSync {
        stream: Option<Sym>,
    },
    EventSync {
        event: Option<Sym>,
    },
    DeviceSync {
        device: u32,
    },
    /// Without a stream: by the host.
    ValueWrite {
        p: Span,
        value: u64,
        stream: Option<Sym>,
    },
    ValueWait {
        p: Span,
        value: u64,
        stream: Option<Sym>,
    },
    /// A function of the host in the order of a stream.
    HostFunc {
        stream: Option<Sym>,
        r: Vec<Span>,
        w: Vec<Span>,
        name: Option<Sym>,
    },
    Kernel {
        stream: Option<Sym>,
        name: Option<Sym>,
        r: Vec<Span>,
        w: Vec<Span>,
        rw: Vec<Span>,
        cost: Option<u64>,
        body: Option<Sym>,
        device: Option<u32>,
    },
    // Sections of a JIT linker (xla-memory 17); a manager is made by its first reserve
    SectionReserve {
        sections: Sym,
        code: SectionSize,
        ro: SectionSize,
        rw: SectionSize,
    },
    SectionAllocate {
        out: Option<Sym>,
        sections: Sym,
        section: Section,
        size: u64,
        align: u64,
    },
    SectionFinalize {
        sections: Sym,
    },
    SectionDestroy {
        sections: Sym,
    },
    // The host memory pool of a GPU executor (xla-memory 18)
    HostPoolCreate {
        out: Option<Sym>,
        primitive: Primitive,
        device: u32,
    },
    /// `count` requests, one after the other; the name stands for all of their elements.
    HostPoolAcquire {
        out: Option<Sym>,
        pool: Option<Sym>,
        count: u64,
    },
    HostPoolGet {
        out: Option<Sym>,
        handle: Option<Sym>,
        primitive: Primitive,
    },
    HostPoolMove {
        out: Sym,
        handle: Option<Sym>,
    },
    HostPoolRelease {
        handle: Option<Sym>,
    },
    HostPoolDestroy {
        pool: Option<Sym>,
    },
    // Threads and processes
    /// A new thread of this process starts; it knows what its parent knew.
    Fork {
        thread: Sym,
    },
    /// This thread waits for the end of another.
    Join {
        thread: Sym,
    },
    /// All threads named wait for each other.
    Barrier {
        threads: Vec<Sym>,
    },
    /// The process ends.
    Exit,
}
