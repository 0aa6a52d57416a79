//! Ops that a later pass lowers to scalar loops (HIVM spec, Appendix A.3).

use super::destination_operands;
use crate::ir::mlir::{Function, Op, Scalar, Type};

/// True when the op, on buffers, becomes scalar loops. `simt` says that it stands in a SIMT vector
/// function.
pub fn lowers_to_scalar_loops(function: &Function, op: &Op, reg_based: bool, simt: bool) -> bool {
    let Some(name) = op.name.strip_prefix("hivm.hir.") else { return false };
    let Some(first) = op.operands.first().map(|o| function.ty(o.value)) else { return false };
    // Tensors are not yet buffers.
    if matches!(first, Type::Tensor(_)) {
        return false;
    }
    let e0 = first.element();
    let i64s = e0 == Some(&Scalar::Int(64)) || simt;
    let wide = matches!(e0, Some(Scalar::Int(32 | 64)));
    let shaped_shift = || op.operands.get(1).is_some_and(|o| function.ty(o.value).dims().is_some());
    match name {
        "vadd" | "vsub" | "vmul" | "vdiv" | "vmin" | "vmax" | "vabs" | "vinterleave"
        | "vdeinterleave" => i64s,
        "vshl" => i64s || shaped_shift(),
        "vshr" => i64s || (!reg_based && shaped_shift()),
        "vmod" | "vmulext" | "vmulextui" => wide,
        "vcmp" => {
            // D.10: without compare_mode it is `eq`.
            let mode = op.attrs.get("compare_mode").and_then(|a| a.word()).unwrap_or("eq");
            let equality = e0 == Some(&Scalar::Int(32)) && matches!(mode, "eq" | "ne");
            e0.is_some_and(Scalar::is_int) && !equality
        }
        "vreduce" => reduction(op, first, reg_based),
        "vcumsum" | "vcumprod" | "vcummax" | "vcummin" => {
            cumulation(function, op, name, first, reg_based)
        }
        _ => false,
    }
}

fn reduction(op: &Op, source: &Type, reg_based: bool) -> bool {
    let Some(element) = source.element() else { return false };
    let kind = op.attrs.get("kind").and_then(|a| a.word()).unwrap_or_default();
    let dims = source.dims().unwrap_or_default();
    let reduced = op.attrs.get("reduce_dims").and_then(|a| a.ints()).unwrap_or_default();
    let index = kind.contains("_with_index");
    if reg_based {
        // "Misaligned geometry": rows that do not fill 32-byte blocks.
        let row = dims.last().copied().flatten().zip(element.bits());
        return index && row.is_none_or(|(n, bits)| !(n * u64::from(bits)).is_multiple_of(256));
    }
    if !index {
        return matches!(kind, "min" | "max" | "sum" | "prod" | "xori")
            && *element == Scalar::Int(64);
    }
    match element {
        Scalar::Int(16 | 32 | 64) => true,
        Scalar::Float(_) => {
            let last = i64::try_from(dims.len()).unwrap_or_default() - 1;
            let right = kind.ends_with("_right");
            flattened_rank(dims.len(), &reduced) > 2
                || (right && (dims.len() == 1 || reduced.contains(&last)))
        }
        _ => false,
    }
}

/// The rank after neighbours that are both reduced or both kept have become one dimension.
fn flattened_rank(rank: usize, reduced: &[i64]) -> usize {
    let is_reduced = |dim: usize| i64::try_from(dim).is_ok_and(|d| reduced.contains(&d));
    (0..rank).filter(|&dim| dim == 0 || is_reduced(dim) != is_reduced(dim - 1)).count()
}

fn cumulation(function: &Function, op: &Op, name: &str, source: &Type, reg_based: bool) -> bool {
    let cum = op.attrs.get("cum_dims").and_then(|a| a.ints()).unwrap_or_default();
    let [dim] = cum[..] else { return false };
    let dims = source.dims().unwrap_or_default();
    let vector = name == "vcumsum"
        && dims.len() == 1
        && dim == 0
        && matches!(source.element(), Some(Scalar::Int(32 | 64)));
    if reg_based && vector {
        return false;
    }
    let out = destination_operands(op).first().and_then(|&v| function.ty(v).element());
    let after = usize::try_from(dim).unwrap_or_default() + 1;
    let last = dims.iter().skip(after).all(|d| *d == Some(1));
    out == Some(&Scalar::Int(64)) || (!reg_based && last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_kind_are_one_dimension() {
        assert_eq!(flattened_rank(3, &[1]), 3);
        assert_eq!(flattened_rank(3, &[2]), 2);
        assert_eq!(flattened_rank(4, &[0, 1]), 2);
        assert_eq!(flattened_rank(1, &[0]), 1);
    }
}
