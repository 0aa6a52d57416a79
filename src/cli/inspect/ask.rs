//! What is asked about, beside everything.

use std::collections::{BTreeMap, BTreeSet};

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

    /// True when there is something to tell about a function.
    pub(super) fn wants(&self, function: &Function) -> bool {
        self.buffers.is_empty() || !self.named(function).is_empty()
    }
}

/// Which of the names that were asked for no input has had so far.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// Each with the nearest name there is.
    names: BTreeMap<String, Option<String>>,
    looked: bool,
}

impl Missing {
    /// None has been seen.
    pub(super) fn new(ask: &Ask<'_>) -> Self {
        Self { names: ask.buffers.iter().map(|n| (n.clone(), None)).collect(), looked: false }
    }

    /// Looks for the names in an input.
    pub(super) fn look(&mut self, problem: &Problem) {
        self.looked = true;
        if self.names.is_empty() {
            return;
        }
        let all = || problem.functions.iter().flat_map(|f| f.buffers.iter());
        let known: BTreeSet<&str> = all().map(|b| b.name.as_str()).collect();
        self.names.retain(|name, _| !known.contains(name.as_str()));
        for (name, near) in &mut self.names {
            if near.is_none() {
                *near = nearest(name, known.iter().copied()).map(str::to_owned);
            }
        }
    }

    /// An error for each name that nothing has; none where no input could be read.
    pub(super) fn errors(self) -> Vec<Diagnostic> {
        let error = |(name, near): (String, Option<String>)| {
            let message = format!("`--buffer`: there is no buffer `{name}`");
            let error = Diagnostic::error(Code::ConfigBadOption, message);
            error.help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`memplan inspect -v` lists all buffers".to_owned(),
            })
        };
        if self.looked { self.names.into_iter().map(error).collect() } else { Vec::new() }
    }
}
