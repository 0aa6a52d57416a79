//! The words of the trace language, and the numbers that the interfaces have for them (2.3).

use crate::model::trace::{
    Advice, AllocKind, Attribute, CopyKind, InfoKind, MemoryFlags, PageClass, PoolAttribute,
    Primitive, Register, ReusePolicy, Section,
};

/// One word of an enumeration.
#[derive(Debug)]
pub struct Word<T: 'static> {
    /// As a trace writes it.
    pub name: &'static str,
    /// The number of the interface; none where it has none.
    pub number: Option<u32>,
    /// What it means.
    pub value: T,
}

const fn word<T>(name: &'static str, number: u32, value: T) -> Word<T> {
    Word { name, number: Some(number), value }
}

const fn bare<T>(name: &'static str, value: T) -> Word<T> {
    Word { name, number: None, value }
}

/// The names of an enumeration.
pub fn names<T>(words: &'static [Word<T>]) -> Vec<&'static str> {
    words.iter().map(|w| w.name).collect()
}

/// Kinds of allocations.
pub const ALLOCS: &[Word<AllocKind>] = &[
    word("svm", 0, AllocKind::Svm),
    word("dev", 1, AllocKind::Dev),
    word("host", 2, AllocKind::Host),
    word("dvpp", 3, AllocKind::Dvpp),
    word("host_uva", 6, AllocKind::HostUva),
    word("uvm", 7, AllocKind::Uvm),
    bare("user", AllocKind::User),
];

/// Page sizes.
pub const PAGES: &[Word<PageClass>] = &[
    bare("normal", PageClass::Normal),
    bare("huge_first", PageClass::HugeFirst),
    bare("huge", PageClass::Huge),
    bare("giant", PageClass::Giant),
];

/// Sets one bit of the flag word.
pub type SetFlag = fn(&mut MemoryFlags);

/// Bits of the flag word.
pub const FLAGS: &[Word<SetFlag>] = &[
    bare("contiguous", |f| f.contiguous = true),
    bare("p2p", |f| f.p2p = true),
    bare("bar", |f| f.bar = true),
    bare("ts", |f| f.ts = true),
    bare("cp_only", |f| f.cp_only = true),
    bare("read_only", |f| f.read_only = true),
    bare("host_rw_dev_ro", |f| f.host_rw_dev_ro = true),
    bare("huge_and_giant", |f| f.huge_and_giant = true),
    bare("acl", |f| f.acl = true),
    bare("redirected", |f| f.redirected = true),
];

/// What copies promise.
pub const COPIES: &[Word<CopyKind>] =
    &[bare("default", CopyKind::Default), bare("buffered", CopyKind::Buffered)];

/// What is known of a device's memory.
pub const INFOS: &[Word<InfoKind>] = &[
    word("ddr", 1, InfoKind::Ddr),
    word("hbm", 2, InfoKind::Hbm),
    word("ddr_p2p", 3, InfoKind::DdrP2p),
    word("hbm_p2p", 4, InfoKind::HbmP2p),
    word("addr_check", 5, InfoKind::AddrCheck),
];

/// Kinds of registrations.
pub const REGISTERS: &[Word<Register>] = &[
    word("host_mem_map_dev", 0, Register::HostMemMapDev),
    word("host_svm_map_dev", 1, Register::HostSvmMapDev),
    word("dev_svm_map_host", 2, Register::DevSvmMapHost),
    word("pcie_th", 3, Register::PcieTh),
    word("dev_mem_map_host", 4, Register::DevMemMapHost),
    word("host_mem_map_dma", 5, Register::HostMemMapDma),
    word("host_io_map_dev", 6, Register::HostIoMapDev),
];

/// Advices.
pub const ADVICES: &[Word<Advice>] = &[
    word("read_mostly", 0, Advice::ReadMostly),
    word("unset_read_mostly", 1, Advice::UnsetReadMostly),
    word("prefer_location", 2, Advice::PreferLocation),
    word("unset_prefer_location", 3, Advice::UnsetPreferLocation),
    word("access_by", 4, Advice::AccessBy),
    word("unset_access_by", 5, Advice::UnsetAccessBy),
    // What the document calls them for short.
    word("prefer", 2, Advice::PreferLocation),
    word("unset_prefer", 3, Advice::UnsetPreferLocation),
];

/// Attributes of managed ranges.
pub const ATTRIBUTES: &[Word<Attribute>] = &[
    word("read_mostly", 1, Attribute::ReadMostly),
    word("preferred_loc", 2, Attribute::PreferredLoc),
    word("access_by", 3, Attribute::AccessBy),
    word("preferred_loc_type", 4, Attribute::PreferredLocType),
    word("preferred_loc_id", 5, Attribute::PreferredLocId),
    word("last_prefetch_loc", 6, Attribute::LastPrefetchLoc),
    word("last_prefetch_loc_type", 7, Attribute::LastPrefetchLocType),
    word("last_prefetch_loc_id", 8, Attribute::LastPrefetchLocId),
];

/// Attributes of pools.
pub const POOL_ATTRIBUTES: &[Word<PoolAttribute>] = &[
    word("follow_event", 1, PoolAttribute::FollowEvent),
    word("opportunistic", 2, PoolAttribute::Opportunistic),
    word("internal", 3, PoolAttribute::Internal),
    word("threshold", 4, PoolAttribute::Threshold),
    word("reserved_current", 5, PoolAttribute::ReservedCurrent),
    word("reserved_high", 6, PoolAttribute::ReservedHigh),
    word("used_current", 7, PoolAttribute::UsedCurrent),
    word("used_high", 8, PoolAttribute::UsedHigh),
];

/// Reuse policies of pools.
pub const POLICIES: &[Word<ReusePolicy>] = &[
    bare("single", ReusePolicy::Single),
    word("event", 1, ReusePolicy::Event),
    word("opportunistic", 2, ReusePolicy::Opportunistic),
    word("internal", 3, ReusePolicy::Internal),
];

/// Sections of a JIT linker.
pub const SECTIONS: &[Word<Section>] =
    &[bare("code", Section::Code), bare("ro", Section::Ro), bare("rw", Section::Rw)];

/// Types of the elements of host memory pools.
pub const PRIMITIVES: &[Word<Primitive>] = &[
    bare("pred", Primitive::Pred),
    bare("s8", Primitive::S8),
    bare("s16", Primitive::S16),
    bare("s32", Primitive::S32),
    bare("s64", Primitive::S64),
    bare("u8", Primitive::U8),
    bare("u16", Primitive::U16),
    bare("u32", Primitive::U32),
    bare("u64", Primitive::U64),
    bare("f16", Primitive::F16),
    bare("bf16", Primitive::Bf16),
    bare("f32", Primitive::F32),
    bare("f64", Primitive::F64),
    bare("c64", Primitive::C64),
    bare("c128", Primitive::C128),
];
