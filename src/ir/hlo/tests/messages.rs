//! What the reader says of text that is wrong.

use super::read;
use crate::diag::{Code, Diagnostic};

/// The first error of an entry with these lines, each an instruction.
pub(super) fn entry(lines: &str) -> Diagnostic {
    first(&format!("ENTRY e {{\n{lines}\n}}\n"))
}

pub(super) fn first(text: &str) -> Diagnostic {
    match read(text) {
        Err(errors) => errors.into_iter().next().expect("an error"),
        Ok(_) => panic!("nothing wrong with\n{text}"),
    }
}

/// The text under the labels of an error.
fn under<'t>(error: &Diagnostic, text: &'t str) -> Vec<&'t str> {
    let part = |l: &crate::diag::Label| &text[l.loc.start as usize..l.loc.end as usize];
    error.labels.iter().map(part).collect()
}

pub(super) fn said(error: &Diagnostic) -> (Code, &str) {
    (error.code, &error.message)
}

pub(super) const WHILE: &str = "cond { p = f32[4] parameter(0)
  ROOT t = pred[] constant(true)
}
body { p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p)
}
ENTRY e { p = f32[4] parameter(0)
  ROOT w = f32[4] while(p), condition=cond, body=body
}
";

#[test]
fn text_that_stops_to_make_sense_is_shown_there() {
    let text = "ENTRY e {\n  a = f32[4] parameter(0)\n  b = f32[4] add(a; a)\n}";
    let error = first(text);
    assert_eq!(said(&error), (Code::HloSyntax, "expected `,` or `)`, found `;`"));
    assert_eq!(under(&error, text), [";"]);
    let error = first("ENTRY e {\n  a = f32[4] constant({1, 2)\n}");
    assert_eq!(said(&error), (Code::HloSyntax, "`{` is not closed"));
    let error = first("ENTRY e {\n  a = f32[4] constant(1), x=\"y\n}");
    assert_eq!(said(&error), (Code::HloSyntax, "`\"` is not closed"));
    let error = first("");
    assert_eq!(said(&error), (Code::HloSyntax, "the text has no computation"));
    let error = first("ENTRY e {\n}");
    assert_eq!(said(&error), (Code::HloSyntax, "the computation `e` has no instructions"));
    let error = first("ENTRY e {\n  a = f32[] parameter(0)\n");
    assert_eq!(said(&error), (Code::HloSyntax, "the computation `e` is not closed"));
    let error = first("f {\n  a = f32[] parameter(0)\nENTRY e {\n  a = f32[] parameter(0)\n}");
    assert_eq!(said(&error), (Code::HloSyntax, "the computation `f` is not closed"));
    let error = first("a = f32[] parameter(0)\n");
    assert_eq!(said(&error), (Code::HloSyntax, "an instruction outside of a computation"));
    let error = first("HloModule a\nENTRY e { p = f32[] parameter(0) }\nHloModule b\n");
    assert_eq!(said(&error), (Code::HloSyntax, "a second module in one text"));
    let error = entry("  ROOT a = f32[] parameter(0)\n  ROOT b = f32[] negate(a)");
    assert_eq!(said(&error), (Code::HloSyntax, "two roots: `b` and another one"));
}

#[test]
fn several_errors_are_found_at_once() {
    let text = "ENTRY e {
  a = f33[4] parameter(0)
  b = f32[4 parameter(1)
  c = f32[4] negate(a
  d = f32[4] negate(c), x=
  e = f32[4] negate(d)
}";
    let errors = read(text).unwrap_err();
    let codes: Vec<_> = errors.iter().map(|e| e.code).collect();
    assert_eq!(codes, [Code::HloBadShape, Code::HloSyntax, Code::HloSyntax, Code::HloSyntax]);
    let lines: Vec<_> = errors
        .iter()
        .map(|e| text[..e.labels[0].loc.start as usize].matches('\n').count())
        .collect();
    assert_eq!(lines, [1, 2, 4, 5], "an error may show where the next line started");
    let many = "  a = f32[4] negate(x)\n".repeat(100);
    assert_eq!(read(&format!("ENTRY e {{\n{many}}}")).unwrap_err().len(), 20);
}

#[test]
fn a_name_that_nothing_has_is_said_with_what_was_meant() {
    let error = entry("  alpha = f32[] parameter(0)\n  b = f32[] negate(alhpa)");
    assert_eq!(said(&error), (Code::HloUnknownName, "`alhpa` is no instruction of `e`"));
    assert_eq!(error.help.as_deref(), Some("did you mean `alpha`?"));
    let error = first(&WHILE.replace("body=body", "body=bodi"));
    assert_eq!(said(&error), (Code::HloUnknownName, "`bodi` is no computation of the module"));
    assert_eq!(error.help.as_deref(), Some("did you mean `body`?"));
    let error = entry("  a = f32[] parameter(0), control-predecessors={q}");
    assert_eq!(error.code, Code::HloUnknownName);
}

#[test]
fn names_that_are_there_twice_are_said_with_both_places() {
    let text = "ENTRY e {\n  a = f32[] parameter(0)\n  a = f32[] parameter(1)\n}";
    let error = first(text);
    assert_eq!(said(&error), (Code::HloDuplicateName, "two instructions of `e` are called `a`"));
    assert_eq!(error.labels.len(), 2);
    let error = first("f { a = f32[] parameter(0) }\nf { a = f32[] parameter(0) }");
    assert_eq!(said(&error), (Code::HloDuplicateName, "two computations are called `f`"));
    let error = first("ENTRY f { a = f32[] parameter(0) }\nENTRY g { a = f32[] parameter(0) }");
    assert_eq!(said(&error), (Code::HloSyntax, "two entry computations"));
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    let error = entry("  a = f31[4] parameter(0)");
    assert_eq!(said(&error), (Code::HloBadShape, "`f31` is no element type"));
    assert!(error.help.is_some_and(|help| help.contains("did you mean `f")));
    for layout in ["f32[2,3]{1}", "f32[2,3]{1,1}", "f32[2,3]{2,1}", "f32[]{0}"] {
        assert_eq!(entry(&format!("  a = {layout} parameter(0)")).code, Code::HloBadShape);
    }
    assert_eq!(entry("  a = s4[2]{0:E(0)} parameter(0)").code, Code::HloBadShape);
    assert_eq!(entry("  a = f32[99999999999999999999] parameter(0)").code, Code::HloSizeOverflow);
    assert_eq!(entry("  a = (s8[4294967296,4294967296]) parameter(0)").code, Code::HloSizeOverflow);
    assert!(
        read("ENTRY e { a = (s8[4294967296,?], s8[0,4294967296,4294967296]) parameter(0) }")
            .is_ok()
    );
}
