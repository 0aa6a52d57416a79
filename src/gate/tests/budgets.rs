//! Budgets: held, allowed, written.

use super::{buffer, kernel, limits};
use crate::diag::{Code, Severity};
use crate::format::budget::Budget;
use crate::gate::{Base, Limits, against_baseline, against_budget, updated};
use crate::model::{Kernel, Remark};

const BUDGET: &str = r#"# Ours.
version = 1
unlisted = "error" # we want to know

[allow]
peak = "10 %"

[[kernel]]
input = "kernels/**"
severity = { stalls = "warning" }

[[kernel]]
input = "kernels/a.toml"
function = "a"
# Agreed with Ann.
[kernel.scope.ub]
peak = "1 KiB" # the tile
stalls = 0
"#;

fn of(size: u64) -> Kernel {
    kernel("a", vec![buffer("x", size, [0, 4], 0)])
}

fn codes(remarks: &[Remark]) -> Vec<(Code, Severity)> {
    remarks.iter().map(|r| (r.code, r.severity)).collect()
}

#[test]
fn a_kernel_is_held_to_what_is_written_and_allowed() {
    let limits = limits(BUDGET);
    assert_eq!(against_budget(&[of(1024)], &limits, true), []);
    assert_eq!(against_budget(&[of(1126)], &limits, true), []);
    let remarks = against_budget(&[of(1127)], &limits, true);
    assert_eq!(codes(&remarks), [(Code::GateOverBudget, Severity::Error)]);
    assert_eq!(
        remarks[0].message,
        "`ub` peak 1,127 B is over its budget of 1,024 B (+103, +102 allowed); the largest at once are `x`"
    );
    let mut stalls = of(1000);
    stalls.scopes[0].stalls = Some(2);
    let remarks = against_budget(&[stalls], &limits, true);
    assert_eq!(codes(&remarks), [(Code::GateOverBudget, Severity::Warning)]);
}

#[test]
fn kernels_without_budgets_and_budgets_without_kernels_are_told() {
    let limits = limits(BUDGET);
    let other = kernel("b", vec![buffer("x", 1, [0, 4], 0)]);
    let remarks = against_budget(std::slice::from_ref(&other), &limits, true);
    assert_eq!(
        codes(&remarks),
        [(Code::GateNoBudget, Severity::Error), (Code::GateBudgetUnused, Severity::Warning)]
    );
    assert_eq!(
        remarks[1].place.as_ref().map(|p| (p.file.as_str(), p.line)),
        Some(("memplan-budget.toml", 13))
    );
    assert_eq!(codes(&against_budget(&[other], &limits, false)).len(), 1);
}

#[test]
fn a_file_that_moved_keeps_its_budget_and_that_is_said() {
    let limits = limits(BUDGET);
    let mut moved = of(5000);
    moved.input = "kernels/new/a.toml".to_owned();
    let remarks = against_budget(std::slice::from_ref(&moved), &limits, true);
    assert_eq!(
        codes(&remarks),
        [(Code::GateBudgetUnused, Severity::Note), (Code::GateOverBudget, Severity::Error)]
    );
    let text = updated(Some(BUDGET), &limits, &[moved]).expect("a file");
    assert!(text.contains("input = \"kernels/new/a.toml\""), "{text}");
}

#[test]
fn a_file_that_is_still_there_has_not_moved() {
    let mut limits = limits(BUDGET);
    limits.elsewhere.insert("kernels/a.toml".to_owned());
    let mut other = of(5000);
    other.input = "kernels/b.toml".to_owned();
    let remarks = against_budget(std::slice::from_ref(&other), &limits, true);
    assert_eq!(codes(&remarks), [(Code::GateNoBudget, Severity::Error)]);
    let text = updated(Some(BUDGET), &limits, std::slice::from_ref(&other)).expect("a file");
    assert!(text.contains("input = \"kernels/a.toml\""), "{text}");
    // Another folder in its place.
    other.input = "new/a.toml".to_owned();
    let remarks = against_budget(std::slice::from_ref(&other), &limits, true);
    assert_eq!(codes(&remarks)[0], (Code::GateBudgetUnused, Severity::Note));
    let text = updated(Some(BUDGET), &limits, &[other]).expect("a file");
    assert!(text.contains("input = \"kernels/a.toml\""), "{text}");
}

#[test]
fn an_update_touches_what_was_measured_and_nothing_else() {
    let limits = limits(BUDGET);
    assert_eq!(updated(Some(BUDGET), &limits, &[]).as_deref(), Ok(BUDGET));
    assert_eq!(updated(Some(BUDGET), &limits, &[of(1024)]).as_deref(), Ok(BUDGET));
    let text = updated(Some(BUDGET), &limits, &[of(2000)]).expect("a file");
    assert_eq!(text, BUDGET.replace("\"1 KiB\"", "2000"));
    // A new kernel gets an entry of its own, in order.
    let mut first = kernel("0", vec![buffer("x", 64, [0, 4], 0)]);
    first.scopes[0].name = "workspace:%arg0".to_owned();
    let text = updated(Some(BUDGET), &limits, &[first]).expect("a file");
    let entry = "[[kernel]]\ninput = \"kernels/0.toml\"\nfunction = \"0\"\n\n\
        [kernel.scope.\"workspace:%arg0\"]\npeak = 64\nlevel = \"none\"\nstalls = 0\nowed = 0\n\n\
        [[kernel]]\ninput = \"kernels/a.toml\"";
    assert!(text.contains(entry), "{text}");
}

#[test]
fn a_new_file_holds_what_it_was_made_from() {
    let kernels = [of(64), kernel("b", vec![buffer("y", 32, [0, 1], 0)])];
    let text = updated(None, &Limits::default(), &kernels).expect("a file");
    let again = limits(&text);
    assert_eq!(again.budget.entries.len(), 2);
    assert_eq!(against_budget(&kernels, &again, true), []);
    assert_eq!(updated(Some(&text), &again, &kernels), Ok(text));
}

#[test]
fn functions_of_one_name_have_one_entry_that_holds_them_all() {
    let kernels = [of(64), of(128), of(32)];
    let text = updated(None, &Limits::default(), &kernels).expect("a file");
    let again = limits(&text);
    assert_eq!(again.budget.entries.len(), 1, "{text}");
    assert!(text.contains("peak = 128\n"), "{text}");
    assert_eq!(against_budget(&kernels, &again, true), []);
    assert_eq!(updated(Some(&text), &again, &kernels), Ok(text));
}

#[test]
fn what_a_pattern_says_is_not_repeated() {
    let text = "version = 1\n[[kernel]]\ninput = \"**\"\n[kernel.scope.ub]\nlevel = \"pipe\"\nstalls = 0\n";
    let limits = limits(text);
    let text = updated(Some(text), &limits, &[of(64)]).expect("a file");
    assert!(text.ends_with("[kernel.scope.ub]\npeak = 64\nowed = 0\n"), "{text}");
}

#[test]
fn a_pattern_may_begin_with_a_dot_and_a_slash() {
    let limits =
        limits("version = 1\n[[kernel]]\ninput = \"./kernels/**\"\n[kernel.scope.ub]\npeak = 64\n");
    assert_eq!(against_budget(&[of(64)], &limits, true), []);
}

#[test]
fn growth_since_a_baseline_may_be_allowed_or_a_warning() {
    let judge = |text: &str, new: u64| {
        let limits = limits(text);
        codes(&against_baseline(&[of(1000)], &[of(new)], &limits, true).1)
    };
    let note = [(Code::GateChanged, Severity::Note)];
    let error = [(Code::GateRegression, Severity::Error)];
    let plain = "version = 1\n";
    assert_eq!(judge(plain, 1000), []);
    assert_eq!(judge(plain, 999), note);
    assert_eq!(judge(plain, 1001), error);
    assert_eq!(judge("version = 1\nallow = { peak = 20 }\n", 1020), note);
    assert_eq!(judge("version = 1\nallow = { peak = 20 }\n", 1021), error);
    let baseline =
        "version = 1\nallow = { peak = 20 }\nbaseline = { allow = { peak = \"0.1 %\" } }\n";
    assert_eq!(judge(baseline, 1001), note);
    assert_eq!(judge(baseline, 1002), error);
    let warning = "version = 1\nseverity = { peak = \"warning\" }\n";
    assert_eq!(judge(warning, 2000), [(Code::GateRegression, Severity::Warning)]);
    let ignore = "version = 1\nseverity = { peak = \"ignore\" }\n";
    assert_eq!(judge(ignore, 2000), note);
    let own = "version = 1\n[[kernel]]\ninput = \"kernels/a.toml\"\nallow = { peak = 5 }\n";
    assert_eq!(judge(own, 1005), note);
    assert_eq!(judge(own, 1006), error);
}

#[test]
fn new_kernels_are_noted_and_those_that_are_gone_are_warned_of() {
    let (a, b) = (of(64), kernel("b", vec![buffer("y", 32, [0, 1], 0)]));
    let limits = Limits { budget: Budget::default(), base: Base::default(), ..Limits::default() };
    let of = |old: &[Kernel], new: &[Kernel], whole| {
        codes(&against_baseline(old, new, &limits, whole).1)
    };
    let both = [a.clone(), b];
    assert_eq!(of(std::slice::from_ref(&a), &both, true), [(Code::GateNoBaseline, Severity::Note)]);
    assert_eq!(of(&both, std::slice::from_ref(&a), true), [(Code::GateGone, Severity::Warning)]);
    assert_eq!(of(&both, &[a], false), []);
}
