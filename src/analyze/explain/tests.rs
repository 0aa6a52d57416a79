//! Each reason on the smallest program that has it, and what holds for all of them.

use quickcheck::{TestResult, quickcheck};

use super::{Bar, Bond, Cause, Reasons};
use crate::analyze::{Facts, facts};
use crate::diag::Sources;
use crate::front::spec::{self, targets::Embedded};
use crate::model::{AccessMode, BufferId, Live, Problem, ReuseLevel};

fn try_read(text: &str) -> Option<(Problem, Facts)> {
    let text = format!(
        "version = 1\n{text}\n[[scope]]\nname = \"ub\"\ncapacity = 65536\nalignment = 32\n\
         [[scope]]\nname = \"l1\"\ncapacity = 65536\nalignment = 32\n\
         [[pipe]]\nname = \"D\"\nkind = \"dma\"\n[[pipe]]\nname = \"V\"\nkind = \"vector\"\n"
    );
    let mut sources = Sources::default();
    let file = sources.add("reason.toml", text.as_str());
    let read = spec::read(&mut sources, file, None, &mut Embedded).ok()?;
    let facts = facts(&read.problem, &read.problem.functions[0]);
    Some((read.problem, facts))
}

fn read(text: &str) -> (Problem, Facts) {
    try_read(text).expect("a valid spec")
}

fn id(problem: &Problem, name: &str) -> BufferId {
    let found = problem.functions[0].buffers.enumerate().find(|(_, b)| b.name == name);
    found.expect("a buffer of that name").0
}

/// `name` and further keys.
fn buffer(name: &str, more: &str) -> String {
    format!("[[buffer]]\nname = \"{name}\"\nscope = \"ub\"\n{more}\n")
}

fn buffers(names: &[&str]) -> String {
    names.iter().map(|n| buffer(n, "size = 64")).collect()
}

/// `"add a b -> c"`; further keys behind `;`.
fn op(line: &str) -> String {
    let (line, more) = line.split_once(';').unwrap_or((line, ""));
    let (head, writes) = line.split_once("->").expect("an arrow");
    let mut words = head.split_whitespace();
    let name = words.next().expect("a name");
    let list = |names: Vec<&str>| {
        let names: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
        names.join(", ")
    };
    let (reads, writes) = (list(words.collect()), list(writes.split_whitespace().collect()));
    let more = more.replace(';', "\n");
    format!("[[op]]\nname = \"{name}\"\nreads = [{reads}]\nwrites = [{writes}]\n{more}\n")
}

fn ops(lines: &[&str]) -> String {
    lines.iter().map(|line| op(line)).collect()
}

/// The first and last cause of a buffer.
fn causes(text: &str, name: &str) -> (&'static str, &'static str) {
    let (problem, facts) = read(text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let spans = reasons.spans(id(&problem, name));
    (spans[0].start.name(), spans.last().expect("a span").end.name())
}

/// The rules that forbid the one near miss.
fn bars(text: &str, from: &str, into: &str) -> Vec<&'static str> {
    let (problem, facts) = read(text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let pair = (id(&problem, from), id(&problem, into));
    let all = reasons.near_misses(100);
    let mut these = all.found.iter().filter(|m| (m.from, m.into) == pair);
    these.next().map(|m| m.bars.iter().map(|bar| bar.name()).collect()).unwrap_or_default()
}

#[test]
fn a_buffer_lives_from_its_first_write_to_its_last_reader() {
    let text = buffers(&["x", "y"]) + &ops(&["load -> x", "add x -> y", "store y ->"]);
    assert_eq!(causes(&text, "x"), ("write", "read"));
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let last = reasons.last_reader(id(&problem, "x")).expect("a reader");
    assert_eq!(problem.functions[0].ops[last].name, "add");
}

#[test]
fn what_trips_need_from_before_is_carried_by_the_loop() {
    let text = buffers(&["acc", "x"])
        + "[[loop]]\nname = \"i\"\ntrips = 4\n"
        + &ops(&[
            "zero -> acc",
            "load -> x; in = \"i\"",
            "add acc x -> acc; in = \"i\"",
            "use x ->; in = \"i\"",
        ]);
    assert_eq!(causes(&text, "acc"), ("write", "carried"));
    assert_eq!(causes(&text, "x"), ("write", "read"));
}

#[test]
fn classes_given_ranges_and_unread_writes_have_their_own_words() {
    let text = buffer("p", "size = 64\nclass = \"parameter\"")
        + &buffer("o", "size = 64\nclass = \"output\"")
        + &buffer("g", "size = 64\nlive = [[0, 2]]")
        + &buffers(&["w"])
        + &ops(&["first p -> o", "last -> w"]);
    assert_eq!(causes(&text, "p"), ("class", "class"));
    assert_eq!(causes(&text, "o"), ("write", "class"));
    assert_eq!(causes(&text, "g"), ("given", "given"));
    assert_eq!(causes(&text, "w"), ("write", "write"));
}

#[test]
fn a_loop_that_may_not_run_and_a_branch_end_ranges_too() {
    let text = buffers(&["x", "y", "z"])
        + "[[loop]]\nname = \"i\"\nat_least = 0\n[[branch]]\nname = \"b\"\n"
        + &ops(&[
            "first -> x",
            "else -> z; in = \"i\"",
            "anew -> x; in = \"i\"",
            "use x ->; in = \"i\"",
            "after x ->",
            "make -> y",
            "mine y ->; in = \"b.then\"",
            "anew -> y; in = \"b.else\"",
            "yours y ->",
        ]);
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let ends = |name: &str| -> Vec<&str> {
        reasons.spans(id(&problem, name)).iter().map(|s| s.end.name()).collect()
    };
    // `x` is needed at the begin of the loop should it not run; inside it is made anew.
    assert_eq!(ends("x"), ["zero_trips", "read"]);
    // `y` dies on the way through `then`, and comes from `else` or from before.
    assert_eq!(ends("y"), ["branch", "read"]);
}

#[test]
fn each_rule_about_pairs_is_named_where_it_forbids_one() {
    let two = buffers(&["a", "b"]);
    let any = "add a -> b; inplace = \"any\"";
    let run = |buffers: &str, op: &str| {
        let text = buffers.to_owned() + &ops(&["load -> a", op, "store b ->"]);
        bars(&text, "a", "b")
    };
    assert_eq!(run(&two, any), [""; 0], "a pair is no near miss");
    assert_eq!(run(&two, "add a -> b"), ["never"]);
    assert_eq!(run(&format!("inplace = \"isa\"\n{two}"), any), ["only_isa"]);
    assert_eq!(run(&format!("inplace = \"never\"\n{two}"), any), ["no_pairs"]);
    let small = buffer("a", "size = 32") + &buffer("b", "size = 64");
    assert_eq!(run(&small, any), ["larger"]);
    let unique = buffer("a", "size = 64") + &buffer("b", "size = 64\nunique = true");
    assert_eq!(run(&unique, any), ["unique"]);
    let far = buffer("a", "size = 64") + "[[buffer]]\nname = \"b\"\nscope = \"l1\"\nsize = 64\n";
    assert_eq!(run(&far, any), ["scope"]);
    let apart = two + "[[relation]]\nkind = \"separate\"\na = \"a\"\nb = \"b\"\nwhy = \"banks\"\n";
    assert_eq!(run(&apart, any), ["relation"]);
}

#[test]
fn bytes_that_do_not_lie_on_each_other_are_named() {
    let text = buffer("a", "size = 128")
        + &buffers(&["b"])
        + "[[alias]]\nname = \"tail\"\nof = [\"a\"]\nrange = [64, 128]\n"
        + &ops(&["load -> a", "take tail -> b; inplace = \"any\"", "store b ->"]);
    assert_eq!(bars(&text, "a", "b"), ["shifted"]);
}

#[test]
fn an_operand_that_lives_on_is_told_with_its_next_reader() {
    let text = buffers(&["a", "b"])
        + &ops(&["load -> a", "add a -> b; inplace = \"any\"", "use b ->", "again a ->"]);
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let all = reasons.near_misses(10).found;
    assert_eq!(all.len(), 1);
    assert!(!all[0].dies);
    let Bar::StillNeeded(step, Some(op)) = all[0].bars[0] else { panic!("{all:?}") };
    assert_eq!((step.0, problem.functions[0].ops[op].name.as_str()), (3, "again"));
    assert_eq!(reasons.near_misses(0).left_out, 1, "what is cut off is counted");
}

#[test]
fn what_keeps_two_buffers_apart_is_the_strongest_rule() {
    let text = buffer("a", "size = 64")
        + &buffer("b", "size = 64")
        + &buffer("c", "size = 64\nunique = true")
        + &buffer("d", "size = 64\nowner = \"library\"")
        + "[[partition]]\nscope = \"ub\"\nowner = \"library\"\nrange = [[0, 4096]]\n"
        + "[[relation]]\nkind = \"separate\"\na = \"a\"\nb = \"b\"\nwhy = \"banks\"\n"
        + &ops(&["load -> a", "use a ->", "load -> b", "use b ->", "load -> c d", "use c d ->"]);
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let bond = |a: &str, b: &str| reasons.between(id(&problem, a), id(&problem, b)).bond.name();
    assert_eq!(bond("a", "b"), "separate");
    assert_eq!(bond("a", "c"), "unique");
    assert_eq!(bond("a", "d"), "partition");
}

#[test]
fn levels_say_from_where_on_two_may_share() {
    let text = buffers(&["in", "a", "b"])
        + "[[loop]]\nname = \"i\"\ntrips = 4\n"
        + &ops(&[
            "load -> in; pipe = \"D\"; in = \"i\"",
            "use in ->; pipe = \"V\"; in = \"i\"",
            "make -> a; pipe = \"V\"; in = \"i\"",
            "read a ->; pipe = \"V\"; in = \"i\"",
            "make -> b; pipe = \"V\"",
            "read b ->; pipe = \"V\"",
        ]);
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let between = |a: &str, b: &str| reasons.between(id(&problem, a), id(&problem, b));
    assert_eq!(between("a", "b").level, Some(ReuseLevel::Pipe));
    assert_eq!(between("in", "b").level, Some(ReuseLevel::Loop));
    assert_eq!(between("in", "b").bond, Bond::Pipes);
    assert_eq!(between("in", "a").level, Some(ReuseLevel::Lifetime));
    assert_eq!(between("in", "a").bond.name(), "loop");
}

#[test]
fn buffers_on_the_same_bytes_keep_others_away_for_each_other() {
    let text = buffers(&["a", "b", "x"])
        + "[[relation]]\nkind = \"colocate\"\na = \"a\"\nb = \"b\"\n"
        + &ops(&["load -> a", "use a ->", "load -> b x", "use b x ->"]);
    let (problem, facts) = read(&text);
    let reasons = Reasons::new(&problem, &problem.functions[0], &facts);
    let between = |a: &str, b: &str| reasons.between(id(&problem, a), id(&problem, b));
    assert_eq!(between("a", "b").bond.name(), "colocate");
    assert_eq!(between("a", "x").bond, Bond::Through(id(&problem, "b")));
    assert_eq!(between("x", "a").level, None);
}

#[test]
fn given_ranges_are_compared_with_the_ops() {
    let text = buffers(&["a", "b"]) + &ops(&["load -> a", "add a -> b", "use b ->"]);
    let (mut problem, facts) = read(&text);
    assert!(Reasons::new(&problem, &problem.functions[0], &facts).rederived().is_empty());
    let (a, b) = (id(&problem, "a"), id(&problem, "b"));
    problem.functions[0].buffers[a].live = Some(vec![Live::new(0, 1)]);
    problem.functions[0].buffers[b].live = Some(vec![Live::new(1, 3)]);
    let facts = crate::analyze::facts(&problem, &problem.functions[0]);
    let found = Reasons::new(&problem, &problem.functions[0], &facts).rederived();
    assert_eq!(found.len(), 1, "what agrees is not told");
    assert_eq!((found[0].buffer, &found[0].given[..]), (a, &[Live::new(0, 1)][..]));
    assert_eq!(found[0].derived, [Live::new(0, 2)]);
}

/// A program from bytes: six buffers, ops with up to two operands and one result, some in a loop or a branch.
fn program(bytes: &[u8]) -> String {
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut text: String = names
        .iter()
        .enumerate()
        .map(|(at, n)| {
            let size = [64, 64, 128, 64, 32, 64][at];
            let more = if n == &"f" { "\nclass = \"output\"" } else { "" };
            buffer(n, &format!("size = {size}{more}"))
        })
        .collect();
    text += "[[loop]]\nname = \"i\"\n";
    text += if bytes.len().is_multiple_of(2) { "trips = 3\n" } else { "at_least = 0\n" };
    text += "[[branch]]\nname = \"b\"\n";
    text += "[[relation]]\nkind = \"exclusive\"\na = \"a\"\nb = \"d\"\n";
    let count = bytes.len().min(12);
    for (at, byte) in bytes.iter().take(12).enumerate() {
        let (x, y, z) = (byte % 6, (byte / 6) % 6, (byte / 36) % 6);
        let within = match at * 6 / count {
            2 | 3 => "; in = \"i\"",
            4 => "; in = \"b.then\"",
            5 => "; in = \"b.else\"",
            _ => "",
        };
        let rule = ["", "; inplace = \"any\"", "; inplace = \"isa\""][at % 3];
        let pipe = ["; pipe = \"V\"", "; pipe = \"D\"", ""][(at / 2) % 3];
        let reads = format!("{} {}", names[usize::from(x)], names[usize::from(y)]);
        text += &op(&format!("o{at} {reads} -> {}{within}{rule}{pipe}", names[usize::from(z)]));
    }
    text
}

quickcheck! {
    /// Where an operand dies and a result is born, the two are a pair or a near miss, and never both.
    fn dying_operands_are_pairs_or_near_misses(bytes: Vec<u8>) -> TestResult {
        let Some((problem, facts)) = try_read(&program(&bytes)) else { return TestResult::discard() };
        let function = &problem.functions[0];
        let reasons = Reasons::new(&problem, function, &facts);
        let misses = reasons.near_misses(usize::MAX).found;
        for (op, body) in function.ops.enumerate() {
            let step = facts.order.ops[op];
            let touched = |mode| {
                let these = body.accesses.iter().filter(move |a| a.mode == mode);
                these.flat_map(|a| function.roots(a.value)).collect::<Vec<_>>()
            };
            for from in touched(AccessMode::Read) {
                for into in touched(AccessMode::Write) {
                    let dies = facts.live[from].iter().any(|l| l.end.0 == step.0 + 1);
                    let born = facts.live[into].iter().any(|l| l.start == step);
                    let pair = facts.inplace.iter().any(|p| (p.from, p.into) == (from, into));
                    let miss = misses
                        .iter()
                        .find(|m| (m.from, m.into, m.op) == (from, into, op));
                    if miss.is_some_and(|m| m.bars.is_empty()) || (pair && miss.is_some()) {
                        return TestResult::error(format!("{from:?} {into:?} at {op:?}: {miss:?}"));
                    }
                    if from != into && dies && born && !pair && miss.is_none() {
                        return TestResult::error(format!("{from:?} {into:?} at {op:?}: neither"));
                    }
                }
            }
        }
        TestResult::passed()
    }

    /// What stands between two buffers does not depend on who asks, and `alive` means a common step.
    fn reasons_are_the_same_from_both_sides(bytes: Vec<u8>) -> TestResult {
        let Some((problem, facts)) = try_read(&program(&bytes)) else { return TestResult::discard() };
        let function = &problem.functions[0];
        let reasons = Reasons::new(&problem, function, &facts);
        let steps = |id: BufferId| {
            let live = facts.live[id].iter().flat_map(|l| l.start.0..l.end.0);
            live.collect::<std::collections::BTreeSet<u64>>()
        };
        for a in function.buffers.ids() {
            for b in function.buffers.ids().filter(|b| *b != a) {
                let (one, two) = (reasons.between(a, b), reasons.between(b, a));
                let common = steps(a).intersection(&steps(b)).next().copied();
                let alive = match one.bond {
                    Bond::Alive(live) => common == Some(live.start.0),
                    Bond::Inplace => common.is_some(),
                    _ => common.is_none() || one.exclusive.is_some(),
                };
                if one.bond.name() != two.bond.name() || one.level != two.level || !alive {
                    return TestResult::error(format!("{a:?} {b:?}: {one:?} {two:?}"));
                }
            }
        }
        TestResult::passed()
    }

    /// Every end of a live range has a reason that is an op, a loop, a branch or a class.
    fn every_live_range_ends_for_a_reason(bytes: Vec<u8>) -> TestResult {
        let Some((problem, facts)) = try_read(&program(&bytes)) else { return TestResult::discard() };
        let function = &problem.functions[0];
        let reasons = Reasons::new(&problem, function, &facts);
        for id in function.buffers.ids() {
            for span in reasons.spans(id) {
                if span.start == Cause::Flow || span.end == Cause::Flow {
                    return TestResult::error(format!("{id:?}: {span:?}"));
                }
            }
        }
        TestResult::passed()
    }
}
