//! What XLA's own analysis says about the heaps of an HLO module.

use crate::format::json_inspect::Function;
use crate::model::BufferId;
use crate::plan::xla::Planned;

/// Adds when XLA has the buffers of its heaps alive.
pub(super) fn add(planned: &Planned, report: &mut Function) {
    for heap in &planned.heaps {
        for (BufferId(id), live) in &heap.live {
            if let Some(buffer) = report.buffers.get_mut(*id as usize) {
                buffer.xla_live = Some([live.start.0, live.end.0]);
            }
        }
    }
}
