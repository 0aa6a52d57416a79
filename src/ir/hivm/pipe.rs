//! The unit that runs an op (HIVM spec, section 4.5 and Appendix A).

use super::{Space, destination_operands, op_traits};
use crate::ir::mlir::{Attr, Function, Op, Role};

/// A hardware pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HwPipe {
    /// L1 to L0.
    Mte1,
    /// Global memory to local memory.
    Mte2,
    /// Local memory to global memory.
    Mte3,
    /// Vector unit.
    V,
    /// Cube unit.
    M,
    /// L0C to elsewhere.
    Fix,
    /// Scalar unit.
    S,
}

/// How a name determines the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeRule {
    /// Always that one.
    One(HwPipe),
    /// By the spaces of source and destination (`copy`).
    Copy,
    /// By the space of the destination (`vbrc`).
    Broadcast,
    /// By an attribute (`custom`).
    Attribute,
    /// A macro op: reads with the first, writes with the second.
    Macro(HwPipe, HwPipe),
    /// A macro op whose pipes nothing here tells.
    UnknownMacro,
    /// None.
    None,
}

/// Why there is no pipe, in the words of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeError {
    /// A copy or broadcast between spaces that no pipe connects.
    Unknown,
    /// A `custom` op without a pipe.
    Unassigned,
}

impl PipeError {
    /// The message of the pass.
    pub fn message(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown PIPE!",
            Self::Unassigned => "OptMemPlanForLoop failed to recognize hivmPipeOp! ",
        }
    }
}

/// The two pipes of a macro op by its full name.
pub fn macro_pipes(name: &str) -> Option<(HwPipe, HwPipe)> {
    match op_traits(name)?.pipe {
        PipeRule::Macro(input, output) => Some((input, output)),
        _ => None,
    }
}

/// The single pipe of a structured op; none for macro ops and ops without one.
pub fn pipe_of(function: &Function, op: &Op) -> Result<Option<HwPipe>, PipeError> {
    let Some(traits) = op_traits(&op.name).filter(|t| t.structured) else { return Ok(None) };
    let out = destination_operands(op).first().copied();
    let out = out.and_then(|v| Space::of_type(function.ty(v)));
    match traits.pipe {
        PipeRule::One(pipe) => Ok(Some(pipe)),
        PipeRule::Copy => {
            let source = op.with_role(Role::In).next();
            let source = source.and_then(|v| Space::of_type(function.ty(v)));
            match (source, out) {
                (Some(Space::Ub), Some(Space::Ub)) => Ok(Some(HwPipe::V)),
                (Some(Space::Cc), Some(Space::Gm)) => Ok(Some(HwPipe::Fix)),
                (Some(Space::Gm), Some(Space::Cbuf)) => Ok(Some(HwPipe::Mte2)),
                (Some(Space::Ub), Some(Space::Cbuf)) => Ok(Some(HwPipe::Mte3)),
                _ => Err(PipeError::Unknown),
            }
        }
        PipeRule::Broadcast => match out {
            Some(Space::Cbuf) => Ok(Some(HwPipe::Mte2)),
            Some(Space::Ub) => Ok(Some(HwPipe::V)),
            _ => Err(PipeError::Unknown),
        },
        PipeRule::Attribute => assigned(op).map(Some).ok_or(PipeError::Unassigned),
        PipeRule::Macro(..) | PipeRule::UnknownMacro | PipeRule::None => Ok(None),
    }
}

/// The pipe that an attribute such as `hivm.pipe = #hivm.pipe<PIPE_V>` gives.
fn assigned(op: &Op) -> Option<HwPipe> {
    op.attrs.iter().find_map(|(_, attr, _)| match attr {
        Attr::Other(_) | Attr::Str(_) => match attr.word()? {
            "PIPE_S" => Some(HwPipe::S),
            "PIPE_V" => Some(HwPipe::V),
            "PIPE_M" => Some(HwPipe::M),
            "PIPE_MTE1" => Some(HwPipe::Mte1),
            "PIPE_MTE2" => Some(HwPipe::Mte2),
            "PIPE_MTE3" => Some(HwPipe::Mte3),
            "PIPE_FIX" => Some(HwPipe::Fix),
            _ => None,
        },
        _ => None,
    })
}
