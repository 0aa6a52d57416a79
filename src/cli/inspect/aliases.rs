//! Names for bytes of buffers.

use super::scene::Scene;
use crate::format::json_inspect::Alias;
use crate::model::{Value, ValueId, ValueKind};

/// All names but those of the buffers themselves, in the order of the input.
pub(super) fn aliases(scene: Scene<'_>) -> Vec<Alias> {
    let function = scene.function;
    let name = |id: &ValueId| function.values.get(*id).map_or("?", |v| v.name.as_str()).to_owned();
    let row = |(id, value): (ValueId, &Value)| {
        let (mut of, mut view) = (Vec::new(), None);
        let kind = match &value.kind {
            ValueKind::Buffer(b) if function.buffers[*b].value == id => return None,
            // The name of a buffer whose live range is given stands for nothing else.
            ValueKind::Buffer(b) if function.buffers[*b].name == value.name => return None,
            ValueKind::Buffer(_) => "buffer",
            ValueKind::View { base, delta, .. } => {
                of.push(name(base));
                view = *delta;
                "view"
            }
            ValueKind::Select(all) => {
                of.extend(all.iter().map(name));
                "select"
            }
            ValueKind::Carry(l, n) => {
                let carry = function.loops[*l].carries.get(*n as usize);
                of.extend(carry.into_iter().flat_map(|c| [name(&c.init), name(&c.next)]));
                "carry"
            }
            ValueKind::LoopResult(l, n) => {
                let carry = function.loops[*l].carries.get(*n as usize);
                of.extend(carry.into_iter().flat_map(|c| [name(&c.init), name(&c.next)]));
                "loop_result"
            }
            ValueKind::BranchResult(b, n) => {
                let result = function.branches[*b].results.get(*n as usize);
                of.extend(result.into_iter().flat_map(|r| [name(&r.then), name(&r.otherwise)]));
                "branch_result"
            }
        };
        let exact = function.exact(id);
        let buffers = match exact {
            Some((buffer, _)) => vec![buffer.0],
            None => function.roots(id).into_iter().map(|b| b.0).collect(),
        };
        Some(Alias {
            value: value.name.clone(),
            kind,
            of,
            delta: view,
            buffers,
            range: exact.map(|(_, range)| [range.start, range.end]),
            loc: scene.place(value.loc),
        })
    };
    function.values.enumerate().filter_map(row).collect()
}
