//! Scaled dimensions and other numbers of slots.

use super::super::{
    Change, Factor, changed, dimensions, multi_buffers, resized, scaled, with_slots,
};
use super::{read, sizes};
use crate::model::{BufferId, ByteRange, OpId, Order, ValueKind};
use crate::{plan, verify};

const TILES: &str = r#"
version = 1
name = "tiles"
target = "ascend910b"
[[buffer]]
name = "a"
scope = "ub"
shape = [100, 64]
dtype = "f16"
scales = ["m", "_"]
slots = 2
[[buffer]]
name = "b"
scope = "ub"
size = 4096
scales = "m"
[[buffer]]
name = "c"
scope = "ub"
shape = [64, 64]
dtype = "f32"
scales = ["n", "n"]
[[alias]]
name = "top"
of = ["b"]
range = [0, 2048]
[[loop]]
name = "rows"
trips = 8
[[op]]
name = "load"
in = "rows"
pipe = "MTE2"
writes = ["a", { value = "top", bytes = [0, 1024] }, { value = "top", bytes = [1024, 2048] }]
[[op]]
name = "rest"
in = "rows"
pipe = "MTE2"
writes = [{ value = "b", bytes = [2048, 4096] }]
[[op]]
name = "mul"
in = "rows"
pipe = "V"
reads = ["a", "b"]
writes = ["c"]
[[op]]
name = "store"
in = "rows"
pipe = "MTE3"
reads = ["c"]
"#;

#[test]
fn a_dimension_scales_what_declares_it() {
    let problem = read(TILES);
    let f = &problem.functions[0];
    assert_eq!(dimensions(f), ["m", "n"]);
    let half = Factor::HALF;
    let halved = scaled(f, "m", half).unwrap_or_default();
    assert_eq!(sizes(&halved), [("a", 50 * 64 * 2), ("b", 2048), ("c", 16384)]);
    let quarter = Factor::new(1, 4).and_then(|f4| scaled(f, "n", f4).ok()).unwrap_or_default();
    assert_eq!(sizes(&quarter)[2], ("c", 16 * 16 * 4));
    assert_eq!(scaled(f, "k", half), Err("nothing scales with `k`".to_owned()));
}

#[test]
fn what_ops_touch_scales_with_the_buffer() {
    let problem = read(TILES);
    let halved = scaled(&problem.functions[0], "m", Factor::HALF).unwrap_or_default();
    let ranges = halved.ops[OpId(0)].accesses.iter().map(|a| a.range);
    let (first, second) = (ByteRange::new(0, 512), ByteRange::new(512, 1024));
    assert_eq!(ranges.collect::<Vec<_>>(), [None, Some(first), Some(second)]);
    let view = halved.values.iter().find(|v| v.name == "top").map(|v| &v.kind);
    assert!(matches!(view, Some(ValueKind::View { delta: Some(0), length: Some(1024), .. })));
    // The judge accepts a plan of the scaled program.
    let problem = problem.with(halved);
    let answer = plan::solve(&plan::Question::of(&problem), &plan::Options::default(), &|_| ());
    let findings = verify::one(&problem, &problem.functions[0], &answer.functions[0].plan);
    let wrong = findings.iter().filter(|f| f.severity == crate::diag::Severity::Error);
    assert_eq!(wrong.count(), 0, "{findings:?}");
}

#[test]
fn views_that_are_no_whole_bytes_any_more_are_refused() {
    let problem = read(TILES);
    // 5 bytes are left of `b`, and 2.5 of its first half.
    let little = Factor::new(1, 1000).unwrap_or(Factor::HALF);
    let why = scaled(&problem.functions[0], "m", little).err().unwrap_or_default();
    assert_eq!(why, "view `top` is no whole number of bytes any more");
}

#[test]
fn every_dimension_of_so_many_elements_gets_another_number() {
    let problem = read(TILES);
    let f = &problem.functions[0];
    let small = resized(f, 64, 32).unwrap_or_default();
    assert_eq!(sizes(&small), [("a", 100 * 32 * 2), ("b", 4096), ("c", 32 * 32 * 4)]);
    assert!(resized(f, 63, 1).is_err());
}

#[test]
fn sizes_past_64_bits_are_refused() {
    let problem = read(TILES);
    let huge = Factor::new(u64::MAX, 1).unwrap_or(Factor::HALF);
    for dimension in ["m", "n"] {
        assert!(scaled(&problem.functions[0], dimension, huge).is_err());
    }
}

#[test]
fn slots_come_and_go_with_the_loop() {
    let problem = read(TILES);
    let f = &problem.functions[0];
    assert_eq!(multi_buffers(f), [BufferId(0)]);
    let one = with_slots(f, BufferId(0), 1).unwrap_or_default();
    assert_eq!((one.buffers[BufferId(0)].slots, one.buffers[BufferId(0)].rotates_in), (1, None));
    let three = with_slots(f, BufferId(2), 3).unwrap_or_default();
    let inner = Order::of(f).loops_of_op[OpId(0)].last().copied();
    assert_eq!(three.buffers[BufferId(2)].rotates_in, inner);
    assert!(with_slots(f, BufferId(0), 0).is_err());
    let both = [
        Change::Slots { buffer: BufferId(0), to: 1 },
        Change::Scale { dimension: "m".to_owned(), by: Factor::HALF },
    ];
    let both = changed(&problem, 0, &both).map(|p| p.functions[0].buffers[BufferId(0)].clone());
    assert_eq!(both.map(|b| (b.slots, b.size.0)), Ok((1, 6400)));
}

#[test]
fn what_is_the_same_bytes_has_the_same_slots() {
    let text = r#"
version = 1
[[scope]]
name = "s"
[[buffer]]
name = "a"
size = 64
slots = 2
live = [0, 4]
[[buffer]]
name = "b"
size = 64
slots = 2
live = [2, 8]
[[relation]]
kind = "colocate"
a = "a"
b = "b"
"#;
    let problem = read(text);
    let one = with_slots(&problem.functions[0], BufferId(1), 1).unwrap_or_default();
    assert_eq!(one.buffers.iter().map(|b| b.slots).collect::<Vec<_>>(), [1, 1]);
}
