//! HLO modules rewritten by their facts (spec/xla-memory.md 11 to 14).
//!
//! ```text
//!   propagate   memory spaces from a fusion's boundary into the fused computation   (11)
//!   annotate    placement annotations -> MoveToHost, MoveToDevice, Pin..            (12)
//!   alias       donated parameters and outputs of equal size become one buffer      (13)
//!   add-copies  conservative copies where values would share bytes wrongly          (14, steps 1, 3)
//!   copies      copies whose source and result can be one buffer go                 (14, step 2)
//! ```

pub mod aliases;
pub mod copies;
pub mod edit;
mod note;
pub mod placement;
pub mod propagate;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use note::{Measures, Note, Report};

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::ir::hlo::{ComputationId, Module, Opcode, Platform};
use crate::model::IdVec;

/// A rewriting of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// [`propagate::run`].
    Propagate,
    /// [`placement::run`].
    Annotate,
    /// [`aliases::run`].
    Alias,
    /// [`copies::add`].
    AddCopies,
    /// [`copies::remove`].
    Copies,
}

/// What the passes take for granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whose rules about sharing bytes decide which copies go.
    pub platform: Platform,
    /// Which parameters the alias pass may give to outputs.
    pub donors: aliases::Donors,
    /// The execution threads whose fusions are propagated into; all when empty. Computations that
    /// name no thread are on `main`.
    pub threads: BTreeSet<String>,
}

impl Pass {
    /// Every pass by itself.
    pub const EACH: [Self; 5] =
        [Self::Propagate, Self::Annotate, Self::Alias, Self::AddCopies, Self::Copies];

    /// What `all` runs on a scheduled module, in this order. One that is not scheduled has no copies
    /// where it needs them: [`Pass::all`].
    pub const ALL: [Self; 4] = [Self::Propagate, Self::Annotate, Self::Alias, Self::Copies];

    /// What `all` runs on a module: copies are added before they are removed where there is no
    /// schedule yet.
    pub fn all(module: &Module) -> &'static [Self] {
        match module.is_scheduled {
            true => &Self::ALL,
            false => &[Self::Propagate, Self::Annotate, Self::Alias, Self::AddCopies, Self::Copies],
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Propagate => "propagate",
            Self::Annotate => "annotate",
            Self::Alias => "alias",
            Self::AddCopies => "add-copies",
            Self::Copies => "copies",
        }
    }

    /// The pass of that name.
    pub fn of(name: &str) -> Option<Self> {
        Self::EACH.into_iter().find(|pass| pass.name() == name)
    }
}

/// Runs one pass.
///
/// # Errors
/// What the pass says; the module is unchanged then.
pub fn run(module: &mut Module, pass: Pass, options: &Options) -> Result<Report, Diagnostic> {
    match pass {
        Pass::Propagate => propagate::run(module, &options.threads),
        Pass::Annotate => placement::run(module),
        Pass::Alias => aliases::run(module, options.donors),
        Pass::AddCopies => copies::add(module),
        Pass::Copies => copies::remove(module, options.platform),
    }
}

/// What a rewriting would change or could not do, as findings about a module that is left as it is:
/// memory spaces that disagree, annotations that cannot be turned, donated buffers without a use.
pub fn findings(module: &Module) -> Vec<Diagnostic> {
    let mut found = propagate::findings(module);
    found.extend(placement::findings(module));
    found.extend(aliases::findings(module));
    found
}

/// The computations that fusions call.
fn fused(module: &Module) -> IdVec<ComputationId, bool> {
    let mut fused = IdVec::filled(false, module.computations.len());
    let all = module.computations.iter().flat_map(|c| &c.instructions);
    let fusions = all.map(|&id| &module.instructions[id]).filter(|i| i.opcode == Opcode::Fusion);
    for called in fusions.flat_map(|fusion| fusion.computations("calls")) {
        fused[*called] = true;
    }
    fused
}

/// The pieces of a list between commas that stand outside of strings and brackets.
fn split_top(text: &str) -> Vec<&str> {
    let (mut out, mut start) = (Vec::new(), 0);
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => (),
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                out.extend(text.get(start..at));
                start = at + 1;
            }
            _ => (),
        }
    }
    out.extend(text.get(start..).filter(|rest| !rest.trim().is_empty()));
    out
}
