//! The operand groups of ops, in the order of the generic form (HIVM spec, Appendix A).

use super::Role;

/// How many operands a group holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number; usually this one.
    Many(usize),
}

/// One group of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the spec: `src`, `dst`, `temp_buffer`.
    pub name: &'static str,
    /// What its operands are to the op.
    pub role: Role,
    /// How many they are.
    pub arity: Arity,
}

const fn group(name: &'static str, role: Role, arity: Arity) -> Group {
    Group { name, role, arity }
}

const fn one(name: &'static str) -> Group {
    group(name, Role::In, Arity::One)
}

const fn maybe(name: &'static str) -> Group {
    group(name, Role::In, Arity::Optional)
}

const fn many(name: &'static str, usual: usize) -> Group {
    group(name, Role::In, Arity::Many(usual))
}

const SRC: Group = one("src");
const DST: Group = group("dst", Role::Out, Arity::One);
const DSTS: Group = group("dst", Role::Out, Arity::Many(1));
const TEMP: Group = group("temp_buffer", Role::Temp, Arity::Optional);
const TEMPS: Group = group("temp_buffers", Role::Temp, Arity::Many(0));
const SYNC: Group = many("sync_related_args", 0);
const UNIT_FLAG: Group = many("unit_flag_cond", 0);
const BIAS: Group = maybe("per_channel_bias");

/// The groups of an op by its full name; none for ops of which nothing is known.
///
/// `index_put` and `scatterT` list their destination inside `ins` (8.3); nothing says where. It is
/// taken to be the first: both write into what they are applied to.
pub fn groups(op: &str) -> Option<&'static [Group]> {
    match op {
        "memref.alloc" | "memref.alloca" => {
            return Some(const { &[many("sizes", 0), many("symbols", 0)] });
        }
        "memref_ext.alloc_workspace" => {
            return Some(const { &[many("sizes", 0), maybe("from"), many("offsets", 0)] });
        }
        _ if op.starts_with("linalg.") && op != "linalg.yield" && op != "linalg.index" => {
            return Some(const { &[many("ins", 1), group("outs", Role::Out, Arity::Many(1))] });
        }
        _ => {}
    }
    let op = op.strip_prefix("hivm.hir.")?;
    vector(op).or_else(|| mover(op)).or_else(|| macros(op))
}

/// A.1.
fn vector(op: &str) -> Option<&'static [Group]> {
    Some(match op {
        "vexp" | "vabs" | "vln" | "vrelu" | "vrsqrt" | "vsqrt" | "vrec" | "vnot" | "vcast" => {
            const { &[many("src", 1), DSTS, TEMP] }
        }
        "vexp2" | "vlog2" | "vlog10" | "vlog1p" | "vexpm1" | "vilogb" | "vtanh" | "vsin"
        | "vcos" | "vatan" | "vtan" | "verf" | "visinf" | "visnan" => {
            const { &[many("src", 1), DSTS] }
        }
        "vadd" | "vmul" | "vsub" | "vdiv" | "vmax" | "vmin" | "vor" | "vand" | "vshl" | "vshr"
        | "vxor" | "vpow" | "vcmp" | "vmulextended" => const { &[many("src", 2), DSTS, TEMP] },
        "vmulext" | "vmulextui" | "vmod" | "vmodui" | "vldexp" => const { &[many("src", 2), DSTS] },
        "vsel" => const { &[many("src", 3), DSTS, TEMP] },
        "vbrc" | "vtranspose" | "vcumsum" | "vcumprod" | "vcummax" | "vcummin" => {
            const { &[SRC, DST, TEMP] }
        }
        "vreduce" => const { &[SRC, DSTS, TEMP, maybe("indices")] },
        "vsort" => const { &[SRC, DSTS, TEMP] },
        "vinterleave" => const { &[many("src", 2), DST, TEMP] },
        "vgather" => const { &[SRC, one("indices"), DST, TEMP] },
        "vdeinterleave" => const { &[SRC, group("dst", Role::Out, Arity::Many(2))] },
        "vgathermask" => const { &[SRC, one("mask"), DSTS] },
        "vflip" => const { &[SRC, DST] },
        "vconcat" => const { &[many("src", 2), DST] },
        "vpad" => const { &[SRC, DST, one("pad_value"), many("low", 0), many("high", 0)] },
        "varange" => const { &[DST, maybe("offset"), many("strides", 0)] },
        "custom" => {
            const { &[many("inputs", 1), group("outputs", Role::Out, Arity::Many(1)), TEMPS] }
        }
        "stride_load" | "stride_store" | "indirect_load" | "indirect_store"
        | "embedding_gather" | "gather_load" | "scatter_store" | "gatherT" => {
            const { &[many("src", 1), DST] }
        }
        "index_put" | "scatterT" => const { &[DST, many("src", 2)] },
        _ => return None,
    })
}

/// A.2, without the macro ops.
fn mover(op: &str) -> Option<&'static [Group]> {
    Some(match op {
        "load" => {
            const {
                &[
                    SRC,
                    DST,
                    maybe("pad_value"),
                    maybe("left_padding_num"),
                    maybe("right_padding_num"),
                    maybe("init_condition"),
                ]
            }
        }
        "nd2nz" => const { &[SRC, DST, maybe("pad_value"), maybe("init_condition")] },
        "load_scale" | "store" | "nz2nd" | "l12ub" | "atomic_rmw" => const { &[SRC, DST] },
        "copy" => const { &[SRC, DST, maybe("pad_value")] },
        "fixpipe" => const { &[SRC, DST, UNIT_FLAG, maybe("quant_scale")] },
        "pointer_cast" => const { &[many("addrs", 1), many("sizes", 0)] },
        _ => return None,
    })
}

/// A.2, the macro ops.
fn macros(op: &str) -> Option<&'static [Group]> {
    const A: Group = one("a");
    const B: Group = one("b");
    const INIT: Group = one("init_condition");
    const M: Group = one("real_m");
    const K: Group = one("real_k");
    const N: Group = one("real_n");
    const C: Group = group("c", Role::Out, Arity::One);
    Some(match op {
        "mmadL1" | "batchMmadL1" => const { &[A, B, INIT, M, K, N, C, SYNC, UNIT_FLAG, BIAS] },
        "mmadmxL1" => const { &[A, B, one("scaleA"), one("scaleB"), INIT, M, K, N, C, SYNC, BIAS] },
        "Conv1dL1" | "Conv2dL1" | "Conv3dL1" => {
            const { &[one("input"), one("weight"), maybe("bias"), DST, INIT, SYNC] }
        }
        "matmul" | "mix_matmul" | "mix_group_matmul" => const { &[many("inputs", 2), C] },
        "custom_macro" => {
            const { &[many("inputs", 1), group("outputs", Role::Out, Arity::Many(1)), TEMPS, SYNC] }
        }
        _ => return None,
    })
}

/// True when two groups of inputs may each hold any number, so that roles and order do not tell
/// them apart: then the attribute `segments` counts the operands of each group.
pub fn ambiguous(groups: &[Group]) -> bool {
    let varies = |g: &&Group| g.role == Role::In && g.arity != Arity::One;
    groups.iter().filter(varies).count() > 1
}

/// How many operands each of these groups has when nothing but their sum is known: the usual
/// number each, what is left over to the optional ones and then to the first that takes any number.
/// None when the sum is too small.
pub(super) fn distribute(total: usize, groups: &[Group]) -> Option<Vec<usize>> {
    let least = |g: &Group| usize::from(g.arity == Arity::One);
    let usual = |g: &Group| match g.arity {
        Arity::One => 1,
        Arity::Optional => 0,
        Arity::Many(usual) => usual,
    };
    let mut counts: Vec<usize> = groups.iter().map(usual).collect();
    let mut left = match total.checked_sub(counts.iter().sum()) {
        Some(left) => left,
        None => {
            counts = groups.iter().map(least).collect();
            total.checked_sub(counts.iter().sum())?
        }
    };
    let optional = groups.iter().zip(&mut counts).filter(|(g, _)| g.arity == Arity::Optional);
    for (_, count) in optional {
        *count = left.min(1);
        left -= *count;
    }
    let any = groups.iter().position(|g| matches!(g.arity, Arity::Many(_)));
    match any {
        Some(any) => counts[any] += left,
        None if left > 0 => return None,
        None => {}
    }
    Some(counts)
}
