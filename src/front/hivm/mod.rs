//! The reader of HIVM text: MLIR of the HIVM dialect as the compiler would plan it.
//!
//! ```text
//!   text -> ir::mlir::parse           -> syntax tree
//!        -> machine (target, module)  -> scopes, pipes
//!        -> lower   (region by region)-> Function: buffers, loops, branches, ops
//!             statements  what an op does with its operands        calls   what callees do
//!             loops, cfg  control                                   reuse   in-place pairs
//!             exclusive   what branches leave behind                carried what trips leave behind
//!        -> fresh   (where allocs begin to matter)
//! ```
//!
//! The lowering is sound, not the pass's: what the pass makes of the same tree is
//! `plan::hivm`'s affair.

mod bound;
mod buffers;
mod calls;
mod carried;
mod cfg;
mod coupled;
mod defined;
mod exclusive;
mod fresh;
mod loops;
mod lower;
mod machine;
mod marks;
mod options;
mod reuse;
mod statements;
mod sync;
#[cfg(test)]
mod tests;
mod views;

pub use options::{OptionError, parse as parse_options};

use std::collections::{BTreeMap, BTreeSet};

use super::Read;
use super::spec::Targets;
use super::spec::targets::{self, Target};
use crate::diag::{Diagnostic, FileId, Loc, Sources};
use crate::ir::hivm::{Kernel, Kernels, PassOptions, hacc_target};
use crate::ir::mlir::{Chunk, Function, Tree, parse};
use crate::model::{self, Problem};

/// The target of text that names none: the chip of the documents.
pub const DEFAULT_TARGET: &str = "ascend910b";

/// HIVM text, read.
#[derive(Debug)]
pub struct ReadHivm {
    /// The problem, and warnings.
    pub read: Read,
    /// The target that it is planned for.
    pub target: Target,
    /// The tree, for the compatible planner and for writing the text anew.
    pub kernels: Kernels,
    /// What is wrong with the text for everybody but the compatible planner, which has its own words
    /// for it: ops that nobody knows on on-chip buffers, sizes that nobody knows.
    pub defects: Vec<Diagnostic>,
}

/// Reads HIVM text. `target` is that of the command line; a module's own device spec wins over it.
///
/// # Errors
/// All errors of the text at once, up to a limit.
pub fn read(
    sources: &mut Sources,
    file: FileId,
    target: Option<&str>,
    options: &PassOptions,
    loader: &mut dyn Targets,
) -> Result<ReadHivm, Vec<Diagnostic>> {
    let parsed = parsed(sources, file)?;
    let target = load_target(sources, &parsed, target, loader)?;
    Ok(lowered(sources, file, parsed, target, options))
}

/// As [`read`], on a target that is already there.
///
/// # Errors
/// All errors of the text at once, up to a limit.
pub fn read_on(
    sources: &Sources,
    file: FileId,
    target: &Target,
    options: &PassOptions,
) -> Result<ReadHivm, Vec<Diagnostic>> {
    let parsed = parsed(sources, file)?;
    Ok(lowered(sources, file, parsed, target.clone(), options))
}

fn parsed(sources: &Sources, file: FileId) -> Result<Tree, Vec<Diagnostic>> {
    let text = sources.get(file).map_or_else(|| "".into(), |s| s.text.clone());
    let parsed = parse(file, &text);
    let mut errors = parsed.errors;
    if errors.is_empty() {
        let functions = parsed.file.chunks.iter().flat_map(|c| &c.functions);
        errors.extend(functions.flat_map(defined::check));
    }
    if errors.is_empty() { Ok(parsed.file) } else { Err(errors) }
}

fn lowered(
    sources: &Sources,
    file: FileId,
    parsed: Tree,
    target: Target,
    options: &PassOptions,
) -> ReadHivm {
    let name = sources.get(file).map_or_else(String::new, |s| stem(&s.name));
    let mut problem = Problem {
        name,
        target: Some(target.info.clone()),
        scopes: model::IdVec::new(),
        pipes: target.pipes.clone(),
        inplace: model::InplacePolicy::Any,
        objective: model::Objective::AsNeeded,
        functions: Vec::new(),
    };
    let mut machines = machine::Machines::new(&target);
    let mut kernels = Kernels {
        text: file,
        file: Tree::default(),
        options: options.clone(),
        targets: Vec::new(),
        capacities: Vec::new(),
        functions: Vec::new(),
    };
    let (mut defects, mut warnings) = (Vec::new(), Vec::new());
    for (chunk_at, chunk) in parsed.chunks.iter().enumerate() {
        let calls = calls::Calls::of(chunk);
        kernels.targets.push(machine::chunk_numbers(&target, chunk));
        warnings.extend(machine::doubts(chunk, start_of(file)));
        for (at, function) in chunk.functions.iter().enumerate().filter(|(_, f)| is_planned(f)) {
            let mut errors = Vec::new();
            let machine = match machines.of(&mut problem, chunk, function, options) {
                Ok(machine) => machine,
                Err(error) => {
                    defects.push(error);
                    let plain = PassOptions { simt_kib: 0, ..options.clone() };
                    match machines.of(&mut problem, chunk, &without_mode(function), &plain) {
                        Ok(machine) => machine,
                        Err(_) => continue,
                    }
                }
            };
            let lowering = Lowering { chunk, function, options, machine: &machine, calls: &calls };
            let (mut lowered, makers) = lowering.run(&mut problem, &mut errors);
            name_regions(&mut lowered, sources, file);
            let consumers = lowered.buffers.enumerate().filter(|(id, buffer)| {
                buffer.coupling.is_some() && machine.is_consumer(function, makers[id.0 as usize])
            });
            let consumers = consumers.map(|(id, _)| id).collect();
            problem.functions.push(lowered);
            kernels.functions.push(Kernel { chunk: chunk_at, function: at, makers, consumers });
            defects.append(&mut errors);
        }
    }
    kernels.file = parsed;
    ReadHivm { read: Read { problem, warnings }, target, kernels, defects }
}

/// Loops and branches without a result have no name in the text but their line: `scf.for at line 12`.
fn name_regions(function: &mut model::Function, sources: &Sources, file: FileId) {
    let Some(source) = sources.get(file) else { return };
    let loops = function.loops.iter_mut().map(|l| (&mut l.name, l.loc));
    let branches = function.branches.iter_mut().map(|b| (&mut b.name, b.loc));
    for (name, loc) in loops.chain(branches) {
        if let (false, Some(loc)) = (name.contains('%'), loc) {
            name.push_str(&format!(" at line {}", source.line_column(loc.start).0));
        }
    }
}

/// A function that the planner looks at: it has a body, and is neither for the host nor a vector
/// function (HIVM spec 1.2).
fn is_planned(function: &Function) -> bool {
    let kind = function.attrs.get("hacc.function_kind").and_then(|a| a.word());
    function.body.is_some() && kind != Some("HOST") && !function.attrs.has("hivm.vector_function")
}

/// The head of a function as one that is no SIMT function.
fn without_mode(function: &Function) -> Function {
    Function { attrs: crate::ir::mlir::Attrs::default(), ..function.clone() }
}

struct Lowering<'a> {
    chunk: &'a Chunk,
    function: &'a Function,
    options: &'a PassOptions,
    machine: &'a machine::Machine,
    calls: &'a calls::Calls,
}

impl Lowering<'_> {
    fn run(
        &self,
        problem: &mut Problem,
        errors: &mut Vec<Diagnostic>,
    ) -> (model::Function, Vec<crate::ir::mlir::OpId>) {
        let marks = marks::collect(self.function);
        let mut lower = lower::Lower {
            chunk: self.chunk,
            problem,
            ir: self.function,
            options: self.options,
            machine: self.machine,
            calls: self.calls,
            marks: &marks,
            out: model::Function {
                name: self.function.name.clone(),
                loc: Some(self.function.loc),
                ..model::Function::default()
            },
            bound: vec![None; self.function.values.len()],
            buffers: BTreeMap::new(),
            makers: Vec::new(),
            tried: BTreeSet::new(),
            known_pairs: BTreeSet::new(),
            eithers: Vec::new(),
            made_in: BTreeMap::new(),
            loops: Vec::new(),
            depth: 0,
            errors: Vec::new(),
        };
        if let Some(body) = self.function.body {
            lower.out.body = lower.region(body);
        }
        // Blocks that nothing reaches are not run, but what they allocate wants its place.
        for (op, ir) in self.function.ops.enumerate() {
            if let (true, Some(&result)) = (marks::is_maker(&ir.name), ir.results.first()) {
                lower.maker(op, result);
            }
        }
        errors.append(&mut lower.errors);
        let lower::Lower { out: mut function, makers, eithers, made_in, .. } = lower;
        exclusive::settle(&mut function, &eithers);
        carried::settle(&mut function, &made_in);
        coupled::settle(&mut function, self.function, self.machine, self.options, &makers);
        buffers::rotate(&mut function);
        fresh::settle(&mut function);
        (function, makers)
    }
}

/// The start of a text, for what is said of a whole module.
fn start_of(file: FileId) -> Loc {
    Loc { file, start: 0, end: 0 }
}

/// The target: of the command line, else the chip that the first module names, else the default.
fn load_target(
    sources: &mut Sources,
    file: &Tree,
    asked: Option<&str>,
    loader: &mut dyn Targets,
) -> Result<Target, Vec<Diagnostic>> {
    let named = file.chunks.iter().find_map(|c| hacc_target(&c.attrs));
    let known = named.filter(|name| targets::find(name).is_some());
    let name = asked.or(known).unwrap_or(DEFAULT_TARGET);
    let id = loader.load(sources, name).map_err(|error| vec![error])?;
    targets::read(sources, id, loader.profile())
}

/// The file name without folders and ending.
fn stem(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    base.strip_suffix(".mlir").unwrap_or(base).to_owned()
}
