//! Three runs that every report is shown on: nothing wrong; an error with places; a broken input with
//! every sign that a format may trip over.

use super::{Case, Outcome, Run};
use crate::diag::{Code, Place, Severity};
use crate::model::{Kernel, KernelScope, Remark, ReuseLevel, Verdict};

/// A place in a file.
pub(crate) fn place(file: &str, from: (u32, u32), to: (u32, u32)) -> Place {
    Place { file: file.to_owned(), line: from.0, column: from.1, end_line: to.0, end_column: to.1 }
}

/// A remark that says nothing but its message.
pub(crate) fn remark(code: Code, severity: Severity, input: &str, message: &str) -> Remark {
    Remark {
        code,
        severity,
        message: message.to_owned(),
        help: None,
        input: input.to_owned(),
        function: None,
        scope: None,
        buffers: Vec::new(),
        place: None,
        related: Vec::new(),
        witness: None,
    }
}

fn kernel(input: &str, name: &str, scopes: Vec<KernelScope>) -> Option<Kernel> {
    Some(Kernel { input: input.to_owned(), name: name.to_owned(), scopes, ..Kernel::default() })
}

fn ub(peak: Option<u64>, verdict: Verdict) -> KernelScope {
    KernelScope {
        name: "ub".to_owned(),
        usable: Some(196_608),
        peak,
        max_load: Some(182_272),
        lower_bound: Some(182_272),
        verdict: Some(verdict),
        ..KernelScope::default()
    }
}

/// Nothing wrong.
pub(crate) fn clean() -> Run {
    let input = "kernels/softmax.toml";
    let scope = KernelScope {
        level: Some(ReuseLevel::Slot),
        stalls: Some(2),
        owed: Some(1),
        ..ub(Some(182_272), Verdict::Optimal)
    };
    let work = KernelScope {
        name: "workspace:%arg0".to_owned(),
        peak: Some(4096),
        verdict: Some(Verdict::Optimal),
        ..KernelScope::default()
    };
    let kernel = kernel(input, "softmax", vec![scope, work]);
    let case = Case {
        input: input.to_owned(),
        function: Some("softmax".to_owned()),
        summary: kernel.as_ref().map(super::summary),
        kernel,
        ..Case::default()
    };
    Run { command: "verify", exit: 0, cases: vec![case], general: Vec::new() }
}

/// Two functions: one that overflows, with places and help, one that was not decided.
pub(crate) fn refused() -> Run {
    let input = "./kernels/matmul.toml";
    let function = Some("matmul".to_owned());
    let mut load = ub(None, Verdict::Infeasible);
    load.lower_bound = Some(288_000);
    let error = Remark {
        function: function.clone(),
        scope: Some("ub".to_owned()),
        buffers: vec!["tile".to_owned(), "acc".to_owned()],
        place: Some(place(input, (4, 1), (4, 5))),
        related: vec![
            (place(input, (9, 1), (11, 1)), "96,000 B".to_owned()),
            (place("kernels/target.toml", (2, 3), (2, 3)), String::new()),
        ],
        help: Some("1 slot instead of 2 for `tile`: peak 192,000 B".to_owned()),
        witness: Some("`mul`, trip 0, then `store`".to_owned()),
        ..remark(
            Code::PlanOverflow,
            Severity::Error,
            input,
            "`ub` overflows in `matmul`: load 288,000 B at op `mul` (step 2), 196,608 B usable",
        )
    };
    let mut again = error.clone();
    again.place = Some(place(input, (40, 1), (41, 1)));
    again.related.clear();
    let mut stall =
        remark(Code::PlanStall, Severity::Warning, input, "1 reuse has a price: cost 16");
    stall.function.clone_from(&function);
    let undecided = Remark {
        function: Some("store".to_owned()),
        ..remark(Code::PlanUndecided, Severity::Error, input, "the budget ran out")
    };
    let case = |name: &str, outcome, remarks, scope| {
        let kernel = kernel(input, name, vec![scope]);
        Case {
            input: input.to_owned(),
            function: Some(name.to_owned()),
            place: Some(place(input, (2, 1), (2, 7))),
            outcome,
            remarks,
            summary: kernel.as_ref().map(super::summary),
            kernel,
        }
    };
    Run {
        command: "solve",
        exit: 1,
        cases: vec![
            case("matmul", Outcome::Rejected, vec![error, again, stall], load),
            case("store", Outcome::Undecided, vec![undecided], ub(None, Verdict::Undecided)),
        ],
        general: Vec::new(),
    }
}

/// A file that cannot be read, warnings that are denied, and what belongs to no input.
pub(crate) fn broken() -> Run {
    let input = "in put/é,1:<b>|%`.mlir";
    let message = "no `\u{1b}[31mred|\"x\"`, nor <b>&amp;</b>,\r\nnor [a](http://b) nor @team: 100%\u{0}\u{ffff}";
    let error = Remark {
        place: Some(place(input, (1, 2), (3, 1))),
        related: vec![(place(input, (7, 1), (7, 2)), "]]> *here*".to_owned())],
        help: Some("write `a|b`,\nor nothing".to_owned()),
        ..remark(Code::SpecUnknownKey, Severity::Error, input, message)
    };
    let warning = remark(Code::SpecReadBeforeWrite, Severity::Warning, "w.toml", "read too early");
    let note = remark(Code::PlanPromoted, Severity::Note, "w.toml", "one became two");
    let broken = Case {
        input: input.to_owned(),
        outcome: Outcome::Broken,
        remarks: vec![error],
        ..Case::default()
    };
    let denied = Case {
        input: "w.toml".to_owned(),
        function: Some("f\ng".to_owned()),
        outcome: Outcome::Rejected,
        remarks: vec![note, warning],
        summary: Some("ub 1 of 2 B\u{7}".to_owned()),
        ..Case::default()
    };
    let general = vec![
        remark(Code::ConfigBadOption, Severity::Error, "", "`--plan` makes no sense here"),
        remark(Code::ConfigNoInput, Severity::Warning, "empty/", "there is nothing in `empty/`"),
    ];
    Run { command: "verify", exit: 2, cases: vec![broken, denied], general }
}

/// All three, by name.
pub(crate) fn all() -> [(&'static str, Run); 3] {
    [("clean", clean()), ("refused", refused()), ("broken", broken())]
}
