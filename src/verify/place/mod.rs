//! A plan's device memory in a device runtime (runtime-model 13.3): the arenas of the plan become
//! allocations, the ops kernels, and the trace that results is run and watched.

mod arenas;
mod build;
mod lower;
mod walk;

use self::lower::Lowered;
use super::trace::{self, Options};
use crate::diag::Code;
use crate::model::machine::Machine;
use crate::model::{Finding, Function, FunctionPlan, Plan, Problem};
use crate::runtime::counters::Counters;

/// A runtime that arenas are placed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runtime {
    /// One allocation.
    Svm,
    /// A range of addresses, a handle, and a mapping; functions take turns on one handle.
    Vmm,
    /// One managed range: pages move where they are touched.
    Uvm,
    /// One block of a pool, and for comparison a block for each buffer.
    Soma,
}

/// How arenas are used (13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// How often each function is run.
    pub runs: u32,
    /// Launches of one function at a time, each on a stream of its own, in the same arena.
    pub launches: u32,
    /// Blocks of a workspace that each have an arena of their own.
    pub blocks: u32,
}

/// What became of one arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Bytes that the plan needs.
    pub planned: u64,
    /// Bytes that the runtime holds for it.
    pub held: u64,
    /// With a block of the pool for each buffer: the most that is in use at a time.
    pub per_buffer: Option<u64>,
}

/// What a runtime makes of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// The arenas, by function and scope.
    pub arenas: Vec<Arena>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What was counted.
    pub counters: Counters,
    /// The end of the last action, in ticks of the machine's cost table.
    pub makespan: u64,
    /// The most device memory that was in use.
    pub peak: u64,
    /// Bytes that functions save by taking turns on one handle.
    pub saved: u64,
}

impl Default for Use {
    fn default() -> Self {
        Self { runs: 2, launches: 1, blocks: 1 }
    }
}

impl Runtime {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svm => "svm",
            Self::Vmm => "vmm",
            Self::Uvm => "uvm",
            Self::Soma => "soma",
        }
    }
}

/// Places the device memory of a plan in a runtime and runs every function on it.
///
/// Scopes that are memories of a core are left out. A function without device memory has no
/// arena; a problem without any has an empty answer.
pub fn place(
    problem: &Problem,
    plan: &Plan,
    runtime: Runtime,
    usage: Use,
    machine: &Machine,
    options: &Options,
) -> Placed {
    let (matched, _) = super::placements::match_functions(problem, plan);
    let mut arenas = Vec::new();
    for (function, plan) in &matched {
        arenas.extend(arenas::of(problem, function, plan, machine));
    }
    let mut placed = Placed::default();
    if arenas.is_empty() {
        return placed;
    }
    let lowered = Lowered { problem, matched: &matched, arenas: &arenas, machine, usage };
    for &otherwise in sides(&matched) {
        let built = lowered.trace(runtime, otherwise);
        let run = trace::trace(&built, machine, options);
        merge(&mut placed, run, otherwise);
    }
    placed.saved = if runtime == Runtime::Vmm { saved(&arenas) } else { 0 };
    let per_buffer = |function: &str, scope: &str| -> Option<u64> {
        let one = arenas.iter().find(|a| a.function == function && a.scope == scope)?;
        let built = lowered.per_buffer(one)?;
        let run = trace::trace(&built, machine, options);
        run.pools.first().map(|(_, used, _)| *used)
    };
    placed.arenas = arenas
        .iter()
        .map(|arena| Arena {
            function: arena.function.clone(),
            scope: arena.scope.clone(),
            planned: arena.peak,
            held: arena.held(runtime, usage, machine),
            per_buffer: (runtime == Runtime::Soma)
                .then(|| per_buffer(&arena.function, &arena.scope))
                .flatten(),
        })
        .collect();
    placed
}

/// Which sides of branches are run: both, where there are branches.
fn sides(matched: &[(&Function, &FunctionPlan)]) -> &'static [bool] {
    let branches = matched.iter().any(|(function, _)| !function.branches.is_empty());
    if branches { &[false, true] } else { &[false] }
}

fn merge(placed: &mut Placed, run: trace::Replayed, again: bool) {
    for finding in run.findings.into_iter().filter(is_about_the_plan) {
        let known = |f: &Finding| (f.code, &f.message) == (finding.code, &finding.message);
        if !placed.findings.iter().any(known) {
            placed.findings.push(finding);
        }
    }
    if !again || run.timeline.makespan > placed.makespan {
        placed.makespan = run.timeline.makespan;
        placed.counters = run.counters;
    }
    placed.peak = placed.peak.max(run.device_peak);
}

/// What taking turns on handles saves against handles of its own for each arena.
fn saved(arenas: &[arenas::Arena]) -> u64 {
    let bytes = |a: &arenas::Arena| a.peak.checked_next_multiple_of(2 << 20).unwrap_or(u64::MAX);
    let own: u64 = arenas.iter().map(bytes).fold(0, u64::saturating_add);
    let shared = lower::shared_sizes(arenas, |a| a.peak);
    own.saturating_sub(shared.into_iter().fold(0, u64::saturating_add))
}

/// What is said of a trace that nobody has written: that values are written and never read, and that
/// synchronisation orders nothing, are no remarks about the plan.
fn is_about_the_plan(finding: &Finding) -> bool {
    !matches!(
        finding.code,
        Code::ReplayLostWrite | Code::ReplayRedundantSync | Code::ReplayPrefetchUseless
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sources;
    use crate::front::{csv, machine};
    use crate::model::{Buffer, Placement};

    #[test]
    fn nobody_is_warned_of_the_calls_that_we_make() {
        let mut sources = Sources::default();
        let file = sources.add("p.csv", "id,lower,upper,size\na,0,2,64\nb,1,3,64\n");
        let problem = csv::read(&sources, file).expect("readable").problem;
        let placement = |(at, buffer): (u64, &Buffer)| Placement {
            name: buffer.name.clone(),
            id: None,
            scope: None,
            offsets: vec![at * 64],
            loc: None,
        };
        let function = &problem.functions[0];
        let placements = (0..).zip(function.buffers.iter()).map(placement).collect();
        let plan = FunctionPlan { name: function.name.clone(), fingerprint: None, placements };
        let plan = Plan { functions: vec![plan] };
        let machine = machine::named(machine::DEFAULT, None).expect("a machine");
        for runtime in [Runtime::Svm, Runtime::Vmm, Runtime::Uvm, Runtime::Soma] {
            let options = Options::default();
            let placed = place(&problem, &plan, runtime, Use::default(), &machine, &options);
            assert_eq!(placed.findings, [], "{runtime:?}");
        }
    }
}
