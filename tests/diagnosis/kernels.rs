//! The kernels that people report, and what they are told.

use memplan::diagnose;
use memplan::model::{Change, CoreIs, HolderKind, Placement, Plan, Ruling};
use memplan::report::context::Input;
use memplan::report::human;
use memplan::{model, verify};

use super::{explained, read};

fn told(text: &str) -> String {
    let read = read(text);
    let answer = explained(&read.problem, None);
    let input = Input { name: "case.toml", sources: &read.sources, problem: &read.problem };
    let text = human::solve(human::View::default(), input, &answer);
    anstream::adapter::strip_str(&text).to_string()
}

const TILE: &str = r#"
version = 1
[[scope]]
name = "ub"
capacity = 196608
alignment = 32
round_up = true
[[buffer]]
name = "tile"
size = 192000
slots = 2
live = [[0, 3]]
pipes = ["MTE2:w", "V:r", "MTE3:r"]
"#;

#[test]
fn the_doubled_tile_is_named_with_its_slots_in_bytes_and_bits_and_both_ways_out() {
    let text = told(TILE);
    for part in [
        "impossible, 384,000 B alive",
        "requires 3072000 bits while 1572864 bits available",
        "`tile` alone cannot be placed",
        "1 slot instead of 2 for `tile`: peak 192,000 B",
        "98,304 B instead of 192,000 B a slot for `tile`, the largest that fits",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn reserved_bytes_and_temporaries_have_rows_of_their_own() {
    let text = told(
        r#"
version = 1
[[scope]]
name = "ub"
capacity = 196608
alignment = 32
reserved = [[188416, 196608]]
[[buffer]]
name = "tiles"
size = 180224
live = [[0, 4]]
[[buffer]]
name = "vec"
size = 256
live = [[1, 4]]
[[buffer]]
name = "tmp"
size = 8192
temporary = true
live = [[2, 3]]
"#,
    );
    for part in [
        "temporaries of these",
        "reserved",
        "7,936 B instead of 8,192 B a slot for `tmp`",
        "the reserved bytes [188416, 196608) given back, 8,192 B",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn where_no_slot_of_one_buffer_is_enough_those_of_two_are_offered_together() {
    let buffer = |name: &str| {
        format!("[[buffer]]\nname = \"{name}\"\nsize = 40\nslots = 2\nlive = [[0, 4]]\n")
    };
    let text = format!(
        "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 160\nalignment = 8\n{}{}{}",
        buffer("a"),
        buffer("b"),
        buffer("c")
    );
    let read = read(&text);
    let answer = explained(&read.problem, None);
    let scope = &answer.functions[0].scopes[0];
    let slots = |a: &&model::Advice| matches!(a.change, Change::Slots { .. });
    let together = scope.advice().iter().find(slots).expect("slots");
    assert_eq!(together.with.len(), 1, "{together:?}");
    assert_eq!(together.peak, 160);
    assert_eq!(together.cost, 80);
}

#[test]
fn a_buffer_too_many_may_go_where_there_is_room() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 64\n[[scope]]\nname = \"l1\"\n\
                capacity = 128\n[[buffer]]\nname = \"a\"\nscope = \"ub\"\nsize = 48\nlive = [[0, 2]]\n\
                [[buffer]]\nname = \"b\"\nscope = \"ub\"\nsize = 32\nlive = [[1, 3]]\n";
    let read = read(text);
    let answer = explained(&read.problem, None);
    let moves = answer.functions[0].scopes[0].advice().iter();
    let moves = moves.filter(|a| matches!(a.change, Change::Move { .. })).count();
    assert_eq!(moves, 2);
}

#[test]
fn rules_that_keep_bytes_apart_are_offered_to_be_dropped() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 64\n[[buffer]]\nname = \"a\"\n\
                size = 48\nunique = true\nlive = [[0, 2]]\n[[buffer]]\nname = \"b\"\nsize = 32\n\
                live = [[4, 6]]\n";
    let changes = |text: &str| -> Vec<Change> {
        let answer = explained(&read(text).problem, None);
        answer.functions[0].scopes[0].advice().iter().map(|a| a.change.clone()).collect()
    };
    assert!(matches!(changes(text)[0], Change::Share { .. }), "{:?}", changes(text));
    let pair = "\n[[relation]]\nkind = \"separate\"\na = \"a\"\nb = \"b\"\n";
    let apart = text.replace("unique = true\n", "") + pair;
    assert!(matches!(changes(&apart)[0], Change::Relax { .. }), "{:?}", changes(&apart));
}

#[test]
fn the_part_of_another_owner_is_a_row_and_can_be_given_back() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 64\n[[partition]]\n\
                scope = \"ub\"\nowner = \"lib\"\nrange = [48, 64]\n[[buffer]]\nname = \"a\"\nsize = 32\n\
                live = [[0, 2]]\n[[buffer]]\nname = \"b\"\nsize = 32\nlive = [[1, 3]]\n";
    let read = read(text);
    let answer = explained(&read.problem, None);
    let scope = &answer.functions[0].scopes[0];
    let diagnosis = scope.diagnosis.as_ref().expect("a diagnosis");
    assert_eq!(diagnosis.ruling, Ruling::Impossible);
    assert_eq!(scope.overflow.as_ref().map(|o| o.core_is), Some(CoreIs::Proven));
    let owner = |h: &&model::Holder| h.kind == HolderKind::Owner("lib".to_owned());
    assert_eq!(diagnosis.holders.iter().find(owner).map(|h| h.bytes), Some(16));
    let part = |a: &model::Advice| matches!(a.change, Change::Partition { .. });
    assert!(scope.advice().iter().any(part), "{:?}", scope.advice());
}

/// Case 32: enough is free, the largest hole is not.
const BANK: &str = "version = 1\n[[scope]]\nname = \"l1bank\"\ncapacity = 1329888\nalignment = 32\n\
                    [[buffer]]\nname = \"live\"\nsize = 323936\nlive = [[0, 5]]\n[[buffer]]\n\
                    name = \"want\"\nsize = 608256\nlive = [[3, 4]]\n";

fn bank() -> (model::Problem, model::FunctionPlan) {
    let problem = read(BANK).problem;
    let place = Placement {
        name: "live".to_owned(),
        id: None,
        scope: None,
        offsets: vec![414_080],
        loc: None,
    };
    let name = problem.functions[0].name.clone();
    (problem, model::FunctionPlan { name, fingerprint: None, placements: vec![place] })
}

#[test]
fn fragmentation_is_told_from_capacity_with_the_smallest_move() {
    let (problem, plan) = bank();
    let found = &diagnose::fragmentation(&problem, &problem.functions[0], &plan)[0];
    assert_eq!((found.free, found.hole), (1_005_952, 591_872));
    let moved = found.moved.expect("a move");
    assert_eq!((moved.from, moved.to, moved.place), (414_080, 397_696, Some(721_632)));
    let text = human::fragmentation(&problem.functions[0], found);
    assert!(text.contains("moving `live` from 414,080 to 397,696 makes room at 721,632"), "{text}");
}

#[test]
fn the_judge_says_what_to_move_in_an_incomplete_plan() {
    let (problem, plan) = bank();
    let findings = verify::verify(&problem, &Plan { functions: vec![plan] });
    let found = findings.iter().find(|f| f.code == memplan::diag::Code::VerifyFragmented);
    let message = &found.expect("a finding").message;
    assert!(message.contains("moving `live` from 414080 to 397696 (16,384 bytes)"), "{message}");
}

#[test]
fn a_plan_that_stalls_is_tight_and_says_what_would_avoid_it() {
    let text = told(
        &(TILE.replace("192000", "98304")
            + "[[buffer]]\nname = \"out\"\nsize = 65536\nlive = [[5, 8]]\npipes = [\"V:w\", \"MTE3:r\"]\n"),
    );
    for part in ["tight: 1 stalling pair", "without stalls only if", "a capacity of 262,144 B"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
