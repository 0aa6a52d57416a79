//! Two kernels in one: one function after the other.
//!
//! Buffers of the first are named `a.x`, those of the second `b.x`. An output of the first and a parameter
//! of the second that have the same name are one buffer: what one kernel hands over, the other takes, and
//! nobody outside needs it any more. Nothing else is shared. In ops form the second's ops come after the
//! first's; given live ranges are moved behind the last step of the first, and what is handed over
//! lives in between.

mod joined;
mod renumbered;

use joined::{Joined, handed_over, join};
use renumbered::Shift;

use crate::model::{Buffer, Function, InplacePolicy, Order, Problem, ScopeId, Step};

/// One problem with one function: `first` (by its index) of a problem, then a function of another problem, on
/// the machine of the first.
///
/// # Errors
/// Why there is no such problem, as a fragment.
pub fn fused(first: (&Problem, usize), second: (&Problem, usize)) -> Result<Problem, String> {
    let (problem, a) = function(first)?;
    let (other, b) = function(second)?;
    let after = length(a, b)?;
    let mut machine = problem.with(Function::default());
    let scopes = scopes(&mut machine, other, b)?;
    let pipes = pipes(&mut machine, other);
    machine.inplace = match (problem.inplace, other.inplace) {
        (InplacePolicy::Never, _) | (_, InplacePolicy::Never) => InplacePolicy::Never,
        (InplacePolicy::Isa, _) | (_, InplacePolicy::Isa) => InplacePolicy::Isa,
        (InplacePolicy::Any, InplacePolicy::Any) => InplacePolicy::Any,
    };
    let mut out = renumbered::named(a.clone(), "a.");
    out.name = format!("{}+{}", a.name, b.name);
    let pairs = handed_over(a, b, |id| scopes.get(id.0 as usize).copied().flatten())?;
    for pair in &pairs {
        join(&mut out.buffers[pair.first], &b.buffers[pair.second], &pipes, after);
    }
    let shift = Shift::new(&out, b, &pairs, &scopes, &pipes, after);
    shift.append(&mut out, renumbered::named(b.clone(), "b."));
    super::fits(&out)?;
    machine.functions = vec![out];
    Ok(machine)
}

fn function((problem, index): (&Problem, usize)) -> Result<(&Problem, &Function), String> {
    let function = problem.functions.get(index).ok_or("there is no such function")?;
    if function.buffers.iter().any(|b| b.coupling.is_some()) {
        return Err(format!("two functions share buffers of `{}`", function.name));
    }
    Ok((problem, function))
}

/// Steps of the first function.
fn length(a: &Function, b: &Function) -> Result<u64, String> {
    let ends = a.buffers.iter().flat_map(|b| b.live.iter().flatten()).map(|live| live.end.0);
    let end = ends.max().unwrap_or(0);
    match (a.has_program(), b.has_program()) {
        (true, true) => {
            let len = Order::of(a).len;
            if end > len {
                return Err(format!("a live range of `{}` ends after its last op", a.name));
            }
            Ok(len)
        }
        (false, false) => Ok(end),
        _ => Err("one function has ops, the other one live ranges".to_owned()),
    }
}

/// The scopes of the other problem on this machine; none for those that its function does not use.
fn scopes(
    machine: &mut Problem,
    other: &Problem,
    function: &Function,
) -> Result<Vec<Option<ScopeId>>, String> {
    let mut out = Vec::with_capacity(other.scopes.len());
    for (id, scope) in other.scopes.enumerate() {
        let mine = |b: &&Buffer| b.scope == id;
        if !function.buffers.iter().any(|b| mine(&b)) {
            out.push(None);
            continue;
        }
        let known = machine.scope(&scope.name);
        let here = match known {
            Some(here) => here,
            None => machine.scopes.push(scope.clone()),
        };
        for buffer in function.buffers.iter().filter(mine) {
            let Some(owner) = &buffer.owner else { continue };
            if machine.scopes[here].partitions.iter().all(|p| p.owner != *owner) {
                let name = &scope.name;
                return Err(format!("`{name}` has no partition of `{owner}` on this machine"));
            }
        }
        out.push(Some(here));
    }
    Ok(out)
}

/// The pipes of the other problem on this machine.
fn pipes(machine: &mut Problem, other: &Problem) -> Vec<crate::model::PipeId> {
    let mut out = Vec::with_capacity(other.pipes.len());
    for pipe in other.pipes.iter() {
        let known = machine.pipe(&pipe.name);
        out.push(known.unwrap_or_else(|| machine.pipes.push(pipe.clone())));
    }
    out
}

/// A step of the second function, moved behind the first.
fn moved(step: Step, after: u64) -> Step {
    Step(step.0.saturating_add(after))
}
