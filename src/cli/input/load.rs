//! One input, read.

use std::path::{Path, PathBuf};

use super::bytes::{self, Bytes, Codes};
use super::kind::{self, Kind, Toml};
use super::targets::Files;
use super::walk::{Item, Origin};
use crate::cli::args::InputArgs;
use crate::cli::capacity;
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::read::nearest;
use crate::front::{Read, csv, spec};
use crate::model::Problem;

/// One input after reading.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Its name.
    pub(crate) name: String,
    /// The path that an output for it has below an output folder.
    pub(crate) below: PathBuf,
    /// Its texts.
    pub(crate) sources: Sources,
    /// What it says, or all that is wrong with it.
    pub(crate) outcome: Result<Ready, Vec<Diagnostic>>,
}

/// A problem to work on.
#[derive(Debug)]
pub(crate) struct Ready {
    /// The problem, with the options of the command line applied.
    pub(crate) problem: Problem,
    /// Warnings of the reader.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Reads an input.
pub(crate) fn load(item: Item, args: &InputArgs, limit: u64) -> Loaded {
    let mut sources = Sources::default();
    let Item { name, from, below } = item;
    let outcome = read(&name, from, args, limit, &mut sources)
        .and_then(|read| adjust(read, &name, args).map_err(|error| vec![error]));
    Loaded { name, below, sources, outcome }
}

fn read(
    name: &str,
    from: Origin,
    args: &InputArgs,
    limit: u64,
    sources: &mut Sources,
) -> Result<Read, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let (bytes, folder) = match from {
        Origin::Broken(error) => return Err(vec![error]),
        Origin::Here(bytes) => (bytes.map_err(one)?, PathBuf::new()),
        Origin::File(path) => {
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            let large = match kind::kind(args.from, name, b"") {
                Ok(Kind::Csv) => Codes::CSV.large,
                Ok(Kind::Spec) | Err(_) => Codes::SPEC.large,
            };
            match bytes::file(&path, limit) {
                Ok(Bytes::All(all)) => (all, folder),
                Ok(Bytes::TooMany) => return Err(vec![bytes::too_large(name, limit, large)]),
                Err(error) => return Err(vec![bytes::unreadable(name, &error)]),
            }
        }
    };
    match kind::kind(args.from, name, &bytes).map_err(one)? {
        Kind::Csv => {
            let file = bytes::text(sources, name, bytes, Codes::CSV.utf8).map_err(one)?;
            csv::read(sources, file)
        }
        Kind::Spec => {
            let file = bytes::text(sources, name, bytes, Codes::SPEC.utf8).map_err(one)?;
            let text = sources.get(file).map_or("", |s| &s.text);
            if args.from.is_none() && kind::toml(text) == Toml::Plan {
                return Err(vec![a_plan(name)]);
            }
            let folder = if args.target.is_some() { PathBuf::new() } else { folder };
            let mut targets = Files { folder, limit };
            spec::read(sources, file, args.target.as_deref(), &mut targets)
        }
    }
}

fn a_plan(name: &str) -> Diagnostic {
    Diagnostic::error(Code::ConfigUnknownFormat, format!("`{name}` is a plan, not a spec"))
        .help(format!("give the spec, and the plan as `memplan verify SPEC --plan {name}`"))
}

/// Applies `--function` and `--capacity`.
fn adjust(read: Read, name: &str, args: &InputArgs) -> Result<Ready, Diagnostic> {
    let Read { mut problem, warnings } = read;
    if let Some(wanted) = &args.function {
        if problem.functions.iter().all(|f| f.name != *wanted) {
            return Err(no_function(&problem, name, wanted));
        }
        problem.functions.retain(|f| f.name == *wanted);
    }
    capacity::apply(&mut problem, &args.capacity)?;
    Ok(Ready { problem, warnings })
}

fn no_function(problem: &Problem, name: &str, wanted: &str) -> Diagnostic {
    let names = || problem.functions.iter().map(|f| f.name.as_str());
    let help = match nearest(wanted, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names().take(20).map(|n| format!("`{n}`")).collect();
            format!("its functions are {}", names.join(", "))
        }
    };
    let message = format!("`{name}` has no function `{wanted}`");
    Diagnostic::error(Code::ConfigUnknownFunction, message).help(help)
}
