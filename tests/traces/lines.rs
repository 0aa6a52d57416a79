//! Lines mean what they say.

use memplan::model::trace::{
    Advice, AllocKind, Call, CopyKind, Expect, Fault, Instruction, Location, PageClass, PipeName,
    Place, Rotation, Span, Sym, Trace, Val, Whole,
};

use super::{good, wrong};

fn sym(trace: &Trace, name: &str) -> Sym {
    trace.names.find(name).unwrap_or_else(|| panic!("no name `{name}`"))
}

fn span(trace: &Trace, p: &str) -> Span {
    Span { p: sym(trace, p), off: 0, len: None, val: None, voff: 0 }
}

/// The example of the specification, as TOML is really written.
const REUSE: &str = r#"
trace = 1
mode = "source"
soma.policy = "source-0184aa3c8"
[[op]]
op = "pool_create"
out = "P"
device = 0
max = "64MiB"
reuse = ["single", "event"]
[[op]]
op = "pool_alloc"
out = "a"
pool = "P"
size = "4MiB"
stream = "A"
[[op]]
op = "kernel"
stream = "A"
name = "w"
w = [{ p = "a", len = "4MiB", val = "a@1" }]
[[op]]
op = "event_record"
ev = "e"
stream = "A"
[[op]]
op = "event_wait"
ev = "e"
stream = "B"
[expect_findings]
REUSE_UNSAFE = 1
RACE_WAR = 1
"#;

#[test]
fn the_example_of_the_specification_is_read() {
    let trace = good(REUSE);
    assert_eq!(trace.ops.len(), 5);
    let expected = [("reuse_unsafe".to_owned(), 1), ("race_war".to_owned(), 1)];
    assert_eq!(trace.expect_findings.as_deref(), Some(&expected[..]));
    let [setting] = &trace.settings[..] else { panic!("{:?}", trace.settings) };
    assert_eq!((setting.key.as_str(), setting.value.as_str()), ("soma.policy", "source-0184aa3c8"));
    let Call::Kernel { w, stream, .. } = &trace.ops[2].call else { panic!() };
    let val = Val { name: sym(&trace, "a"), version: 1 };
    let whole = Span { len: Some(4 << 20), val: Some(val), ..span(&trace, "a") };
    assert_eq!((w.as_slice(), *stream), (&[whole][..], Some(sym(&trace, "A"))));
}

#[test]
fn a_line_without_a_label_is_called_by_its_number_and_one_with_a_place_says_it() {
    let trace = good(
        "{\"trace\": 1}\n{\"op\": \"open\"}\n{\"op\": \"open\", \"i\": 7, \"at\": \"plan.toml:3\"}\n\
         {\"op\": \"open\", \"i\": \"second\"}\n",
    );
    let labels: Vec<&str> = trace.ops.iter().map(|op| op.label.as_str()).collect();
    assert_eq!(labels, ["0", "7 (plan.toml:3)", "second"]);
}

#[test]
fn null_is_a_word_or_an_absent_key() {
    for line in
        [r#"{"op": "free"}"#, r#"{"op": "free", "p": null}"#, r#"{"op": "free", "p": "null"}"#]
    {
        let trace = good(&format!("{{\"trace\": 1}}\n{line}"));
        assert_eq!(trace.ops[0].call, Call::Free { p: None, off: 0 });
    }
}

#[test]
fn places_of_memory_are_read_as_people_write_them() {
    let cases = [
        (r#""host""#, Location::Host),
        (r#""device 3""#, Location::Device(3)),
        (r#"{"device": 3}"#, Location::Device(3)),
        (r#"{"numa": 1}"#, Location::HostNuma(1)),
        (r#""numa 1""#, Location::HostNuma(1)),
        ("2", Location::Host),
        (r#"{"type": 1, "id": 64}"#, Location::Device(64)),
        (r#""invalid""#, Location::Invalid),
    ];
    for (written, location) in cases {
        let trace =
            good(&format!("{{\"trace\": 1}}\n{{\"op\": \"prefetch\", \"location\": {written}}}"));
        let Call::Prefetch { location: read, .. } = trace.ops[0].call else { panic!() };
        assert_eq!(read, location, "{written}");
    }
    let bad = "{\"trace\": 1}\n{\"op\": \"prefetch\", \"location\": \"moon\"}";
    assert!(wrong(bad)[0].starts_with("invalid_value t:2:"), "{:?}", wrong(bad));
}

#[test]
fn words_may_be_numbers_of_the_interface() {
    let text = r#"{"trace": 1}
        {"op": "alloc", "out": "a", "size": 4096, "kind": 7, "pages": "huge", "flags": ["p2p", "acl"]}
        {"op": "advise", "p": "a", "advice": "READ_MOSTLY"}
        {"op": "advise", "p": "a", "advice": 2, "location": "host"}
        {"op": "advise", "p": "a", "advice": 99}
        {"op": "memcpy", "dst": "a", "src": "a", "kind": "buffered", "len": "1 KiB"}"#;
    let trace = good(text);
    let Call::Alloc { kind, pages, flags, .. } = trace.ops[0].call else { panic!() };
    assert_eq!(
        (kind, pages, flags.p2p, flags.acl, flags.bar),
        (AllocKind::Uvm, PageClass::Huge, true, true, false)
    );
    let advice = |at: usize| match trace.ops[at].call {
        Call::Advise { advice, location, .. } => (advice, location),
        _ => panic!(),
    };
    assert_eq!(advice(1), (Some(Advice::ReadMostly), Location::Invalid));
    assert_eq!(advice(2), (Some(Advice::PreferLocation), Location::Host));
    assert_eq!(advice(3).0, None);
    let Call::Memcpy { dst, src, kind, .. } = trace.ops[4].call else { panic!() };
    let whole = Span { len: Some(1024), ..span(&trace, "a") };
    assert_eq!((dst, src, kind), (Some(whole), Some(whole), CopyKind::Buffered));
}

#[test]
fn what_the_host_touches_stands_on_the_line_or_in_a_table() {
    let text = r#"{"trace": 1}
        {"op": "alloc", "out": "a", "size": 4096}
        {"op": "host_read", "p": "a", "off": 8, "len": 16, "val": "x@3", "voff": 8}
        {"op": "host_read", "span": {"p": "a", "off": 8, "len": 16, "val": "x@3", "voff": 8}}
        {"op": "value_write", "p": "a", "off": 8, "value": 1}
        {"op": "value_write", "p": {"p": "a", "off": 8}, "value": 1}"#;
    let trace = good(text);
    assert_eq!(trace.ops[1].call, trace.ops[2].call);
    assert_eq!(trace.ops[3].call, trace.ops[4].call);
    assert!(!wrong("{\"trace\": 1}\n{\"op\": \"host_read\"}").is_empty());
}

#[test]
fn expectations_are_three() {
    let text = r#"{"trace": 1}
        {"op": "open", "expect": "ok"}
        {"op": "open", "expect": {"err": "InvalidValue"}}
        {"op": "open", "expect": {"value": "-2"}}
        {"op": "open", "expect": {"value": -2}}
        {"op": "open"}"#;
    let expects: Vec<Option<Expect>> = good(text).ops.into_iter().map(|op| op.expect).collect();
    let value = Some(Expect::Value("-2".to_owned()));
    let error = Some(Expect::Error("InvalidValue".to_owned()));
    assert_eq!(expects, [Some(Expect::Ok), error, value.clone(), value, None]);
    assert!(!wrong("{\"trace\": 1}\n{\"op\": \"open\", \"expect\": \"no\"}").is_empty());
}

#[test]
fn lines_of_cores_without_a_program_are_run_by_a_kernel_and_awaited() {
    let text = r#"{"trace": 1}
        {"core":"aiv0","pipe":"MTE2","op":"copy","src":{"gm":"x","off":0},"dst":{"ub":8192},"len":8192,"val":"x@3"}
        {"pipe":"V","op":"exec","name":"vadd","r":[{"ub":8192,"len":256}],"w":[{"ub":0,"len":256,"val":"y@1"}]}
        {"op":"open"}
        {"op":"barrier"}"#;
    let trace = good(text);
    let calls: Vec<bool> =
        trace.ops.iter().map(|op| matches!(op.call, Call::Kernel { .. })).collect();
    assert_eq!(calls, [true, false, false, true, false]);
    let Call::Kernel { body: Some(body), stream: None, .. } = trace.ops[0].call else { panic!() };
    assert_eq!(trace.programs[0].name, body);
    let [copy, exec] = &trace.programs[0].lines[..] else { panic!() };
    assert_eq!((copy.core, exec.core), (sym(&trace, "aiv0"), sym(&trace, "aiv0")));
    let val = Some(Val { name: sym(&trace, "x"), version: 3 });
    let place =
        |at, base| Place { at, base, stride: 0, modulo: 1, of: None, len: 8192, val, voff: 0 };
    let expected = Instruction::Copy {
        pipe: PipeName::Mte2,
        src: place(Whole::Global(sym(&trace, "x")), 0),
        dst: place(Whole::Scope(sym(&trace, "ub")), 8192),
        cost: None,
    };
    assert_eq!(copy.instruction, expected);
    assert_eq!(trace.programs[1].lines[0].instruction, Instruction::Barrier { pipe: None });
}

#[test]
fn loops_nest_and_addresses_and_ids_rotate() {
    let text = r#"
        trace = 1
        [[op]]
        op = "loop"
        program = "k"
        core = "aiv1"
        name = "tiles"
        n = 9
        may_be_zero = true
        [[op.body]]
        op = "wait"
        pipe = 5
        peer = "PIPE_MTE2"
        id = [0, 1]
        of = "tiles"
        [[op.body]]
        op = "if"
        cond = "tail"
        then = [{ op = "exec", pipe = "V", r = [{ ub = 0, len = 64, stride = 128, mod = 2, of = "tiles" }] }]
        [[op]]
        op = "xset"
        pipe = "MTE3"
        program = "k"
        flag = 3
        [[op]]
        op = "kernel"
        stream = "s"
        body = "k"
    "#;
    let trace = good(text);
    let [program] = &trace.programs[..] else { panic!() };
    let [first, second] = &program.lines[..] else { panic!() };
    let Instruction::Loop { n: 9, may_be_zero: true, body, .. } = &first.instruction else {
        panic!()
    };
    let of = Some(sym(&trace, "tiles"));
    let wait = Instruction::Wait {
        pipe: PipeName::Mte3,
        peer: PipeName::Mte2,
        id: Rotation { ids: vec![0, 1], of },
    };
    assert_eq!(body[0].instruction, wait);
    let Instruction::If { then, otherwise, .. } = &body[1].instruction else { panic!() };
    let Instruction::Exec { r, .. } = &then[0].instruction else { panic!() };
    assert_eq!((r[0].stride, r[0].modulo, r[0].of), (128, 2, of));
    assert!(otherwise.is_empty() && then[0].core == sym(&trace, "aiv1"));
    let labels = [&first.label, &body[0].label, &body[1].label, &then[0].label, &second.label];
    assert_eq!(labels, ["0", "1", "2", "3", "4"]);
    assert_eq!(second.instruction, Instruction::XSet { pipe: PipeName::Mte3, mode: 2, flag: 3 });
}

#[test]
fn faults_name_their_lines_by_number_or_label() {
    let text = r#"
        trace = 1
        inject = [
            { fault = "fail_alloc", n = 2 }, { fault = "evict", p = "x", off = "2MiB", at = 1 },
            { fault = "crash", process = "p0", at = "last" }, { fault = "swap_refused" },
            { fault = "host_oom", pages = 3 }, { fault = "slow", actor = "A" },
        ]
        [[op]]
        op = "open"
        [[op]]
        op = "open"
        i = "last"
    "#;
    let trace = good(text);
    let faults: Vec<Fault> = trace.injections.iter().map(|i| i.fault).collect();
    let expected = [
        Fault::FailAlloc(2),
        Fault::Evict { p: sym(&trace, "x"), off: 2 << 20, at: 1 },
        Fault::Crash { process: sym(&trace, "p0"), at: 1 },
        Fault::SwapRefused,
        Fault::HostOom(3),
        Fault::Slow(sym(&trace, "A")),
    ];
    assert_eq!(faults, expected);
    let bad = "trace = 1\ninject = [{ fault = \"crash\", process = \"p0\", at = \"x\" }]\n";
    assert_eq!(wrong(bad), ["unknown_name t:2:51: there is no line `x`"]);
}

#[test]
fn threads_are_of_processes() {
    let text = r#"{"trace": 1}
        {"op": "fork", "thread": "p0.h1"}
        {"op": "open", "th": "p0.h1"}
        {"op": "open", "th": "p1"}
        {"op": "open", "th": "h1"}
        {"op": "barrier", "threads": ["p0.h0", "h1", "p1.h0"]}
        {"op": "join", "thread": "h1"}"#;
    let trace = good(text);
    let who = |process, thread| (sym(&trace, process), sym(&trace, thread));
    let threads: Vec<_> = trace.ops.iter().map(|op| op.thread).collect();
    let main = who("p0", "h0");
    assert_eq!(threads, [main, who("p0", "h1"), who("p1", "h0"), who("p0", "h1"), main, main]);
    assert_eq!(trace.processes, [sym(&trace, "p0"), sym(&trace, "p1")]);
    let h1 = sym(&trace, "h1");
    assert_eq!(trace.ops[0].call, Call::Fork { thread: h1 });
    let threads = vec![sym(&trace, "h0"), h1, sym(&trace, "p1.h0")];
    assert_eq!(trace.ops[4].call, Call::Barrier { threads });
}
