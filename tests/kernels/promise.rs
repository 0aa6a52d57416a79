//! `// expect auto:` lines: written by `MEMPLAN_BLESS=1`, compared otherwise.

use std::fs;

use memplan::model::{FunctionAnswer, Problem};

use crate::planned::{Planned, level};

/// What `auto` answers: a line for each scope of each function, or for each defect of the text.
pub(crate) fn lines(planned: &Planned) -> Vec<String> {
    let defect = |d: &memplan::diag::Diagnostic| format!("error {}", d.code.name());
    if planned.auto.is_none() {
        return planned.read.defects.iter().map(defect).collect();
    }
    let used = planned.auto().iter().filter(|f| !f.scopes.is_empty()).count();
    let all = planned.auto().iter().flat_map(|f| of(planned.problem(), f, used > 1));
    all.collect()
}

/// `ub feasible pipe 131072`; with the function in front where several are planned.
fn of(problem: &Problem, function: &FunctionAnswer, named: bool) -> Vec<String> {
    let line = |scope: &memplan::model::ScopeAnswer| {
        let name = &problem.scopes[scope.scope].name;
        let verdict = scope.verdict.name();
        let rest = match (scope.peak, &scope.overflow) {
            (Some(peak), _) => format!("{} {peak}", level(scope)),
            (None, Some(overflow)) => overflow.requires.to_string(),
            (None, None) => scope.lower_bound.to_string(),
        };
        let owner = if named { format!("@{} ", function.name) } else { String::new() };
        format!("{owner}{name} {verdict} {rest}")
    };
    function.scopes.iter().map(line).collect()
}

/// Writes the lines behind `// expect hivm:`.
pub(crate) fn bless(planned: &Planned) {
    let mut out = String::new();
    for line in planned.kernel.text.lines().filter(|l| !l.starts_with("// expect auto: ")) {
        out.push_str(line);
        out.push('\n');
        if line.starts_with("// expect hivm: ") {
            for line in lines(planned) {
                out.push_str(&format!("// expect auto: {line}\n"));
            }
        }
    }
    if out != planned.kernel.text {
        fs::write(&planned.kernel.path, out).expect("the kernel is written");
    }
}
