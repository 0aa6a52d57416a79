//! Measurements, run by hand: `cargo test --release --lib analyze::hlo::tests::speed -- --ignored
//! --nocapture`.

use std::fmt::Write;
use std::time::Instant;

use super::{analyse, read};

fn measure(what: &str, text: &str) {
    let module = read(text);
    let start = Instant::now();
    let all = analyse(&module);
    eprintln!(
        "{what}: {} instructions, {} values, {} groups: {:?}",
        module.instructions.len(),
        all.values.values.len(),
        all.groups.groups.len(),
        start.elapsed()
    );
}

fn names(of: &str, count: usize) -> String {
    (0..count).map(|at| format!("{of}{at}")).collect::<Vec<_>>().join(", ")
}

/// Loops in each other; the innermost rotates the state if asked to, else it changes all of it.
fn nest(depth: usize, width: usize, rotate: bool) -> String {
    let shape = format!("({})", vec!["f32[]"; width].join(", "));
    let mut text = String::from("HloModule m, is_scheduled=true\n");
    for level in 0..depth {
        let _ = write!(
            text,
            "c{level} {{\n  q{level} = {shape} parameter(0)\n  ROOT f{level} = pred[] constant(false)\n}}\n\
             b{level} {{\n  p{level} = {shape} parameter(0)\n"
        );
        let Some(inner) = level.checked_sub(1) else {
            for at in 0..width {
                let _ = writeln!(text, "  g{at} = f32[] get-tuple-element(p0), index={at}");
                let _ = writeln!(text, "  n{at} = f32[] negate(g{at})");
            }
            let all = match rotate {
                true => format!("{}, g0", names("g", width).split_once(", ").expect("several").1),
                false => names("n", width),
            };
            let _ = write!(text, "  ROOT r0 = {shape} tuple({all})\n}}\n");
            continue;
        };
        let _ = write!(
            text,
            "  ROOT w{level} = {shape} while(p{level}), condition=c{inner}, body=b{inner}\n}}\n"
        );
    }
    let last = depth - 1;
    text + &format!(
        "ENTRY e {{\n  x = {shape} parameter(0)\n  ROOT w = {shape} while(x), condition=c{last}, body=b{last}\n}}\n"
    )
}

#[test]
#[ignore = "a measurement"]
fn a_long_chain() {
    let mut text =
        String::from("HloModule m, is_scheduled=true\nENTRY e {\n  n0 = f32[8] parameter(0)\n");
    for at in 1..100_000 {
        let _ = writeln!(text, "  n{at} = f32[8] add(n{}, n{})", at - 1, at / 2);
    }
    measure("chain", &(text + "}\n"));
}

#[test]
#[ignore = "a measurement"]
fn nests_of_loops() {
    measure("100 loops deep, 1000 wide", &nest(100, 1000, false));
    measure("10 loops deep, 10000 wide", &nest(10, 10_000, false));
    measure("50 loops deep, 2000 wide, rotating", &nest(50, 2000, true));
}

#[test]
#[ignore = "a measurement"]
fn many_branches() {
    let count = 20_000;
    let mut text = String::from("HloModule m, is_scheduled=true\n");
    for at in 0..count {
        let _ = write!(
            text,
            "b{at} {{\n  p{at} = f32[8] parameter(0)\n  ROOT n{at} = f32[8] negate(p{at})\n}}\n"
        );
    }
    let _ = write!(
        text,
        "ENTRY e {{\n  s = s32[] parameter(0)\n  x = f32[8] parameter(1)\n  ROOT c = f32[8] conditional(s, {}), branch_computations={{{}}}\n}}\n",
        vec!["x"; count].join(", "),
        names("b", count)
    );
    measure("branches", &text);
}

#[test]
#[ignore = "a measurement"]
fn many_calls_of_one_computation() {
    let mut text = String::from(
        "HloModule m, is_scheduled=true\nf {\n  a = f32[8] parameter(0)\n  b = f32[8] bitcast(a)\n  ROOT r = f32[8] negate(b)\n}\nENTRY e {\n  n0 = f32[8] parameter(0)\n",
    );
    for at in 1..50_000 {
        let _ = writeln!(text, "  m{at} = f32[8] negate(n{})", at - 1);
        let _ = writeln!(text, "  n{at} = f32[8] call(m{at}), to_apply=f");
    }
    measure("calls", &(text + "}\n"));
}

#[test]
#[ignore = "a measurement"]
fn a_wide_tuple_taken_apart_and_put_together() {
    let width = 50_000;
    let shape = format!("({})", vec!["f32[8]"; width].join(", "));
    let mut text =
        format!("HloModule m, is_scheduled=true\nENTRY e {{\n  p = {shape} parameter(0)\n");
    for at in 0..width {
        let _ = writeln!(text, "  g{at} = f32[8] get-tuple-element(p), index={at}");
    }
    let _ = write!(text, "  ROOT t = {shape} tuple({})\n}}\n", names("g", width));
    measure("wide", &text);
}
