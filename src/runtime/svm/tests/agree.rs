//! Where no quirk is noted, the two modes agree.

use super::naive::{Call, Value};
use super::random::{Made, cases, draws, make, small};
use crate::model::machine::Mode;
use crate::runtime::quirks::Quirk;

/// Addresses may differ: the library keeps some in one mode.
fn without_address(value: Value) -> Value {
    match value {
        Value::Made(pointer, object, len) => {
            Value::Made(crate::runtime::pointer::Pointer { address: 0, ..pointer }, object, len)
        }
        other => other,
    }
}

#[test]
fn until_a_quirk_is_noted_both_modes_answer_alike() {
    let mut compared = 0_u64;
    for seed in 0..cases() {
        let (mut spec, mut source) = (small(Mode::Spec, true), small(Mode::Source, true));
        let (mut made, mut other) = (Made::default(), Made::default());
        for draw in draws(seed ^ 0xa5a5_0000, 60) {
            let (a, b) = (made.resolve(draw, false), other.resolve(draw, false));
            let (left, right) = (make(&mut spec, &a), make(&mut source, &b));
            let quirk =
                |rig: &super::rig::Rig| rig.notes.quirks.iter().any(|&quirk| quirk != Quirk::Err1);
            assert_eq!(quirk(&spec), quirk(&source), "seed {seed}: {a:?}");
            if quirk(&spec) {
                break;
            }
            let brief = |answer: Result<Value, crate::runtime::status::Refused>| {
                answer.map(without_address).map_err(|r| (r.status.class(), r.finding))
            };
            if let Ok(value) = &left {
                made.learn(&a, value);
            }
            if let Ok(value) = &right {
                other.learn(&b, value);
            }
            if !matches!(a, Call::Create { .. }) {
                assert_eq!(spec.remarks(), source.remarks(), "seed {seed}: {a:?}");
            }
            assert_eq!(brief(left), brief(right), "seed {seed}: {a:?}");
            compared += 1;
        }
    }
    assert!(compared > cases() * 10, "{compared} calls compared");
}
