//! How many operands an instruction has.

use std::ops::RangeInclusive;

use super::super::read::{Read, error};
use super::super::{InstructionId, Module, Opcode as O};
use crate::diag::Code;

const ANY: RangeInclusive<usize> = 0..=usize::MAX;

/// How many operands an opcode takes.
fn takes(opcode: &O) -> RangeInclusive<usize> {
    match opcode {
        O::Constant | O::Iota | O::Parameter | O::PartitionId | O::ReplicaId => 0..=0,
        O::Abs
        | O::AllGatherDone
        | O::AllReduceDone
        | O::Bitcast
        | O::BitcastConvert
        | O::Broadcast
        | O::Cbrt
        | O::Ceil
        | O::Cholesky
        | O::Clz
        | O::CollectivePermuteDone
        | O::Convert
        | O::Copy
        | O::CopyDone
        | O::CopyStart
        | O::Cosine
        | O::Domain
        | O::Erf
        | O::Exponential
        | O::ExponentialMinusOne
        | O::Fft
        | O::Floor
        | O::GetDimensionSize
        | O::GetTupleElement
        | O::Imag
        | O::IsFinite
        | O::Log
        | O::LogPlusOne
        | O::Logistic
        | O::Negate
        | O::Not
        | O::OptBarrier
        | O::PopulationCount
        | O::Real
        | O::Recv
        | O::RecvDone
        | O::ReducePrecision
        | O::Reshape
        | O::Reverse
        | O::RoundNearestAfz
        | O::RoundNearestEven
        | O::Rsqrt
        | O::SendDone
        | O::Sign
        | O::Sine
        | O::Slice
        | O::Sqrt
        | O::Tan
        | O::Tanh
        | O::Transpose
        | O::While => 1..=1,
        O::Add
        | O::AddDependency
        | O::And
        | O::Atan2
        | O::Compare
        | O::Complex
        | O::Divide
        | O::Gather
        | O::Maximum
        | O::Minimum
        | O::Multiply
        | O::Or
        | O::Pad
        | O::Power
        | O::Remainder
        | O::Send
        | O::SetDimensionSize
        | O::ShiftLeft
        | O::ShiftRightArithmetic
        | O::ShiftRightLogical
        | O::StochasticConvert
        | O::Subtract
        | O::TriangularSolve
        | O::Xor => 2..=2,
        O::Clamp | O::Select | O::SelectAndScatter => 3..=3,
        O::RaggedAllToAll => 6..=6,
        O::AllGatherStart
        | O::AllReduceStart
        | O::AsyncDone
        | O::AsyncUpdate
        | O::CollectivePermute
        | O::CollectivePermuteStart
        | O::Concatenate
        | O::DynamicSlice
        | O::Map
        | O::Sort => 1..=usize::MAX,
        O::Conditional | O::Convolution | O::Dot | O::DynamicUpdateSlice => 2..=usize::MAX,
        O::Scatter => 3..=usize::MAX,
        _ => ANY,
    }
}

pub(super) fn check(module: &Module, id: InstructionId) -> Read<()> {
    let instruction = &module.instructions[id];
    let count = instruction.operands.len();
    let takes = takes(&instruction.opcode);
    // Scatter: n arrays, one of indices, n of updates.
    let even = instruction.opcode == O::Scatter && count.is_multiple_of(2);
    if takes.contains(&count) && !even {
        return Ok(());
    }
    let (least, most) = (*takes.start(), *takes.end());
    let expected = match (least, most) {
        _ if even => "an odd number of operands".to_owned(),
        (1, 1) => "one operand".to_owned(),
        (0, 0) => "no operands".to_owned(),
        (least, usize::MAX) => format!("{least} operands or more"),
        (least, _) => format!("{least} operands"),
    };
    let message = format!(
        "`{}` has {count} operands, but `{}` takes {expected}",
        instruction.name, instruction.opcode
    );
    Err(error(Code::HloBadShape, message, instruction.loc, format!("takes {expected}")))
}
