//! The allocs that the pass plans: their numbers, scopes and sizes (HIVM spec, sections 1.4, 1.6
//! and 5).

use super::Fatal;
use crate::ir::hivm::{PassOptions, PlanMode, Space, TargetNumbers};
use crate::ir::mlir::{Function, OpId, ValueId};
use crate::model::IdVec;
use crate::plan::hivm::{BufferNo, Scope};

/// The planned allocs of a function in textual order.
pub(super) struct Buffers {
    /// The allocs.
    pub(super) ops: Vec<OpId>,
    /// Their results.
    pub(super) values: Vec<ValueId>,
    number: IdVec<ValueId, Option<BufferNo>>,
}

/// What is known of a planned alloc once it has been visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The index in [`scopes`].
    pub(super) scope: usize,
    /// The size in bits.
    pub(super) bits: u64,
}

impl Buffers {
    pub(super) fn new(function: &Function, mode: PlanMode) -> Self {
        let name = match mode {
            PlanMode::Local => "memref.alloc",
            PlanMode::Workspace => "memref_ext.alloc_workspace",
        };
        let mut buffers = Self {
            ops: Vec::new(),
            values: Vec::new(),
            number: IdVec::filled(None, function.values.len()),
        };
        for (op, body) in function.ops.enumerate().filter(|(_, body)| body.name == name) {
            let Some(&value) = body.results.first() else { continue };
            buffers.number[value] = BufferNo::try_from(buffers.ops.len()).ok();
            buffers.ops.push(op);
            buffers.values.push(value);
        }
        buffers
    }

    /// The number of a planned alloc's result.
    pub(super) fn number(&self, value: ValueId) -> Option<BufferNo> {
        self.number[value]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The result of the alloc of that number.
    pub(super) fn value(&self, buffer: BufferNo) -> ValueId {
        self.values[buffer as usize]
    }

    /// The alloc of that number.
    pub(super) fn op(&self, buffer: BufferNo) -> OpId {
        self.ops[buffer as usize]
    }
}

/// The scopes of a function: UB, L1, L0C, or one per workspace argument in the order of the allocs.
pub(super) fn scopes(
    function: &Function,
    buffers: &Buffers,
    options: &PassOptions,
    target: &TargetNumbers,
) -> Vec<Scope> {
    let scope = |name: &str, capacity, alignment| Scope {
        name: name.to_owned(),
        capacity,
        alignment,
        sequential_only: false,
    };
    match options.mode {
        PlanMode::Local => vec![
            scope("ub", Some(target.ub), target.ub_align),
            scope("cbuf", Some(target.l1), target.l1_align),
            scope("cc", Some(target.l0c), target.l0c_align),
        ],
        PlanMode::Workspace => {
            let alignment = match options.pass {
                crate::ir::hivm::PassKind::Base => 256,
                crate::ir::hivm::PassKind::Regbase => 1,
            };
            workspaces(function, buffers)
                .into_iter()
                .map(|from| Scope {
                    sequential_only: !options.workspace_reuse,
                    ..scope(&workspace_name(function, from), None, alignment)
                })
                .collect()
        }
    }
}

/// The `from` operands in the order of first appearance; none for an alloc without one.
fn workspaces(function: &Function, buffers: &Buffers) -> Vec<Option<ValueId>> {
    let mut all = Vec::new();
    for &op in &buffers.ops {
        let from = workspace_of(function, op);
        if !all.contains(&from) {
            all.push(from);
        }
    }
    all
}

/// The `from` operand of `alloc_workspace`: sizes and offsets are no memrefs.
fn workspace_of(function: &Function, op: OpId) -> Option<ValueId> {
    let mut operands = function.ops[op].operands.iter().map(|o| o.value);
    operands.find(|&v| function.ty(v).memref().is_some())
}

fn workspace_name(function: &Function, from: Option<ValueId>) -> String {
    from.map_or_else(|| "workspace".to_owned(), |v| format!("%{}", function.values[v].name))
}

/// Scope and size of a planned alloc, or what the pass says instead.
pub(super) fn extent(
    function: &Function,
    buffers: &Buffers,
    mode: PlanMode,
    op: OpId,
) -> Result<Extent, Fatal> {
    let ty = function.ops[op].results.first().map(|&v| function.ty(v));
    let memref = ty.and_then(|ty| ty.memref());
    let scope = match (mode, memref.map(Space::of)) {
        (PlanMode::Workspace, _) => {
            let from = workspace_of(function, op);
            workspaces(function, buffers).iter().position(|f| *f == from).unwrap_or_default()
        }
        (PlanMode::Local, Some(Space::Ub)) => 0,
        (PlanMode::Local, Some(Space::Cbuf)) => 1,
        (PlanMode::Local, Some(Space::Cc)) => 2,
        (PlanMode::Local, Some(Space::Ssbuf)) => {
            return Err(Fatal::new("Temporarily unsupported memory buffer space !", op));
        }
        (PlanMode::Local, Some(Space::Unplannable)) => {
            return Err(Fatal::new(crate::ir::hivm::NOT_PLANNABLE, op));
        }
        (PlanMode::Local, Some(Space::Gm | Space::Elsewhere) | None) => {
            return Err(Fatal::traversal("Alloc buffer not at UB space! ", op));
        }
    };
    let sizes = memref.and_then(|m| m.dims.as_deref().zip(Some(&m.element)));
    let Some((dims, element)) = sizes else {
        return Err(Fatal::new(NOT_STATIC, op));
    };
    let Some(width) = element.bits() else {
        return Err(Fatal::new("Unsupported element type of a buffer", op));
    };
    let mut bits = u64::from(width);
    for dim in dims {
        let Some(dim) = dim else { return Err(Fatal::new(NOT_STATIC, op)) };
        bits = bits.wrapping_mul(*dim);
    }
    Ok(Extent { scope, bits })
}

const NOT_STATIC: &str = "Failed to obtain op buffer shape size which should be static.";
