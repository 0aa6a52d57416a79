//! The reader of TOML specs (`docs/FORMATS.md`).
//!
//! ```text
//!   text -> format::read (shape, several errors)     -> Spec
//!        -> machine      (target, scopes, pipes)     -> scopes, pipes
//!        -> function     (buffers, regions, values,
//!                         ops, relations)            -> Function
//! ```

mod buffers;
mod colocated;
mod context;
mod function;
pub mod fuzz;
mod growth;
mod machine;
mod names;
mod ops;
mod regions;
mod relations;
pub(crate) mod size;
mod sync;
pub mod targets;
mod visibility;

use context::Context;

use super::Read;
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::format::read::{self, MAX_ERRORS, ShapeError, Wrong};
use crate::format::spec::{FunctionTable, InplaceWord, Spec};
use crate::model::{Capacity, InplacePolicy, Objective, Problem};

/// Loops, branches and aliases may be nested so deeply.
pub const MAX_DEPTH: usize = 64;

/// A buffer may have so many slots.
pub const MAX_SLOTS: u64 = 4096;

/// Words that other tools use, and what they are here.
const SYNONYMS: &[(&str, &str)] = &[
    ("lower", "write `live = [lower, upper]`, half-open"),
    ("upper", "write `live = [lower, upper]`, half-open"),
    ("start", "write `live = [start, end]`, half-open"),
    ("end", "write `live = [start, end]`, half-open"),
    ("offset", "write `pin = OFFSET`"),
    ("align", "write `alignment`"),
    ("limit", "write `capacity`"),
    ("dma", "write `pipe = \"MTE2\"` on the op"),
    ("double_buffer", "write `slots = 2`"),
    ("multi_buffer", "write `slots = N`"),
    ("type", "write `dtype`"),
    ("inputs", "write `reads`"),
    ("outputs", "write `writes`"),
    ("outs", "write `writes`"),
    ("ins", "write `reads`"),
    ("parent", "write `in = \"NAME\"`"),
];

/// Where targets come from: the embedded ones, and files beside the spec. Loading files is the
/// caller's work, so that this reader does no I/O.
pub trait Targets {
    /// The text of a target by name or path.
    ///
    /// # Errors
    /// Why there is none.
    fn load(&mut self, sources: &mut Sources, name: &str) -> Result<FileId, Diagnostic>;

    /// True when the caller sets the capacity of that scope once the spec is read, so that it need not be
    /// known here.
    fn sets(&self, _scope: &str) -> bool {
        false
    }

    /// The profile to read them with, whatever the input says; none where nobody asks for another.
    fn profile(&self) -> Option<&str> {
        None
    }
}

/// Reads a spec. `target` overrides the spec's own `target` key.
///
/// # Errors
/// All errors of the spec at once, at most [`MAX_ERRORS`].
pub fn read(
    sources: &mut Sources,
    file: FileId,
    target: Option<&str>,
    targets: &mut dyn Targets,
) -> Result<Read, Vec<Diagnostic>> {
    let mut context = Context::new(file);
    let (name, text) = match sources.get(file) {
        Some(source) => (stem(&source.name), source.text.clone()),
        None => (String::new(), "".into()),
    };
    let spec: Spec = read::read(&text, SYNONYMS).map_err(|errors| {
        let all = errors.iter().map(|e| shape_error(&context, e));
        all.collect::<Vec<_>>()
    })?;
    version(&mut context, &spec);
    let mut machine = machine::machine(&mut context, sources, &spec, target, targets);
    for scope in machine.scopes.iter_mut().filter(|s| s.capacity == Capacity::Unknown) {
        if targets.sets(&scope.name) {
            scope.capacity = Capacity::Unbounded;
        }
    }
    let mut problem = Problem {
        name: spec.name.as_ref().map_or(name, |n| n.get_ref().clone()),
        target: machine.info,
        scopes: machine.scopes,
        pipes: machine.pipes,
        inplace: match spec.inplace {
            None | Some(InplaceWord::Any) => InplacePolicy::Any,
            Some(InplaceWord::Isa) => InplacePolicy::Isa,
            Some(InplaceWord::Never) => InplacePolicy::Never,
        },
        objective: Objective::AsNeeded,
        functions: Vec::new(),
    };
    let names = machine.names;
    for table in functions(&mut context, spec, &problem.name) {
        let function = function::lower(&mut context, &problem, &names, table);
        if let Some(first) = problem.functions.iter().find(|f| f.name == function.name) {
            let d = Diagnostic::error(
                Code::SpecDuplicateName,
                format!("function `{}` is defined twice", function.name),
            );
            let d = d.maybe_at(function.loc, "again here").maybe_at(first.loc, "first here");
            context.error(d);
        }
        problem.functions.push(function);
    }
    if context.errors.is_empty() {
        Ok(Read { problem, warnings: context.warnings })
    } else {
        Err(most(context.errors))
    }
}

/// At most [`MAX_ERRORS`]; the last says how many more there are.
fn most(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    errors.truncate(MAX_ERRORS);
    if let (1.., Some(last)) = (more, errors.last_mut()) {
        last.help = Some(format!("there are {more} more errors"));
    }
    errors
}

/// The file name without folders and ending.
fn stem(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    base.strip_suffix(".toml").unwrap_or(base).to_owned()
}

fn version(context: &mut Context, spec: &Spec) {
    if spec.version.get_ref().0 != 1 {
        let d = Diagnostic::error(
            Code::SpecVersion,
            format!("version {} is not one that this memplan reads", spec.version.get_ref().0),
        );
        let d = d.at(context.place(&spec.version), "").help("write `version = 1`");
        context.error(d);
    }
}

/// The functions of a spec; the tables at the top are one of them.
fn functions(context: &mut Context, spec: Spec, name: &str) -> Vec<(FunctionTable, bool)> {
    let top = FunctionTable {
        name: toml::Spanned::new(0..0, name.to_owned()),
        buffer: spec.buffer,
        op: spec.op,
        loops: spec.loops,
        branch: spec.branch,
        alias: spec.alias,
        relation: spec.relation,
    };
    let empty = top.buffer.is_empty()
        && top.op.is_empty()
        && top.loops.is_empty()
        && top.branch.is_empty()
        && top.alias.is_empty()
        && top.relation.is_empty();
    let mut all: Vec<_> = spec.function.into_iter().map(|f| (f, true)).collect();
    if all.is_empty() {
        return vec![(top, false)];
    }
    if !empty {
        let d = Diagnostic::error(
            Code::SpecInvalidValue,
            "tables of a function at the top and `[[function]]` tables in one spec",
        );
        let d = d.at(context.place(&all[0].0.name), "a function of its own");
        context.error(d.help("write the tables at the top as a `[[function]]` too"));
        all.insert(0, (top, false));
    }
    all
}

fn shape_error(context: &Context, error: &ShapeError) -> Diagnostic {
    let code = match error.wrong {
        Wrong::Syntax => Code::SpecSyntax,
        Wrong::Depth => Code::SpecNestingTooDeep,
        Wrong::UnknownKey => Code::SpecUnknownKey,
        Wrong::MissingKey if error.message.contains("`version`") => Code::SpecVersion,
        Wrong::MissingKey => Code::SpecMissingKey,
        Wrong::Type => Code::SpecWrongType,
        Wrong::Value => Code::SpecInvalidValue,
    };
    let mut d = Diagnostic::error(code, &error.message).at(context.loc(error.span.clone()), "");
    d.help = error.help.clone();
    if code == Code::SpecVersion {
        d = d.help("write `version = 1` at the top");
    }
    d
}
