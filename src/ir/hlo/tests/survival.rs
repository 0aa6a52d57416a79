//! Whatever the bytes, the reader comes back, soon, with a module that hangs together or with errors
//! that say where.

use std::env;
use std::time::{Duration, Instant};

use quickcheck::QuickCheck;

use super::read;
use crate::diag::Code;
use crate::ir::hlo::fuzz::check;

/// A module with most forms in it.
const FORMS: &str = include_str!("forms.hlo");

/// Pieces of HLO text, in any order.
const PIECES: &[&str] = &[
    "HloModule m",
    ", is_scheduled=true",
    ", input_output_alias={ {0}: (0, {}, may-alias) }",
    ", buffer_donor={ (0, {1}) }",
    "\n",
    "FileNames\n1 \"a\"\n",
    "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n",
    "%f (a: f32[]) -> f32[] {\n",
    "ENTRY %e {\n",
    "f {\n",
    "}\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    "<=",
    "->",
    ",",
    "=",
    ":",
    "ROOT ",
    "%a",
    "a = ",
    "%b = f32[2]{0} parameter(0)\n",
    "ROOT c = f32[2]{0:T(8,128)S(5)} add(a, %b)\n",
    "(f32[], (s4[3]{0:E(4)}), token[])",
    "f32[<=4,?]{1,0}",
    "constant({ {1}, {2} })",
    "parameter(1)",
    "while(a), condition=%f, body=%f",
    "fusion(a), kind=kLoop, calls=%f",
    "call-start(%a), to_apply=%f",
    "async-done(%a)",
    "get-tuple-element(a), index=0",
    "tuple(a, a)",
    "control-predecessors={%a}",
    "branch_computations={%f, f}",
    "metadata={op_name=\"x\\\"{\" stack_frame_id=1}",
    "backend_config={\"a\":[1]}",
    "replica_groups=mesh['x'=4] {'x'}",
    "output_to_operand_aliasing={{}: (0, {})}",
    "/*index=5*/",
    "/*",
    "// x\n",
    "\"",
    "\\",
    "18446744073709551616",
    "é",
    "\u{0}",
    "\u{feff}",
];

/// How often a property is tried.
fn cases(few: u64) -> QuickCheck {
    let asked = env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok());
    QuickCheck::new().tests(asked.unwrap_or(few))
}

#[test]
fn a_module_with_most_forms_is_read_and_printed() {
    if let Err(errors) = read(FORMS) {
        panic!("{errors:#?}");
    }
    assert!(check(FORMS.as_bytes()));
}

#[test]
fn text_may_end_anywhere() {
    for end in 0..FORMS.len() {
        check(FORMS.as_bytes().get(..end).expect("a prefix"));
    }
}

#[test]
fn text_may_start_anywhere() {
    for start in 0..FORMS.len() {
        check(FORMS.as_bytes().get(start..).expect("a suffix"));
    }
}

#[test]
fn any_bytes() {
    fn holds(bytes: Vec<u8>) -> bool {
        check(&bytes);
        true
    }
    cases(300).quickcheck(holds as fn(Vec<u8>) -> bool);
}

#[test]
fn any_pieces() {
    fn holds(pieces: Vec<usize>) -> bool {
        let text: Vec<&str> = pieces.iter().map(|at| PIECES[at % PIECES.len()]).collect();
        check(text.concat().as_bytes());
        check(format!("ENTRY e {{\n{}", text.concat()).as_bytes());
        true
    }
    cases(300).quickcheck(holds as fn(Vec<usize>) -> bool);
}

#[test]
fn changed_text() {
    fn holds(changes: Vec<(usize, usize, usize)>) -> bool {
        let mut bytes = FORMS.as_bytes().to_vec();
        for (at, kind, piece) in changes.into_iter().take(6) {
            let at = at % bytes.len().max(1);
            let end = (at + piece % 40).min(bytes.len());
            match kind % 4 {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.insert(at, piece as u8),
                2 => {
                    bytes.splice(at..at, PIECES[piece % PIECES.len()].bytes());
                }
                _ => bytes[at] ^= 1 << (piece % 8),
            }
        }
        check(&bytes);
        true
    }
    cases(300).quickcheck(holds as fn(Vec<(usize, usize, usize)>) -> bool);
}

/// Text of one piece many times.
fn many(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

#[test]
fn time_is_linear_in_text_made_to_be_slow() {
    let start = Instant::now();
    for piece in
        PIECES.iter().chain(&["((((", "{{{{", "\n\n", "    ", "a=\n", "{\n", "\"\n", "//\n"])
    {
        for before in [
            "",
            "ENTRY e {\n",
            "ENTRY e {\n a = f32[] constant(",
            "ENTRY e {\n a = f32[] add(a), x=",
        ] {
            let _ = read(&format!("{before}{}", many(piece, 1 << 16)));
        }
    }
    // Generous: what is quadratic takes minutes.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn nesting_has_a_limit() {
    let tuple = |depth| {
        let shape = format!("{}f32[]{}", "(".repeat(depth), ")".repeat(depth));
        read(&format!("ENTRY e {{\n  p = {shape} parameter(0)\n}}"))
    };
    assert!(tuple(256).is_ok());
    assert_eq!(tuple(257).unwrap_err()[0].code, Code::HloNestingTooDeep);
    assert_eq!(tuple(100_000).unwrap_err()[0].code, Code::HloNestingTooDeep);
    let literal = format!("constant({}{})", "{".repeat(257), "}".repeat(257));
    let errors = read(&format!("ENTRY e {{\n  p = f32[] {literal}\n}}")).unwrap_err();
    assert_eq!(errors[0].code, Code::HloNestingTooDeep);
}
