use super::super::testing::{check, count, id, operands, read};
use super::*;

fn targets(module: &Module) -> Vec<String> {
    let targets = module.instructions.iter().filter_map(|i| i.custom_call_target());
    targets.map(str::to_owned).collect()
}

/// One annotation that the entry returns.
fn one(placement: &str, rest: &str) -> Module {
    read(&format!(
        "HloModule m\n\nENTRY e {{\n  p = f32[8]{{0}} parameter(0)\n  n = f32[8]{{0}} negate(p)\n  \
         ROOT a = f32[8]{{0}} custom-call(n), custom_call_target=\"annotate_device_placement\", \
         custom_call_has_side_effect=true, \
         frontend_attributes={{_xla_buffer_placement=\"{placement}\"}}{rest}\n}}\n"
    ))
}

/// A loop forwards that stores to the host, and one backwards that reads from it.
fn scans(host: &str) -> Module {
    let annotated = |name: &str, of: &str, root: &str, placement: &str| {
        format!(
            "  {root}{name} = f32[8] custom-call({of}), \
             custom_call_target=\"annotate_device_placement\", \
             frontend_attributes={{k=\"a,b={{\\\"x\\\"}}\",_xla_buffer_placement=\"{placement}\"}}\n"
        )
    };
    let body = |tag: &str| {
        format!(
            "body{tag} {{\n  s{tag} = (f32[8], s32[]) parameter(0)\n  x{tag} = f32[8] \
             get-tuple-element(s{tag}), index=0\n  i{tag} = s32[] get-tuple-element(s{tag}), \
             index=1\n{}{}  n{tag} = f32[8] negate(d{tag})\n  ROOT r{tag} = (f32[8], s32[]) \
             tuple(n{tag}, i{tag})\n}}\n\n",
            annotated(&format!("h{tag}"), &format!("x{tag}"), "", host),
            annotated(&format!("d{tag}"), &format!("h{tag}"), "", "device"),
        )
    };
    let condition = "cond {\n  c = (f32[8], s32[]) parameter(0)\n  ROOT t = pred[] constant(true)\n}\n\n\
         cond2 {\n  c2 = (f32[8], s32[]) parameter(0)\n  ROOT t2 = pred[] constant(true)\n}\n\n";
    read(&format!(
        "HloModule m\n\n{condition}{}{}ENTRY e {{\n  p = (f32[8], s32[]) parameter(0)\n  w = (f32[8], \
         s32[]) while(p), condition=cond, body=body1\n  ROOT v = (f32[8], s32[]) while(w), \
         condition=cond2, body=body2\n}}\n",
        body("1"),
        body("2"),
    ))
}

#[test]
fn annotations_in_loops_become_transfers() {
    for host in ["pinned_host", "unpinned_host"] {
        let mut module = scans(host);
        let report = run(&mut module).unwrap();
        assert!(report.changed);
        assert_eq!(report.notes.len(), 4);
        let targets = targets(&module);
        assert_eq!(targets, ["MoveToHost", "MoveToDevice", "MoveToHost", "MoveToDevice"], "{host}");
        assert_eq!(count(&module, &Opcode::CustomCall), 4, "the annotations are gone");
        check(&module);
    }
}

#[test]
fn an_annotated_output_stays_the_root() {
    let mut module = one("pinned_host", "");
    assert!(run(&mut module).unwrap().changed);
    let root = &module.instructions[module.entry().root];
    assert_eq!(root.custom_call_target(), Some("MoveToHost"));
    assert_eq!(operands(&module, &root.name.clone()), ["n"]);
    assert_eq!(module.instructions.len(), 3);
    check(&module);
}

#[test]
fn every_placement_has_its_target() {
    for (placement, target) in [
        ("pinned_host", "MoveToHost"),
        ("unpinned_host", "MoveToHost"),
        ("device", "MoveToDevice"),
        ("vmem", "PinToDeviceSram"),
        ("pinned_device", "PinToDevice"),
    ] {
        let mut module = one(placement, "");
        assert!(run(&mut module).unwrap().changed);
        assert_eq!(targets(&module), [target]);
    }
}

#[test]
fn other_placements_are_left_alone() {
    let mut module = one("somewhere", "");
    let before = module.clone();
    assert_eq!(run(&mut module).unwrap(), Report::default());
    assert_eq!(module, before);
    let text = "HloModule m\n\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT a = f32[8] custom-call(p), \
        custom_call_target=\"annotate_device_placement\"\n}\n";
    assert!(!run(&mut read(text)).unwrap().changed, "no attribute");
}

#[test]
fn the_sharding_and_the_place_in_the_program_are_kept() {
    let rest = ", sharding={devices=[2,1]<=[2]}, metadata={op_name=\"jit(f)/put\"}";
    let mut module = one("device", rest);
    run(&mut module).unwrap();
    let call = &module.instructions[module.entry().root];
    assert_eq!(call.raw("sharding"), Some("{devices=[2,1]<=[2]}"));
    assert!(call.raw("metadata").unwrap().contains("jit(f)/put"));
    assert_eq!(call.raw("frontend_attributes"), None);
    assert_eq!(call.raw("custom_call_has_side_effect"), None);
}

#[test]
fn the_call_has_the_shape_of_its_operand() {
    let text = "HloModule m\n\nENTRY e {\n  p = f32[2,8]{1,0} parameter(0)\n  ROOT a = f32[2,8]{0,1} \
        custom-call(p), custom_call_target=\"annotate_device_placement\", \
        frontend_attributes={_xla_buffer_placement=\"vmem\"}\n}\n";
    let mut module = read(text);
    run(&mut module).unwrap();
    let (p, root) = (id(&module, "p"), module.entry().root);
    assert_eq!(module.instructions[root].shape, module.instructions[p].shape);
}

#[test]
fn two_operands_are_refused_and_nothing_is_changed() {
    let text = "HloModule m\n\nENTRY e {\n  p = f32[8] parameter(0)\n  q = f32[8] parameter(1)\n  ROOT a \
        = f32[8] custom-call(p, q), custom_call_target=\"annotate_device_placement\", \
        frontend_attributes={_xla_buffer_placement=\"pinned_host\"}\n}\n";
    let mut module = read(text);
    let before = module.clone();
    let error = run(&mut module).unwrap_err();
    assert_eq!(error.code, Code::HloBadPlacement);
    assert_eq!(module, before);
    assert_eq!(findings(&module), [error]);
}

#[test]
fn annotations_in_fusions_are_left_alone() {
    let text = "HloModule m\n\nf {\n  q = f32[8] parameter(0)\n  ROOT a = f32[8] custom-call(q), \
        custom_call_target=\"annotate_device_placement\", \
        frontend_attributes={_xla_buffer_placement=\"pinned_host\"}\n}\n\nENTRY e {\n  p = f32[8] \
        parameter(0)\n  ROOT x = f32[8] fusion(p), kind=kLoop, calls=f\n}\n";
    assert!(!run(&mut read(text)).unwrap().changed);
}
