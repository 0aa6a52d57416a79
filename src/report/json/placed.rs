//! What device runtimes make of a plan.

use crate::format::json_replay as json;
use crate::report::context::Placed;

/// The runtimes of one input.
pub fn placed(input: &str, placed: &[Placed<'_>]) -> Vec<json::Placed> {
    let one = |one: &Placed<'_>| json::Placed {
        input: input.to_owned(),
        runtime: one.runtime,
        arenas: one
            .arenas
            .iter()
            .map(|arena| json::Arena {
                function: arena.function.to_owned(),
                scope: arena.scope.to_owned(),
                planned: arena.planned,
                held: arena.held,
                per_buffer: arena.per_buffer,
            })
            .collect(),
        device_peak: one.peak,
        saved: one.saved,
        makespan: one.makespan,
        counters: one.counters.iter().filter(|row| row.1 > 0).map(|row| (row.0, row.1)).collect(),
    };
    placed.iter().map(one).collect()
}
