//! What plans owe, as the command line tells it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn memplan(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(args).env("NO_COLOR", "1").output().expect("memplan runs")
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = memplan(args);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn solved(level: u32) -> serde_json::Value {
    json(&["solve", "--format", "json", &format!("specs/examples/document-level{level}.toml")])
}

#[test]
fn the_documents_levels_cost_what_they_say() {
    let stalls = |report: &serde_json::Value| {
        let owed = report["owed"].as_array().expect("a list");
        owed.iter().filter(|e| e["stall"] == true).count()
    };
    let (pipe, slot, lifetime) = (solved(2), solved(1), solved(0));
    let makespan = |report: &serde_json::Value| report["makespan"].as_u64().expect("ticks");
    assert!(makespan(&pipe) <= makespan(&slot) && makespan(&slot) < makespan(&lifetime));
    assert_eq!(stalls(&pipe), 0);
    assert!(stalls(&lifetime) > 0);
    for level in [&pipe, &slot] {
        let timeline = &level["timelines"][0];
        assert_eq!(timeline["makespan"], timeline["without_reuse"]);
    }
    // The dearest edge is named by its place in the list.
    let (at, lost) =
        (&lifetime["timelines"][0]["delays"][0][0], &lifetime["timelines"][0]["delays"][0][1]);
    let at = usize::try_from(at.as_u64().expect("a place")).expect("a place");
    assert_eq!(lifetime["owed"][at]["stall"], true);
    assert!(lost.as_u64() > Some(0));
    let text = memplan(&["solve", "specs/examples/document-level0.toml"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("level `lifetime` costs 1."), "{text}");
    assert!(text.contains("ticks lost"), "{text}");
    let quiet = memplan(&["-q", "solve", "specs/examples/document-level0.toml"]);
    assert!(!String::from_utf8_lossy(&quiet.stdout).contains("owed"));
}

const SPEC: &str = r#"
version = 1
[[scope]]
name = "ub"
capacity = 4096
alignment = 32
[[pipe]]
name = "V"
kind = "vector"
[[pipe]]
name = "MTE3"
kind = "dma"
[[buffer]]
name = "p"
size = 1024
pin = 0
[[buffer]]
name = "q"
size = 1024
pin = 512
[[op]]
name = "wp"
pipe = "V"
writes = ["p"]
SYNC0
[[op]]
name = "sp"
pipe = "MTE3"
cost = 5000
reads = ["p"]
SYNC1
[[op]]
name = "wq"
pipe = "V"
writes = ["q"]
SYNC2
[[op]]
name = "sq"
pipe = "MTE3"
reads = ["q"]
"#;

fn flag(from: &str, to: &str, id: u32) -> String {
    ["set", "wait"]
        .map(|word| format!("[[op]]\n{word} = {{ from = \"{from}\", to = \"{to}\", id = {id} }}\n"))
        .concat()
}

fn spec(syncs: [&str; 3]) -> String {
    let mut text = SPEC.to_owned();
    for (n, sync) in syncs.iter().enumerate() {
        text = text.replace(&format!("SYNC{n}"), sync);
    }
    text
}

#[test]
fn a_spec_without_sync_owes_and_one_with_sync_must_have() {
    let (there, back) = ([flag("V", "MTE3", 0), flag("V", "MTE3", 1)], flag("MTE3", "V", 0));
    let owes = file("owes.toml", &spec(["", "", ""]));
    let report = json(&["verify", "--format", "json", owes.to_str().expect("a path")]);
    assert_eq!(report["verdict"], "accept");
    assert_eq!(
        report["owed"][0]["edge"],
        "set_flag(MTE3, V) after sp, wait_flag(MTE3, V) before wq"
    );
    assert_eq!(report["owed"][0]["bytes"], serde_json::json!([[512, 1024]]));
    assert!(report["makespan"].as_u64() > Some(5000));
    assert!(report["counters"]["instructions"].as_u64() > Some(0));

    let lacks = file("lacks.toml", &spec([&there[0], "", &there[1]]));
    let report = json(&["verify", "--format", "json", lacks.to_str().expect("a path")]);
    assert_eq!(report["verdict"], "reject");
    assert_eq!(report["findings"][0]["code"], "memplan::replay::race_war");
    assert_eq!(report["owed"], serde_json::json!([]));

    let has = file("has.toml", &spec([&there[0], &back, &there[1]]));
    let report = json(&["verify", "--format", "json", has.to_str().expect("a path")]);
    assert_eq!(report["verdict"], "accept", "{report}");
}

#[test]
fn an_op_synchronises_or_touches_bytes() {
    let both = SPEC.replace("SYNC0", "barrier = \"V\"").replace("SYNC1", "").replace("SYNC2", "");
    let output = memplan(&["verify", file("both.toml", &both).to_str().expect("a path")]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("does several things"), "{text}");
}

fn kernel(sync: &str) -> String {
    format!(
        "module {{\n  func.func @f(%a: memref<64xf32, #hivm.address_space<gm>>, %b: memref<64xf32, #hivm.address_space<gm>>) \
         attributes {{hacc.function_kind = #hacc.function_kind<DEVICE>}} {{\n    \
         %c0 = arith.constant 0 : i64\n    \
         %x = hivm.hir.pointer_cast(%c0) : memref<64xf32, #hivm.address_space<ub>>\n    \
         hivm.hir.load ins(%a : memref<64xf32, #hivm.address_space<gm>>) outs(%x : memref<64xf32, #hivm.address_space<ub>>)\n    \
         {sync}\n    \
         hivm.hir.store ins(%x : memref<64xf32, #hivm.address_space<ub>>) outs(%b : memref<64xf32, #hivm.address_space<gm>>)\n    \
         return\n  }}\n}}\n"
    )
}

#[test]
fn flags_of_hivm_text_are_what_the_kernel_carries() {
    let verdict = |name: &str, sync: &str| {
        let path = file(name, &kernel(sync));
        let report = json(&["verify", "--format", "json", path.to_str().expect("a path")]);
        (report["verdict"].clone(), report["findings"][0]["code"].clone())
    };
    let flags = "hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\n    \
                 hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]";
    assert_eq!(verdict("none.mlir", "").0, "accept");
    assert_eq!(verdict("flags.mlir", flags).0, "accept");
    assert_eq!(verdict("all.mlir", "hivm.hir.pipe_barrier[<PIPE_ALL>]").0, "accept");
    let wrong = verdict("wrong.mlir", "hivm.hir.pipe_barrier[<PIPE_V>]");
    assert_eq!((wrong.0, wrong.1), ("reject".into(), "memplan::replay::race_raw".into()));
    let half =
        "hivm.hir.set_flag[#hivm.pipe<PIPE_MTE2>, #hivm.pipe<PIPE_MTE3>, #hivm.event<EVENT_ID0>]";
    assert_eq!(verdict("half.mlir", half).1, "memplan::replay::flag_unmatched");
}
