//! One input, read.

use std::path::{Path, PathBuf};

use super::bytes::{self, Bytes, Codes};
use super::kind::{self, Kind, Toml};
use super::module;
use super::targets::Files;
use super::walk::{Item, Origin};
use crate::cli::args::{HivmPass, InputArgs};
use crate::cli::capacity;
use crate::cli::config::{Layers, Own};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::read::nearest;
use crate::front::spec::targets::Target;
use crate::front::{Read, csv, dsa, hivm, spec};
use crate::ir::hivm::{Kernels, PassKind, PassOptions};
use crate::model::{Problem, ScopeId};
use crate::plan::xla::Planned;

/// One input after reading.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Its name.
    pub(crate) name: String,
    /// The path that an output for it has below an output folder.
    pub(crate) below: PathBuf,
    /// Its texts.
    pub(crate) sources: Sources,
    /// What its config file says about planning that the run does not.
    pub(crate) own: Own,
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
    /// The tree of HIVM text.
    pub(crate) kernels: Option<Kernels>,
    /// The heaps of HLO text.
    pub(crate) module: Option<Box<Planned>>,
    /// The target of HIVM text.
    pub(crate) target: Option<Target>,
    /// What is wrong with HIVM text for everybody but the compatible planner.
    pub(crate) defects: Vec<Diagnostic>,
}

impl Loaded {
    /// Takes what only the compatible planner has words for as errors.
    pub(crate) fn strict(mut self) -> Self {
        if let Ok(ready) = &mut self.outcome
            && !ready.defects.is_empty()
        {
            self.outcome = Err(std::mem::take(&mut ready.defects));
        }
        self
    }
}

impl Ready {
    /// The scopes that are packed, where these are only some: the heaps of HLO text.
    pub(crate) fn heaps(&self) -> Vec<ScopeId> {
        self.module.iter().flat_map(|module| module.heaps.iter().map(|h| h.scope)).collect()
    }
}

/// Reads an input.
pub(crate) fn load(item: Item, args: &InputArgs, limit: u64) -> Loaded {
    let mut sources = Sources::default();
    let Item { name, from, below } = item;
    let (args, own) = Layers::of(args, &from);
    let outcome = read(&name, from, &args, limit, &mut sources)
        .and_then(|ready| adjust(ready, &name, &args).map_err(|error| vec![error]))
        .map_err(|errors| errors.into_iter().map(|e| args.layers.reword(e)).collect());
    Loaded { name, below, sources, own, outcome }
}

fn read(
    name: &str,
    from: Origin,
    args: &InputArgs,
    limit: u64,
    sources: &mut Sources,
) -> Result<Ready, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let (bytes, folder) = match from {
        Origin::Broken(error) => return Err(vec![error]),
        Origin::Here(bytes) => (bytes.map_err(one)?, PathBuf::new()),
        Origin::File(path) => {
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            let large = Codes::of(kind::kind(args.from, name, b"").unwrap_or(Kind::Spec)).large;
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
            csv::read(sources, file).map(Ready::from)
        }
        Kind::Dsa => {
            let file = bytes::text(sources, name, bytes, Codes::DSA.utf8).map_err(one)?;
            dsa::read(sources, file).map(Ready::from)
        }
        Kind::Hivm => {
            let file = bytes::text(sources, name, bytes, Codes::HIVM.utf8).map_err(one)?;
            let options = pass_options(args).map_err(one)?;
            let profile = args.profile.clone();
            let mut targets = Files { limit, profile, ..Files::default() };
            let target = args.target.as_deref();
            let read = hivm::read(sources, file, target, &options, &mut targets)?;
            let hivm::ReadHivm { read, target, kernels, defects } = read;
            let (kernels, target) = (Some(kernels), Some(target));
            Ok(Ready { kernels, target, defects, ..Ready::from(read) })
        }
        Kind::Hlo => {
            let file = bytes::text(sources, name, bytes, Codes::HLO.utf8).map_err(one)?;
            module::problem(sources, file, args)
        }
        Kind::Spec => {
            let file = bytes::text(sources, name, bytes, Codes::SPEC.utf8).map_err(one)?;
            let text = sources.get(file).map_or("", |s| &s.text);
            match kind::toml(text) {
                Toml::Plan if args.from.is_none() => return Err(vec![a_plan(name)]),
                Toml::Trace if args.from.is_none() => return Err(vec![kind::trace(name)]),
                _ => {}
            }
            let folder = if args.target.is_some() { PathBuf::new() } else { folder };
            let (capacities, profile) = (&args.capacity, args.profile.clone());
            let mut targets = Files { folder, limit, capacities, profile };
            spec::read(sources, file, args.target.as_deref(), &mut targets).map(Ready::from)
        }
    }
}

impl From<Read> for Ready {
    fn from(read: Read) -> Self {
        let Read { problem, warnings } = read;
        Self { problem, warnings, kernels: None, module: None, target: None, defects: Vec::new() }
    }
}

/// The options of the compiler's pass.
///
/// # Errors
/// One that the pass does not have.
pub(crate) fn pass_options(args: &InputArgs) -> Result<PassOptions, Diagnostic> {
    let mut options = PassOptions {
        pass: match args.hivm_pass {
            HivmPass::Base => PassKind::Base,
            HivmPass::Regbase => PassKind::Regbase,
        },
        ..PassOptions::default()
    };
    for text in &args.hivm_options {
        hivm::parse_options(text, &mut options).map_err(|error| {
            let message = format!("`--hivm-options`: {}", error.message);
            Diagnostic::error(Code::ConfigBadOption, message).help(error.help)
        })?;
    }
    Ok(options)
}

fn a_plan(name: &str) -> Diagnostic {
    Diagnostic::error(Code::ConfigUnknownFormat, format!("`{name}` is a plan, not a spec"))
        .help(format!("give the spec, and the plan as `memplan verify SPEC --plan {name}`"))
}

/// Applies `--function` and `--capacity`.
fn adjust(mut ready: Ready, name: &str, args: &InputArgs) -> Result<Ready, Diagnostic> {
    let heaps = ready.heaps();
    let problem = &mut ready.problem;
    if let Some(wanted) = &args.function {
        if problem.functions.iter().all(|f| f.name != *wanted) {
            return Err(no_function(problem, name, wanted));
        }
        let mut kept = problem.functions.iter().map(|f| f.name == *wanted);
        if let Some(kernels) = &mut ready.kernels {
            kernels.functions.retain(|_| kept.next().unwrap_or(false));
        }
        problem.functions.retain(|f| f.name == *wanted);
    }
    // A file speaks for many inputs: what it says of a memory that this one does not have is passed over.
    let asked: Vec<String> = if args.layers.says("capacity") {
        args.capacity.iter().filter(|option| capacity::is_for(problem, option)).cloned().collect()
    } else {
        args.capacity.clone()
    };
    let set = capacity::apply(problem, &heaps, &asked)?;
    if let Some(module) = &mut ready.module {
        module.problem.clone_from(problem);
    }
    if let Some(kernels) = &mut ready.kernels {
        kernels.capacities = set;
    }
    Ok(ready)
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
