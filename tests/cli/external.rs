//! Planners from outside, as small programs of a shell.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::tool::{run, stderr, stdout};

const CASE: &str = "id,lower,upper,size\na,0,4,64\nb,2,6,32\nc,4,8,64\n";

/// Puts every block at offset 0.
const LIAR: &str = "liar=sh -c 'sed \"1s/$/,offset/; 2,\\$s/$/,0/\" {in} > {out}'";

/// Runs `bench` with planners from outside on one small case.
fn bench(text: &str, name: &str, args: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), text).expect("written");
    run(folder.path(), &[&["bench", name, "--strategies", "auto"], args].concat())
}

/// The row of a planner.
fn row(args: &[&str], strategy: &str) -> Value {
    let output = bench(CASE, "case.csv", &[args, &["--format", "json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    rows.iter().find(|r| r["strategy"] == strategy).expect("a row").clone()
}

/// memplan itself as a planner from outside.
fn own() -> String {
    let binary = env!("CARGO_BIN_EXE_memplan");
    format!("own='{binary}' solve {{in}} -o {{out}} --emit csv --capacity {{capacity}}")
}

#[test]
fn a_right_plan_is_a_row_like_any_other() {
    let own = own();
    for capacity in [&[][..], &["--capacity", "96"]] {
        let row = row(&[&["--external", own.as_str()], capacity].concat(), "own");
        assert_eq!((&row["verdict"], &row["peak"]), (&"optimal".into(), &96.into()), "{row}");
        assert_eq!((&row["max_load"], &row["excess"]), (&96.into(), &0.into()), "{row}");
        assert!(row["seconds"].as_f64().is_some_and(|s| s > 0.0), "{row}");
        assert!(row["nodes"].is_null() && row["stalls"].is_null(), "{row}");
    }
    // With room for all side by side nobody has to share.
    let row = row(&["--external", own.as_str(), "--capacity", "200"], "own");
    assert_eq!((&row["verdict"], &row["peak"]), (&"feasible".into(), &160.into()), "{row}");
    assert_eq!((&row["capacity"], &row["excess"]), (&200.into(), &64.into()), "{row}");
}

#[test]
fn it_may_find_that_there_is_none() {
    let row = row(&["--external", own().as_str(), "--capacity", "95"], "own");
    assert_eq!(row["verdict"], "not-found", "{row}");
    assert!(row["note"].as_str().is_some_and(|n| n.starts_with("exit status: 1")), "{row}");
}

#[test]
fn a_plan_that_overlaps_is_wrong_and_never_counts() {
    let row = row(&["--external", LIAR], "liar");
    assert_eq!((&row["verdict"], &row["fits"]), (&"wrong".into(), &false.into()), "{row}");
    assert!(row["refuted"].as_bool().unwrap_or(false) && row["peak"].is_null(), "{row}");
    let note = "overlap: `a` and `b` are alive together and share bytes (and 1 more fault)";
    assert_eq!(row["note"], note);
    let output = bench(CASE, "case.csv", &["--external", LIAR]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("liar      wrong"), "{text}");
    assert!(text.contains("1 plan rejected by the judge, such as case.csv `case` arena: wrong:"));
}

#[test]
fn one_that_hangs_is_killed_with_all_that_it_has_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("mark");
    let hangs =
        format!("hangs=sh -c '(sleep 2; touch {}) & wait; cat {{in}} > {{out}}'", mark.display());
    let start = Instant::now();
    let row = row(&["--external", &hangs, "--time", "0.3"], "hangs");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(
        (&row["verdict"], &row["limited_by"]),
        (&"not-found".into(), &"time".into()),
        "{row}"
    );
    assert_eq!(row["note"], "killed at the time limit of 300ms");
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!mark.exists(), "its child outlived it");
}

#[test]
fn one_that_fails_or_writes_nothing_has_found_none() {
    let fails = "fails=sh -c 'echo out of luck >&2; cp {in} {out}; exit 3'";
    let row_of = |external: &str, name: &str| row(&["--external", external], name);
    let failed = row_of(fails, "fails");
    assert_eq!(failed["verdict"], "not-found");
    assert_eq!(failed["note"], "exit status: 3: out of luck");
    let silent = row_of("silent=true {in} {out}", "silent");
    assert_eq!((&silent["verdict"], &silent["note"]), (&"not-found".into(), &"no output".into()));
    // The input again is no plan.
    let copy = row_of("copy=cp {in} {out}", "copy");
    assert_eq!(copy["verdict"], "wrong");
    assert_eq!(copy["note"], "unreadable: there is no column `offset`");
}

#[test]
fn a_program_that_there_is_not_breaks_the_question() {
    let output = bench(CASE, "case.csv", &["--external", "x=./nowhere {in} {out}"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("`--external x=..`: cannot run `./nowhere`"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("auto"), "{}", stdout(&output));
    let twice = bench(CASE, "case.csv", &["--external", "auto=cp {in} {out}"]);
    assert!(stderr(&twice).contains("`auto` is to run twice"), "{}", stderr(&twice));
    let bad = bench(CASE, "case.csv", &["--external", "x=cp {in}"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains("{out} has no place in the command"), "{}", stderr(&bad));
}

#[test]
fn a_script_beside_the_inputs_is_found_although_it_runs_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("case.csv"), CASE).expect("written");
    let script = "test \"$(ls)\" = \"in.csv\nstderr.txt\" || exit 9\nsed '1s/$/,offset/; 2s/$/,0/; 3s/$/,64/; 4s/$/,0/' $1 > $2\n";
    fs::write(folder.path().join("planner.sh"), script).expect("written");
    let args = ["bench", "case.csv", "--strategies", "auto", "--format", "csv"];
    let output =
        run(folder.path(), &[&args[..], &["--external", "s=sh planner.sh {in} {out}"]].concat());
    let text = stdout(&output);
    let line = text.lines().find(|l| l.contains(",s,")).expect("a row");
    assert!(line.contains(",s,96,0,0,,optimal,"), "{line}");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("entries").flatten().collect();
    assert_eq!(left.len(), 2, "nothing is left behind");
}

#[test]
fn what_csv_cannot_carry_is_skipped_with_the_reason() {
    let spec = "version = 1\n[[scope]]\nname = 'm'\nreserved = [[0, 64]]\n\
                [[buffer]]\nname = 'a'\nsize = 64\nlive = [0, 2]\n\
                [[buffer]]\nname = 'b'\nsize = 64\nlive = [2, 4]\n";
    let skipped = |spec: &str| {
        let args = ["--external", own().as_str(), "--format", "json"].map(str::to_owned);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = bench(spec, "case.toml", &args);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let rows = report["rows"].as_array().expect("rows").clone();
        let row = rows.into_iter().find(|r| r["strategy"] == "own").expect("a row");
        assert!(row["verdict"].is_null() || row["peak"].is_number(), "{row}");
        row["note"].as_str().map(str::to_owned)
    };
    assert_eq!(skipped(spec).as_deref(), Some("its CSV cannot carry reserved ranges"));
    let pair = "[[relation]]\nkind = 'separate'\na = 'a'\nb = 'b'\n";
    let free = spec.replace("reserved = [[0, 64]]\n", "");
    let reason = skipped(&format!("{free}{pair}"));
    assert_eq!(reason.as_deref(), Some("its CSV cannot carry pairs that must not share bytes"));
    assert_eq!(skipped(&free), None);
    // What is reserved at the end is as if the memory were smaller.
    let end = spec.replace("reserved = [[0, 64]]", "capacity = 128\nreserved = [[64, 128]]");
    assert_eq!(skipped(&end), None);
}

#[test]
fn a_baseline_has_rows_of_planners_from_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old.json");
    let path = old.to_str().expect("UTF-8");
    let output = bench(CASE, "case.csv", &["--external", LIAR, "--format", "json"]);
    fs::write(Path::new(path), &output.stdout).expect("written");
    let same = bench(CASE, "case.csv", &["--external", LIAR, "--baseline", path]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    assert!(stdout(&same).contains("liar: as before"), "{}", stdout(&same));
    let other = bench(CASE, "case.csv", &["--external", "liar=cp {in} {out}", "--baseline", path]);
    assert!(stdout(&other).contains("`--external` differ"), "{}", stdout(&other));
}
