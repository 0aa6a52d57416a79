//! What a run counts. A counter whose name ends in `_high` is the highest of its kind, all others are
//! sums.

macro_rules! counters {
    ($($name:ident $what:literal)*) => {
        /// Counters of a run; all from 0.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters { $(#[doc = $what] pub $name: u64,)* }

        impl Counters {
            /// Names, values and what is counted, in the order of the table.
            pub fn rows(&self) -> Vec<(&'static str, u64, &'static str)> {
                vec![$((stringify!($name), self.$name, $what),)*]
            }
        }
    };
}

counters! {
    faults_host "page faults of the host"
    faults_device "page faults of devices"
    migrations_h2d "managed pages moved from the host to a device"
    migrations_d2h "managed pages moved from a device to the host"
    migrations_d2d "managed pages moved between devices"
    replicas "read-only copies of managed pages made"
    collapses "replicated pages that a write made single again"
    prefetched "managed pages moved by prefetches"
    prefetch_failed "managed pages that a prefetch found no room for"
    swapped "managed pages swapped out to the host"
    released "replicas given up without a copy"
    refaults "faults on pages that were swapped out shortly before"
    scans "scans for cold pages"
    bytes_moved "bytes moved between host and devices"
    copies "copy calls and tasks"
    bytes_copied "bytes copied by them"
    allocs "allocations of physical memory"
    frees "frees of physical memory"
    maps "mappings made"
    pool_allocs "blocks handed out by pools"
    pool_reused "of these, blocks that were used before"
    pool_frees "blocks given back to pools"
    pool_trimmed "bytes that pools gave back"
    section_mapped "bytes mapped for sections of code"
    section_waste "of these, bytes for alignment, for whole pages and to spare"
    section_allocated "bytes allocated in sections"
    section_padding "bytes of sections skipped for alignment"
    section_flushed "bytes of code whose instruction cache was flushed"
    host_pool_acquired "elements that host memory pools handed out"
    host_pool_released "elements given back to them"
    host_pool_failed "requests that found no element"
    host_pool_high "the most elements of one host memory pool in use at a time"
    kernels "kernels run"
    instructions "instructions of cores run"
    syncs "waits of the host"
}
