//! What is printed reads as the same module.

use std::env;

use super::module;
use crate::ir::hlo::arbitrary::random_module;
use crate::ir::hlo::fuzz::check;
use crate::ir::hlo::{Module, Style, print};

/// Checks a property of modules of many sizes.
fn modules(property: impl Fn(Module, &str)) {
    let cases = env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for seed in 0..cases {
        let text = random_module(seed, 1 + usize::try_from(seed % 60).unwrap_or(0));
        property(module(&text), &text);
    }
}

#[test]
fn what_is_printed_reads_as_the_same_module() {
    modules(|_, text| assert!(check(text.as_bytes()), "{text}"));
}

#[test]
fn so_it_does_in_the_other_style() {
    modules(|mut m, text| {
        m.style = match m.style {
            Style::Long => Style::Short,
            Style::Short => Style::Long,
        };
        let printed = print(&m);
        assert_eq!(printed.contains('%'), m.style == Style::Long, "{text}");
        assert!(module(&printed).same_as(&m), "{text}");
    });
}

#[test]
fn so_it_does_in_another_order() {
    modules(|m, text| {
        let mut sequences = m.sequences();
        // Parameters last to first: operands still come before their users.
        for sequence in sequences.0.iter_mut() {
            sequence.sort_by_key(|&i| m.instructions[i].parameter.map_or(1, |n| -i64::from(n)));
        }
        let other = m.in_order(&sequences);
        let again = module(&print(&other));
        assert!(again.same_as(&other), "{text}");
        assert!(again.is_scheduled);
    });
}

#[test]
fn blank_lines_comments_and_ends_of_lines_do_not_matter() {
    modules(|m, text| {
        let other = module(&text.replace('\n', " // c = f32[] add(d)\r\n\n\t"));
        assert!(other.same_as(&m), "{text}");
    });
}

#[test]
fn modules_that_differ_are_not_the_same() {
    let text = "HloModule m, a=1
ENTRY e {
  p = f32[4]{0} parameter(0)
  q = f32[4]{0} parameter(1)
  c = f32[4]{0} constant({1, 2, 3, 4})
  n = f32[4]{0} negate(p), x=1, control-predecessors={c}
  ROOT t = f32[4]{0} add(n, q)
}";
    let m = module(text);
    assert!(m.same_as(&module(&text.replace('\n', "\n\n"))));
    for (from, to) in [
        ("HloModule m", "HloModule n"),
        ("m, a=1", "m, a=2"),
        ("m, a=1", "m, is_scheduled=true, a=1"),
        ("ENTRY e", "ENTRY f"),
        ("add(n, q)", "add(q, n)"),
        ("add(n, q)", "subtract(n, q)"),
        ("x=1", "x=2"),
        ("predecessors={c}", "predecessors={q}"),
        ("{1, 2, 3, 4}", "{1, 2, 3, 5}"),
        ("n = f32[4]{0}", "n = f32[4]{0:S(5)}"),
        ("ROOT t", "t"),
        ("(0)\n  q = f32[4]{0} parameter(1)", "(1)\n  q = f32[4]{0} parameter(0)"),
    ] {
        let other = module(&text.replace(from, to));
        assert_eq!(m.same_as(&other), to == "t", "{from} {to}");
    }
}
