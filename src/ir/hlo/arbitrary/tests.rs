//! What whoever feeds on generated modules may rely on.

use quickcheck::QuickCheck;

use super::{module_of, random_module};
use crate::ir::hlo::tests::module;
use crate::ir::hlo::{Module, Opcode, Platform, Sharing, in_place_pairs, print};

/// Checks a property of modules of many sizes.
fn check(property: fn(&Module, &str) -> bool) {
    let cases = std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for seed in 0..cases {
        let text = random_module(seed, 1 + usize::try_from(seed % 60).unwrap());
        assert!(property(&module(&text), &text), "seed {seed}\n{text}");
    }
}

/// Every generated module is read, and so is what is printed of it.
#[test]
fn every_module_is_valid() {
    check(|module, _| {
        let printed = print(module);
        self::module(&printed).instructions.len() == module.instructions.len()
    });
}

/// A seed always gives the same module.
#[test]
fn a_seed_gives_one_module() {
    assert_eq!(random_module(7, 40), random_module(7, 40));
    assert_ne!(random_module(7, 40), random_module(8, 40));
}

/// Any bytes choose a valid module.
#[test]
fn any_bytes_choose_a_valid_module() {
    fn holds(bytes: Vec<u8>) -> bool {
        !module(&module_of(&bytes)).instructions.is_empty()
    }
    QuickCheck::new().tests(100).quickcheck(holds as fn(Vec<u8>) -> bool);
}

/// In-place pairs join nodes of equal size that exist.
#[test]
fn in_place_pairs_have_equal_sizes() {
    check(|module, _| {
        module.instructions.enumerate().all(|(id, op)| {
            in_place_pairs(module, id).iter().all(|pair| {
                let operand = op.operands[pair.operand as usize];
                let from = module.instructions[operand].shape.at(&pair.operand_index).unwrap();
                let to = op.shape.at(&pair.output_index).unwrap();
                from.bytes(8) == to.bytes(8)
            })
        })
    });
}

/// Who may share bytes has as many of them, in the same memory space.
#[test]
fn sharers_have_equal_sizes() {
    check(|module, _| {
        [Platform::Cpu, Platform::Gpu].into_iter().all(|platform| {
            let rules = Sharing::new(module, platform);
            module.instructions.enumerate().all(|(user, op)| {
                op.operands.iter().all(|&operand| {
                    let given = &module.instructions[operand];
                    let mut pairs = given.shape.nodes().into_iter().flat_map(|from| {
                        op.shape.nodes().into_iter().map(move |to| (from.clone(), to))
                    });
                    pairs.all(|((from, a), (to, b))| {
                        !rules.may_share(operand, &from, user, &to)
                            || (a.bytes(8) == b.bytes(8) && a.memory_space() == b.memory_space())
                    })
                })
            })
        })
    });
}

/// What the generator is for: all kinds of instructions come up.
#[test]
fn all_kinds_of_instructions_come_up() {
    let mut seen = std::collections::BTreeMap::<Opcode, usize>::new();
    for seed in 0..150 {
        for op in module(&random_module(seed, 40)).instructions.iter() {
            *seen.entry(op.opcode.clone()).or_default() += 1;
        }
    }
    for word in [
        "while",
        "conditional",
        "call",
        "fusion",
        "async-start",
        "async-done",
        "copy-start",
        "copy-done",
        "all-reduce-start",
        "opt-barrier",
        "bitcast",
        "dynamic-update-slice",
        "dynamic-slice",
        "scatter",
        "custom-call",
        "dot",
        "reduce",
        "sort",
        "tuple",
        "get-tuple-element",
        "copy",
        "select",
        "compare",
        "convert",
        "constant",
        "broadcast",
        "transpose",
        "concatenate",
        "slice",
        "all-reduce",
    ] {
        assert!(seen.contains_key(&Opcode::of(word)), "no {word} in {seen:?}");
    }
}
