//! `disable-tightly-coupled-buffer-reuse`: what the other core writes into shares with nobody.

use super::machine::Machine;
use crate::ir::hivm::{PassKind, PassOptions};
use crate::ir::mlir::{self, OpId};
use crate::model::{BufferId, Function, Relation, RelationKind};

/// Keeps the owner's side of coupled buffers apart from everything else in their scope. The regbase
/// pass lets two of them share when no function needs both at once, which their live ranges tell.
pub(super) fn settle(
    function: &mut Function,
    ir: &mlir::Function,
    machine: &Machine,
    options: &PassOptions,
    makers: &[OpId],
) {
    if !options.coupled_unique {
        return;
    }
    let owned = |id: BufferId| {
        let maker = makers.get(id.0 as usize);
        function.buffers[id].coupling.is_some()
            && maker.is_some_and(|maker| !machine.is_consumer(ir, *maker))
    };
    let owned: Vec<BufferId> = function.buffers.ids().filter(|id| owned(*id)).collect();
    let mut apart = Vec::new();
    for &first in &owned {
        for second in function.buffers.ids() {
            let both = owned.contains(&second);
            let twice = both && second <= first;
            let shared = both && options.pass == PassKind::Regbase;
            let same = function.buffers[first].scope == function.buffers[second].scope;
            if first != second && same && !twice && !shared {
                let why = Some("the other core writes into it".to_owned());
                let kind = RelationKind::Separate;
                apart.push(Relation { kind, first, second, why, loc: None });
            }
        }
    }
    // A pair that may not share is no in-place pair either.
    function.relations.retain(|r| {
        r.kind != RelationKind::Inplace
            || !apart.iter().any(|a| {
                (a.first, a.second) == (r.first, r.second)
                    || (a.second, a.first) == (r.first, r.second)
            })
    });
    function.relations.extend(apart);
}
