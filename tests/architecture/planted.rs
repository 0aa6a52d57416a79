//! Wrong source, on purpose: the law must complain about each, and about nothing else.

use super::{complaints, manifest_complaints};

/// A path, what stands there, and a word of the complaint.
const WRONG: &[(&str, &str, &str)] = &[
    ("src/verify/mod.rs", "use crate::analyze::facts;", "`verify` must not see `analyze`"),
    ("src/verify/a.rs", "use crate::{diag, plan::solve};", "`verify` must not see `plan`"),
    ("src/verify/a.rs", "use crate::{\n  diag::{self, Loc},\n  plan,\n};", ":3: `verify`"),
    ("src/verify/a.rs", "pub use crate::front as reader;", "must not see `front`"),
    ("src/verify/a.rs", "fn f() { crate::plan::solve() }", "must not see `plan`"),
    ("src/verify/a.rs", "type A = Vec<crate::analyze::Facts>;", "must not see `analyze`"),
    ("src/verify/a.rs", "use super::super::plan::Options;", "must not see `plan`"),
    ("src/verify/mod.rs", "use super::{model, plan};", "must not see `plan`"),
    ("src/verify/mod.rs", "use self::super::plan::solve;", "must not see `plan`"),
    ("src/verify/mod.rs", "mod a { use super::super::plan; }", "must not see `plan`"),
    ("src/verify/a/b.rs", "use super::{super::super::{cli::run}};", "must not see `cli`"),
    ("src/verify/a.rs", "use memplan_packing::Instance;", "must not see `memplan_packing`"),
    ("src/verify/a.rs", "fn f() { ::memplan_exact::go() }", "must not see `memplan_exact`"),
    ("src/verify/a.rs", "use crate as house;", "must not see `crate`"),
    ("src/verify/a.rs", "use crate::{self as house};", "must not see `crate`"),
    ("src/verify/a.rs", "use super::super::*;", "must not see `*`"),
    ("src/verify/a.rs", "use crate::r#plan;", "must not see `r`"),
    ("src/verify/a.rs", "#[cfg(not(test))] use crate::plan;", "must not see `plan`"),
    ("src/verify/a.rs", "#[cfg(test)] mod t { } use crate::plan;", "must not see `plan`"),
    ("src/verify/a.rs", "use crate::nowhere::Thing;", "must not see `nowhere`"),
    ("src/model/a.rs", "use crate::format::spec;", "`model` must not see `format`"),
    ("src/diag/a.rs", "use crate::model::Bytes;", "`diag` must not see `model`"),
    ("src/analyze/a.rs", "use crate::format::spec;", "`analyze` must not see `format`"),
    ("src/front/csv/row.rs", "use crate::analyze::facts;", "must not see `analyze`"),
    ("src/runtime/a.rs", "use crate::verify::verify;", "must not see `verify`"),
    ("src/report/a.rs", "use crate::plan::Options;", "must not see `plan`"),
    ("src/diagnose/a.rs", "use memplan_milp::solve;", "must not see `memplan_milp`"),
    ("src/plan/a.rs", "use memplan_oracle::solve;", "must not see `memplan_oracle`"),
    ("src/main.rs", "fn main() { memplan::plan::solve() }", "`main` must not see `plan`"),
    ("src/attic/mod.rs", "use crate::model::Bytes;", "no floor `attic`"),
    ("src/plan/a.rs", "fn f(x: f64) {}", "`f64`: floating point"),
    ("src/plan/a.rs", "let x = 0.5;", "`0.5`: floating point"),
    ("src/plan/a.rs", "let x = n as f32;", "`f32`: floating point"),
    ("src/plan/a.rs", "let x = 2f64;", "`2f64`: floating point"),
    ("src/plan/a.rs", "let x = 1e9 as u64;", "`1e9`: floating point"),
    ("src/cli/a.rs", "let x: f64;", "floating point"),
    ("solvers/exact/src/lib.rs", "let x: f64;", "floating point"),
    ("src/front/a.rs", "let t = std::fs::read_to_string(p);", "`std::fs`: no I/O below cli"),
    ("src/front/a.rs", "use std::{fs, io};", "`std::fs`: no I/O below cli"),
    ("src/lib.rs", "use std::fs::File;", "no I/O below cli"),
    ("src/emit/a.rs", "let f = File::create(p);", "a file handle"),
    ("src/report/a.rs", "use std::collections::HashMap;", "a hash map"),
    ("src/emit/a.rs", "let seen = HashSet::new();", "a hash map"),
    ("src/verify/a.rs", "let t = Instant::now();", "a wall clock"),
    ("src/plan/hivm/a.rs", "use std::time::SystemTime;", "a wall clock"),
];

/// A path, and what may stand there.
const RIGHT: &[(&str, &str)] = &[
    ("src/verify/a.rs", "use crate::{diag::Loc, model::{self, Plan}, runtime};"),
    ("src/verify/a.rs", "use super::b; use crate::verify::b; pub(in crate::verify) fn f() {}"),
    ("src/verify/a.rs", "// use crate::plan;\n/* /* crate::plan */ crate::plan */"),
    ("src/verify/a.rs", "//! [`crate::plan`]\nconst A: &str = \"crate::plan \\\" crate::plan\";"),
    ("src/verify/a.rs", "const A: &str = r#\"crate::plan \" crate::plan\"#;"),
    ("src/verify/a.rs", "const A: &[u8] = b\"crate::plan\"; const B: char = '\"'; // crate::plan"),
    ("src/verify/a.rs", "fn f<'a>(x: &'a str) -> char { '\\'' }"),
    (
        "src/verify/a.rs",
        "#[cfg(test)]\nmod tests { use crate::plan::solve; fn f() -> f64 { 0.5 } }",
    ),
    ("src/verify/a.rs", "#[cfg(test)]\nuse crate::plan;\nuse crate::model;"),
    ("src/verify/a.rs", "pub(crate) fn f() { let x = a.0.1; let y = 0..5; let z = 0x1e5usize; }"),
    ("src/plan/a.rs", "use memplan_milp::solve; use std::collections::HashMap;"),
    ("src/plan/portfolio.rs", "let t = Instant::now();"),
    ("src/report/a.rs", "fn percent(x: f64) -> f64 { x * 100.0 }"),
    ("solvers/milp/src/lib.rs", "let x: f64 = 0.5;"),
    ("src/cli/a.rs", "use std::fs::File; use crate::{plan, report};"),
    ("src/main.rs", "fn main() { memplan::cli::main() }"),
    ("src/lib.rs", "pub mod plan; pub use plan::solve;"),
];

#[test]
fn the_law_complains() {
    for (path, source, words) in WRONG {
        let found = complaints(path, source);
        assert!(found.iter().any(|c| c.contains(words)), "{path}: {source}\n{found:?}");
    }
}

#[test]
fn the_law_complains_about_nothing_else() {
    for (path, source) in RIGHT {
        assert_eq!(complaints(path, source), [""; 0], "{path}: {source}");
    }
}

#[test]
fn manifests_are_read() {
    let found = |solver: &str, text: &str| manifest_complaints(solver, "Cargo.toml", text).len();
    let text = "[dependencies]\nmemplan-packing.workspace = true\nmemplan-exact.workspace = true\n";
    assert_eq!(found("milp", text), 1);
    assert_eq!(found("packing", text), 2);
    assert_eq!(found("", text), 0);
    let oracle = "[dependencies]\nmemplan-oracle.workspace = true\n";
    assert_eq!((found("exact", oracle), found("", oracle)), (1, 1));
    let tests = "[dev-dependencies]\nmemplan-oracle.workspace = true\nserde = \"1\"\n";
    assert_eq!((found("exact", tests), found("", tests)), (0, 0));
    let hidden = "[target.'cfg(unix)'.dependencies]\nx = { package = \"memplan-oracle\" }\n";
    assert_eq!(found("exact", hidden), 1);
    assert_eq!(found("exact", "[dependencies"), 1);
}
