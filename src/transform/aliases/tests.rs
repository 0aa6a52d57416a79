use super::super::testing::{read, shape};
use super::*;
use crate::diag::Code;
use crate::ir::hlo::AliasKind;

const R1: &str = "f32[4]";
const R2: &str = "f32[4,5]";
const R3: &str = "f32[4,5,6]";
const R4: &str = "f32[4,5,6,7]";

fn tuple(parts: &[&str]) -> String {
    format!("({})", parts.join(", "))
}

/// The pairs `(parameter, leaf, output)` found for these shapes.
fn build(parameters: &[String], output: &str) -> Vec<(u32, Vec<u32>, Vec<u32>)> {
    let shapes: Vec<Shape> = parameters.iter().map(|text| shape(text)).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let (output, mut config) = (shape(output), AliasConfig::default());
    let changed = build_alias_config(&shapes, &output, &mut config, Donors::All);
    config.verify(&shapes, &output).unwrap();
    assert!(config.pairs().all(|(_, _, kind)| kind == AliasKind::May));
    let pairs = config.pairs();
    let pairs: Vec<_> =
        pairs.map(|(o, d, _)| (d.parameter, d.index.0.clone(), o.0.clone())).collect();
    assert_eq!(changed, !pairs.is_empty());
    pairs
}

#[test]
fn sizes_that_differ_are_no_pairs() {
    assert_eq!(build(&[tuple(&[R1, R2])], &tuple(&[R3, R4])), []);
}

#[test]
fn equal_tuples_are_paired_leaf_by_leaf() {
    let all = tuple(&[R1, R2, R3, R4]);
    let wanted: Vec<_> = (0..4).map(|i| (0, vec![i], vec![i])).collect();
    assert_eq!(build(std::slice::from_ref(&all), &all), wanted);
}

#[test]
fn what_is_left_over_has_no_pair() {
    let found = build(&[tuple(&[R1, R1, R2, R2])], &tuple(&[R1, R2, R3, R4]));
    assert_eq!(found, [(0, vec![0], vec![0]), (0, vec![2], vec![1])]);
}

#[test]
fn order_does_not_matter() {
    let found = build(&[tuple(&[R1, R2, R3, R4])], &tuple(&[R4, R3, R2, R1]));
    let wanted: Vec<_> = (0..4).map(|i| (0, vec![3 - i], vec![i])).collect();
    assert_eq!(found, wanted);
}

#[test]
fn leaves_of_nested_tuples_are_paired() {
    let parameter = tuple(&[&tuple(&[R1]), R2, R3, R4]);
    let found = build(&[parameter], &tuple(&[R1, &tuple(&[R3, R2]), R2]));
    let wanted = [(0, vec![0, 0], vec![0]), (0, vec![2], vec![1, 0]), (0, vec![1], vec![1, 1])];
    assert_eq!(found, wanted);
}

#[test]
fn several_parameters_are_paired() {
    let parameters: Vec<String> = [R1, R2, R3, R4].map(str::to_owned).into();
    let found = build(&parameters, &tuple(&[R4, R3, R2, R1]));
    let wanted: Vec<_> = (0..4).map(|i| (3 - i, vec![], vec![i])).collect();
    assert_eq!(found, wanted);
}

#[test]
fn only_donated_leaves_are_given_where_donors_are_registered() {
    let (parameter, output) = (shape(&tuple(&[R1, R2])), shape(&tuple(&[R2, R1])));
    let donor = Donor { parameter: 0, index: ShapeIndex::one(0) };
    let mut config = AliasConfig::default();
    assert!(config.add_donor(donor.clone()));
    assert!(build_alias_config(&[&parameter], &output, &mut config, Donors::Registered));
    assert_eq!(config.pairs().count(), 1);
    assert_eq!(config.output_of(&donor), Some(&ShapeIndex::one(1)));
    assert!(config.donors().is_empty(), "it is no donor any more");
    config.verify(&[&parameter], &output).unwrap();
}

#[test]
fn dynamic_shapes_are_no_pairs() {
    let (fixed, dynamic) = ("f32[10]", "f32[<=10]");
    for (parameter, output) in [
        (tuple(&[dynamic]), tuple(&[dynamic])),
        (dynamic.to_owned(), dynamic.to_owned()),
        (fixed.to_owned(), dynamic.to_owned()),
        (dynamic.to_owned(), fixed.to_owned()),
    ] {
        assert_eq!(build(&[parameter], &output), []);
    }
    let found = build(&[tuple(&[fixed, "f32[3]"])], &tuple(&[fixed, dynamic]));
    assert_eq!(found, [], "one dynamic output spoils all");
}

#[test]
fn other_memory_spaces_are_no_pairs() {
    let (device, host) = ("f32[10]{0}", "f32[10]{0:S(5)}");
    let parameter = tuple(&[device, device]);
    assert_eq!(build(&[parameter], &tuple(&[host, host])), []);
    assert_eq!(build(&[host.to_owned()], host), [(0, vec![], vec![])]);
}

#[test]
fn only_sizes_must_match() {
    assert_eq!(build(&["s8[4,6]{0,1}".to_owned()], "f32[6]"), [(0, vec![], vec![])]);
}

#[test]
fn one_output_and_one_leaf_are_aliased_once() {
    let at = |parameter| Donor { parameter, index: ShapeIndex::TOP };
    let mut config = AliasConfig::default();
    config.set_alias(ShapeIndex::one(0), at(0), AliasKind::Must).unwrap();
    let again = config.set_alias(ShapeIndex::one(0), at(1), AliasKind::May).unwrap_err();
    assert_eq!(again.code, Code::HloBadAlias);
    let twice = config.set_alias(ShapeIndex::one(1), at(0), AliasKind::May).unwrap_err();
    assert_eq!(twice.code, Code::HloBadAlias);
    assert!(config.parameter_is_aliased(0) && !config.parameter_is_aliased(1));
    assert_eq!(config.parameter_of(&ShapeIndex::one(0)), Some((&at(0), AliasKind::Must)));
    let shape = shape("f32[4]");
    assert!(config.verify(&[&shape], &shape).is_err(), "there is no output {{0}}");
}

const DONATED: &str = "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, \
    buffer_donor={ (1, {}), (2, {}), (3, {}), (4, {}), (5, {}) }

ENTRY e {
  p0 = f32[4]{0} parameter(0)
  p1 = f32[8]{0} parameter(1)
  p2 = f32[8]{0} parameter(2)
  p3 = f32[16]{0} parameter(3)
  p4 = f32[64]{0} parameter(4)
  p5 = f32[4]{0} parameter(5)
  a = f32[4]{0} add(p0, p5)
  b = f32[8]{0} add(p1, p2)
  c = f32[16]{0:S(5)} copy(p3)
  d = f32[63]{0} slice(p4), slice={[0:63]}
  ROOT r = (f32[4]{0}, f32[8]{0}, f32[16]{0:S(5)}, f32[63]{0}) tuple(a, b, c, d)
}
";

#[test]
fn every_donor_learns_its_fate() {
    let mut module = read(DONATED);
    let report = run(&mut module, Donors::Registered).unwrap();
    assert!(report.changed);
    let fates: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        fates,
        [
            "parameter 1{} (32 bytes) is output {1}",
            "parameter 2{} (32 bytes) is not used: output {1} has its size but went to parameter 1{}",
            "parameter 3{} (64 bytes) is not used: output {2} has its size but lies in memory space \
             5, not 0",
            "parameter 4{} (256 bytes) is not used: no output has its size, {3} has 252 bytes",
            "parameter 5{} (16 bytes) is not used: output {0} has its size but lies on parameter 0{} \
             already",
        ]
    );
    assert_eq!(module.aliases.len(), 2);
    assert_eq!(module.donors.len(), 4);
    assert!(!run(&mut module, Donors::Registered).unwrap().changed, "a second run finds nothing");
}

#[test]
fn donors_without_use_are_findings() {
    let module = read(DONATED);
    let found = findings(&module);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|f| f.code == Code::HloDonorUnused && f.labels.len() == 2));
    assert_eq!(module, read(DONATED), "the module is left as it is");
}

#[test]
fn all_parameters_are_donors_on_demand() {
    let text =
        "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negate(p)\n}\n";
    assert!(!run(&mut read(text), Donors::Registered).unwrap().changed);
    let mut module = read(text);
    assert!(run(&mut module, Donors::All).unwrap().changed);
    assert_eq!(module.aliases.len(), 1);
}

#[test]
fn shardings_that_differ_are_no_pair() {
    let text = |one: &str, root: &str| {
        format!(
            "HloModule m, buffer_donor={{ (0, {{}}), (1, {{}}) }}\n\nENTRY e {{\n  p = f32[4] \
             parameter(0){one}\n  q = f32[4] parameter(1)\n  n = f32[4] negate(p)\n  ROOT r = \
             (f32[4]) tuple(n){root}\n}}\n"
        )
    };
    let two = ", sharding={devices=[2]<=[2]}";
    let mut module = read(&text(two, ", sharding={{replicated}}"));
    let report = run(&mut module, Donors::Registered).unwrap();
    assert_eq!(module.aliases[0].parameter, 1, "the one that says nothing fits");
    assert!(matches!(&report.notes[0], Note::Donor { fate: Fate::OtherSharding { .. }, .. }));
    let mut module = read(&text(two, ", sharding={{devices=[2]<=[2]}}"));
    run(&mut module, Donors::Registered).unwrap();
    assert_eq!(module.aliases[0].parameter, 0);
    let mut module = read(&text(two, ""));
    run(&mut module, Donors::Registered).unwrap();
    assert_eq!(module.aliases[0].parameter, 0);
}

#[test]
fn a_dynamic_output_keeps_every_donor_from_use() {
    let text = "HloModule m, buffer_donor={ (0, {}) }\n\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT d = \
        f32[<=4] custom-call(p), custom_call_target=\"f\"\n}\n";
    let report = run(&mut read(text), Donors::Registered).unwrap();
    assert!(!report.changed);
    assert!(matches!(&report.notes[..], [Note::Donor { fate: Fate::DynamicOutput, .. }]));
}

#[test]
fn an_output_made_while_its_parameter_is_read_is_copied_to_it_at_the_end() {
    let text = |last: &str| {
        format!(
            "HloModule m, is_scheduled=true, buffer_donor={{ (0, {{}}) }}\n\nENTRY e {{\n  p = f32[4] \
             parameter(0)\n  n = f32[4] exponential(p)\n  b = f32[4] add(n, {last})\n  s = f32[2] slice(b), \
             slice={{[0:2]}}\n  ROOT t = (f32[4], f32[2]) tuple(n, s)\n}}\n"
        )
    };
    let mut module = read(&text("n"));
    let instructions = module.instructions.len();
    assert_eq!(run(&mut module, Donors::Registered).unwrap().notes.len(), 1);
    assert_eq!((module.aliases.len(), module.instructions.len()), (1, instructions));
    let mut module = read(&text("p"));
    let report = run(&mut module, Donors::Registered).unwrap();
    assert!(matches!(&report.notes[..], [Note::Donor { .. }, Note::CopyAdded { .. }]));
    let root = &module.instructions[module.entry().root];
    assert_eq!(module.instructions[root.operands[0]].name, "copy");
    assert_eq!(module.aliases.len(), 1);
}
