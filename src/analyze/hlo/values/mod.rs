//! Values: where they are born, where they stand, who uses them (spec/xla-memory.md 4).
//!
//! ```text
//!   forwards (ir, 4.1) -> resolve: which births and meetings reach a node (4.3)
//!                      -> phis: which meetings are values (4.4) -> ids (22.1) -> uses (4.2)
//! ```

mod nodes;
mod phis;
mod resolve;
#[cfg(test)]
mod tests;
mod uses;

use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Calls, InstructionId, Module, ShapeIndex, post_orders};
use crate::model::{IdVec, index};

index! {
    /// A value of a module; the order of ids is XLA's (22.1), phis last.
    ValueId
}

/// A node of an instruction's shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The instruction.
    pub instruction: InstructionId,
    /// The node.
    pub index: ShapeIndex,
}

/// A use of a value (4.2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Use {
    /// Who uses it.
    pub user: InstructionId,
    /// In which operand slot.
    pub operand: u32,
    /// At which node of the operand.
    pub index: ShapeIndex,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it is born.
    pub definition: Position,
    /// True when several values meet there (4.4).
    pub is_phi: bool,
    /// Everywhere it stands, the definition first, then by text order.
    pub positions: Vec<Position>,
    /// Its uses, by text order of the users.
    pub uses: Vec<Use>,
    /// Bytes of the value itself (3), tables of pointers at 8 bytes an element; 0 where a dimension
    /// without a bound leaves them unknown.
    pub size: u64,
    /// False where a dimension has no bound.
    pub bounded: bool,
}

/// What counts as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueOptions {
    /// Values that meet make a new one; else they stand side by side.
    pub phis: bool,
    /// A bitcast makes a new value (11); else it forwards its operand.
    pub bitcast_defines: bool,
    /// Computations called directly by `fusion` take part (11); else they have no values (22.2).
    pub include_fused: bool,
}

impl Default for ValueOptions {
    /// Those of buffer assignment.
    fn default() -> Self {
        Self { phis: true, bitcast_defines: false, include_fused: false }
    }
}

/// The values of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The values.
    pub values: IdVec<ValueId, Value>,
    /// The values at every node of every instruction, nodes in pre-order; one each but for
    /// ambiguous nodes. Empty for instructions that take no part.
    pub at: IdVec<InstructionId, Vec<Vec<ValueId>>>,
    nodes: nodes::Nodes,
}

impl Values {
    /// The values of a module.
    ///
    /// # Errors
    ///
    /// `HloSizeOverflow` for a value of more bytes than 64 bits count; `HloTooLarge` when shared
    /// computations or whole tuples give values millions of positions or uses.
    pub fn of(module: &Module, calls: &Calls, options: ValueOptions) -> Result<Self, Diagnostic> {
        let nodes = nodes::Nodes::of(module, calls, options.include_fused);
        let reaching = resolve::reaching(module, calls, &nodes, options)?;
        let same = phis::simplify(&reaching.phis, nodes.len());
        let mut ids = vec![None; nodes.len()];
        let mut values = IdVec::new();
        let orders = post_orders(module);
        for phis in [false, true] {
            for &id in orders.iter().flatten() {
                for (node, index) in nodes.numbers(id).zip(nodes.paths(id)) {
                    let at = node as usize;
                    let is_phi = reaching.phis.binary_search_by_key(&node, |phi| phi.node).is_ok();
                    let born = reaching.origins[at][..] == [node] && same[at] == node;
                    if born && is_phi == phis {
                        ids[at] = Some(values.push(value(module, id, index, is_phi)?));
                    }
                }
            }
        }
        let at = module.instructions.ids().map(|id| {
            let at = nodes.numbers(id).map(|node| {
                let origins = reaching.origins[node as usize].iter();
                let mut at: Vec<ValueId> =
                    origins.filter_map(|&origin| ids[same[origin as usize] as usize]).collect();
                at.sort_unstable();
                at.dedup();
                at
            });
            at.collect()
        });
        let at = at.collect();
        let mut out = Self { values, at, nodes };
        out.add_positions(module);
        uses::add_uses(module, &mut out)?;
        Ok(out)
    }

    /// The values at a node; none where there is no such node, or the instruction takes no part.
    pub fn at(&self, instruction: InstructionId, index: &ShapeIndex) -> &[ValueId] {
        let within = self.nodes.within(instruction, index);
        within.and_then(|at| self.at[instruction].get(at)).map_or(&[], Vec::as_slice)
    }

    /// The value at a node; `None` where there are several or none.
    pub fn unique(&self, instruction: InstructionId, index: &ShapeIndex) -> Option<ValueId> {
        match self.at(instruction, index) {
            [value] => Some(*value),
            _ => None,
        }
    }

    /// The nodes of an instruction and the values there, in pre-order.
    pub fn nodes(
        &self,
        instruction: InstructionId,
    ) -> impl ExactSizeIterator<Item = (&ShapeIndex, &[ValueId])> {
        let at = self.at[instruction].iter().map(Vec::as_slice);
        self.nodes.paths(instruction).iter().zip(at)
    }

    /// The name as XLA's buffer assignment prints it: `x` for an array, `x{}` for a tuple's table,
    /// `x{1}` for what is in it (7.4, 9.5).
    pub fn name(&self, module: &Module, id: ValueId) -> String {
        let Position { instruction, index } = &self.values[id].definition;
        let instruction = &module.instructions[*instruction];
        match index.is_top() && !instruction.shape.is_tuple() {
            true => instruction.name.clone(),
            false => format!("{}{index}", instruction.name),
        }
    }

    fn add_positions(&mut self, module: &Module) {
        for &id in module.computations.iter().flat_map(|c| &c.instructions) {
            for (index, at) in self.nodes.paths(id).iter().zip(&self.at[id]) {
                for &value in at {
                    let position = Position { instruction: id, index: index.clone() };
                    let value = &mut self.values[value];
                    if position != value.definition {
                        value.positions.push(position);
                    }
                }
            }
        }
    }
}

/// The value born at a node.
fn value(
    module: &Module,
    id: InstructionId,
    index: &ShapeIndex,
    is_phi: bool,
) -> Result<Value, Diagnostic> {
    let instruction = &module.instructions[id];
    let shape = instruction.shape.at(index);
    let size = shape.and_then(|shape| shape.bytes(8));
    let unbounded = |shape: &crate::ir::hlo::Shape| {
        shape.array().is_some_and(|array| array.dims.iter().any(|dim| dim.size.is_none()))
    };
    let bounded = !shape.is_some_and(unbounded);
    if size.is_none() && bounded {
        let message = format!("`{}{index}` has more bytes than 64 bits count", instruction.name);
        return Err(Diagnostic::error(Code::HloSizeOverflow, message)
            .at(instruction.loc, "made here")
            .help("no machine holds it: look for a dimension that is wrong"));
    }
    let definition = Position { instruction: id, index: index.clone() };
    Ok(Value {
        positions: vec![definition.clone()],
        definition,
        is_phi,
        uses: Vec::new(),
        size: size.unwrap_or(0),
        bounded,
    })
}
