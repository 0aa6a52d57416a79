//! The call graph (spec 2.4).

use super::{corpus, module};
use crate::diag::Code;
use crate::ir::hlo::Calls;

const MODULE: &str = "
%add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
%fused { p = f32[4] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=%add
}
%body { s = f32[4] parameter(0)
  ROOT n = f32[4] negate(s)
}
%cond { s = f32[4] parameter(0)
  ROOT t = pred[] constant(true)
}
ENTRY e { p = f32[4] parameter(0)
  w = f32[4] while(p), condition=%cond, body=%body
  ROOT f = f32[] fusion(w), kind=kInput, calls=%fused
}";

#[test]
fn computations_in_the_schedule_are_told_from_those_inside_of_an_op() {
    let m = module(MODULE);
    let calls = Calls::of(&m).unwrap();
    let names = |set: &[bool]| -> Vec<String> {
        let all = m.computations.iter().zip(set);
        all.filter(|(_, in_it)| **in_it).map(|(c, _)| c.name.clone()).collect()
    };
    let scoped: Vec<bool> = calls.scoped.iter().copied().collect();
    let fused: Vec<bool> = calls.fused.iter().copied().collect();
    assert_eq!(names(&scoped), ["body", "cond", "e"]);
    assert_eq!(names(&fused), ["fused"]);
}

#[test]
fn callees_come_before_callers_in_every_text_of_the_corpus() {
    for (path, text) in corpus::texts() {
        let m = module(&text);
        let calls = Calls::of(&m).unwrap();
        let mut seen = vec![false; m.computations.len()];
        for &computation in &calls.post_order {
            for &i in &m.computations[computation].instructions {
                let before = m.calls(i).all(|callee| seen[callee.0 as usize]);
                assert!(before, "{} {}", path.display(), m.instructions[i].name);
            }
            seen[computation.0 as usize] = true;
        }
        assert!(seen.iter().all(|&s| s) && calls.scoped[m.entry]);
    }
}

#[test]
fn recursion_is_refused() {
    let text = "%f { p = f32[] parameter(0)
  ROOT c = f32[] call(p), to_apply=%g
}
%g { p = f32[] parameter(0)
  ROOT c = f32[] call(p), to_apply=%f
}
ENTRY e { p = f32[] parameter(0)
  ROOT c = f32[] call(p), to_apply=%f
}";
    let error = Calls::of(&module(text)).unwrap_err();
    assert_eq!((error.code, error.labels.len()), (Code::HloRecursion, 2));
}

#[test]
fn calls_nested_without_end_are_refused_in_either_order_of_the_text() {
    let nest = |from: usize, to: usize| {
        format!("%c{from} {{\n  ROOT r = f32[] call(), to_apply=%c{to}\n}}\n")
    };
    let last = "%c300 {\n  ROOT r = f32[] constant(0)\n}\n";
    let down: String = (0..300).map(|n| nest(n, n + 1)).collect();
    let up: String = (0..300).rev().map(|n| nest(n, n + 1)).collect();
    for text in [format!("{down}{last}"), format!("{last}{up}")] {
        assert_eq!(Calls::of(&module(&text)).unwrap_err().code, Code::HloNestingTooDeep);
    }
}
