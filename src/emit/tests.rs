//! What is written is what is read back.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{Row, csv, plan};
use crate::diag::Sources;
use crate::format::plan::read;
use crate::model::{BufferId, FunctionPlan, Live, Placement, Plan};

#[derive(Clone, Debug)]
struct AnyPlan(Plan);

impl Arbitrary for AnyPlan {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 4;
        let functions = (0..count).map(|at| FunctionPlan {
            name: format!("{}{at}", String::arbitrary(g)),
            fingerprint: Option::arbitrary(g),
            placements: (0..usize::arbitrary(g) % 5).map(|_| placement(g)).collect(),
        });
        Self(Plan { functions: functions.collect() })
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let whole = self.0.clone();
        let fewer = (0..whole.functions.len()).map(move |at| {
            let mut less = whole.clone();
            less.functions.remove(at);
            Self(less)
        });
        Box::new(fewer)
    }
}

fn placement(g: &mut Gen) -> Placement {
    let mut offsets = Vec::<u64>::arbitrary(g);
    offsets.push(u64::arbitrary(g));
    let scope = Option::arbitrary(g);
    Placement { name: String::arbitrary(g), id: Option::arbitrary(g), scope, offsets, loc: None }
}

fn read_back(text: &str, functions: &[&str]) -> Plan {
    let mut sources = Sources::default();
    let file = sources.add("p.toml", text);
    let mut plan = read(&sources, file, functions).expect("a plan");
    for placement in plan.functions.iter_mut().flat_map(|f| &mut f.placements) {
        placement.loc = None;
    }
    plan
}

#[test]
fn what_is_written_is_read_back() {
    fn holds(any: AnyPlan, header: String) -> bool {
        let text = plan(&any.0, &[header]);
        read_back(&text, &[]) == any.0
    }
    QuickCheck::new().tests(300).quickcheck(holds as fn(AnyPlan, String) -> bool);
}

#[test]
fn a_plan_by_hand_needs_no_function() {
    let plan = read_back("version = 1\n[[buffer]]\nname = 'a'\noffset = 64\n", &["main"]);
    assert_eq!(plan.functions[0].name, "main");
    assert_eq!(plan.functions[0].placements[0].offsets, [64]);
}

#[test]
fn several_errors_come_at_once() {
    let text = "version = 2\n[[buffer]]\nnam = 'a'\noffset = 64\n[[buffer]]\nname = 'b'\n\
                offsets = ['x']\n";
    let mut sources = Sources::default();
    let file = sources.add("p.toml", text);
    let errors = read(&sources, file, &["main"]).expect_err("errors");
    let words: Vec<String> = errors
        .iter()
        .map(|e| format!("{} {}", sources.place(e.labels[0].loc), e.message))
        .collect();
    insta::assert_debug_snapshot!(words, @r#"
    [
        "p.toml:2:1 missing key `name`",
        "p.toml:3:1 unknown key `nam`",
        "p.toml:7:12 invalid type: string \"x\", expected an integer",
    ]
    "#);
    let text = "version = 2\n[[buffer]]\nname = 'a'\noffset = -64\n[[buffer]]\nname = 'b'\n\
                [[buffer]]\nname = 'c'\noffset = 1\noffsets = [1]\n";
    let file = sources.add("q.toml", text);
    let errors = read(&sources, file, &["f", "g"]).expect_err("errors");
    let words: Vec<String> = errors
        .iter()
        .map(|e| format!("{} {}", sources.place(e.labels[0].loc), e.message))
        .collect();
    insta::assert_debug_snapshot!(words, @r#"
    [
        "q.toml:1:11 version 2 is not one that this memplan reads",
        "q.toml:4:10 -64 is below zero",
        "q.toml:3:8 which function does `a` belong to?",
        "q.toml:6:8 `b` has no offset",
        "q.toml:9:10 `c` has both `offset` and `offsets`",
    ]
    "#);
}

#[test]
fn csv_says_functions_slots_and_gaps() {
    let live = [Live::new(0, 3), Live::new(5, 9)];
    let short = [Live::new(2, 3)];
    let row = |id, name, size, live, offsets| Row {
        function: "f",
        id: BufferId(id),
        name,
        size,
        live,
        offsets,
    };
    let rows = [
        row(0, "a,b", 8, &live[..], &[0, 8][..]),
        row(1, "c", 4, &short, &[16]),
        row(2, "c", 4, &short, &[20]),
    ];
    insta::assert_snapshot!(csv(&rows), @r#"
    id,lower,upper,size,offset,gaps
    "a,b[0]",0,9,8,0,3-5
    "a,b[1]",0,9,8,8,3-5
    c#1,2,3,4,16,
    c#2,2,3,4,20,
    "#);
    let other = Row { function: "g", ..rows[2].clone() };
    insta::assert_snapshot!(csv(&[rows[1].clone(), other]), @r"
    id,lower,upper,size,offset,function
    c,2,3,4,16,f
    c,2,3,4,20,g
    ");
}
