//! The orders that have a name, a computation at a time (spec/xla-memory.md 10).

use super::bfs::bfs;
use super::dfs::dfs;
use super::graph::{Graph, Places};
use super::list::list;
use crate::analyze::hlo::Values;
use crate::diag::Diagnostic;
use crate::ir::hlo::{Calls, ComputationId, InstructionId, Module, Sequences, post_orders};
use crate::model::IdVec;

/// An order by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// The text's.
    Given,
    /// The best of list, depth-first and post-order by XLA's measure (10.5).
    Default,
    /// The list scheduler's (10.1).
    List,
    /// Depth first (10.3).
    Dfs,
    /// Breadth first (10.4).
    Bfs,
    /// Operands before users (10.2).
    Post,
    /// Operands before users, without any analysis (10.2).
    Trivial,
    /// The best that is found, by the exact measure.
    Best,
}

/// What an order is made from.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The module.
    pub module: &'a Module,
    /// Who calls whom.
    pub calls: &'a Calls,
    /// Its values.
    pub values: &'a Values,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 8] = [
        Self::Given,
        Self::Default,
        Self::List,
        Self::Dfs,
        Self::Bfs,
        Self::Post,
        Self::Trivial,
        Self::Best,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Default => "default",
            Self::List => "list",
            Self::Dfs => "dfs",
            Self::Bfs => "bfs",
            Self::Post => "post",
            Self::Trivial => "trivial",
            Self::Best => "best",
        }
    }

    /// The order of that name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// One of the plain orders, for every computation that is not fused; fused ones keep the text's.
/// `Default` and `Best` compare several orders: they are [`super::schedule`]'s, and the text's here.
///
/// # Errors
///
/// `HloCycle` when instructions wait for each other.
pub fn order(inputs: Inputs<'_>, order: Order) -> Result<Sequences, Diagnostic> {
    let module = inputs.module;
    let places = Places::of(module);
    let defined = defined(module, inputs.values);
    let posts = post_orders(module);
    let mut sequences = IdVec::filled(Vec::new(), module.computations.len());
    for id in module.computations.ids() {
        let graph = Graph::of(module, &places, id);
        let post = || -> Vec<u32> {
            posts[id].iter().filter_map(|&at| places.get(module, id, at)).collect()
        };
        let found = match order {
            _ if is_fused(inputs, id) => graph.given(module)?,
            Order::List => list(module, inputs.values, &graph, &defined)?,
            Order::Dfs => dfs(module, &graph, &post(), &defined)?,
            Order::Bfs => bfs(module, &graph)?,
            Order::Post | Order::Trivial => post(),
            Order::Given | Order::Default | Order::Best => graph.given(module)?,
        };
        sequences[id] = graph.named(&found);
    }
    Ok(Sequences(sequences))
}

fn is_fused(inputs: Inputs<'_>, id: ComputationId) -> bool {
    inputs.calls.fused.get(id).copied().unwrap_or(false)
}

/// The bytes of the values that each instruction defines.
pub(crate) fn defined(module: &Module, values: &Values) -> IdVec<InstructionId, u64> {
    let mut defined = IdVec::filled(0_u64, module.instructions.len());
    for value in values.values.iter() {
        let bytes = &mut defined[value.definition.instruction];
        *bytes = bytes.saturating_add(value.size);
    }
    defined
}
