//! The loop that holds every access to a buffer.

use super::{Names, Reach};
use crate::model::{BufferId, Function, IdVec, LoopId, OpId, Order};

/// Where a buffer is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Home {
    /// The first op that can touch it; none when nothing does.
    pub first: Option<OpId>,
    /// The innermost loop around all ops that can touch it.
    pub around: Option<LoopId>,
}

/// The home of every buffer of a function.
pub fn homes(function: &Function, order: &Order, names: &Names) -> IdVec<BufferId, Home> {
    let mut reach = Reach::new(function);
    let mut homes = IdVec::filled(Home::default(), function.buffers.len());
    let mut chains: IdVec<BufferId, Option<&[LoopId]>> = IdVec::filled(None, homes.len());
    for (op, body) in function.ops.enumerate() {
        let here = order.loops_of_op[op].as_slice();
        for access in &body.accesses {
            for buffer in reach.buffers(names, access.value) {
                let Some(home) = chains.get(buffer) else { continue };
                let common = home.map_or(here, |chain| common(chain, here));
                chains[buffer] = Some(common);
                let home = &mut homes[buffer];
                home.around = common.last().copied();
                home.first = home.first.or(Some(op));
            }
        }
    }
    homes
}

fn common<'a>(a: &'a [LoopId], b: &[LoopId]) -> &'a [LoopId] {
    let len = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    &a[..len]
}
