//! Whatever the bytes, the reader comes back, soon, with a tree that hangs together.

use std::time::{Duration, Instant};

use quickcheck::quickcheck;

use super::ATTENTION;
use crate::diag::{Code, FileId};
use crate::ir::mlir::fuzz::check;
use crate::ir::mlir::parse;

/// Pieces of MLIR text, in any order.
const PIECES: &[&str] = &[
    "func.func @f(%a: i32) {\n",
    "}\n",
    "{",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "->",
    ":",
    ",",
    "=",
    "\n",
    "%a",
    "%0 = ",
    "%0:2 = ",
    "%0#1",
    "^bb0",
    "^bb1(%x: index):\n",
    "@f",
    "#a",
    "#a = #b\n",
    "#b = [#a, #a]\n",
    "!t = memref<4xf32>\n",
    "!t",
    "memref<4x?xf32, #a>",
    "memref<",
    "scf.for %i = %a to %a step %a {\n",
    "scf.if %a {\n",
    "} else {\n",
    "scf.while (%q = %a) : (i32) -> i32 {\n",
    "} do {\n",
    "scope.scope : () -> () {\n",
    "hivm.hir.vadd ins(%a : i32) outs(%a : i32)\n",
    "foo.bar %a {\n",
    "\"foo.bar\"(%a) ({\n",
    "}) : (i32) -> ()\n",
    "cf.br ^bb1(%a : i32)\n",
    "return\n",
    "loc(#a)",
    "loc(\"f\":1:2)",
    "// -----\n",
    "module {\n",
    "{-#",
    "#-}",
    "\"",
    "\"text\"",
    "1",
    "-1",
    "0x",
    "1.5",
    "attributes {a}",
    "dense<",
    "array<i64: 1>",
    "memref.subview %a[0] [%a] [1] : i32 to i32\n",
    "memref.alloc() : ",
    "é",
    "\u{0}",
    "<{",
    "}>",
    "scf.parallel (%i) = (%a) to (%a) step (%a) {\n",
    "arith.constant ",
    "tensor<*x",
    "vector<[4]x",
];

quickcheck! {
    fn any_bytes(bytes: Vec<u8>) -> bool {
        check(&bytes);
        true
    }

    fn any_pieces(pieces: Vec<usize>) -> bool {
        let text: Vec<&str> = pieces.iter().map(|at| PIECES[at % PIECES.len()]).collect();
        check(text.concat().as_bytes());
        check(format!("func.func @f(%a: i32) {{\n{}", text.concat()).as_bytes());
        true
    }

    fn changed_text(changes: Vec<(usize, usize, usize)>) -> bool {
        let mut bytes = ATTENTION.as_bytes().to_vec();
        for (at, kind, piece) in changes {
            let at = at % bytes.len().max(1);
            let end = (at + piece % 30).min(bytes.len());
            match kind % 4 {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.truncate(at),
                2 => drop(bytes.splice(at..end, *b"}")),
                _ => drop(bytes.splice(at..at, PIECES[piece % PIECES.len()].bytes())),
            }
        }
        check(&bytes);
        true
    }
}

#[test]
fn every_truncation() {
    for end in (0..ATTENTION.len()).step_by(7) {
        check(&ATTENTION.as_bytes()[..end]);
    }
}

#[test]
fn every_missing_bracket() {
    for (at, _) in ATTENTION.match_indices(['(', ')', '{', '}', '[', ']', '<', '>']).step_by(3) {
        let (head, tail) = ATTENTION.split_at(at);
        check(format!("{head}{}", &tail[1..]).as_bytes());
    }
}

/// The codes of a text, which must not take the stack.
fn codes(text: &str) -> Vec<Code> {
    parse(FileId(0), text).errors.iter().map(|e| e.code).collect()
}

#[test]
fn deep_nesting_is_refused() {
    let body = |text: &str| format!("func.func @f(%a: index) {{\n{text}\n}}");
    for bracket in ["(", "[", "<", "{", "memref<", "({", "[{a = "] {
        let million = bracket.repeat(if bracket == "(" { 1_000_000 } else { 100_000 });
        for text in [million.clone(), body(&million), body(&format!("foo.bar {million}"))] {
            assert!(!codes(&text).is_empty(), "{bracket}");
        }
        codes(&body(&format!("%0 = arith.constant {million}")));
        codes(&format!("module attributes {{a = {million}}} {{}}"));
    }
    let nested = |open: &str, close: &str| {
        body(&format!("{}{}", open.repeat(100_000), close.repeat(100_000)))
    };
    let loops = nested("scf.for %i = %a to %a step %a {\n", "}\n");
    assert_eq!(codes(&loops), [Code::HivmNestingTooDeep]);
    let whiles = nested("scf.while : () -> () {\nscf.condition(%a)\n} do {\n", "}\n");
    assert_eq!(codes(&whiles), [Code::HivmNestingTooDeep]);
    let generic = nested("\"foo.bar\"() ({\n", "}) : () -> ()\n");
    assert_eq!(codes(&generic), [Code::HivmNestingTooDeep]);
    let unknown = nested("foo.bar {\n^bb0(%x: index):\n", "}\n");
    assert_eq!(codes(&unknown), [Code::HivmNestingTooDeep]);
    let open = "scf.for %i = %a to %a step %a {\n".repeat(100_000);
    assert!(!codes(&body(&open)).is_empty());
    let modules = format!("{}{}", "module {\n".repeat(100_000), "}\n".repeat(100_000));
    assert_eq!(codes(&modules), [Code::HivmNestingTooDeep]);
    let types = format!("{}i32{}", "tuple<".repeat(100_000), ">".repeat(100_000));
    assert!(codes(&format!("func.func private @f({types})")).is_empty());
    let maps = format!("func.func private @f({} i32)", "() -> ".repeat(100_000));
    assert!(codes(&maps).is_empty());
    let arrays = format!("module attributes {{a = {}{}}} {{}}", "[".repeat(300), "]".repeat(300));
    assert_eq!(codes(&arrays), [Code::HivmNestingTooDeep]);
}

#[test]
fn aliases_do_not_explode() {
    let mut text = String::from("#a0 = \"a long enough text to be expensive when repeated\"\n");
    for n in 1..64 {
        text.push_str(&format!("#a{n} = [#a{0}, #a{0}]\n#b{n} = #x.y<#b{0}, #b{0}>\n", n - 1));
    }
    text.push_str("#l0 = loc(\"f\":1:2)\n");
    for n in 1..100_000 {
        text.push_str(&format!("#l{n} = loc(callsite(#l{0} at #l{0}))\n", n - 1));
    }
    text.push_str(
        "func.func private @f() attributes {a = #a40, b = #b63, c = #a39} loc(#l99999)\n",
    );
    text.push_str("#c = #c\n#d = [#e]\n#e = [#d]\n!r = !r\n");
    text.push_str(
        "func.func private @g(!r, memref<4x!r, #c>) attributes {c = #c, d = #d} loc(#d)\n",
    );
    assert_eq!(codes(&text), []);
}

/// The fastest of some runs.
fn time(text: &str) -> Duration {
    let run = |_| {
        let start = Instant::now();
        parse(FileId(0), text);
        start.elapsed()
    };
    (0..5).map(run).min().unwrap_or_default()
}

#[test]
fn time_is_linear() {
    let lines = |n: usize, line: &str| line.repeat(n);
    let numbered = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let shapes: &[(&str, &dyn Fn(usize) -> String)] = &[
        ("functions", &|n| lines(n / 40, ATTENTION.split_once("// -----").map_or("", |s| s.0))),
        ("chunks", &|n| lines(n / 2, "func.func @f() {\n  return\n}\n// -----\n")),
        ("undefined", &|n| numbered(n, &|i| format!("foo.bar %u{i}\n"))),
        ("regions of undefined", &|n| numbered(n, &|i| format!("foo.bar {{\nfoo.use %u{i}\n}}\n"))),
        ("open brackets", &|n| lines(n, "foo.bar (%a\n")),
        ("open braces", &|n| lines(n, "foo.bar {a = 1 : i32\n")),
        ("crossed brackets", &|n| lines(n, "([") + &lines(n, ")]")),
        ("lists over lines", &|n| format!("foo.bar %a{}", lines(n, ",\n%a"))),
        ("dotted lines", &|n| lines(n, "foo.bar = \n")),
        ("aliases", &|n| numbered(n, &|i| format!("#a{i} = #a{}\n", i + 1))),
        ("blocks", &|n| numbered(n, &|i| format!("^bb{i}:\ncf.br ^bb{}\n", i + 1))),
        ("resources", &|n| lines(n, "{-# ")),
        ("quotes", &|n| lines(n, "\"\\\n")),
    ];
    for (name, text) in shapes {
        let body = |n: usize| match *name {
            "functions" | "chunks" => text(n),
            _ => format!("func.func @f(%a: i32) {{\n{}\n}}", text(n)),
        };
        let (small, large) = (body(2_000), body(16_000));
        // Eight times the text: a quadratic step would take 64 times as long. Other work on the
        // machine may spoil a measurement, but not several.
        let ratio = || time(&large).as_secs_f64() / time(&small).as_secs_f64().max(1e-6);
        assert!((0..4).any(|_| ratio() < 30.0), "{name}: {:.1}", ratio());
    }
}
