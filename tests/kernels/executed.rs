//! Kernels on the machine, with every function's plan.

use std::collections::BTreeMap;

use memplan::ir::hivm::PlanMode;
use memplan::model::{BufferId, FunctionAnswer};

use crate::machine::{Machine, Place, Stop};
use crate::planned::Planned;

/// Ways through branches and selections, bit by bit.
const CHOICES: [u32; 8] =
    [0, u32::MAX, 0x5555_5555, 0xAAAA_AAAA, 0x3333_3333, 0x6DB6_DB6D, 0x1234_5678, 0xFACE_B00C];

/// How the functions of a kernel end on the machine; none for what it does not know.
pub(crate) fn lost(planned: &Planned, functions: &[FunctionAnswer]) -> Option<Vec<String>> {
    let kernels = &planned.read.kernels;
    if kernels.options.mode == PlanMode::Workspace {
        return None;
    }
    let mut lost = Vec::new();
    for (kernel, answer) in kernels.functions.iter().zip(functions) {
        let chunk = &kernels.file.chunks[kernel.chunk];
        let function = &chunk.functions[kernel.function];
        let buffers = &planned.problem().functions[answer.index].buffers;
        let mut places = BTreeMap::new();
        for placement in &answer.plan.placements {
            let id = placement.id.unwrap_or(u32::MAX);
            let buffer = &buffers[BufferId(id)];
            let place = Place {
                scope: buffer.scope.0,
                size: buffer.size.0,
                offsets: placement.offsets.clone(),
            };
            places.insert(kernel.makers[id as usize], place);
        }
        let chooses = |name: &str| matches!(name, "scf.if" | "arith.select");
        let ways = if function.ops.iter().any(|op| chooses(&op.name)) { CHOICES.len() } else { 1 };
        for choice in CHOICES.into_iter().take(ways) {
            match Machine::new(chunk, function, &places, choice).run() {
                Ok(()) => {}
                Err(Stop::Unknown) => return None,
                Err(Stop::Lost(what)) => lost.push(format!("{}: {what}", function.name)),
            }
        }
    }
    Some(lost)
}
