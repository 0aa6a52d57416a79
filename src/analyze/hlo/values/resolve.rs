//! Which values reach every node: forwarding is followed to where values are born or meet (4.1, 4.3).

use std::rc::Rc;

use super::ValueOptions;
use super::nodes::Nodes;
use super::phis::Phi;
use crate::analyze::hlo::components::Graph;
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{
    Argument, Arguments, Calls, InstructionId, Module, Opcode, ShapeIndex, Source,
};

/// Entries of all sets of values together. Only computations that many callers call with different
/// arguments come near it.
const LIMIT: usize = 1 << 23;

/// How every node gets its values. Nodes are numbers of [`Nodes`].
pub(super) struct Reaching {
    /// Where the values of every node are born or meet, ascending.
    pub(super) origins: Vec<Rc<[u32]>>,
    /// The nodes where values meet, ascending.
    pub(super) phis: Vec<Phi>,
}

/// What feeds one node.
enum Feed {
    Birth,
    From(Vec<u32>),
    Meet(Vec<u32>),
}

/// Follows all nodes.
pub(super) fn reaching(
    module: &Module,
    calls: &Calls,
    nodes: &Nodes,
    options: ValueOptions,
) -> Result<Reaching, Diagnostic> {
    let feeds = Feeds { module, calls, nodes, options };
    let arguments = Arguments::of(module);
    let mut graph = Graph::default();
    let mut meets = Vec::new();
    for (id, instruction) in module.instructions.enumerate() {
        let arguments = match instruction.parameter {
            Some(number) => arguments.to(instruction.computation, number),
            None => &[],
        };
        for (node, index) in nodes.numbers(id).zip(nodes.paths(id)) {
            match feeds.of(id, index, arguments) {
                Feed::Birth => graph.push([]),
                Feed::From(from) => graph.push(from),
                Feed::Meet(from) => {
                    graph.push([]);
                    meets.push((node, from));
                }
            }
        }
    }
    let origins = origins(&graph).ok_or_else(|| {
        let message = "computations with many callers hold too many values at once";
        Diagnostic::error(Code::HloTooLarge, message)
            .at(module.entry().loc, "")
            .help("give every caller a computation of its own")
    })?;
    let phis = meets.into_iter().map(|(node, from)| {
        let sets = from.iter().filter_map(|&from| origins.get(from as usize));
        let mut inputs: Vec<u32> = sets.flat_map(|set| set.iter().copied()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        Phi { node, inputs }
    });
    let phis = phis.collect();
    Ok(Reaching { origins, phis })
}

struct Feeds<'m> {
    module: &'m Module,
    calls: &'m Calls,
    nodes: &'m Nodes,
    options: ValueOptions,
}

impl Feeds<'_> {
    fn of(&self, id: InstructionId, index: &ShapeIndex, arguments: &[Argument]) -> Feed {
        let instruction = &self.module.instructions[id];
        if self.options.bitcast_defines && instruction.opcode == Opcode::Bitcast {
            return Feed::Birth;
        }
        let find = |id: InstructionId| self.nodes.find(id, index);
        let root = |computation| find(self.module.root(computation));
        match self.module.source(self.calls, id, index) {
            Source::Defined => Feed::Birth,
            Source::Operand { operand, index } => {
                let of = instruction.operands.get(operand as usize);
                forward(of.and_then(|of| self.nodes.find(*of, &index)).into_iter().collect())
            }
            Source::Root { computation, index } => {
                let root = self.module.root(computation);
                forward(self.nodes.find(root, &index).into_iter().collect())
            }
            Source::While { body } => {
                let init = instruction.operands.first().and_then(|id| find(*id));
                self.meet(root(body).into_iter().chain(init).collect())
            }
            Source::Conditional => {
                self.meet(instruction.branches().into_iter().filter_map(root).collect())
            }
            Source::Parameter => {
                let mut from = Vec::new();
                let mut meets = false;
                for argument in arguments {
                    match *argument {
                        Argument::Of(id) => from.extend(find(id)),
                        Argument::Loop { init, next } => {
                            meets = true;
                            from.extend(find(init).into_iter().chain(find(next)));
                        }
                    }
                }
                if meets { self.meet(from) } else { forward(from) }
            }
        }
    }

    fn meet(&self, from: Vec<u32>) -> Feed {
        match from.is_empty() || !self.options.phis {
            true => forward(from),
            false => Feed::Meet(from),
        }
    }
}

/// What nothing reaches is born there.
fn forward(from: Vec<u32>) -> Feed {
    if from.is_empty() { Feed::Birth } else { Feed::From(from) }
}

/// The nodes without edges that every node leads to; `None` past the limit.
fn origins(graph: &Graph) -> Option<Vec<Rc<[u32]>>> {
    let none: Rc<[u32]> = Rc::from([]);
    let mut out = vec![none.clone(); graph.len()];
    let mut entries = 0;
    for component in graph.components() {
        let mut set = none.clone();
        let mut all = Vec::new();
        for &to in component.iter().flat_map(|&node| graph.edges(node)) {
            let other = &out[to as usize];
            if set.is_empty() {
                set = other.clone();
            } else if !Rc::ptr_eq(&set, other) && set != *other {
                all.extend_from_slice(other);
            }
        }
        if !all.is_empty() {
            entries += all.len();
            all.extend_from_slice(&set);
            all.sort_unstable();
            all.dedup();
            set = all.into();
        }
        for &node in &component {
            // A node without edges is its own origin; so is a circle that nothing enters.
            let own = set.is_empty();
            out[node as usize] = if own { Rc::from([component[0]]) } else { set.clone() };
            entries += out[node as usize].len();
        }
        if entries > LIMIT {
            return None;
        }
    }
    Some(out)
}
