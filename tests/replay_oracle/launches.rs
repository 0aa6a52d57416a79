//! Two launches of core programs that streams order, or do not.

use memplan::model::trace::{
    Call, CoreLine, CoreProgram, Instruction, PipeName, Place, Trace, TraceOp, Val, Whole,
};
use memplan::verify::trace::{Options, trace as check};

use super::classes::{self, Class};
use super::cores::machine;

/// A program that writes the bytes of a pointer, between barriers of its pipe.
fn program(trace: &mut Trace, name: &str, pipe: PipeName) -> CoreProgram {
    let mut sym = |text: &str| trace.names.intern(text);
    let (core, x) = (sym("aiv0"), sym("x"));
    let place = |at, base, val: &str, sym: &mut dyn FnMut(&str) -> _| Place {
        at,
        base,
        stride: 0,
        modulo: 1,
        of: None,
        len: 64,
        val: Some(Val { name: sym(val), version: 1 }),
        voff: 0,
    };
    let scope = Whole::Scope(sym("ub"));
    let own = place(scope, 0, &format!("own {name}"), &mut sym);
    let shared = place(Whole::Global(x), 0, name, &mut sym);
    let write = |w| Instruction::Exec {
        pipe,
        name: None,
        r: vec![],
        w: vec![w],
        inplace: false,
        accumulate: false,
        cost: None,
    };
    let barrier = Instruction::Barrier { pipe: (pipe != PipeName::S).then_some(pipe) };
    let lines = [write(own), barrier.clone(), write(shared), barrier];
    let line =
        |(n, instruction)| CoreLine { label: format!("{name}{n}"), core, instruction, loc: None };
    CoreProgram { name: sym(name), lines: lines.into_iter().enumerate().map(line).collect() }
}

fn launches(pipe: PipeName, streams: [&str; 2]) -> Trace {
    let mut trace = Trace { devices: 1, ..Trace::default() };
    let thread = (trace.names.intern("p0"), trace.names.intern("h0"));
    for (name, stream) in ["a", "b"].into_iter().zip(streams) {
        let program = program(&mut trace, name, pipe);
        let call = Call::Kernel {
            stream: Some(trace.names.intern(stream)),
            name: None,
            r: vec![],
            w: vec![],
            rw: vec![],
            cost: None,
            body: Some(program.name),
            device: None,
        };
        trace.programs.push(program);
        trace.ops.push(TraceOp { label: name.into(), thread, call, expect: None, loc: None });
    }
    trace
}

#[test]
fn launches_of_two_streams_on_one_core_race_even_behind_barriers() {
    for pipe in [PipeName::S, PipeName::V, PipeName::Mte3] {
        let said = check(&launches(pipe, ["A", "B"]), &machine(), &Options::default());
        assert!(classes::of(&said).contains(&Class::Race), "{pipe:?}: {:?}", said.findings);
    }
}

#[test]
fn launches_of_one_stream_are_in_order() {
    for pipe in [PipeName::S, PipeName::V, PipeName::Mte3] {
        let said = check(&launches(pipe, ["A", "A"]), &machine(), &Options::default());
        assert!(classes::of(&said).is_empty(), "{pipe:?}: {:?}", said.findings);
    }
}
