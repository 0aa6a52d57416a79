//! What the pass says, word for word (4.14).

use crate::ir::hivm::PassKind;

/// A scope that does not fit: `need` of `capacity` bits.
pub(super) fn overflow(pass: PassKind, scope: &str, need: u64, capacity: u64) -> String {
    let said = format!("{scope} overflow, requires {need} bits while {capacity} bits available!");
    match pass {
        PassKind::Regbase => said,
        PassKind::Base => format!(
            "{said} (possible reason: tiling basic block is too large or block number is more \
             than what user expect due to multi-buffer feature is enabled and some ops need extra \
             local buffer.)"
        ),
    }
}

/// Warning W1: buffers share across pipes; without that, `need` bits.
pub(super) fn reused(scope: &str, need: u64, capacity: u64) -> String {
    format!(
        "warning: [hivm-plan-memory] There reused some dma buffers in {scope} address space, \
         which may stall pipe. Not reusing dma buffer needs {need} bits while {capacity} bits \
         available!"
    )
}
