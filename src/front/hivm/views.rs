//! Ops that make another name for bytes.

use crate::ir::hivm::is_alias_op;

/// True for ops whose result is other bytes of, or another name for, their first operand: those that the
/// pass links, and the cast that it does not follow.
pub(super) fn is_view(name: &str) -> bool {
    is_alias_op(name) || name == "builtin.unrealized_conversion_cast"
}
