//! Which functions are planned, with which numbers, and what is reported (sections 1.2, 1.3, 1.5,
//! 4.12 to 4.14, 6).

use super::*;
use crate::plan::hivm::Skip;

const CHAIN: &str = "%a = UB<8xf32>\nload %a : 8xf32\nstore %a : 8xf32";

fn with_attributes(attrs: &str, body: &str) -> Chunk {
    let attrs = format!("func.func @kernel(%g: GM<?xf32>) attributes {{{attrs}}}");
    module(&format!("{attrs} {{\n{body}\nreturn\n}}"))
}

#[test]
fn host_and_vector_functions_are_not_planned() {
    let skip = |attrs: &str| match run_module(
        &with_attributes(attrs, CHAIN),
        &PassOptions::default(),
        Some(CHIP),
    )
    .pop()
    {
        Some(Outcome::Skipped(skip)) => Some(skip),
        _ => None,
    };
    assert_eq!(skip("hacc.function_kind = #hacc.function_kind<HOST>"), Some(Skip::Host));
    assert_eq!(skip("hivm.vector_function"), Some(Skip::VectorFunction));
    assert_eq!(skip("hacc.function_kind = #hacc.function_kind<DEVICE>"), None);
}

#[test]
fn without_any_target_the_pass_fails_silently() {
    let outcome = run_module(&kernel(CHAIN), &PassOptions::default(), None).pop();
    let Some(Outcome::Failed(failed)) = outcome else { panic!("it cannot be planned") };
    assert!(matches!(failed.cause, Cause::NoDevice));
}

#[test]
fn the_device_spec_of_a_module_counts_before_the_command_line() {
    let entries: String = [
        ("UB_SIZE", 512),
        ("L1_SIZE", 256),
        ("L0C_SIZE", 256),
        ("UB_ALIGN_SIZE", 256),
        ("L1_ALIGN_SIZE", 256),
        ("L0C_ALIGN_SIZE", 256),
    ]
    .map(|(key, n)| format!("#dlti.dl_entry<\"{key}\", {n} : i32>"))
    .join(", ");
    let body = "%a = UB<16xf32>\n%b = UB<16xf32>\nload %a : 16xf32\nload %b : 16xf32\n\
        store %a : 16xf32\nstore %b : 16xf32";
    let chunk = module(&format!(
        "module attributes {{dlti.target_system_spec = #dlti.target_system_spec<\"NPU\" : \
        #hacc.target_device_spec<{entries}>>}} {{\nfunc.func @kernel(%g: GM<?xf32>) {{\n{body}\n\
        return\n}}\n}}"
    ));
    let message = overflow(&chunk, &regbase(), CHIP);
    assert_eq!(message, "ub overflow, requires 1024 bits while 512 bits available!");
}

#[test]
fn a_buffer_without_a_write_is_reported() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\n%d = UB<8xf32>\nload %a : 8xf32\nstore %a : 8xf32\n\
        store %b : 8xf32";
    let chunk = kernel(body);
    let all = planned(&chunk, &PassOptions::default(), CHIP);
    assert_eq!(unwritten(&chunk.functions[0], &all[0]), [1, 2]);
}

#[test]
fn two_buffers_that_together_exceed_ub_overflow() {
    let body = "%a = UB<40000xf32>\n%b = UB<40000xf32>\nload %a : 40000xf32\nload %b : 40000xf32\n\
        store %a : 40000xf32\nstore %b : 40000xf32";
    let message = "ub overflow, requires 2560000 bits while 1572864 bits available! (possible \
        reason: tiling basic block is too large or block number is more than what user expect due \
        to multi-buffer feature is enabled and some ops need extra local buffer.)";
    assert_eq!(overflow(&kernel(body), &PassOptions::default(), CHIP), message);
    let short = "ub overflow, requires 2560000 bits while 1572864 bits available!";
    assert_eq!(overflow(&kernel(body), &regbase(), CHIP), short);
}

#[test]
fn a_single_oversize_entry_overflows_with_its_size() {
    let body = "%a = UB<80000xf32>\n%b = UB<80000xf32>\nload %a : 80000xf32\n\
        vadd %a, %a -> %b : 80000xf32\nstore %b : 80000xf32";
    let message = overflow(&kernel(body), &regbase(), CHIP);
    assert_eq!(message, "ub overflow, requires 2560000 bits while 1572864 bits available!");
}

#[test]
fn mix_functions_of_reg_based_chips_have_less_ub() {
    let body = "%a = UB<30720xf32>\n%b = UB<30720xf32>\nload %a : 30720xf32\nload %b : 30720xf32\n\
        store %a : 30720xf32\nstore %b : 30720xf32";
    let mode = |mode: &str| with_attributes(&format!("hivm.vf_mode = #hivm.vf_mode<{mode}>"), body);
    let message = overflow(&mode("MIX"), &regbase(), CHIP_950);
    assert_eq!(message, "ub overflow, requires 1966080 bits while 1769472 bits available!");
    let simd = planned(&mode("SIMD"), &regbase(), CHIP_950);
    assert_eq!(bytes(&simd[0]), [[0], [122880]]);
    let options = PassOptions { simt_kib: 217, ..regbase() };
    let Cause::Simt(message) = cause(&mode("SIMT"), &options, CHIP_950) else {
        panic!("217 KiB are too many")
    };
    let expected = "PlanMemory Fail : SimtVFDynamicSize have to in range [128, 216], but got 217!";
    assert_eq!(message, expected);
}

#[test]
fn reuse_of_transfer_buffers_is_warned_of_once_per_attempt() {
    let body = "%a = UB<32768xf32>\n%b = UB<32768xf32>\nload %a : 32768xf32\n\
        store %a : 32768xf32\nload %b : 32768xf32\nstore %b : 32768xf32";
    let all = planned(&kernel(body), &PassOptions::default(), CHIP);
    assert_eq!(bytes(&all[0]), [[0], [0]]);
    let warning = "warning: [hivm-plan-memory] There reused some dma buffers in ub address space, \
        which may stall pipe. Not reusing dma buffer needs 2097152 bits while 1572864 bits \
        available!";
    assert_eq!(all[0].warnings, [warning]);
}

#[test]
fn a_function_that_fails_ends_the_pass() {
    let bad = "func.func @bad() {\n%a = memref.alloc() : GM<8xf32>\nreturn\n}";
    let good = "func.func @good() {\nreturn\n}";
    let outcomes = run_module(
        &module(&format!("{good}\n{bad}\n{}", good.replace("good", "last"))),
        &PassOptions::default(),
        Some(CHIP),
    );
    assert_eq!(outcomes.len(), 2);
}

#[test]
fn warnings_of_all_twenty_attempts_are_repeated() {
    let body = "%a = UB<32768xf32>\n%b = UB<32768xf32>\n%d = L0C<300000xf32>\nload %a : 32768xf32\n\
        store %a : 32768xf32\nload %b : 32768xf32\nstore %b : 32768xf32\n\
        hivm.hir.mmadL1 ins(%n, %n : index, index) outs(%d : L0C<300000xf32>)";
    let outcome = run_module(&kernel(body), &regbase(), Some(CHIP)).pop();
    let Some(Outcome::Failed(failed)) = outcome else { panic!("L0C is too small") };
    assert_eq!(failed.warnings.len(), 20);
    let Cause::Overflow(failure, _) = failed.cause else { panic!("L0C is too small") };
    let message = "cc overflow, requires 9601024 bits while 1048576 bits available!";
    assert_eq!(failure.message, message);
}

/// Whatever a reader makes of a text with a line missing or twice, the planner answers.
#[test]
fn damaged_texts_are_survived() {
    let text = include_str!("../../../../../tests/files/mlir/attention.mlir")
        .replace(", dlti.target_system_spec = #dlti.target_system_spec<\"NPU\" : #spec>", "")
        .replace("?x64xf16", "16x64xf16")
        .replace("memref.alloc(%n)", "memref.alloc()")
        .replace(
            "memref<?xf16, #hivm.address_space<gm>>",
            "memref<64xf16, #hivm.address_space<gm>>",
        );
    let chunk = parse(FileId(0), &text).file.chunks.remove(0);
    let outcomes = run_module(&chunk, &PassOptions::default(), Some(CHIP_950));
    assert!(outcomes.iter().any(|o| matches!(o, Outcome::Planned(_))), "{outcomes:?}");
    let lines: Vec<&str> = text.lines().collect();
    let all = [PassOptions::default(), regbase(), workspace()];
    for at in 0..lines.len() {
        for twice in [false, true] {
            let mut lines = lines.clone();
            if twice {
                lines.insert(at, lines[at]);
            } else {
                lines.remove(at);
            }
            for chunk in parse(FileId(0), &lines.join("\n")).file.chunks {
                for options in &all {
                    let outcomes = run_module(&chunk, options, Some(CHIP_950));
                    assert!(outcomes.len() <= chunk.functions.len());
                }
            }
        }
    }
}

#[test]
fn a_device_spec_behind_an_alias_is_read() {
    let text = include_str!("../../../../../tests/files/mlir/attention.mlir");
    let chunk = parse(FileId(0), text).file.chunks.remove(0);
    let spec = crate::ir::hivm::system_spec(&chunk.attrs).expect("it has one");
    assert!(!spec.is_empty(), "{:?}", chunk.attrs);
}
