//! prefetches
