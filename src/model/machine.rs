//! The machine as a set of numbers: every one a parameter with the default that
//! runtime-model names (sections 1, 2, 5.14, 12), changed by a machine file or a trace header.

/// Whose behaviour is modelled where the document and the public source differ (section 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// What the document promises.
    #[default]
    Spec,
    /// What the public source does, quirks included.
    Source,
}

/// Which products a machine stands for (section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Product {
    /// Ascend 910B (Atlas A2).
    A2,
    /// Ascend 910_93 (Atlas A3).
    A3,
    /// Ascend 950.
    P950,
    /// Ascend 310B and others without a device runtime of their own here.
    Other,
}

/// How SOMA pools reuse freed blocks (5.15, 12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SomaPolicy {
    /// Only what happens-before makes safe.
    #[default]
    Documented,
    /// The last working public source, with its flaws (`source-0184aa3c8`).
    Source0184,
    /// The source's head: freed blocks are never reused (`head`).
    Head,
}

/// One water level of 5.14.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterLevel {
    /// In force when fewer free pages are left, in percent of the capacity.
    pub free_below: u64,
    /// Ticks between scans.
    pub scan_every: u64,
    /// Scans without an access after which a page is cold.
    pub cold_after: u64,
}

/// Oversubscription (5.14). Nothing of it is public; all of it is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oversubscription {
    /// False: a fault without a free page fails.
    pub enabled: bool,
    /// The levels, mildest first.
    pub levels: Vec<WaterLevel>,
    /// Percent of free pages at which swapping stops.
    pub target_free: u64,
    /// Pages swapped by one scan.
    pub batch: u64,
    /// Percent of the capacity that memory other than UVM may hold.
    pub max_pinned: u64,
    /// True when a fault without a free page swaps the oldest page out itself.
    pub direct_reclaim: bool,
    /// Pages of the host area that swapping fills (Q-UVM-20); `None`: as many as the host has.
    pub host_swap_pages: Option<u64>,
    /// A fault within so many ticks of the page's eviction counts as thrash.
    pub thrash_window: u64,
}

/// What can be had on this product (section 1); each a switch of the machine file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of switches")]
pub struct Capabilities {
    /// Managed memory.
    pub uvm: bool,
    /// Access to a page that lies elsewhere, without moving it.
    pub remote_mapping: bool,
    /// Stream-ordered pools.
    pub soma: bool,
    /// `PoolSetAttr`/`PoolGetAttr` (Q-SOMA-10).
    pub soma_attributes: bool,
    /// `PoolTrim` (Q-SOMA-10).
    pub soma_trim: bool,
    /// Pool calls of the HAL from the host (Q-SOMA-11).
    pub soma_hal: bool,
    /// The host may touch managed memory while a kernel runs.
    pub concurrent_managed: bool,
    /// Devices reach each other's memory (HCCS).
    pub peer: bool,
}

/// What things cost, in ticks (cycles of the core). Parameters, not measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// By pipe name: ticks before the first byte, and bytes in a tick.
    pub pipes: Vec<(String, PipeCost)>,
    /// For pipes that are not listed.
    pub other_pipe: PipeCost,
    /// Ticks of a page fault, the transfer left out.
    pub fault: u64,
    /// Ticks to start one transfer of a page between host and device.
    pub dma_start: u64,
    /// Bytes in a tick over the link between host and device.
    pub link: u64,
    /// Bytes in a tick over the link between devices.
    pub peer_link: u64,
    /// Pages that one transfer of a prefetch takes together.
    pub prefetch_batch: u64,
    /// Ticks of a call of the host.
    pub call: u64,
    /// Ticks of a kernel that does not say.
    pub kernel: u64,
    /// Bytes in a tick of a host that reads or writes.
    pub host: u64,
}

/// What an instruction of a pipe costs: `latency + ceil(bytes / bytes_per_tick)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeCost {
    /// Ticks before the first byte.
    pub latency: u64,
    /// Bytes in a tick; 0: bytes are free.
    pub bytes_per_tick: u64,
}

/// A memory of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreScope {
    /// `ub`, `l1`, ..
    pub name: String,
    /// Bytes; `None` where nobody knows.
    pub capacity: Option<u64>,
    /// Addresses of DMA transfers are multiples of this.
    pub alignment: u64,
    /// Pipes that may write it (2.4).
    pub filled_by: Vec<String>,
    /// Pipes that may read it (2.4).
    pub drained_by: Vec<String>,
}

/// Everything that can be said of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The product.
    pub product: Product,
    /// Bytes of memory of each device.
    pub device_memory: u64,
    /// Bytes of memory of the host.
    pub host_memory: u64,
    /// Online NUMA nodes of the host.
    pub numa_nodes: u32,
    /// Bytes of a page of managed memory (Q-UVM-22).
    pub uvm_page: u64,
    /// Largest single allocation (Q-ALLOC-1).
    pub max_alloc: u64,
    /// Granularity of pools.
    pub soma_page: u64,
    /// Reuse in pools; `Documented` where nothing is said.
    pub soma_policy: Option<SomaPolicy>,
    /// Oversubscription.
    pub oversub: Oversubscription,
    /// What there is.
    pub capabilities: Capabilities,
    /// What things cost.
    pub costs: Costs,
    /// Memories of a core.
    pub scopes: Vec<CoreScope>,
    /// Pipes on which an instruction may still run when the next starts; S never is one.
    pub weak_pipes: Vec<String>,
    /// Flag ids of each pair of pipes: 0 to this less one (Q-PIPE-1).
    pub flag_ids: u32,
    /// Cross-core flag ids.
    pub cross_flags: u32,
    /// How often a cross-core flag may be raised without a wait (Q-PIPE-2).
    pub cross_limit: u32,
    /// Pairs of pipes of whose ids the compiler keeps one, the highest, for itself (2.4).
    pub reserved_flags: Vec<(String, String)>,
    /// True when the same pipe's physical id of a device differs from its logical one (Q-UVM-3).
    pub device_ids_differ: bool,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

impl Default for Oversubscription {
    fn default() -> Self {
        let level =
            |free_below, scan_every, cold_after| WaterLevel { free_below, scan_every, cold_after };
        Self {
            enabled: true,
            levels: vec![level(20, 100, 3), level(10, 50, 2), level(5, 10, 1)],
            target_free: 25,
            batch: 64,
            max_pinned: 100,
            direct_reclaim: true,
            host_swap_pages: None,
            // A fault costs 10^5 ticks and more: a window of 10^8 sees a sweep come round.
            thrash_window: 100_000_000,
        }
    }
}

impl Default for Costs {
    fn default() -> Self {
        let pipe = |name: &str, latency, bytes_per_tick| {
            (name.to_owned(), PipeCost { latency, bytes_per_tick })
        };
        Self {
            pipes: vec![
                pipe("MTE1", 20, 256),
                pipe("MTE2", 100, 64),
                pipe("MTE3", 100, 64),
                pipe("FIX", 50, 128),
                pipe("V", 10, 128),
                pipe("M", 20, 512),
                pipe("S", 1, 0),
            ],
            other_pipe: PipeCost { latency: 10, bytes_per_tick: 128 },
            fault: 20_000,
            dma_start: 2_000,
            link: 16,
            peer_link: 32,
            prefetch_batch: 16,
            call: 1_000,
            kernel: 1_000,
            host: 16,
        }
    }
}

impl Costs {
    /// What an instruction of a pipe costs that touches so many bytes.
    pub fn of(&self, pipe: &str, bytes: u64) -> u64 {
        let named = self.pipes.iter().find(|(name, _)| name.eq_ignore_ascii_case(pipe));
        let PipeCost { latency, bytes_per_tick } = named.map_or(self.other_pipe, |(_, cost)| *cost);
        let moving = if bytes_per_tick == 0 { 0 } else { bytes.div_ceil(bytes_per_tick) };
        latency.saturating_add(moving).max(1)
    }
}

impl Machine {
    /// The machine of a chip or product name: `910B3`, `Ascend910_93`, `A2`, `950`, ..; upper or
    /// lower case. `None` for a name that nobody here knows.
    pub fn named(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let chip = lower.strip_prefix("ascend").unwrap_or(&lower);
        let product = match chip {
            "a2" => Product::A2,
            "a3" => Product::A3,
            _ if chip.starts_with("910_93") => Product::A3,
            _ if chip.starts_with("910b") => Product::A2,
            _ if chip.starts_with("950") => Product::P950,
            _ if chip.starts_with("310b") => Product::Other,
            _ => return None,
        };
        Some(Self::of(product, name))
    }

    /// The defaults of a product (sections 1 and 2).
    pub fn of(product: Product, name: &str) -> Self {
        let ub = match product {
            Product::A2 | Product::A3 => 192 * KIB,
            Product::P950 => 248 * KIB,
            Product::Other => 256 * KIB,
        };
        let l1 = if product == Product::Other { MIB } else { 512 * KIB };
        let l0c = if product == Product::P950 { 256 * KIB } else { 128 * KIB };
        let scope =
            |name: &str, capacity, alignment, filled: &[&str], drained: &[&str]| CoreScope {
                name: name.to_owned(),
                capacity,
                alignment,
                filled_by: filled.iter().map(|&pipe| pipe.to_owned()).collect(),
                drained_by: drained.iter().map(|&pipe| pipe.to_owned()).collect(),
            };
        let uvm = matches!(product, Product::A2 | Product::A3);
        let reserved = "S V,S MTE2,S MTE3,V S,V MTE2,V MTE3,M FIX,MTE2 S,MTE2 V,MTE3 S,FIX M";
        let pair = |pair: &str| {
            let (from, to) = pair.split_once(' ').unwrap_or((pair, pair));
            (from.to_owned(), to.to_owned())
        };
        Self {
            name: name.to_owned(),
            product,
            device_memory: 64 * GIB,
            host_memory: 2048 * GIB,
            numa_nodes: 4,
            uvm_page: 2 * MIB,
            max_alloc: 128 * GIB,
            soma_page: 2 * MIB,
            soma_policy: None,
            oversub: Oversubscription::default(),
            capabilities: Capabilities {
                uvm,
                remote_mapping: false,
                soma: true,
                soma_attributes: true,
                soma_trim: true,
                soma_hal: false,
                concurrent_managed: true,
                peer: true,
            },
            costs: Costs::default(),
            scopes: vec![
                scope("ub", Some(ub), 32, &["MTE2", "V", "V2", "S"], &["MTE3", "V", "V2", "S"]),
                scope("l1", Some(l1), 32, &["MTE2", "MTE3", "FIX"], &["MTE1", "FIX"]),
                scope("l0a", Some(64 * KIB), 512, &["MTE1", "MTE2"], &["M"]),
                scope("l0b", Some(64 * KIB), 512, &["MTE1", "MTE2"], &["M"]),
                scope("l0c", Some(l0c), 512, &["M"], &["FIX", "V", "M"]),
                scope("bt", None, 64, &["MTE1", "FIX"], &["M", "FIX"]),
                scope("fb", None, 64, &["MTE1", "FIX"], &["M", "FIX"]),
            ],
            weak_pipes: ["V", "M", "MTE1", "MTE2", "MTE3", "MTE4", "MTE5", "V2", "FIX"]
                .map(str::to_owned)
                .to_vec(),
            flag_ids: 8,
            cross_flags: 16,
            cross_limit: 15,
            reserved_flags: reserved.split(',').map(pair).collect(),
            device_ids_differ: false,
        }
    }

    /// How pools reuse blocks; the same in both modes (section 12, open point 3).
    pub fn soma(&self) -> SomaPolicy {
        self.soma_policy.unwrap_or_default()
    }
}
