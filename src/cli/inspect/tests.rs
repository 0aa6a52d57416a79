//! The report of `memplan inspect`, made in memory.

use super::ask::{Ask, Missing};
use super::facts;
use crate::diag::Sources;
use crate::format::json_inspect::Function;
use crate::front::spec::{self, targets::Embedded};
use crate::front::{Read, csv, dsa};
use crate::report::context::Input;

fn report(name: &str, text: &str, names: &[&str]) -> Function {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let read = match name.rsplit_once('.') {
        Some((_, "csv")) => csv::read(&sources, file),
        Some((_, "json")) => dsa::read(&sources, file),
        _ => spec::read(&mut sources, file, None, &mut Embedded),
    };
    let Read { problem, .. } = read.expect("a valid input");
    let buffers: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let ask = Ask { buffers: &buffers, all: false };
    let input = Input { name, sources: &sources, problem: &problem };
    facts::function(input, &problem.functions[0], &ask).0
}

const LAYERNORM: &str = include_str!("../../../specs/examples/layernorm.toml");

#[test]
fn every_op_says_what_is_born_and_what_dies() {
    let report = report("layernorm.toml", LAYERNORM, &[]);
    let step = |name: &str| report.steps.iter().find(|s| s.name == name).expect("a step");
    assert_eq!(step("widen").born, ["xf"]);
    assert_eq!(step("widen").dies, ["x"]);
    assert_eq!(step("scale").temporaries, ["work"]);
    assert_eq!(step("scale").writes, ["y", "work"], "as before: temporaries are written, too");
    let lives: usize = report.buffers.iter().map(|b| b.live.len()).sum();
    let born: usize = report.steps.iter().map(|s| s.born.len()).sum();
    let dies: usize = report.steps.iter().map(|s| s.dies.len()).sum();
    assert_eq!((born, dies), (lives, lives));
}

#[test]
fn the_peak_is_the_sum_of_its_contributors_and_of_its_parts() {
    let report = report("layernorm.toml", LAYERNORM, &[]);
    let scope = &report.scopes[0];
    let counted = scope.contributors.iter().filter(|c| !c.shared);
    assert_eq!(counted.map(|c| c.bytes).sum::<u64>(), scope.peak_load);
    let parts: Vec<_> = scope.parts.iter().map(|p| (p.kind, p.buffers)).collect();
    assert_eq!(parts, [("buffers", 5), ("temporaries", 1)]);
    let bytes = scope.contributors.iter().map(|c| c.bytes);
    assert!(bytes.is_sorted_by(|a, b| a >= b), "the largest first");
}

#[test]
fn every_live_range_says_why() {
    let report = report("layernorm.toml", LAYERNORM, &[]);
    let why = |name: &str| {
        let buffer = report.buffers.iter().find(|b| b.name == name).expect("a buffer");
        buffer.why[0].message.clone()
    };
    assert_eq!(why("x"), "from `load` (line 67) to `widen` (line 73), its last reader");
    assert_eq!(
        why("gamma"),
        "from `load_gamma` (line 57) to the end of loop `tiles` (line 9): `scale` (line 102) reads \
         what was there before its trip"
    );
}

#[test]
fn who_asks_about_a_buffer_gets_its_conflicts_alone() {
    let report = report("layernorm.toml", LAYERNORM, &["x"]);
    assert_eq!(report.selected, [2]);
    assert_eq!(report.sharing.len(), 1);
    assert!(report.conflicts.iter().all(|c| c.first == 2));
    let with_y = report.conflicts.iter().find(|c| c.second == 6).expect("x and y");
    assert_eq!((with_y.rule, with_y.level), ("loop", Some("lifetime")));
    assert!(with_y.message.ends_with("loop `tiles`"), "{}", with_y.message);
    let counted: u64 = report.sharing[0].rules.iter().map(|r| r.count).sum();
    assert_eq!(counted, 6, "all others");
}

#[test]
fn a_name_that_no_buffer_has_is_an_error_with_the_nearest_one() {
    let problem = {
        let mut sources = Sources::default();
        let file = sources.add("layernorm.toml", LAYERNORM);
        spec::read(&mut sources, file, None, &mut Embedded).expect("a valid spec").problem
    };
    let names = ["gama".to_owned(), "beta".to_owned()];
    let ask = Ask { buffers: &names, all: false };
    assert!(Missing::new(&ask).errors().is_empty(), "nothing was read");
    let mut missing = Missing::new(&ask);
    missing.look(&problem);
    let errors = missing.errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `gamma`?"));
}

#[test]
fn packing_problems_have_moments_in_place_of_steps() {
    let text = "id,lower,upper,size\na,0,4,64\nb,2,6,64\nc,4,8,32\n";
    let report = report("case.csv", text, &["a", "c"]);
    assert!(report.steps.is_empty());
    let at = |step: u64| report.moments.iter().find(|m| m.step == step).expect("a moment");
    assert_eq!((&at(4).born[..], &at(3).dies[..]), (&["c".to_owned()][..], &["a".to_owned()][..]));
    assert_eq!(report.buffers[0].why[0].message, "given by the input");
    let rules: Vec<_> = report.conflicts.iter().map(|c| (c.first, c.second, c.rule)).collect();
    assert_eq!(rules, [(0, 1, "alive"), (0, 2, "none"), (2, 1, "alive")]);
    assert_eq!(report.scopes[0].peak_load, 128);
}

#[test]
fn of_exclusive_buffers_the_heaviest_side_counts() {
    let text = include_str!("../../../specs/examples/attention-pools.json");
    let report = report("attention-pools.json", text, &[]);
    let scope = report.scopes.iter().find(|s| s.name == "Acc").expect("the pool");
    assert_eq!(scope.peak_load, 65_536);
    assert_eq!(scope.contributors.iter().filter(|c| c.shared).count(), 1);
}

#[test]
fn views_say_which_bytes_of_which_buffer_they_are() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 4096\n\
        [[buffer]]\nname = \"a\"\nscope = \"ub\"\nsize = 128\n\
        [[alias]]\nname = \"tail\"\nof = [\"a\"]\nrange = [64, 128]\n\
        [[alias]]\nname = \"end\"\nof = [\"tail\"]\nrange = [32, 64]\n\
        [[op]]\nname = \"load\"\nwrites = [\"a\"]\n[[op]]\nname = \"use\"\nreads = [\"end\"]\n";
    let report = report("views.toml", text, &[]);
    let rows: Vec<_> = report.aliases.iter().map(|a| (&a.value[..], a.delta, a.range)).collect();
    assert_eq!(rows, [("tail", Some(64), Some([64, 128])), ("end", Some(32), Some([96, 128]))]);
    assert_eq!(report.buffers[0].aliases, ["tail", "end"]);
}

#[test]
fn owners_and_reserved_bytes_are_parts_of_their_own() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 4096\nreserved = [[0, 256]]\n\
        [[partition]]\nscope = \"ub\"\nowner = \"library\"\nrange = [3072, 4096]\n\
        [[buffer]]\nname = \"a\"\nscope = \"ub\"\nsize = 128\nlive = [0, 4]\n\
        [[buffer]]\nname = \"b\"\nscope = \"ub\"\nsize = 64\nlive = [0, 4]\nowner = \"library\"\n";
    let report = report("owners.toml", text, &["a"]);
    let parts = &report.scopes[0].parts;
    let parts: Vec<_> = parts.iter().map(|p| (p.kind, p.bytes, p.partition)).collect();
    assert_eq!(parts, [("buffers", 128, None), ("owner", 64, Some(1024)), ("reserved", 256, None)]);
    assert_eq!(report.conflicts[0].rule, "partition");
}
