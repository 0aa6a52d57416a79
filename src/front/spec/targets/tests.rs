//! The figures of the public chip description (spec/hivm-plan-memory.md, section 1.5, in bits),
//! stated here a second time and apart from the files.

use super::*;

fn load(name: &str, profile: Option<&str>) -> Target {
    let mut sources = Sources::default();
    let file = sources.add(format!("{name}.toml"), find(name).unwrap());
    read(&sources, file, profile).unwrap()
}

fn errors(text: &str, profile: Option<&str>) -> Vec<(Code, String)> {
    let mut sources = Sources::default();
    let file = sources.add("t.toml", text);
    let errors = read(&sources, file, profile).unwrap_err();
    for error in &errors {
        for label in &error.labels {
            assert!(label.loc.start < label.loc.end && label.loc.end as usize <= text.len());
        }
    }
    errors.into_iter().map(|e| (e.code, e.message)).collect()
}

fn scope<'a>(target: &'a Target, name: &str) -> &'a Scope {
    &target.scopes[target.scope(name).unwrap()]
}

/// Scope, bits, bits of alignment.
const A2: &[(&str, u64, u64)] = &[
    ("ub", 1_572_864, 256),
    ("l1", 4_194_304, 256),
    ("l0c", 1_048_576, 4096),
    ("l0a", 524_288, 4096),
    ("l0b", 524_288, 4096),
];
const A310B: &[(&str, u64, u64)] = &[
    ("ub", 2_097_152, 256),
    ("l1", 8_388_608, 256),
    ("l0c", 1_048_576, 4096),
    ("l0a", 524_288, 4096),
    ("l0b", 524_288, 4096),
];
const A5: &[(&str, u64, u64)] = &[
    ("ub", 2_031_616, 256),
    ("l1", 4_194_304, 256),
    ("l0c", 2_097_152, 4096),
    ("l0a", 524_288, 4096),
    ("l0b", 524_288, 4096),
];

#[test]
fn every_number_of_the_chip_table() {
    let chips =
        [("ascend910b", A2), ("ascend910_93", A2), ("ascend310b", A310B), ("ascend950", A5)];
    assert_eq!(chips.len(), embedded().len());
    for (name, rows) in chips {
        let target = load(name, None);
        assert_eq!(target.info, TargetInfo { name: name.to_owned(), profile: None });
        for (scope_name, bits, alignment) in rows {
            let scope = scope(&target, scope_name);
            assert_eq!(scope.capacity, Capacity::Bytes(bits / 8), "{name} {scope_name}");
            assert_eq!(scope.alignment, alignment / 8, "{name} {scope_name}");
            assert!(scope.round_up && scope.reserved.is_empty());
            assert_eq!(scope.usable(), Some(bits / 8));
            // The file says where the number is from, and quotes the same bits.
            assert!(scope.source.as_ref().unwrap().contains(&bits.to_string()));
        }
        for unsized_scope in ["bt", "fb"] {
            let scope = scope(&target, unsized_scope);
            assert_eq!((scope.capacity, scope.alignment), (Capacity::Unknown, 64));
        }
        assert_eq!(scope(&target, "gm").capacity, Capacity::Unbounded);
        let names: Vec<&str> = target.scopes.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["ub", "l1", "l0a", "l0b", "l0c", "bt", "fb", "gm"]);
        for (alias, own) in
            [("cbuf", "l1"), ("ca", "l0a"), ("cb", "l0b"), ("cc", "l0c"), ("FP", "fb")]
        {
            assert_eq!(target.scope(alias), target.scope(own));
        }
    }
}

#[test]
fn the_pipes_of_every_chip() {
    let expected = [
        ("MTE1", PipeKind::Dma),
        ("MTE2", PipeKind::Dma),
        ("MTE3", PipeKind::Dma),
        ("V", PipeKind::Vector),
        ("M", PipeKind::Cube),
        ("FIX", PipeKind::Dma),
        ("S", PipeKind::Scalar),
    ];
    for (name, _) in embedded() {
        let target = load(name, None);
        let pipes: Vec<_> = target.pipes.iter().map(|p| (p.name.as_str(), p.kind)).collect();
        assert_eq!(pipes, expected);
    }
}

#[test]
fn what_other_stacks_leave_usable() {
    for a2 in ["ascend910b", "ascend910_93"] {
        let tilelang = load(a2, Some("tilelang-ascend"));
        assert_eq!(scope(&tilelang, "ub").usable(), Some(196_352));
        assert_eq!(scope(&tilelang, "l1").usable(), Some(524_032));
        let pypto = load(a2, Some("pypto"));
        assert_eq!(pypto.info.profile.as_deref(), Some("pypto"));
        assert_eq!(scope(&pypto, "ub").usable(), Some(188_416));
        assert_eq!(scope(&pypto, "ub").capacity, Capacity::Bytes(196_608));
        let l0 = ["l0a", "l0b", "l0c"].map(|s| scope(&pypto, s).alignment);
        assert_eq!(l0, [32, 32, 32]);
        assert_eq!(load(a2, Some("physical")).scopes, load(a2, None).scopes);
    }
    assert_eq!(scope(&load("ascend950", Some("pypto")), "ub").usable(), Some(245_760));
    // UB less the smallest (262144 bits) and the largest (983040 bits) data cache.
    let simt = scope(&load("ascend950", Some("simt")), "ub").usable();
    assert_eq!(simt, Some(216 * 1024));
    assert_eq!(simt, Some((2_031_616 - 262_144) / 8));
    let least = scope(&load("ascend950", Some("simt-largest-cache")), "ub").usable();
    assert_eq!(least, Some((2_031_616 - 983_040) / 8));
}

#[test]
fn every_chip_name_selects_its_target() {
    let chips = [
        ("ascend910b", "Ascend910B", "1 2 3 4 4_1 2C 4-1"),
        ("ascend910_93", "Ascend910_", "9362 9363 9372 9381 9382 9391 9392"),
        ("ascend310b", "Ascend310B", "1 2 3 4"),
        ("ascend950", "Ascend910_", "950z 9579 957b 957d 9581 9589 958a 958b 9599"),
        (
            "ascend950",
            "Ascend950PR_",
            "950z 9579 957a 957b 957c 957d 9589 958a 958b 958c 958d 9599 959a 959b",
        ),
        (
            "ascend950",
            "Ascend950DT_",
            "950x 950y 9571 9572 9573 9574 9575 9576 9577 9578 9581 9582 9583 9584 9585 9586 9587 \
             9588 9591 9592 9595 9596 95A1 95A2",
        ),
    ];
    let mut seen = 0;
    for (target, prefix, endings) in chips {
        for ending in endings.split_whitespace() {
            let chip = format!("{prefix}{ending}");
            for name in [chip.clone(), chip.to_lowercase(), chip.to_uppercase()] {
                assert_eq!(find(&name), find(target), "{name}");
            }
            seen += 1;
        }
    }
    let listed: usize = embedded().iter().map(|(_, text)| selectors(text).len()).sum();
    // The families and the spelling `B4-1` are not chips of the list.
    assert_eq!(seen - 1, listed - (3 + 3 + 2 + 5));
    for (family, target) in [("A2", "ascend910b"), ("a3", "ascend910_93"), ("A5", "ascend950")] {
        assert_eq!(find(family), find(target));
    }
    assert_eq!(find("ascend910"), None);
    assert_eq!(find(""), None);
}

#[test]
fn no_name_selects_two_targets() {
    let mut all: Vec<String> = Vec::new();
    for (name, text) in embedded() {
        all.push(key(name));
        // A family may be spelt as the target is.
        all.extend(selectors(text).iter().map(|s| key(s)).filter(|s| s != name));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn an_unknown_target_says_what_was_meant() {
    let near = unknown("ascend910c");
    assert_eq!(near.code, Code::SpecUnknownTarget);
    assert!(near.help.unwrap().starts_with("did you mean `ascend910"));
    assert!(unknown("h100-sxm").help.unwrap().contains("ascend310b, ascend910_93, ascend910b"));
}

#[test]
fn errors_are_reported_all_at_once() {
    let found = errors(
        r#"
version = 2
name = "t"
[[scope]]
name = "ub"
aliases = ["UB"]
capacity = 64
alignment = 0
reserved = [
  { range = [8, 8], why = "w", source = "s" },
  { range = [0, 65], why = "w", source = "s" },
  { range = [0, 9], why = "w", source = "s" },
  { range = [8, 12], why = "w", source = "s" },
]
source = "s"
[[pipe]]
name = "V"
kind = "vector"
[[pipe]]
name = "v"
kind = "vector"
[[profile.p.scope]]
name = "ubb"
"#,
        Some("q"),
    );
    let codes: Vec<Code> = found.iter().map(|(code, _)| *code).collect();
    let expected = [
        Code::SpecVersion,
        Code::SpecInvalidValue,
        Code::SpecBadInterval,
        Code::SpecBadScope,
        Code::SpecBadScope,
        Code::SpecDuplicateName,
        Code::SpecDuplicateName,
        Code::SpecUnknownName,
        Code::SpecUnknownName,
    ];
    assert_eq!(codes, expected, "{found:#?}");
}

#[test]
fn errors_of_shape_are_coded() {
    let scope = |line: &str| {
        let text = format!(
            "version = 1\nname = \"t\"\n[[scope]]\nname = \"ub\"\nalignment = 1\nsource = \"s\"\n{line}\n"
        );
        errors(&text, None).into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    assert_eq!(scope("capacity = \"plenty\""), [Code::SpecInvalidValue]);
    assert_eq!(scope("capacity = -1"), [Code::SpecInvalidValue]);
    assert_eq!(scope("capacity = true"), [Code::SpecWrongType]);
    assert_eq!(scope("capacity = 1\nalign = 2"), [Code::SpecUnknownKey]);
    assert_eq!(scope(""), [Code::SpecMissingKey]);
    assert_eq!(scope("capacity"), [Code::SpecSyntax]);
}

#[test]
fn sizes_may_be_written_as_in_specs() {
    let text = "version = 1\nname = \"t\"\n[[scope]]\nname = \"ub\"\ncapacity = \"256 KiB\"\n\
                alignment = \"64 B\"\nsource = \"s\"\n\
                reserved = [{ range = [\"248 KiB\", 262144], why = \"w\", source = \"s\" }]\n";
    let mut sources = Sources::default();
    let file = sources.add("t.toml", text);
    let target = read(&sources, file, None).expect("a target");
    let ub = scope(&target, "ub");
    assert_eq!((ub.capacity, ub.alignment), (Capacity::Bytes(262_144), 64));
    assert_eq!(ub.usable(), Some(253_952));
    let wrong = text.replace("256 KiB", "256 parsecs");
    let codes: Vec<Code> = errors(&wrong, None).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, [Code::SpecInvalidValue]);
}

#[test]
fn a_capacity_that_the_caller_sets_need_not_be_known() {
    struct Sets;
    impl super::super::Targets for Sets {
        fn load(&mut self, sources: &mut Sources, name: &str) -> Result<FileId, Diagnostic> {
            Embedded.load(sources, name)
        }
        fn sets(&self, scope: &str) -> bool {
            scope == "bt"
        }
    }
    let spec = |scope: &str, targets: &mut dyn super::super::Targets| {
        let text = format!(
            "version = 1\ntarget = \"ascend910b\"\n[[buffer]]\nname = \"b\"\nscope = \"{scope}\"\n\
             size = 64\nlive = [0, 1]\n"
        );
        let mut sources = Sources::default();
        let file = sources.add("s.toml", text);
        let read = super::super::read(&mut sources, file, None, targets);
        read.map(|_| ()).map_err(|errors| errors[0].code)
    };
    assert_eq!(spec("bt", &mut Embedded), Err(Code::SpecUnknownCapacity));
    assert_eq!(spec("bt", &mut Sets), Ok(()));
    assert_eq!(spec("fb", &mut Sets), Err(Code::SpecUnknownCapacity));
}
