//! Ops that order others.

/// The attribute under which the words in the square brackets of such an op are kept: its pipes and
/// its event.
pub const LISTED: &str = "listed";

/// True for flags and barriers, of a core and between cores.
pub fn synchronises(name: &str) -> bool {
    let Some(short) = name.strip_prefix("hivm.hir.") else { return false };
    matches!(
        short,
        "set_flag" | "wait_flag" | "pipe_barrier" | "sync_block_set" | "sync_block_wait"
    )
}
