//! Kernels in a short form of MLIR text, and what the pass decides for them.
//!
//! A line `%a = UB<8xf32>` is an alloc; `load %a : 8xf32`, `store %a : 8xf32`, `slots 2 %a : 8xf32`
//! and `vadd %a, %b -> %c : 8xf32` are the ops that most kernels are made of; `UB<..>`, `L1<..>`,
//! `L0C<..>`, `GM<..>` are memrefs in that space. Every other line is MLIR as it stands.

mod calls;
mod coupled;
mod inplace;
mod lives;
mod marks;
mod pass;
mod slots;
mod workspace;

use crate::diag::FileId;
use crate::ir::hivm::{PassKind, PassOptions, PlanMode};
use crate::ir::mlir::{Chunk, parse};
use crate::plan::hivm::{Cause, Lowered, Outcome, Planned, lower, run_module, unwritten};

pub(super) const CHIP: &str = "Ascend910B1";
pub(super) const CHIP_950: &str = "Ascend950PR_950z";

pub(super) fn regbase() -> PassOptions {
    PassOptions { pass: PassKind::Regbase, ..PassOptions::default() }
}

pub(super) fn workspace() -> PassOptions {
    PassOptions { mode: PlanMode::Workspace, ..PassOptions::default() }
}

/// A module of one kernel with that body.
pub(super) fn kernel(body: &str) -> Chunk {
    let args = "%g: GM<?xf32>, %c: i1, %n: index, %i: index, %s: f32";
    module(&format!("func.func @kernel({args}) {{\n{body}\nreturn\n}}"))
}

/// A module with those functions.
pub(super) fn module(text: &str) -> Chunk {
    let lines: Vec<String> = text.lines().map(|l| spaces(&line(l))).collect();
    let text = lines.join("\n");
    let mut parsed = parse(FileId(0), &text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    assert_eq!(parsed.file.chunks.len(), 1);
    parsed.file.chunks.remove(0)
}

fn line(line: &str) -> String {
    let text = line.trim();
    let typed = |text: &str| text.split_once(" : ").map(|(a, b)| (a.to_owned(), b.to_owned()));
    if let Some((name, ty)) = text.split_once(" = ").filter(|(_, ty)| is_space(ty)) {
        return format!("{name} = memref.alloc() : {ty}");
    }
    let Some((word, rest)) = text.split_once(' ') else { return text.to_owned() };
    let Some((names, ty)) = typed(rest) else { return text.to_owned() };
    match word {
        "load" => format!("hivm.hir.load ins(%g : GM<{ty}>) outs({names} : UB<{ty}>)"),
        "store" => format!("hivm.hir.store ins({names} : UB<{ty}>) outs(%g : GM<{ty}>)"),
        "slots" => {
            let (count, name) = names.split_once(' ').expect("slots N %name : type");
            format!("annotation.mark {name} {{hivm.multi_buffer = {count} : i32}} : UB<{ty}>")
        }
        "vadd" => {
            let (sources, out) = names.split_once(" -> ").expect("vadd %a, %b -> %c : type");
            format!("hivm.hir.vadd ins({sources} : UB<{ty}>, UB<{ty}>) outs({out} : UB<{ty}>)")
        }
        _ => text.to_owned(),
    }
}

fn is_space(ty: &str) -> bool {
    ["UB<", "L1<", "L0C<"].iter().any(|s| ty.starts_with(s))
}

/// Writes `UB<8xf32>` out.
fn spaces(text: &str) -> String {
    let mut text = text.to_owned();
    for (short, name) in [("UB<", "ub"), ("L1<", "cbuf"), ("L0C<", "cc"), ("GM<", "gm")] {
        while let Some(at) = text.find(short) {
            let open = at + short.len();
            let mut depth = 1;
            let close = text[open..].find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            });
            let close = open + close.expect("brackets match");
            let memref = format!("memref<{}, #hivm.address_space<{name}>>", &text[open..close]);
            text.replace_range(at..=close, &memref);
        }
    }
    text
}

/// The first attempt at the first planned function.
pub(super) fn lowered(chunk: &Chunk, options: &PassOptions) -> Lowered {
    let function = chunk.functions.iter().position(crate::plan::hivm::is_planned);
    let target = crate::ir::hivm::module_target(&chunk.attrs, Some(CHIP)).expect("CHIP is known");
    lower(chunk, function.expect("one is planned"), options, &target, 0).expect("it is accepted")
}

/// Lives of the buffers of a kernel, base.
pub(super) fn lives(body: &str) -> Vec<Option<(i64, i64)>> {
    lowered(&kernel(body), &PassOptions::default()).lives
}

/// All functions must be planned.
pub(super) fn planned(chunk: &Chunk, options: &PassOptions, chip: &str) -> Vec<Planned> {
    let outcomes = run_module(chunk, options, Some(chip));
    let planned = outcomes.into_iter().filter_map(|outcome| match outcome {
        Outcome::Planned(planned) => Some(*planned),
        Outcome::Skipped(_) => None,
        Outcome::Failed(failed) => panic!("{:?}", failed.cause),
    });
    planned.collect()
}

/// Offsets in bytes; empty for a buffer without storage.
pub(super) fn bytes(planned: &Planned) -> Vec<Vec<u64>> {
    let offsets = planned.success.offsets.iter().cloned().map(Option::unwrap_or_default);
    offsets.map(|all| all.iter().map(|bits| bits.div_ceil(8)).collect()).collect()
}

/// Offsets of the buffers of a kernel in bytes.
pub(super) fn offsets_of(body: &str, options: &PassOptions, chip: &str) -> Vec<Vec<u64>> {
    let chunk = kernel(body);
    let planned = planned(&chunk, options, chip);
    assert!(unwritten(&chunk.functions[0], &planned[0]).is_empty());
    bytes(&planned[0])
}

/// The same for base on 910B1.
pub(super) fn offsets(body: &str) -> Vec<Vec<u64>> {
    offsets_of(body, &PassOptions::default(), CHIP)
}

/// The same where every buffer has one slot.
pub(super) fn single(body: &str) -> Vec<u64> {
    offsets(body).concat()
}

/// Why the first function that fails does.
pub(super) fn cause(chunk: &Chunk, options: &PassOptions, chip: &str) -> Cause {
    match run_module(chunk, options, Some(chip)).pop() {
        Some(Outcome::Failed(failed)) => failed.cause,
        other => panic!("{other:?}"),
    }
}

/// The message of a fatal error in a kernel, with the error reported before it.
pub(super) fn fatal(body: &str, options: &PassOptions) -> (String, Option<String>) {
    match cause(&kernel(body), options, CHIP) {
        Cause::Fatal(fatal) => (fatal.message, fatal.error),
        other => panic!("{other:?}"),
    }
}

/// The message of an overflow.
pub(super) fn overflow(chunk: &Chunk, options: &PassOptions, chip: &str) -> String {
    match cause(chunk, options, chip) {
        Cause::Overflow(failure, _) => failure.message,
        other => panic!("{other:?}"),
    }
}
