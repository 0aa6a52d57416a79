//! The machine of a command: a name or a file.

use std::path::Path;

use super::args::{Mode, RunArgs};
use super::input::{self, Codes};
use crate::diag::{Diagnostic, Sources};
use crate::front::machine;
use crate::model::machine::{Machine, Mode as ModelMode};
use crate::verify::trace::{Options, Trips};

/// The machine that the command line asks for; `None`: that of the input.
///
/// # Errors
/// Those of reading a machine file, or a name that nobody knows.
pub(super) fn asked(
    args: &RunArgs,
    limit: u64,
    sources: &mut Sources,
) -> Result<Option<Machine>, Vec<Diagnostic>> {
    let Some(text) = &args.machine else { return Ok(None) };
    let one = |error| vec![error];
    let path = Path::new(text);
    let looks_like_a_path = text.contains(['/', '\\']) || text.ends_with(".toml");
    if !looks_like_a_path && !path.is_file() {
        return machine::named(text, None).map(Some).map_err(one);
    }
    let file = input::read_file(path, limit, Codes::MACHINE, sources).map_err(one)?;
    machine::read(sources, file).map(Some)
}

/// How the command line wants traces to be run.
pub(super) fn options(args: &RunArgs, seed: u64) -> Options {
    Options {
        mode: args.mode.map(|mode| match mode {
            Mode::Spec => ModelMode::Spec,
            Mode::Source => ModelMode::Source,
        }),
        schedule: args.schedule.clone(),
        seed,
        trips: Trips::Needed,
    }
}
