//! What a check found.

use super::{ByteRange, Evidence};
use crate::diag::{Code, Loc, Severity};

/// One thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its class.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence with the numbers.
    pub message: String,
    /// The function.
    pub function: String,
    /// The scope, where there is one.
    pub scope: Option<String>,
    /// The buffers at fault, by name.
    pub buffers: Vec<String>,
    /// The op at which it shows.
    pub op: Option<String>,
    /// Where the first buffer or op is written.
    pub loc: Option<Loc>,
    /// The bytes of the scope at fault.
    pub bytes: Option<ByteRange>,
    /// How to see it: the second op, the trip, the sides of branches taken.
    pub witness: Option<String>,
    /// What a replay saw; none for findings of other checks.
    pub evidence: Option<Box<Evidence>>,
}
