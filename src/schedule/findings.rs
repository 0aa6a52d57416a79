//! What is worth saying about a module's order and its scalars.

use super::choose::Scheduled;
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Calls, InstructionId, Module, Opcode, post_orders};
use crate::model::{IdVec, grouped};

/// That another order needs less memory; `None` when the text's is as good as what was found.
pub fn peak_high(module: &Module, scheduled: &Scheduled) -> Option<Diagnostic> {
    let (before, after) = (scheduled.peak_before, scheduled.peak_after);
    let lost = before.checked_sub(after).filter(|&lost| lost > 0)?;
    // Rounded as in the table of orders.
    let whole = u128::from(before.max(1));
    let tenths = (u128::from(lost) * 2000 + whole) / (whole * 2);
    let message = format!(
        "the order of `{}` needs {} bytes, another {}: {} bytes, {}.{} % lost",
        module.name,
        grouped(before.into()),
        grouped(after.into()),
        grouped(lost.into()),
        tenths / 10,
        tenths % 10
    );
    let name = scheduled.chosen.name();
    Some(
        Diagnostic::warning(Code::HloPeakHigh, message)
            .at(module.entry().loc, "this order of instructions")
            .help(format!("take the order `{name}`; it computes the same")),
    )
}

/// That scalars are computed at run time from constants alone; `None` when there are none.
///
/// Counted are instructions of computations that run in time and are not constants themselves, of one
/// element, without side effects, of which all operands are constants or such.
pub fn scalars_not_folded(module: &Module, calls: &Calls) -> Option<Diagnostic> {
    let mut folds = IdVec::filled(false, module.instructions.len());
    let (mut first, mut count, mut bytes) = (None, 0_u64, 0_u64);
    let posts = post_orders(module);
    for (_, post) in posts.enumerate().filter(|(id, _)| calls.scoped.get(*id) == Some(&true)) {
        for &at in post {
            if !is_constant(module, &folds, at) {
                continue;
            }
            folds[at] = true;
            if module.instructions[at].opcode != Opcode::Constant {
                first = first.or(Some(at));
                count += 1;
                let array = module.instructions[at].shape.array();
                bytes = bytes.saturating_add(array.and_then(|array| array.bytes()).unwrap_or(0));
            }
        }
    }
    let first = &module.instructions[first?];
    let message = format!("{count} scalars of {bytes} bytes are computed from constants alone");
    Some(
        Diagnostic::warning(Code::HloScalarsNotFolded, message)
            .at(first.loc, "the first of them")
            .help("fold constants before scheduling: each costs an instruction and a buffer"),
    )
}

/// True for a scalar that is a constant or follows from constants alone.
fn is_constant(module: &Module, folds: &IdVec<InstructionId, bool>, at: InstructionId) -> bool {
    let instruction = &module.instructions[at];
    let is_scalar = instruction.shape.array().and_then(|array| array.elements()) == Some(1);
    let is_pure = is_arithmetic(&instruction.opcode) && !instruction.operands.is_empty();
    let follows = is_pure && instruction.operands.iter().all(|&operand| folds[operand]);
    is_scalar
        && (instruction.opcode == Opcode::Constant
            || (follows && instruction.control_predecessors().is_empty()))
}

/// True for ops that compute an element from elements and do nothing else.
fn is_arithmetic(opcode: &Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Abs | Add
            | And
            | Atan2
            | Bitcast
            | BitcastConvert
            | Broadcast
            | Cbrt
            | Ceil
            | Clamp
            | Clz
            | Compare
            | Complex
            | Convert
            | Cosine
            | Divide
            | Erf
            | Exponential
            | ExponentialMinusOne
            | Floor
            | Imag
            | IsFinite
            | Log
            | LogPlusOne
            | Logistic
            | Maximum
            | Minimum
            | Multiply
            | Negate
            | Not
            | Or
            | PopulationCount
            | Power
            | Real
            | ReducePrecision
            | Remainder
            | Reshape
            | RoundNearestAfz
            | RoundNearestEven
            | Rsqrt
            | Select
            | ShiftLeft
            | ShiftRightArithmetic
            | ShiftRightLogical
            | Sign
            | Sine
            | Sqrt
            | Subtract
            | Tan
            | Tanh
            | Transpose
            | Xor
    )
}
