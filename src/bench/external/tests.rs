//! What planners from outside may rely on, and what they are held to.

use std::path::Path;
use std::time::Duration;

use memplan_packing::{Instance, Item};

use super::*;
use crate::bench::Outcome;
use crate::model::Verdict;

fn case() -> Case {
    let items = vec![
        Item::new(64, 1, 0, 3),
        Item::new(32, 32, 2, 5),
        Item { pin: Some(64), ..Item::new(16, 1, 0, 2) },
    ];
    let instance = Instance { items, capacity: Some(96), ..Instance::default() };
    Case::new(instance, ["a", "b", "c"].map(str::to_owned).to_vec())
}

fn verdict(text: &str) -> Result<u64, String> {
    let output = Ok(text.to_owned());
    let ran = Ran { output, limited_by: None, took: Duration::from_millis(3) };
    let Outcome::Answered(answered) = row(&case(), None, ran) else { panic!("an answer") };
    assert_eq!(answered.planning, Duration::from_millis(3));
    match (answered.verdict, answered.peak, answered.refuted) {
        (Verdict::Feasible, Some(peak), None) => Ok(peak),
        (Verdict::NotFound, None, Some(wrong)) => Err(wrong),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_question_is_csv_with_ordinals() {
    let text = "id,lower,upper,size,alignment,offset\n0,0,3,64,1,\n1,2,5,32,32,\n2,0,2,16,1,64\n";
    assert_eq!(case().text(), text);
    assert_eq!((case().capacity(), case().max_load), (Some(96), 96));
}

#[test]
fn a_right_plan_counts_whatever_the_order_of_rows_and_columns() {
    assert_eq!(verdict("id,offset\n0,0\n1,64\n2,64\n"), Ok(96));
    assert_eq!(verdict("offset,size,Buffer\n 64 ,32, 1\n\n64,16,2\n0,64,0"), Ok(96));
}

#[test]
fn a_wrong_plan_is_named_by_its_kind_of_fault() {
    let wrong = |text: &str| verdict(text).expect_err(text);
    let plan = |a: u64, b: u64, c: u64| wrong(&format!("id,offset\n0,{a}\n1,{b}\n2,{c}\n"));
    assert_eq!(plan(0, 32, 64), "overlap: `a` and `b` are alive together and share bytes");
    assert_eq!(plan(0, 65, 64), "capacity: `b` ends past it (and 1 more fault)");
    assert_eq!(plan(0, 66, 0), "capacity: `b` ends past it (and 3 more faults)");
    assert_eq!(plan(0, u64::MAX, 64), "capacity: `b` ends past it (and 1 more fault)");
    assert_eq!(plan(32, 0, 64), "overlap: `a` and `c` are alive together and share bytes");
    assert_eq!(wrong("id,offset\n0,0\n1,64\n"), "missing: `c` is not placed");
    assert_eq!(wrong("id,offset\n0,0\n0,0\n"), "repeated: `a` is placed twice");
    assert_eq!(wrong("id,offset\n3,0\n"), "unknown: there is no id `3`");
    assert_eq!(wrong("id,offset\n0,-1\n"), "unreadable: the offset of `a` is `-1`");
    assert_eq!(wrong("id,size\n0,0\n"), "unreadable: there is no column `offset`");
    assert_eq!(wrong("hello"), "unreadable: there is no column `id`");
}

#[test]
fn a_command_is_split_as_a_shell_does_and_run_without_one() {
    let external = |text: &str| text.parse::<External>();
    let found = external("mm = 'my planner' --in={in} {out} '$HOME' {capacity} --x={capacity}")
        .expect("one");
    assert_eq!(found.name, "mm");
    let call = found.call(Path::new("/t/in.csv"), Path::new("/t/o u t"), 96);
    assert_eq!(call, ["my planner", "--in=/t/in.csv", "/t/o u t", "$HOME", "96", "--x=96"]);
    assert!(external("x {in} {out}").is_err());
    assert!(external("a b=x {in} {out}").is_err());
    assert_eq!(external("a=x {in}").expect_err("no out"), "{out} has no place in the command");
    assert_eq!(external("a={in} {out}").expect_err("no in"), "{in} has no place in the command");
    assert_eq!(external("a=x '{in} {out}").expect_err("open"), "a quote is not closed");
}
