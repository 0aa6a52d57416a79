//! What is said about broken text.

use crate::diag::{Code, FileId};
use crate::ir::mlir::{Parsed, parse};

fn body(lines: &str) -> String {
    format!(
        "func.func @kernel(%a: memref<4xf32>, %i: index) {{\n{lines}\n  foo.last\n  return\n}}\n\
         func.func @next() {{\n  return\n}}\n"
    )
}

/// `code: message [text at the first label] (help)` of each error.
fn said(text: &str) -> Vec<String> {
    let Parsed { errors, .. } = parse(FileId(0), text);
    let line = |e: &crate::diag::Diagnostic| {
        let loc = e.labels[0].loc;
        let place = &text[loc.start as usize..loc.end as usize];
        let help = e.help.as_deref().map(|h| format!(" ({h})")).unwrap_or_default();
        format!(
            "{}: {} [{place}]{help}",
            e.code.name().trim_start_matches("memplan::hivm::"),
            e.message
        )
    };
    errors.iter().map(line).collect()
}

/// The one error of a statement, behind which reading went on.
fn one(lines: &str) -> String {
    let text = body(lines);
    let mut said = said(&text);
    assert_eq!(said.len(), 1, "{lines}: {said:#?}");
    let parsed = parse(FileId(0), &text);
    let functions: Vec<_> = parsed.file.chunks.iter().flat_map(|c| &c.functions).collect();
    assert_eq!(functions.len(), 2, "{lines}");
    assert!(functions[0].ops.iter().any(|op| op.name == "foo.last"), "{lines}");
    said.remove(0)
}

#[test]
fn of_statements() {
    let table = [
        (
            "  hivm.hir.vadd ins(%a, %A : memref<4xf32>) outs(%a : memref<4xf32>)",
            "undefined_value: `%A` is not defined [%A] (did you mean `%a`?)",
        ),
        (
            "  %buffer = memref.alloc() : memref<4xf32>\n  foo.bar %bufer",
            "undefined_value: `%bufer` is not defined [%bufer] (did you mean `%buffer`?)",
        ),
        (
            "  %0 = memref.alloc( : memref<4xf32>\n  foo.bar %0",
            "syntax: `(` is never closed [(] (add the bracket that closes it before the statement ends)",
        ),
        (
            "  %0 = memref.alloc() {alignment = 64 : i64 : memref<4xf32>\n  %1 = foo.bar %0 : i32",
            "syntax: expected `,` or `}`, found `:` [:]",
        ),
        ("  %0 = memref.alloc() memref<4xf32>", "syntax: expected `:`, found `memref` [memref]"),
        ("  %0 = memref.alloc() :", "syntax: expected a type, found the end of the statement []"),
        (
            "  %0 = memref.alloc() : memref<4x, 1>\n  foo.bar %0",
            "bad_type: the element type is missing [memref<4x, 1>] (such as `memref<16x?xf32, strided<[32, 1], offset: 8>, #hivm.address_space<ub>>`)",
        ),
        (
            "  %0 = foo.bar : memref<4f32>",
            "bad_type: expected `x` and an element type after the dimensions of `4f32` [memref<4f32>] (such as `memref<16x?xf32, strided<[32, 1], offset: 8>, #hivm.address_space<ub>>`)",
        ),
        (
            "  %0:2 = memref.alloc() : memref<4xf32>\n  foo.bar %0#1",
            "syntax: `memref.alloc` has 1 result types but defines 2 values [%0:2 = memref.alloc() : memref<4xf32>]",
        ),
        ("  %0 = = 1", "syntax: expected an operation, found `=` [=]"),
        ("  ) foo", "syntax: expected an operation, found `)` [)]"),
        (
            "  scf.for %j = %i to %i {\n    foo.bar %j\n  }",
            "syntax: expected `step`, found `{` [{]",
        ),
        (
            "  scf.for %j = %i to %i step %i iter_args(%x = %a) -> (i32, i32) {\n    foo.bar %j\n  }",
            "syntax: 1 values are passed, with 2 types [)] (give one type per value)",
        ),
        (
            "  cf.br ^nowhere",
            "undefined_value: block `^nowhere` is not defined [^nowhere] (blocks are local to a region)",
        ),
        (
            "  %0 = foo.a : i32\n  %0 = foo.b : i32",
            "redefined_value: `%0` is defined twice in one region [%0] (give one of them another name)",
        ),
        (
            "  foo.a {\n    %v = foo.b : i32\n  }\n  foo.c %v",
            "undefined_value: `%v` is not defined [%v] (pass it out of the region: `scf.yield` it)",
        ),
        (
            "  foo.bar \"never closed",
            "syntax: expected the rest of the statement, found a string without its end [\"never closed]",
        ),
        (
            "  \"foo.bar\"(%a, %i) <{operandSegmentSizes = array<i32: 2, 1>}> : (memref<4xf32>, index) -> ()",
            "syntax: the segments of `foo.bar` do not add up to its 2 operands [(%a, %i) <{operandSegmentSizes = array<i32: 2, 1>}> : (memref<4xf32>, index) -> ()] (correct `operandSegmentSizes`)",
        ),
        ("  hivm.hir.vadd ins(%a %a : memref<4xf32>)", "syntax: expected `,`, found `%a` [%a]"),
    ];
    for (lines, expected) in table {
        assert_eq!(one(lines), expected, "{lines}");
    }
}

#[test]
fn of_missing_braces() {
    let text = "func.func @a(%i: index) {\n  scf.for %j = %i to %i step %i {\n    foo.bar\n  return\n}\n\
                func.func @b() {\n  return\n}\n";
    assert_eq!(said(text), ["syntax: this region is never closed [{] (add the missing `}`)"]);
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.file.chunks[0].functions.len(), 2);
    let text = "module {\n  func.func @a() {\n    return\n  }\n  }\n  func.func @b() {\n    return\n  }\n}\n";
    assert_eq!(
        said(text),
        ["syntax: `}` closes nothing [}] (remove it, or add the missing `{` before it)"]
    );
    assert_eq!(parse(FileId(0), text).file.chunks[0].functions.len(), 2);
    assert_eq!(said("garbage\nfunc.func @b() {\n  return\n}\n").len(), 1);
}

#[test]
fn stand_in_the_order_of_the_text() {
    let found = said(&body("  foo.a %late\n  %0 = = 1\n  foo.b %later"));
    let places: Vec<&str> = found.iter().filter_map(|line| line.split('[').nth(1)).collect();
    assert!(places[0].starts_with("%late]") && places[2].starts_with("%later]"), "{found:#?}");
}

#[test]
fn are_bounded() {
    let lines: String = (0..100).map(|n| format!("  foo.bar %u{n}\n")).collect();
    assert_eq!(said(&body(&lines)).len(), 20);
    let lines = "  %0 = memref.alloc( : i32\n".repeat(100);
    assert_eq!(said(&body(&lines)).len(), 20);
}

#[test]
fn pages_raise_what_they_explain() {
    let readers = [
        Code::HivmSyntax,
        Code::HivmUndefinedValue,
        Code::HivmRedefinedValue,
        Code::HivmBadType,
        Code::HivmNestingTooDeep,
    ];
    for code in &readers {
        let page = code.page();
        let heads: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
        let title = format!("# {}", code.name());
        assert_eq!(heads, [&title, "## What it means", "## Smallest example", "## What to do"]);
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{title}");
        let example = page.split("```").nth(1).and_then(|e| e.strip_prefix("mlir\n"));
        let found = parse(FileId(0), example.unwrap_or_default()).errors;
        let found: Vec<Code> = found.iter().map(|e| e.code).collect();
        assert_eq!(found, [*code], "{title}");
    }
}
