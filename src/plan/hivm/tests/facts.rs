//! Specs as the pass would see them (Appendix C).

use crate::analyze::facts;
use crate::front::spec::fuzz::check;
use crate::ir::hivm::PassOptions;
use crate::plan::hivm::{Input, Life, from_facts, place};

fn input(text: &str, options: &PassOptions) -> Input {
    let problem = check(format!("version = 1\nname = \"f\"\n{text}").as_bytes()).expect("a spec");
    let function = &problem.functions[0];
    from_facts(&problem, function, &facts(&problem, function), options)
}

/// The buffers of each entry.
fn groups(input: &Input) -> Vec<Vec<u32>> {
    input.entries.iter().map(|e| e.buffers.clone()).collect()
}

const MACHINE: &str = r#"
[[scope]]
name = "ub"
capacity = 196608
alignment = 32

[[scope]]
name = "l1"
capacity = 1024
alignment = 32
"#;

fn with(text: &str) -> Input {
    input(&format!("{MACHINE}{text}"), &PassOptions::default())
}

#[test]
fn bytes_become_bits_and_half_open_ranges_inclusive_ones() {
    let input = with(
        r#"
        [[buffer]]
        name = "late"
        scope = "ub"
        size = 100
        slots = 2
        live = [4, 9]

        [[buffer]]
        name = "early"
        scope = "l1"
        size = 8
        live = [0, 1]
        "#,
    );
    let named: Vec<_> =
        input.scopes.iter().map(|s| (s.name.as_str(), s.capacity, s.alignment)).collect();
    assert_eq!(named, [("ub", Some(1_572_864), 256), ("cbuf", Some(8192), 256)]);
    assert_eq!(groups(&input), [[1], [0]], "by first step, then ordinal");
    let late = &input.entries[1];
    assert_eq!((late.scope, late.bits, late.slots), (0, 800, 2));
    assert_eq!(late.lives, [Life { start: 4, end: 8, buffer: 0 }]);
    let offsets = place(&input).map(|p| p.offsets);
    assert_eq!(offsets, Ok(vec![Some(vec![0, 1024]), Some(vec![0])]));
}

const PROGRAM: &str = r#"
    [[loop]]
    name = "i"

    [[buffer]]
    name = "a"
    scope = "ub"
    size = 64

    [[buffer]]
    name = "b"
    scope = "ub"
    size = 64

    [[buffer]]
    name = "c"
    scope = "ub"
    size = 32

    [[op]]
    name = "load"
    pipe = "MTE2"
    writes = ["a"]
    in = "i"

    [[op]]
    name = "add"
    pipe = "V"
    inplace = "isa"
    reads = ["a"]
    writes = ["b"]
    in = "i"

    [[op]]
    name = "cast"
    pipe = "V"
    inplace = "any"
    reads = ["b"]
    writes = ["c"]
    in = "i"

    [[op]]
    name = "store"
    pipe = "MTE3"
    reads = ["c"]
    in = "i"
"#;

#[test]
fn results_go_into_the_entries_of_their_operands() {
    let all = with(PROGRAM);
    // (b, a), then (c, b), whose entry is a's: c goes in front.
    assert_eq!(groups(&all), [[2, 1, 0]]);
    assert_eq!(all.entries[0].bits, 64 * 8);
    let dma: Vec<bool> = all.buffers.iter().map(|b| b.dma).collect();
    assert_eq!(dma, [true, false, true]);
    assert!(all.buffers.iter().all(|b| b.anchor == Some(0) && !b.scalar));

    let options = PassOptions { inplace_as_isa: true, ..PassOptions::default() };
    assert_eq!(groups(&input(&format!("{MACHINE}{PROGRAM}"), &options)), [vec![1, 0], vec![2]]);
}

#[test]
fn buffers_that_must_be_one_are_one_entry_that_holds_the_larger() {
    let input = with(
        r#"
        [[buffer]]
        name = "large"
        scope = "ub"
        size = 96
        live = [0, 2]

        [[buffer]]
        name = "small"
        scope = "ub"
        size = 32
        live = [3, 5]

        [[relation]]
        kind = "colocate"
        a = "large"
        b = "small"
        "#,
    );
    assert_eq!(groups(&input), [[1, 0]]);
    assert_eq!(input.entries[0].bits, 96 * 8);
}

#[test]
fn an_unbounded_scope_is_a_workspace() {
    let text = r#"
        [[scope]]
        name = "workspace"
        capacity = "unbounded"
        alignment = 32

        [[buffer]]
        name = "a"
        size = 40
        live = [0, 2]

        [[buffer]]
        name = "b"
        size = 40
        live = [2, 4]
    "#;
    let planned = |workspace_reuse| {
        let input = input(text, &PassOptions { workspace_reuse, ..PassOptions::default() });
        place(&input).map(|p| p.offsets)
    };
    assert_eq!(planned(false), Ok(vec![Some(vec![0]), Some(vec![512])]));
    assert_eq!(planned(true), Ok(vec![Some(vec![0]), Some(vec![0])]));
}
