//! Asynchronous forms (spec 2.3.13).

use super::{module, read};
use crate::diag::Code;
use crate::ir::hlo::{AttributeValue, Calls, Opcode};

const CALL: &str = "HloModule m, is_scheduled=true
%f (x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  ROOT %n = f32[4] negate(%x)
}
ENTRY %main (p: f32[4]) -> f32[4] {
  %p = f32[4] parameter(0)
  %s = ((f32[4]), f32[4], s32[]) call-start(%p), to_apply=%f, async_execution_thread=\"side\"
  %u = ((f32[4]), f32[4], s32[]) call-update(%s)
  ROOT %d = f32[4] call-done(%u)
}
";

#[test]
fn the_asynchronous_form_of_any_op_becomes_a_chain_around_the_op() {
    let m = module(CALL);
    let names: Vec<_> = m.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["f", "async_computation", "main"]);
    let opcodes: Vec<_> =
        m.entry().instructions.iter().map(|&i| m.instructions[i].opcode.name()).collect();
    assert_eq!(opcodes, ["parameter", "async-start", "async-update", "async-done"]);
    let wrapped = &m.computations[m.computations.ids().nth(1).unwrap()];
    assert_eq!(wrapped.thread.as_deref(), Some("side"));
    let call = &m.instructions[wrapped.root];
    assert_eq!((&call.opcode, call.operands.len()), (&Opcode::Call, 1));
    let callee = call.computations("to_apply");
    assert_eq!(m.computations[callee[0]].name, "f");
    let calls = Calls::of(&m).unwrap();
    assert!(calls.scoped.iter().all(|&scoped| scoped));
}

#[test]
fn ops_with_an_asynchronous_form_of_their_own_stay_as_they_are() {
    let m = module(
        "ENTRY e {
  p = f32[4] parameter(0)
  s = (f32[4], f32[4], u32[]) copy-start(p)
  ROOT d = f32[4] copy-done(s)
}",
    );
    assert_eq!(m.computations.len(), 1);
    assert_eq!(m.instructions[m.root(m.entry)].opcode, Opcode::CopyDone);
}

#[test]
fn a_new_computation_takes_no_name_that_is_there() {
    let m = module(&CALL.replace("%f", "%async_computation"));
    let names: Vec<_> = m.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["async_computation", "async_computation.1", "main"]);
}

#[test]
fn a_start_without_the_shape_of_a_start_is_an_error() {
    let errors = read(&CALL.replace("((f32[4]), f32[4], s32[]) call-start", "f32[4] call-start"));
    assert_eq!(errors.unwrap_err()[0].code, Code::HloBadShape);
}

#[test]
fn the_links_behind_a_start_may_leave_the_computation_out_or_repeat_it() {
    for calls in ["", ", calls=%w"] {
        let m = module(&format!(
            "%w {{
  %x = f32[4] parameter(0)
  ROOT %n = f32[4] negate(%x)
}}
ENTRY %e {{
  %p = f32[4] parameter(0)
  %s = ((f32[4]), f32[4]) async-start(%p), calls=%w
  ROOT %d = f32[4] async-done(%s){calls}
}}"
        ));
        let start = m.entry().instructions[1];
        assert!(matches!(
            m.instructions[start].attribute("calls"),
            Some(AttributeValue::Computation(_))
        ));
        let wrapped = m.computations.ids().next().unwrap();
        assert_eq!(Calls::of(&m).unwrap().callers[wrapped], [start]);
    }
}
