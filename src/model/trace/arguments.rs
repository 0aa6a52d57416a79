//! What calls are told besides names and numbers: places, kinds, flags (2.3).

/// A place of memory as the calls name it (2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// No place.
    Invalid,
    /// A device.
    Device(u32),
    /// The host.
    Host,
    /// A NUMA node of the host.
    HostNuma(u32),
}

/// The advices of 5.10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum Advice {
    ReadMostly,
    UnsetReadMostly,
    PreferLocation,
    UnsetPreferLocation,
    AccessBy,
    UnsetAccessBy,
}

/// The range attributes of 5.11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum Attribute {
    ReadMostly,
    PreferredLoc,
    AccessBy,
    PreferredLocType,
    PreferredLocId,
    LastPrefetchLoc,
    LastPrefetchLocType,
    LastPrefetchLocId,
}

/// The kind of an allocation: the virtual type of the flag word (2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllocKind {
    /// Pages where they are touched.
    Svm,
    /// Device memory.
    Dev,
    /// Pinned host memory.
    Host,
    /// Pinned host memory at one address on both sides.
    HostUva,
    /// Memory of the media units.
    Dvpp,
    /// Managed memory.
    Uvm,
    /// Ordinary, pageable memory of the process (`malloc`); unknown to the runtime.
    User,
}

/// Page sizes (2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageClass {
    /// 4 KiB.
    #[default]
    Normal,
    /// 2 MiB, and 4 KiB where that fails.
    HugeFirst,
    /// 2 MiB.
    Huge,
    /// 1 GiB.
    Giant,
}

/// The other bits of the flag word (2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a flag word")]
pub struct MemoryFlags {
    /// Pages that lie side by side.
    pub contiguous: bool,
    /// Reachable by other devices.
    pub p2p: bool,
    /// Reachable over the bus.
    pub bar: bool,
    /// For the task scheduler.
    pub ts: bool,
    /// For the control processor.
    pub cp_only: bool,
    /// The device may not write.
    pub read_only: bool,
    /// The host may write, the device may not.
    pub host_rw_dev_ro: bool,
    /// Both huge and giant were asked for (an error of 5.2).
    pub huge_and_giant: bool,
    /// True for `aclrtMalloc`: rounds to 32 bytes and adds 32 (2.1).
    pub acl: bool,
    /// `halMemAlloc` on a build that redirects host memory to `malloc` (5.2).
    pub redirected: bool,
}

/// What a copy call promises (5.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CopyKind {
    /// By the addresses.
    #[default]
    Default,
    /// Snapshots the source when called (`HOST_TO_BUF_TO_DEVICE`).
    Buffered,
}

/// What `query_info` asks for (2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum InfoKind {
    Ddr,
    Hbm,
    DdrP2p,
    HbmP2p,
    AddrCheck,
}

/// The register types of 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum Register {
    HostMemMapDev,
    HostSvmMapDev,
    DevSvmMapHost,
    PcieTh,
    DevMemMapHost,
    HostMemMapDma,
    HostIoMapDev,
    /// A number that no type has.
    Unknown(u32),
}

/// The reuse policies of 5.15 that can be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum ReusePolicy {
    Single,
    Event,
    Opportunistic,
    Internal,
}

/// The pool attributes of 5.15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum PoolAttribute {
    FollowEvent,
    Opportunistic,
    Internal,
    Threshold,
    ReservedCurrent,
    ReservedHigh,
    UsedCurrent,
    UsedHigh,
    /// A number that no attribute has.
    Unknown(u32),
}
