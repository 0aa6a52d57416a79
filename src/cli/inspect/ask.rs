//! What is asked about, beside everything.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic};
use crate::format::read::nearest;
use crate::model::{BufferId, Function, Problem};

/// What the command line asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ask<'a> {
    /// Names of buffers.
    pub(super) buffers: &'a [String],
    /// Who may share with whom for all buffers, not for those at the peaks alone.
    pub(super) all: bool,
}

impl Ask<'_> {
    /// The buffers that are asked for by name, in the order of the input.
    pub(super) fn named(&self, function: &Function) -> Vec<BufferId> {
        let names: BTreeSet<&str> = self.buffers.iter().map(String::as_str).collect();
        if names.is_empty() {
            return Vec::new();
        }
        let these = function.buffers.enumerate().filter(|(_, b)| names.contains(b.name.as_str()));
        these.map(|(id, _)| id).collect()
    }

    /// Names that no buffer of the input has.
    ///
    /// # Errors
    /// `config::bad_option` for the first of them.
    pub(super) fn check(&self, problem: &Problem, input: &str) -> Result<(), Diagnostic> {
        let mut wanted = self.buffers.iter();
        let known = || problem.functions.iter().flat_map(|f| f.buffers.iter());
        let Some(name) = wanted.find(|name| known().all(|b| b.name != **name)) else {
            return Ok(());
        };
        let message = format!("`--buffer`: `{input}` has no buffer `{name}`");
        let error = Diagnostic::error(Code::ConfigBadOption, message);
        Err(match nearest(name, known().map(|b| b.name.as_str())) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`memplan inspect -v` lists all buffers"),
        })
    }
}
