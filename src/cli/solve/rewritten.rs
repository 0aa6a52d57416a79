//! HIVM text with its addresses, and the compiler's memory_info: written, read again, checked.

use super::one::Solved;
use crate::cli::input::Ready;
use crate::cli::{defect, judge};
use crate::diag::{Code, Diagnostic, Sources};
use crate::emit;
use crate::front::hivm;
use crate::ir::hivm::Kernels;
use crate::model::{Function, FunctionPlan, Placement, Problem};

/// The input with its addresses filled in. It is read again before anybody gets it: the addresses in
/// it must be those of the plan, and what the plan was found not to do wrong they must not do either.
///
/// # Errors
/// An input that is not HIVM text; a text that does not come back as it was planned (a defect).
pub(super) fn mlir(solved: &Solved) -> Result<String, Diagnostic> {
    let (ready, kernels, text) = parts(solved, "mlir")?;
    let plans: Vec<&FunctionPlan> = solved.answer.functions.iter().map(|f| &f.plan).collect();
    let written = emit::mlir(text, kernels, &plans);
    match again(ready, kernels, &plans, &written) {
        Ok(()) => Ok(written),
        Err(what) => Err(defect::bug(&format!(
            "the rewritten text of `{}` is not what was planned: {what}",
            solved.loaded.name
        ))),
    }
}

/// The display JSON of the compiler's pass.
///
/// # Errors
/// An input that is not HIVM text.
pub(super) fn memory_info(solved: &Solved) -> Result<String, Diagnostic> {
    let (ready, kernels, _) = parts(solved, "memory-info")?;
    Ok(emit::memory_info(&ready.problem, &solved.answer, kernels, &solved.loaded.sources))
}

fn parts<'a>(
    solved: &'a Solved,
    what: &str,
) -> Result<(&'a Ready, &'a Kernels, &'a str), Diagnostic> {
    let ready = solved.loaded.outcome.as_ref().ok();
    let Some((ready, kernels)) = ready.and_then(|r| Some((r, r.kernels.as_ref()?))) else {
        let message =
            format!("`--emit {what}` needs HIVM text, which `{}` is not", solved.loaded.name);
        return Err(Diagnostic::error(Code::ConfigBadOption, message).help("write a plan file"));
    };
    let text = solved.loaded.sources.get(kernels.text).map_or("", |s| &s.text);
    Ok((ready, kernels, text))
}

/// Reads the written text, and judges the addresses that are in it.
fn again(
    ready: &Ready,
    kernels: &Kernels,
    plans: &[&FunctionPlan],
    written: &str,
) -> Result<(), String> {
    let Some(target) = &ready.target else { return Err("it has no target".to_owned()) };
    let mut sources = Sources::default();
    let file = sources.add("written", written);
    let read = hivm::read_on(&sources, file, target, &kernels.options);
    let mut read = read.map_err(|e| e.first().map_or(String::new(), |e| e.message.clone()))?;
    // Functions that were not asked for are not planned.
    let wanted: Vec<(usize, usize)> =
        kernels.functions.iter().map(|k| (k.chunk, k.function)).collect();
    let mut kept = read.kernels.functions.iter().map(|k| wanted.contains(&(k.chunk, k.function)));
    read.read.problem.functions.retain(|_| kept.next().unwrap_or(false));
    let problem: Problem = read.read.problem;
    if problem.functions.len() != plans.len() {
        return Err("other functions".to_owned());
    }
    let both = problem.functions.iter().zip(&ready.problem.functions);
    for (index, ((function, old), plan)) in both.zip(plans).enumerate() {
        if function.buffers.len() != old.buffers.len() {
            return Err(format!("`{}` has other buffers", function.name));
        }
        let given: Vec<&str> =
            old.buffers.iter().filter(|b| b.pin.is_some()).map(|b| b.name.as_str()).collect();
        for buffer in function.buffers.iter() {
            // What had an address before keeps it.
            if given.contains(&buffer.name.as_str()) {
                continue;
            }
            let mut planned = plan.placements.iter().filter(|p| p.name == buffer.name);
            let same = |p: &Placement| buffer.pin.as_ref() == Some(&p.offsets);
            if !planned.any(same) {
                return Err(format!("`{}` of `{}` lies elsewhere", buffer.name, function.name));
            }
        }
        let stands = as_it_stands(function);
        let right = judge::accepts(&ready.problem, index, plan);
        if right && !judge::accepts(&problem, index, &stands) {
            return Err(format!("`{}` is refuted as it stands", function.name));
        }
    }
    Ok(())
}

/// The addresses in a text as a plan: what is pinned, where it is pinned.
fn as_it_stands(function: &Function) -> FunctionPlan {
    let placements = function.buffers.enumerate().filter_map(|(id, buffer)| {
        Some(Placement {
            name: buffer.name.clone(),
            id: Some(id.0),
            scope: None,
            offsets: buffer.pin.clone()?,
            loc: None,
        })
    });
    let placements = placements.collect();
    FunctionPlan { name: function.name.clone(), fingerprint: None, placements }
}
