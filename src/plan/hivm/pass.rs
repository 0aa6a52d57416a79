//! The pass over the functions of a module: which are planned, and up to twenty attempts at each
//! (HIVM spec, sections 1.2, 1.3, 1.5 and 4.13).

use super::exchange::exchange;
use super::lower::{Facts, Fatal, Lowered};
use super::{Failure, Input, Success, place};
use crate::ir::hivm::{PassOptions, PlanMode, TargetNumbers, module_target};
use crate::ir::mlir::{Attr, Chunk, Function};

/// Attempts at a function, with the seeds 0, 1, ..
const ATTEMPTS: u32 = 20;

/// What became of one function.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The pass does not plan it.
    Skipped(Skip),
    /// It has offsets.
    Planned(Box<Planned>),
    /// The pass fails.
    Failed(Box<Failed>),
}

/// Why a function is not planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// `hacc.function_kind` is `HOST`.
    Host,
    /// It has `hivm.vector_function`.
    VectorFunction,
    /// It lies in a nested module.
    Nested,
    /// It has no body.
    Declaration,
}

/// A planned function.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The attempt that succeeded.
    pub lowered: Lowered,
    /// Its offsets.
    pub success: Success,
    /// Its seed.
    pub seed: u32,
    /// Warnings of this attempt and those before it.
    pub warnings: Vec<String>,
}

/// A function that could not be planned.
#[derive(Clone, Debug)]
pub struct Failed {
    /// What the pass reports.
    pub cause: Cause,
    /// Warnings of all attempts.
    pub warnings: Vec<String>,
}

/// Why the pass fails.
#[derive(Clone, Debug)]
pub enum Cause {
    /// The module has no device spec: the pass says nothing.
    NoDevice,
    /// The SIMT rule (1.5), in the words of the pass; reported on the function.
    Simt(String),
    /// An error that ends everything.
    Fatal(Fatal),
    /// The last attempt found no room; reported on the function.
    Overflow(Failure, Box<Lowered>),
}

/// Why a function is not planned; none when it is.
pub(super) fn skipped(function: &Function) -> Option<Skip> {
    let kind = function.attrs.get("hacc.function_kind").and_then(Attr::word);
    if !function.top_level {
        Some(Skip::Nested)
    } else if kind == Some("HOST") {
        Some(Skip::Host)
    } else if function.attrs.has("hivm.vector_function") {
        Some(Skip::VectorFunction)
    } else if function.body.is_none() {
        Some(Skip::Declaration)
    } else {
        None
    }
}

/// True for a function that the pass plans.
pub fn is_planned(function: &Function) -> bool {
    skipped(function).is_none()
}

/// The numbers that count for a function: those of the module, with the UB that a SIMT or MIX
/// function gets on a reg-based chip.
fn function_target(
    target: Option<&TargetNumbers>,
    function: &Function,
    options: &PassOptions,
    capacities: &[(String, u64)],
) -> Result<TargetNumbers, Cause> {
    let mut target = *target.ok_or(Cause::NoDevice)?;
    let mode = function.attrs.get("hivm.vf_mode").and_then(Attr::word);
    let simt = matches!(mode, Some("SIMT" | "MIX"));
    if options.mode == PlanMode::Local && target.reg_based && simt {
        target.ub = target.simt_ub(options.simt_kib).map_err(Cause::Simt)?;
    }
    for (scope, bytes) in capacities {
        let bits = bytes.saturating_mul(8);
        match scope.as_str() {
            "ub" => target.ub = bits,
            "l1" => target.l1 = bits,
            "l0c" => target.l0c = bits,
            _ => {}
        }
    }
    Ok(target)
}

/// Plans one function, which is `chunk.functions[function]`, alone.
pub fn run(
    chunk: &Chunk,
    function: usize,
    options: &PassOptions,
    command_line: Option<&str>,
) -> Outcome {
    let target = module_target(&chunk.attrs, command_line);
    run_on(chunk, function, options, target.as_ref(), Given::default())
}

/// What is not the pass's to decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Capacities that stand in for those of the machine: scope and bytes, the last one of a scope
    /// counts.
    pub capacities: &'a [(String, u64)],
    /// [`Input::patience`].
    pub patience: Option<u64>,
}

/// Plans one function on a machine with these numbers.
pub fn run_on(
    chunk: &Chunk,
    function: usize,
    options: &PassOptions,
    target: Option<&TargetNumbers>,
    given: Given<'_>,
) -> Outcome {
    let body = &chunk.functions[function];
    if let Some(skip) = skipped(body) {
        return Outcome::Skipped(skip);
    }
    let mut warnings = Vec::new();
    let cause = match function_target(target, body, options, given.capacities) {
        Ok(target) => {
            match attempts(chunk, body, options, &target, given.patience, &mut warnings) {
                Ok(planned) => return Outcome::Planned(Box::new(planned)),
                Err(cause) => cause,
            }
        }
        Err(cause) => cause,
    };
    Outcome::Failed(Box::new(Failed { cause, warnings }))
}

fn attempts(
    chunk: &Chunk,
    function: &Function,
    options: &PassOptions,
    target: &TargetNumbers,
    patience: Option<u64>,
    warnings: &mut Vec<String>,
) -> Result<Planned, Cause> {
    let facts = Facts::new(chunk, function, options, target);
    let mut traits = None;
    // Shuffles often change nothing: what failed once fails again.
    let mut failures: Vec<(Input, Failure)> = Vec::new();
    let mut seed = 0;
    loop {
        let mut lowered = facts.attempt(&mut traits, seed).map_err(Cause::Fatal)?;
        lowered.input.patience = patience;
        let known = failures.iter().find(|(input, _)| *input == lowered.input);
        let result = match known {
            Some((_, failure)) => Err(failure.clone()),
            None => place(&lowered.input),
        };
        match result {
            Ok(success) => {
                warnings.extend(success.scopes.iter().filter_map(|s| s.warning.clone()));
                let warnings = std::mem::take(warnings);
                return Ok(Planned { lowered, success, seed, warnings });
            }
            Err(failure) => {
                // Where no shuffle matters, the attempts that are left are the same.
                let same = if lowered.shuffled { 1 } else { ATTEMPTS - seed };
                for _ in 0..same {
                    warnings.extend(failure.warnings.iter().cloned());
                }
                seed += same;
                if seed == ATTEMPTS {
                    return Err(Cause::Overflow(failure, Box::new(lowered)));
                }
                if known.is_none() {
                    failures.push((lowered.input, failure));
                }
            }
        }
    }
}

/// Plans the functions of a module in order, up to the first that fails, and exchanges the offsets
/// of coupled buffers when none does.
pub fn run_module(
    chunk: &Chunk,
    options: &PassOptions,
    command_line: Option<&str>,
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for function in 0..chunk.functions.len() {
        let outcome = run(chunk, function, options, command_line);
        let failed = matches!(outcome, Outcome::Failed(_));
        outcomes.push(outcome);
        if failed {
            return outcomes;
        }
    }
    exchange(&mut outcomes);
    outcomes
}
