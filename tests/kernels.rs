//! The kernels of `specs/kernels`: what the compiler's pass makes of each was worked out by hand
//! from the HIVM specification, and stands in the head of its file (docs/KERNELS.md).
//!
//! `MEMPLAN_BLESS=1 cargo test --test kernels` writes the `// expect auto:` lines, and no others;
//! look at them before you commit them.

#[path = "kernels/emission.rs"]
mod emission;
#[path = "kernels/executed.rs"]
mod executed;
#[path = "kernels/header.rs"]
mod header;
#[path = "kernels/machine.rs"]
mod machine;
#[path = "kernels/planned.rs"]
mod planned;
#[path = "kernels/promise.rs"]
mod promise;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use memplan::model::{BufferId, FunctionAnswer, Verdict};

use header::Expect;
use planned::{Planned, has_plan, level, rank, refuted, stalls};

/// All kernels, planned once.
fn kernels() -> &'static [Planned] {
    static ALL: OnceLock<Vec<Planned>> = OnceLock::new();
    ALL.get_or_init(|| header::all().into_iter().map(Planned::of).collect())
}

/// Fails with everything that is wrong with any kernel.
fn each(check: impl Fn(&Planned) -> Vec<String>) {
    let wrong = |p: &Planned| {
        check(p).into_iter().map(|w| format!("  {}: {w}\n", p.kernel.name)).collect::<String>()
    };
    let all: String = kernels().iter().map(wrong).collect();
    assert!(all.is_empty(), "\n{all}");
}

/// The byte offsets of an answer, by alloc in textual order.
fn offsets(functions: &[FunctionAnswer]) -> Vec<Vec<u64>> {
    functions.iter().flat_map(|f| &f.plan.placements).map(|p| p.offsets.clone()).collect()
}

#[test]
fn the_compatible_planner_answers_every_kernel_as_worked_out_by_hand() {
    each(|p| {
        let functions = &p.hivm.functions;
        let errors: Vec<&str> =
            functions.iter().flat_map(|f| &f.errors).map(|e| e.text.as_str()).collect();
        match &p.kernel.hivm {
            Expect::Plan(wanted) | Expect::Unsound(wanted) => {
                let found = offsets(functions);
                let right = errors.is_empty() && found == *wanted;
                (!right)
                    .then(|| format!("{found:?} {errors:?} for {wanted:?}"))
                    .into_iter()
                    .collect()
            }
            Expect::Error(text) => {
                let told = errors.iter().any(|e| e.contains(text.as_str()));
                (!told).then(|| format!("{errors:?} for `{text}`")).into_iter().collect()
            }
        }
    });
}

#[test]
fn the_compatible_planner_warns_of_shared_dma_buffers_where_the_pass_does() {
    each(|p| {
        let told = p.hivm.functions.iter().flat_map(|f| &f.scopes).flat_map(|s| &s.warnings);
        let bits = |text: &String| {
            let rest = text.split("needs ").nth(1)?;
            rest.split(' ').next()?.parse::<u64>().ok()
        };
        let found: Vec<u64> = told.filter_map(bits).collect();
        let wanted = &p.kernel.w1;
        (found != *wanted).then(|| format!("W1 {found:?} for {wanted:?}")).into_iter().collect()
    });
}

#[test]
fn the_judge_accepts_the_pass_s_plans_but_those_that_are_unsound() {
    each(|p| {
        if matches!(p.kernel.hivm, Expect::Error(_)) {
            return Vec::new();
        }
        let functions = &p.hivm.functions;
        let refuted: Vec<String> =
            functions.iter().flat_map(|f| refuted(p.problem(), f.index, &f.plan)).collect();
        match &p.kernel.hivm {
            Expect::Unsound(_) if refuted.is_empty() => vec!["an unsound plan passes".to_owned()],
            Expect::Unsound(_) => Vec::new(),
            _ => refuted,
        }
    });
}

#[test]
fn auto_plans_soundly_what_the_pass_plans_soundly_and_never_worse() {
    each(|p| {
        if !matches!(p.kernel.hivm, Expect::Plan(_)) {
            return Vec::new();
        }
        let mut wrong = Vec::new();
        if p.auto.is_none() {
            wrong.push(format!("not planned: {}", p.read.defects[0].message));
        }
        for (ours, theirs) in p.auto().iter().zip(&p.hivm.functions) {
            for (a, b) in ours.scopes.iter().zip(&theirs.scopes) {
                let name = &p.problem().scopes[a.scope].name;
                let Some(peak) = a.peak else {
                    wrong.push(format!("{name}: no plan, {}", a.verdict.name()));
                    continue;
                };
                let rate = |s| (rank(s), stalls(s));
                if (rate(a), Some(peak)) > (rate(b), b.peak) {
                    wrong.push(format!(
                        "{name}: {} with {} stalls, peak {peak}; the pass {} with {}, {:?}",
                        level(a),
                        stalls(a),
                        level(b),
                        stalls(b),
                        b.peak
                    ));
                }
            }
        }
        wrong
    });
}

#[test]
fn the_judge_accepts_every_plan_of_auto() {
    each(|p| {
        let planned = p.auto().iter().filter(|f| has_plan(f));
        planned.flat_map(|f| refuted(p.problem(), f.index, &f.plan)).collect()
    });
}

#[test]
fn a_machine_that_knows_no_analysis_finds_every_byte_under_auto_s_plans() {
    assert!(executed(|p| p.auto().to_vec()) >= 110);
}

#[test]
fn the_machine_finds_every_byte_under_plans_that_share_all_they_can() {
    assert!(executed(|p| p.smallest().map_or(Vec::new(), |a| a.functions)) >= 110);
}

/// Executes the plans of all kernels that have whole ones; how many there were.
fn executed(plans: impl Fn(&Planned) -> Vec<FunctionAnswer>) -> usize {
    let mut executed = 0;
    for p in kernels().iter().filter(|p| p.auto.is_some()) {
        let functions = plans(p);
        let whole = functions.iter().all(has_plan);
        let Some(lost) = whole.then(|| executed::lost(p, &functions)).flatten() else { continue };
        assert_eq!(lost, Vec::<String>::new(), "{}", p.kernel.name);
        let judged = functions.iter().flat_map(|f| refuted(p.problem(), f.index, &f.plan));
        assert_eq!(judged.collect::<Vec<_>>(), Vec::<String>::new(), "{}", p.kernel.name);
        executed += 1;
    }
    executed
}

#[test]
fn the_machine_loses_bytes_under_the_pass_s_unsound_plans() {
    // What the others do wrong is no loss: unique or oversized buffers, in place at a shifted start.
    let losing = [
        "carried_ping_pong",
        "hazard1_never_killed",
        "hazard2_untracked_alias",
        "hazard3_lost_condition",
        "hazard_if_yields_outer",
        "hazard_parallel_copy",
    ];
    each(|p| {
        if matches!(p.kernel.hivm, Expect::Error(_)) {
            return Vec::new();
        }
        let lost = executed::lost(p, &p.hivm.functions);
        let loses = lost.as_ref().is_some_and(|l| !l.is_empty());
        let wanted = losing.contains(&p.kernel.name.as_str());
        (loses != wanted).then(|| format!("{lost:?}")).into_iter().collect()
    });
}

#[test]
fn auto_plans_or_refutes_every_kernel_and_leaves_none_open() {
    each(|p| {
        let scopes = p.auto().iter().flat_map(|f| &f.scopes);
        let open = scopes.filter(|s| !s.verdict.has_plan() && s.verdict != Verdict::Infeasible);
        open.map(|s| format!("{} {}", p.problem().scopes[s.scope].name, s.verdict.name())).collect()
    });
}

#[test]
fn auto_answers_every_kernel_as_its_head_says() {
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        kernels().iter().for_each(promise::bless);
        return;
    }
    each(|p| {
        let (found, wanted) = (promise::lines(p), &p.kernel.auto);
        let differs = found != *wanted;
        differs.then(|| format!("{found:?} for {wanted:?}")).into_iter().collect()
    });
}

#[test]
fn the_text_with_auto_s_addresses_is_read_judged_and_written_again() {
    each(|p| {
        if !p.auto().iter().all(has_plan) || p.auto.is_none() {
            return Vec::new();
        }
        emission::check(p, p.auto())
    });
}

#[test]
fn the_text_with_the_pass_s_addresses_is_read_judged_and_written_again() {
    each(|p| {
        if matches!(p.kernel.hivm, Expect::Error(_)) {
            return Vec::new();
        }
        emission::check(p, &p.hivm.functions)
    });
}

#[test]
fn both_cores_see_a_coupled_buffer_at_one_address() {
    let found = kernels().iter().find(|p| p.kernel.name == "flash_attention_cv");
    let planned = found.expect("the kernel of two cores");
    for functions in [&planned.hivm.functions[..], planned.auto()] {
        let mut places: BTreeMap<u32, Vec<&[u64]>> = BTreeMap::new();
        for answer in functions {
            let buffers = &planned.problem().functions[answer.index].buffers;
            for placement in &answer.plan.placements {
                let id = BufferId(placement.id.expect("an ordinal"));
                if let Some(coupling) = buffers[id].coupling {
                    places.entry(coupling).or_default().push(&placement.offsets);
                }
            }
        }
        assert_eq!(places.len(), 2);
        assert!(places.values().all(|p| p.len() == 2 && p[0] == p[1]), "{places:?}");
    }
}

#[test]
fn the_generic_form_of_a_kernel_has_the_answers_of_the_kernel() {
    each(|p| {
        let Some(name) = p.kernel.name.strip_suffix("_generic") else { return Vec::new() };
        let Some(custom) = kernels().iter().find(|k| k.kernel.name == name) else {
            return vec!["the kernel in custom form is missing".to_owned()];
        };
        let mut wrong = Vec::new();
        if offsets(&p.hivm.functions) != offsets(&custom.hivm.functions) {
            wrong.push("another plan of the pass".to_owned());
        }
        if promise::lines(p) != promise::lines(custom)
            || offsets(p.auto()) != offsets(custom.auto())
        {
            wrong.push("another plan of auto".to_owned());
        }
        wrong
    });
}

#[test]
fn the_document_s_kernel_overflows_with_the_document_s_words() {
    let found = kernels().iter().find(|p| p.kernel.name == "document_overflow");
    let planned = found.expect("the document's kernel");
    let errors = &planned.hivm.functions[0].errors;
    let text = "ub overflow, requires 3219456 bits while 1572864 bits available! (possible reason: \
                tiling basic block is too large or block number is more than what user expect due \
                to multi-buffer feature is enabled and some ops need extra local buffer.)";
    assert_eq!(errors[0].text, text);
    let place = "\"/tmp/tmp0h121237/kernel.ttadapter.mlir\":2:3";
    assert_eq!(errors[0].printed_loc.as_deref(), Some(place));
}
