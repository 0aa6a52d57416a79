//! What one kernel hands to the next.

use super::moved;
use crate::model::{
    Buffer, BufferId, Function, Index, LifetimeClass, Live, PipeId, PipeUse, ScopeId,
};

/// A buffer of each function, which are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// The output of the first function.
    pub(super) first: BufferId,
    /// The parameter of the second.
    pub(super) second: BufferId,
}

/// The outputs of one function that are parameters of the other.
///
/// # Errors
/// What differs about such a pair.
pub(super) fn handed_over(
    a: &Function,
    b: &Function,
    scope: impl Fn(ScopeId) -> Option<ScopeId>,
) -> Result<Vec<Joined>, String> {
    let mut pairs = Vec::new();
    for (second, parameter) in b.buffers.enumerate() {
        if !matches!(parameter.class, LifetimeClass::Parameter | LifetimeClass::Donated) {
            continue;
        }
        let mut outputs = a.buffers.enumerate();
        let found =
            outputs.find(|(_, b)| b.class == LifetimeClass::Output && b.name == parameter.name);
        let Some((first, output)) = found else { continue };
        let name = &output.name;
        if Some(output.scope) != scope(parameter.scope) {
            return Err(format!("`{name}` lies in different scopes"));
        }
        if (output.size, output.slots) != (parameter.size, parameter.slots) {
            let (a, b) = (output.size, parameter.size);
            let (m, n) = (output.slots, parameter.slots);
            return Err(format!("`{name}` is {a} in {m} slots, then {b} in {n} slots"));
        }
        if output.owner != parameter.owner {
            return Err(format!("`{name}` belongs to different owners"));
        }
        if let (Some(one), Some(other)) = (&output.pin, &parameter.pin)
            && one != other
        {
            return Err(format!("`{name}` is pinned at different offsets"));
        }
        pairs.push(Joined { first, second });
    }
    Ok(pairs)
}

/// Makes the output what both are: nobody outside needs it any more.
pub(super) fn join(output: &mut Buffer, parameter: &Buffer, pipes: &[PipeId], after: u64) {
    output.class = LifetimeClass::Local;
    output.alignment = common_multiple(output.alignment, parameter.alignment);
    output.unique |= parameter.unique;
    output.preload |= parameter.preload;
    output.pin = output.pin.take().or_else(|| parameter.pin.clone());
    let here = |touch: &PipeUse| PipeUse { pipe: pipes[touch.pipe.at()], mode: touch.mode };
    output.pipes.extend(parameter.pipes.iter().map(here));
    if let (Some(live), Some(then)) = (&mut output.live, &parameter.live) {
        let then =
            then.iter().map(|l| Live { start: moved(l.start, after), end: moved(l.end, after) });
        let mut then = then.collect::<Vec<Live>>();
        // It keeps its bytes between the kernels.
        if let (Some(last), Some(next)) = (live.last_mut(), then.first_mut()) {
            last.end = next.end;
            then.remove(0);
        }
        live.extend(then);
    }
}

/// An alignment that keeps both; the larger one where there is none in 64 bits.
fn common_multiple(a: u64, b: u64) -> u64 {
    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    (a / gcd(a, b).max(1)).checked_mul(b).unwrap_or(a.max(b))
}
