//! Each rule of docs/DESIGN.md sections 2 to 4, by the name it has there, on the smallest program
//! that shows it.

use memplan::analyze::{Facts, PipeClass, facts};
use memplan::diag::Sources;
use memplan::front::spec::{self, targets::Embedded};
use memplan::model::{IdVec, Problem};

fn read(text: &str) -> (Problem, Facts) {
    let text = format!("version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 4096\n{text}");
    let mut sources = Sources::default();
    let file = sources.add("rule.toml", text.as_str());
    let read = spec::read(&mut sources, file, None, &mut Embedded).expect("a valid spec");
    let facts = facts(&read.problem, &read.problem.functions[0]);
    (read.problem, facts)
}

/// The live ranges of a buffer.
fn live(text: &str, name: &str) -> Vec<(u64, u64)> {
    let (problem, facts) = read(text);
    let buffers: &IdVec<_, _> = &problem.functions[0].buffers;
    let (id, _) = buffers.enumerate().find(|(_, b)| b.name == name).expect("a buffer of that name");
    facts.live[id].iter().map(|l| (l.start.0, l.end.0)).collect()
}

/// Pairs `from -> into`.
fn inplace(text: &str) -> Vec<String> {
    let (problem, facts) = read(text);
    let name = |id| problem.functions[0].buffers[id].name.clone();
    facts.inplace.iter().map(|p| format!("{} -> {}", name(p.from), name(p.into))).collect()
}

fn buffers(names: &[&str]) -> String {
    names.iter().map(|n| format!("[[buffer]]\nname = \"{n}\"\nsize = 64\n")).collect()
}

/// `"add: a b -> c"`, with `@loop` behind the name for the region and `!` for a temporary.
fn ops(lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let (head, rest) = line.split_once(':').expect("a name");
        let (name, place) = head.split_once('@').unwrap_or((head, ""));
        let (reads, writes) = rest.split_once("->").expect("an arrow");
        let list = |names: &str, temps: bool| {
            let names = names.split_whitespace().filter(|n| n.starts_with('!') == temps);
            let names: Vec<_> = names.map(|n| format!("\"{}\"", n.trim_matches('!'))).collect();
            names.join(", ")
        };
        out += &format!("[[op]]\nname = \"{name}\"\nreads = [{}]\n", list(reads, false));
        out += &format!("writes = [{}]\n", list(writes, false));
        out += &format!("temps = [{}]\ninplace = \"any\"\n", list(writes, true));
        if !place.is_empty() {
            out += &format!("in = \"{place}\"\n");
        }
    }
    out
}

fn program(names: &[&str], regions: &str, lines: &[&str]) -> String {
    format!("{}{regions}{}", buffers(names), ops(lines))
}

const LOOP: &str = "[[loop]]\nname = \"l\"\n";

#[test]
fn write_a_buffer_that_nobody_reads_holds_its_bytes_while_written() {
    let text = program(&["a", "b"], "", &["w: -> a", "x: -> b", "y: b ->"]);
    assert_eq!(live(&text, "a"), [(0, 1)]);
    assert_eq!(live(&text, "b"), [(1, 3)]);
}

#[test]
fn kill_bytes_are_free_between_two_values_in_one_buffer() {
    let text =
        program(&["a", "b"], "", &["w: -> a", "r: a -> b", "x: b ->", "w2: -> a", "r2: a ->"]);
    assert_eq!(live(&text, "a"), [(0, 2), (3, 5)]);
}

#[test]
fn kill_a_partial_write_keeps_the_old_bytes() {
    let text = program(&["a"], "", &["w: -> a", "r: a ->", "x: -> ", "r2: a ->"]);
    let text = text.replacen(
        "name = \"x\"\nreads = []\nwrites = []",
        "name = \"x\"\nreads = []\nwrites = [{ value = \"a\", partial = true }]",
        1,
    );
    assert_eq!(live(&text, "a"), [(0, 4)]);
}

#[test]
fn bytes_two_halves_kill_a_buffer_together() {
    let halves = "[[alias]]\nname = \"lo\"\nof = [\"a\"]\nrange = [0, 32]\n\
                  [[alias]]\nname = \"hi\"\nof = [\"a\"]\nrange = [32, 64]\n";
    let lines = ["w: -> a", "r: a ->", "x: -> lo", "y: -> hi", "r2: a ->"];
    // The halves start where the old value ends, and the ranges touch.
    assert_eq!(live(&program(&["a"], halves, &lines), "a"), [(0, 5)]);
    let lines = ["w: -> a", "r: a ->", "n: ->", "x: -> lo", "y: -> hi", "r2: a ->"];
    assert_eq!(live(&program(&["a"], halves, &lines), "a"), [(0, 2), (3, 6)]);
    // One half alone leaves the other needed.
    let lines = ["w: -> a", "r: a ->", "n: ->", "x: -> lo", "r2: a ->"];
    assert_eq!(live(&program(&["a"], halves, &lines), "a"), [(0, 5)]);
}

#[test]
fn loop_a_value_from_before_the_loop_lives_to_its_end() {
    let text = program(&["a", "b"], LOOP, &["w: -> a", "r@l: a -> b", "x@l: b ->"]);
    // 0 w, 1 loop, 2 r, 3 x, 4 end.
    assert_eq!(live(&text, "a"), [(0, 5)]);
    assert_eq!(live(&text, "b"), [(2, 4)]);
}

#[test]
fn loop_a_single_trip_is_straight_line_code() {
    let once = "[[loop]]\nname = \"l\"\ntrips = 1\n";
    let text = program(&["a", "b"], once, &["w: -> a", "r@l: a -> b", "x@l: b ->"]);
    assert_eq!(live(&text, "a"), [(0, 3)]);
}

#[test]
fn loop_a_value_for_the_next_trip_lives_through_the_whole_loop() {
    let text = program(&["a"], LOOP, &["r@l: a ->", "w@l: -> a", "n@l: ->"]);
    assert_eq!(live(&text, "a"), [(0, 5)]);
}

#[test]
fn loop_a_value_that_only_some_trips_replace_survives_the_others() {
    let regions = "[[loop]]\nname = \"l\"\n[[branch]]\nname = \"b\"\nin = \"l\"\n";
    let text = program(&["a"], regions, &["w@b.then: -> a", "n@l: ->", "r: a ->"]);
    // 0 loop, 1 if, 2 w, 3 else, 4 end if, 5 n, 6 end loop, 7 r.
    assert_eq!(live(&text, "a"), [(0, 8)]);
}

#[test]
fn zero_trips_a_value_that_the_loop_replaces_is_kept_for_the_case_that_it_does_not_run() {
    let text = program(&["a"], LOOP, &["w: -> a", "n: ->", "w2@l: -> a", "r: a ->"]);
    // 0 w, 1 n, 2 loop, 3 w2, 4 end, 5 r.
    assert_eq!(live(&text, "a"), [(0, 6)]);
    let surely = "[[loop]]\nname = \"l\"\nat_least = 1\n";
    let text = program(&["a"], surely, &["w: -> a", "n: ->", "w2@l: -> a", "r: a ->"]);
    assert_eq!(live(&text, "a"), [(0, 1), (3, 6)]);
}

#[test]
fn branch_a_buffer_of_one_side_is_free_in_the_other() {
    let regions = "[[branch]]\nname = \"b\"\n";
    let lines = ["w: -> a", "x@b.then: -> t", "y@b.then: t ->", "r@b.else: a ->"];
    // 0 w, 1 if, 2 x, 3 y, 4 else, 5 r, 6 end.
    assert_eq!(live(&program(&["a", "t"], regions, &lines), "a"), [(0, 2), (4, 6)]);
    assert_eq!(live(&program(&["a", "t"], regions, &lines), "t"), [(2, 4)]);
}

#[test]
fn branch_what_neither_side_replaces_lives_through_both() {
    let regions = "[[branch]]\nname = \"b\"\n";
    let lines = ["w: -> a", "x@b.then: -> t", "y@b.else: -> u", "r: a ->"];
    // 0 w, 1 if, 2 x, 3 else, 4 y, 5 end, 6 r.
    assert_eq!(live(&program(&["a", "t", "u"], regions, &lines), "a"), [(0, 7)]);
}

#[test]
fn carries_a_reference_keeps_every_buffer_it_may_stand_for() {
    let regions = "[[loop]]\nname = \"l\"\n\
                   carries = [{ name = \"c\", init = \"a\", next = \"b\", result = \"r\" }]\n";
    let lines = ["w: -> a", "s@l: c -> t", "u@l: t -> b", "n@l: ->", "out: r ->"];
    let text = program(&["a", "b", "t"], regions, &lines);
    // 0 w, 1 loop, 2 s, 3 u, 4 n, 5 end, 6 out.
    assert_eq!(live(&text, "a"), [(0, 7)]);
    assert_eq!(live(&text, "b"), [(1, 7)]);
    assert_eq!(live(&text, "t"), [(2, 4)]);
}

#[test]
fn carries_a_selection_keeps_every_candidate() {
    let select = "[[alias]]\nname = \"s\"\nof = [\"a\", \"b\"]\n";
    let text = program(&["a", "b", "t"], select, &["w: -> a", "x: -> b", "y: -> t", "r: s ->"]);
    assert_eq!(live(&text, "a"), [(0, 4)]);
    assert_eq!(live(&text, "b"), [(1, 4)]);
}

#[test]
fn class_says_what_the_ops_do_not() {
    let text = program(&["p", "o", "d"], "", &["r: p d ->", "w: -> o", "n: ->"]);
    let with = |name: &str, class: &str| {
        let key = format!("name = \"{name}\"\nsize = 64\n");
        text.replacen(&key, &format!("{key}class = \"{class}\"\n"), 1)
    };
    assert_eq!(live(&with("p", "parameter"), "p"), [(0, 3)]);
    assert_eq!(live(&with("p", "constant"), "p"), [(0, 3)]);
    assert_eq!(live(&with("o", "output"), "o"), [(1, 3)]);
    assert_eq!(live(&with("d", "donated"), "d"), [(0, 1)]);
}

#[test]
fn inplace_needs_an_operand_that_dies_and_a_result_that_is_not_larger() {
    assert_eq!(
        inplace(&program(&["a", "b"], "", &["w: -> a", "x: a -> b", "r: b ->"])),
        ["a -> b"]
    );
    assert!(inplace(&program(&["a", "b"], "", &["w: -> a", "x: a -> b", "r: a b ->"])).is_empty());
    let text = program(&["a", "b"], "", &["w: -> a", "x: a -> b", "r: b ->"]);
    // The result is wanted by nobody, the operand is.
    assert!(inplace(&program(&["a", "b"], "", &["w: -> a", "x: a -> b", "r: a ->"])).is_empty());
    // What is wanted after the function does not die at its last op.
    let last = program(&["a", "b"], "", &["w: -> a", "x: a -> b"]);
    assert_eq!(inplace(&last), ["a -> b"]);
    let class = |name: &str, class: &str| {
        let name = format!("name = \"{name}\"\n");
        last.replacen(&name, &format!("{name}class = \"{class}\"\n"), 1)
    };
    assert!(inplace(&class("a", "persistent")).is_empty());
    assert!(inplace(&class("b", "parameter")).is_empty());
    // Scratch, or more bytes than are read, would destroy the operand too early.
    assert!(inplace(&program(&["a", "b"], "", &["w: -> a", "x: a -> b !b"])).is_empty());
    let part = "reads = [{ value = \"a\", bytes = [0, 8] }]\n";
    assert!(inplace(&last.replacen("reads = [\"a\"]\n", part, 1)).is_empty());
    let larger = text.replacen("name = \"b\"\nsize = 64", "name = \"b\"\nsize = 65", 1);
    assert!(inplace(&larger).is_empty());
    assert!(inplace(&text.replace("inplace = \"any\"", "inplace = \"never\"")).is_empty());
}

#[test]
fn preload_holds_the_whole_loop_even_of_one_trip() {
    let text = program(&["a", "b"], LOOP, &["w@l: -> b", "x@l: -> a"]);
    let text = text.replacen("name = \"a\"\n", "name = \"a\"\npreload = true\n", 1);
    assert_eq!(
        live(&text.replacen("name = \"l\"\n", "name = \"l\"\ntrips = 1\n", 1), "a"),
        [(0, 4)]
    );
}

#[test]
fn inplace_does_not_cross_the_loop_that_reads_the_operand_again() {
    let text = program(&["a", "b"], LOOP, &["w: -> a", "x@l: a -> b", "r@l: b ->"]);
    assert!(inplace(&text).is_empty());
}

#[test]
fn pipes_decide_who_may_share_at_level_pipe() {
    let text = "[[buffer]]\nname = \"in\"\nsize = 64\n[[buffer]]\nname = \"v\"\nsize = 64\n\
                [[buffer]]\nname = \"s\"\nsize = 64\n\
                [[op]]\npipe = \"MTE2\"\nwrites = [\"in\"]\n\
                [[op]]\npipe = \"V\"\nreads = [\"in\"]\nwrites = [\"v\"]\n\
                [[op]]\npipe = \"S\"\nreads = [\"s\"]\nwrites = [\"s\"]\n";
    let (problem, facts) = read(text);
    let v = PipeClass::Single(problem.pipe("V").expect("V"));
    let s = PipeClass::Single(problem.pipe("S").expect("S"));
    let classes: Vec<_> = facts.class.iter().copied().collect();
    assert_eq!(classes, [PipeClass::Dma, v, s]);
    assert!(v.shares_with(v) && !v.shares_with(s));
    assert!(!PipeClass::Dma.shares_with(PipeClass::Dma));
    assert!(PipeClass::Unknown.shares_with(v) && !PipeClass::Unknown.shares_with(PipeClass::Dma));
}

#[test]
fn carries_a_rotating_buffer_is_read_after_its_loop_through_the_result() {
    let regions = "[[loop]]\nname = \"l\"\n\
                   carries = [{ name = \"c\", init = \"a\", next = \"b\", result = \"r\" }]\n";
    let text = program(&["a", "b"], regions, &["w: -> a", "s@l: c -> b", "out: r ->"]);
    let text = text.replacen("name = \"b\"\nsize = 64", "name = \"b\"\nsize = 64\nslots = 2", 1);
    // 0 w, 1 loop, 2 s, 3 end, 4 out: a carry may mean another slot than the trip's own.
    assert_eq!(live(&text, "b"), [(1, 5)]);
}

#[test]
fn inplace_is_refused_where_the_op_writes_the_operand_too() {
    let relation = "[[relation]]\nkind = \"inplace\"\na = \"a\"\nb = \"b\"\n";
    let text = program(&["a", "b"], relation, &["w: -> a", "x: a -> a b", "r: b ->"]);
    assert!(inplace(&text.replace("inplace = \"any\"", "inplace = \"never\"")).is_empty());
    assert!(inplace(&text).is_empty());
}
