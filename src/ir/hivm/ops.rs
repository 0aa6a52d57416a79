//! The table of ops (HIVM spec, Appendix A) and what a name says about an op.

use std::sync::LazyLock;

use super::PipeRule;
use super::pipe::HwPipe::{Fix, M, Mte1, Mte2, Mte3, V};
use crate::ir::mlir::{Op, Role, ValueId};

/// What the dialect says of an op by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTraits {
    /// Operands of an elementwise op (column E); 0 for any other op.
    pub arity: u8,
    /// Column T: operands have the same element type.
    pub same_type: bool,
    /// Column B: the `broadcast` attribute is allowed.
    pub broadcast: bool,
    /// Column X: the temp group is written and never reused in place.
    pub extra: bool,
    /// Column S: one extra buffer is tolerated by in-place reuse.
    pub one_extra: bool,
    /// A structured op: in-place reuse and pipe classes look at it.
    pub structured: bool,
    /// The unit that runs it.
    pub pipe: PipeRule,
}

impl OpTraits {
    /// True for column E.
    pub fn elementwise(&self) -> bool {
        self.arity > 0
    }
}

/// A row: the arity, the letters of its columns, the pipe. A dash: not structured.
const fn traits(arity: u8, letters: &str, pipe: PipeRule) -> OpTraits {
    let mut t = OpTraits {
        arity,
        same_type: false,
        broadcast: false,
        extra: false,
        one_extra: false,
        structured: true,
        pipe,
    };
    let bytes = letters.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'T' => t.same_type = true,
            b'B' => t.broadcast = true,
            b'X' => t.extra = true,
            b'S' => t.one_extra = true,
            _ => t.structured = false,
        }
        at += 1;
    }
    t
}

const VECTOR: PipeRule = PipeRule::One(V);
const CUBE: PipeRule = PipeRule::Macro(Mte1, M);
const MATMUL: PipeRule = PipeRule::Macro(Mte2, Mte3);
const LOAD: PipeRule = PipeRule::One(Mte2);
const STORE: PipeRule = PipeRule::One(Mte3);

/// Names without `hivm.hir.`; `-` marks ops that are destination-style only.
const TABLE: &[(&str, OpTraits)] = &[
    ("vexp vabs vln vrelu vrsqrt vsqrt vrec vnot", traits(1, "TBXS", VECTOR)),
    (
        "vexp2 vlog2 vlog10 vlog1p vexpm1 vilogb vtanh vsin vcos vatan vtan verf",
        traits(1, "T", VECTOR),
    ),
    ("vcast", traits(1, "BX", VECTOR)),
    ("visinf visnan", traits(1, "B", VECTOR)),
    ("vadd vmul vsub vdiv vmax vmin vor vand vshl vshr", traits(2, "TBXS", VECTOR)),
    ("vxor vpow", traits(2, "TX", VECTOR)),
    ("vmulext vmulextui vmod vmodui vldexp", traits(2, "T", VECTOR)),
    ("vcmp", traits(2, "", VECTOR)),
    ("vsel", traits(3, "BX", VECTOR)),
    ("vbrc", traits(0, "X", PipeRule::Broadcast)),
    (
        "vreduce vtranspose vcumsum vcumprod vcummax vcummin vsort vinterleave vmulextended vgather",
        traits(0, "X", VECTOR),
    ),
    ("vdeinterleave vgathermask vflip vconcat vpad varange", traits(0, "", VECTOR)),
    ("stride_load stride_store indirect_load indirect_store", traits(0, "", VECTOR)),
    ("custom", traits(0, "X", PipeRule::Attribute)),
    (
        "embedding_gather gather_load scatter_store gatherT index_put scatterT",
        traits(0, "-", PipeRule::None),
    ),
    ("load nd2nz load_scale", traits(0, "", LOAD)),
    ("store nz2nd", traits(0, "", STORE)),
    ("copy", traits(0, "", PipeRule::Copy)),
    ("fixpipe", traits(0, "", PipeRule::One(Fix))),
    ("l12ub", traits(0, "", PipeRule::One(Mte1))),
    ("atomic_rmw", traits(0, "", PipeRule::None)),
    ("mmadL1 batchMmadL1 mmadmxL1 Conv1dL1 Conv2dL1 Conv3dL1", traits(0, "", CUBE)),
    ("matmul mix_matmul mix_group_matmul", traits(0, "", MATMUL)),
    ("custom_macro", traits(0, "X", PipeRule::UnknownMacro)),
];

/// The rows by name, in the order of names.
static BY_NAME: LazyLock<Vec<(&str, OpTraits)>> = LazyLock::new(|| {
    let rows = TABLE.iter().flat_map(|(names, t)| names.split(' ').map(move |n| (n, *t)));
    let mut rows: Vec<_> = rows.collect();
    rows.sort_unstable_by_key(|&(name, _)| name);
    rows
});

/// The row of Appendix A for an op's full name; none for ops outside it.
pub fn op_traits(name: &str) -> Option<&'static OpTraits> {
    let short = name.strip_prefix("hivm.hir.")?;
    let at = BY_NAME.binary_search_by_key(&short, |&(name, _)| name).ok()?;
    BY_NAME.get(at).map(|(_, traits)| traits)
}

/// True when the op writes its inits: a row of Appendix A, or any op with `outs`.
pub fn is_destination_style(op: &Op) -> bool {
    op_traits(&op.name).is_some() || op.operands.iter().any(|o| o.role == Role::Out)
}

/// The inits. `index_put` and `scatterT` list theirs first inside `ins` (8.3).
pub fn destination_operands(op: &Op) -> Vec<ValueId> {
    let outs: Vec<ValueId> = op.with_role(Role::Out).collect();
    let inside = matches!(op.name.as_str(), "hivm.hir.index_put" | "hivm.hir.scatterT");
    if outs.is_empty() && inside {
        return op.operands.first().map(|o| o.value).into_iter().collect();
    }
    outs
}

/// Temporaries of ops with the extra-buffer interface (column X); empty for other ops.
pub fn extra_buffers(op: &Op) -> Vec<ValueId> {
    if op_traits(&op.name).is_some_and(|t| t.extra) {
        op.with_role(Role::Temp).collect()
    } else {
        Vec::new()
    }
}

/// MLIR's loop-like ops (2.9).
pub fn is_loop_like(name: &str) -> bool {
    matches!(
        name,
        "scf.for" | "scf.while" | "scf.forall" | "scf.parallel" | "affine.for" | "affine.parallel"
    )
}

/// Ops of `memref` whose result is another view of their first operand (2.3).
pub fn is_view_like(name: &str) -> bool {
    matches!(
        name,
        "memref.subview"
            | "memref.cast"
            | "memref.collapse_shape"
            | "memref.expand_shape"
            | "memref.reinterpret_cast"
            | "memref.reshape"
            | "memref.view"
            | "memref.transpose"
            | "memref.memory_space_cast"
    )
}

/// Ops that only give memory another name (2.3), except `arith.select`.
pub fn is_alias_op(name: &str) -> bool {
    is_view_like(name)
        || matches!(
            name,
            "memref.extract_strided_metadata"
                | "bufferization.to_tensor"
                | "bufferization.to_memref"
                | "bufferization.to_buffer"
                | "hivm.hir.bitcast"
                | "tensor.collapse_shape"
                | "tensor.expand_shape"
                | "tensor.extract_slice"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_table_stands_once() {
        let mut names: Vec<&str> = TABLE.iter().flat_map(|(n, _)| n.split(' ')).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn columns_of_appendix_a() {
        let add = op_traits("hivm.hir.vadd").expect("vadd is in the table");
        assert!(add.elementwise() && add.same_type && add.broadcast && add.extra && add.one_extra);
        let cmp = op_traits("hivm.hir.vcmp").expect("vcmp is in the table");
        assert!(cmp.elementwise() && !cmp.extra && !cmp.same_type);
        let put = op_traits("hivm.hir.index_put").expect("index_put is in the table");
        assert!(!put.structured);
        assert!(op_traits("hivm.hir.debug").is_none() && op_traits("memref.load").is_none());
    }
}
