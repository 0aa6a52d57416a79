//! What `memplan report` draws, looked at in a browser where there is one.
//!
//! Without Chromium those tests say so and pass; `MEMPLAN_REQUIRE_CHROMIUM=1` makes that a failure. With
//! `MEMPLAN_SCREENSHOTS=DIR` the screenshots are kept, to be looked at.

#[path = "pictures/browser.rs"]
mod browser;
#[path = "pictures/page.rs"]
mod page;
#[path = "pictures/tool.rs"]
mod tool;

use std::fs;

use tool::{Folder, text};

/// The drawing in the README, and how it is made.
const SHIPPED: (&str, &str) = ("docs/memory-map.svg", "specs/examples/layernorm-fixed.toml");

#[test]
fn the_drawing_of_the_readme_is_what_the_command_draws() {
    let folder = Folder::new();
    let path = folder.path("map.svg");
    let output = folder.report(&[SHIPPED.1, "-o", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let drawn = fs::read_to_string(&path).expect("a drawing");
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        fs::write(tool::root().join(SHIPPED.0), &drawn).expect("writable");
    }
    let shipped = fs::read_to_string(tool::root().join(SHIPPED.0)).unwrap_or_default();
    assert_eq!(drawn, shipped, "bless it with MEMPLAN_BLESS=1 cargo test --test pictures");
}

#[test]
fn the_answer_is_one_line_with_path_and_verdict() {
    let folder = Folder::new();
    let path = folder.path("x.html");
    let output = folder.report(&["specs/kernels/softmax_rows.mlir", "-o", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with(&format!("{path}: feasible: 1 function, 8 buffers, ")), "{said}");
}

#[test]
fn what_does_not_fit_is_drawn_and_exits_1() {
    let folder = Folder::new();
    let path = folder.path("x.html");
    let output = folder.report(&["specs/kernels/overflow_two_live.mlir", "-o", &path]);
    assert_eq!(output.status.code(), Some(1));
    let page = fs::read_to_string(&path).expect("a page");
    assert!(page.contains("32,768 B too many"));
    assert!(text(&output.stdout).contains(": infeasible: "));
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let folder = Folder::new();
    let input = "specs/kernels/softmax_rows.mlir";
    for name in ["x.png", "x"] {
        let path = folder.path(name);
        let output = folder.report(&[input, "-o", &path]);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains("memplan::config::bad_option") && said.contains(".svg"), "{said}");
        assert!(!std::path::Path::new(&path).exists());
    }
}

#[test]
fn a_trace_stands_beside_the_page_or_alone() {
    let folder = Folder::new();
    let path = folder.path("t.json");
    let output = folder.report(&["specs/kernels/stall_pair.mlir", "--export-trace", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let trace: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a trace")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let named = |ph: &str, name: &str| {
        events.iter().any(|e| e["ph"] == ph && e["args"]["name"] == name || e["name"] == name)
    };
    assert!(named("M", "MTE2") && named("C", "ub: bytes in use") && named("X", "x"));
}

#[test]
fn several_inputs_stand_on_one_page() {
    let folder = Folder::new();
    let path = folder.path("x.html");
    let inputs = ["specs/kernels/softmax_rows.mlir", "specs/examples/softmax.toml"];
    let output = folder.report(&[inputs[0], inputs[1], "-o", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = fs::read_to_string(&path).expect("a page");
    assert!(page.contains("href=\"#f1\"") && page.contains("id=\"f1\""));
}
