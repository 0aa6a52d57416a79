//! Nodes of shapes as names for bytes.

use super::Lowering;
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{InstructionId, Shape, ShapeIndex};
use crate::model::{
    Buffer, BufferId, Bytes, ElementShape, LifetimeClass, Value, ValueId, ValueKind,
};

/// The names of all nodes of a shape, in pre-order.
pub(super) type Nodes = Vec<ValueId>;

/// How many nodes a shape has.
pub(super) fn count(shape: &Shape) -> usize {
    if shape.is_tuple() { shape.nodes().len() } else { 1 }
}

/// The nodes of element `at` of a tuple: a run of them, in pre-order.
pub(super) fn element(shape: &Shape, at: u32, nodes: &[ValueId]) -> Nodes {
    let Shape::Tuple(parts) = shape else { return Nodes::new() };
    let before: usize = parts.iter().take(at as usize).map(count).sum();
    let len = parts.get(at as usize).map_or(0, count);
    nodes.get(before + 1..before + 1 + len).unwrap_or_default().to_vec()
}

impl Lowering<'_> {
    /// The buffer of a node that the instruction makes anew, and its name. An instruction that is
    /// executed at several places has the same bytes at all of them.
    pub(super) fn buffer(
        &mut self,
        instruction: InstructionId,
        (node, index, shape): (u32, &ShapeIndex, &Shape),
        class: LifetimeClass,
    ) -> Result<ValueId, Diagnostic> {
        if let Some(&id) = self.buffers.get(&(instruction, node)) {
            return Ok(self.function.buffers[id].value);
        }
        let made = &self.module.instructions[instruction];
        let unknown = || {
            let unbounded = shape.array().is_some_and(|a| a.dims.iter().any(|d| d.size.is_none()));
            let (code, why) = match unbounded {
                true => (Code::HloUnbounded, "has a dimension without a bound"),
                false => (Code::HloSizeOverflow, "has a size that does not fit 64 bits"),
            };
            Diagnostic::error(code, format!("`{}` {why}", made.name)).at(made.loc, "")
        };
        let size = shape.bytes(8).ok_or_else(unknown)?;
        let whole = index.is_top() && !shape.is_tuple();
        let name = if whole { made.name.clone() } else { format!("{}{index}", made.name) };
        let id = BufferId(u32::try_from(self.function.buffers.len()).unwrap_or(u32::MAX));
        let kind = ValueKind::Buffer(id);
        let value =
            self.function.values.push(Value { name: name.clone(), loc: Some(made.loc), kind });
        let plain = Buffer::given(name, self.scope, Bytes(size), self.alignment, Vec::new());
        self.function.buffers.push(Buffer {
            loc: Some(made.loc),
            shape: shape.array().map(|array| ElementShape {
                dims: array.dims.iter().filter_map(|d| d.size).collect(),
                strides: None,
                dtype: array.element.name().to_owned(),
                bits: array.element.bits(),
            }),
            class,
            live: None,
            value,
            ..plain
        });
        self.buffers.insert((instruction, node), id);
        Ok(value)
    }
}
