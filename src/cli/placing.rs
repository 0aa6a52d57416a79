//! What plans owe and what device runtimes make of them, for `solve` and `verify`.

use super::args::{PlaceArgs, Runtime};
use super::machine;
use super::{defect, output};
use crate::diag::{Diagnostic, Sources};
use crate::model::machine::Machine;
use crate::model::{Finding, Plan, Problem, Timeline};
use crate::report::chrome;
use crate::verify;
use crate::verify::owed::Owed;
use crate::verify::place::{Placed, Runtime as Place, Use, place};
use crate::verify::trace::Options;

/// What plans are replayed on.
#[derive(Debug)]
pub(super) struct Stage {
    /// None: that of each input's target.
    machine: Option<Machine>,
    options: Options,
    runtimes: Vec<Place>,
}

/// What the replays of one plan have shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    pub(super) owed: Vec<Owed>,
    pub(super) placed: Vec<(&'static str, Placed)>,
}

impl Stage {
    /// What the command line asks for.
    ///
    /// # Errors
    /// Those of the machine file.
    pub(super) fn of(
        args: &PlaceArgs,
        seed: u64,
        limit: u64,
        sources: &mut Sources,
    ) -> Result<Self, Vec<Diagnostic>> {
        let machine = machine::asked(&args.run, limit, sources)?;
        let mut runtimes: Vec<Place> = Vec::new();
        for runtime in &args.runtime {
            let place = match runtime {
                Runtime::Pipes => continue,
                Runtime::Svm => Place::Svm,
                Runtime::Vmm => Place::Vmm,
                Runtime::Uvm => Place::Uvm,
                Runtime::Soma => Place::Soma,
            };
            if !runtimes.contains(&place) {
                runtimes.push(place);
            }
        }
        Ok(Self { machine, options: machine::options(&args.run, seed), runtimes })
    }

    /// Replays a plan.
    pub(super) fn show(&self, problem: &Problem, plan: &Plan) -> Shown {
        let machine = self.machine.clone().unwrap_or_else(|| verify::owed::machine(problem));
        let placed = |&runtime: &Place| {
            let usage = Use::default();
            (runtime.name(), place(problem, plan, runtime, usage, &machine, &self.options))
        };
        Shown {
            owed: verify::owed(problem, plan, &machine),
            placed: self.runtimes.iter().map(placed).collect(),
        }
    }
}

impl Shown {
    /// What the runtimes found.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let named = |(name, placed): &(&'static str, Placed)| -> Vec<Finding> {
            let tag =
                |f: &Finding| Finding { message: format!("{} ({name})", f.message), ..f.clone() };
            placed.findings.iter().map(tag).collect()
        };
        self.placed.iter().flat_map(named).collect()
    }

    /// The timelines, for trace viewers.
    pub(super) fn timelines(&self) -> Vec<Timeline> {
        self.owed.iter().map(|one| one.timeline.clone()).collect()
    }
}

/// Writes timelines for trace viewers.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn export(
    path: &std::path::Path,
    timelines: &[(String, Timeline)],
) -> Result<(), Diagnostic> {
    match chrome::chrome(timelines) {
        Ok(text) => output::write(path, &text),
        Err(error) => Err(defect::bug(&error.to_string())),
    }
}
