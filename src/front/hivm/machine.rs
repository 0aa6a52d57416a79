//! The memories of a function: the target's, as its module changes them.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::front::spec::targets::{self, Target};
use crate::ir::hivm::{HwPipe, PassKind, PassOptions, TargetNumbers, hacc_target};
use crate::ir::mlir::{Chunk, Function, OpId};
use crate::model::{Capacity, Pipe, PipeId, Problem, Scope, ScopeId};

/// HIVM's names of memories, and those of the targets.
const SPACES: &[(&str, &str)] =
    &[("ub", "ub"), ("cbuf", "l1"), ("cc", "l0c"), ("ca", "l0a"), ("cb", "l0b")];

/// The memories that one function is planned in.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// By the name of the space.
    scopes: BTreeMap<&'static str, ScopeId>,
    pipes: Vec<Pipe>,
}

/// All machines of a text: functions with the same numbers share one.
pub(super) struct Machines<'a> {
    target: &'a Target,
    known: Vec<(TargetNumbers, Machine)>,
}

impl Machine {
    /// The scope of a space, if it is planned.
    pub(super) fn scope_of_space(&self, space: &str) -> Option<ScopeId> {
        self.scopes.get(space).copied()
    }

    pub(super) fn pipe(&self, pipe: HwPipe) -> Option<PipeId> {
        let name = match pipe {
            HwPipe::Mte1 => "MTE1",
            HwPipe::Mte2 => "MTE2",
            HwPipe::Mte3 => "MTE3",
            HwPipe::V => "V",
            HwPipe::M => "M",
            HwPipe::Fix => "FIX",
            HwPipe::S => "S",
        };
        let at = self.pipes.iter().position(|p| p.name == name)?;
        Some(crate::model::Index::new(at))
    }

    /// True where a coupled buffer belongs to the other core: `ub` on the cube side, `cbuf` on the
    /// vector side (HIVM spec 2.9).
    pub(super) fn is_consumer(&self, function: &Function, maker: OpId) -> bool {
        let Some(&result) = function.ops[maker].results.first() else { return false };
        let space = function.ty(result).memref().and_then(|m| m.space.as_deref());
        matches!((core_type(function), space), ("AIC", Some("ub")) | ("AIV", Some("cbuf")))
    }
}

/// `AIC`, `AIV`, `MIX`, or nothing.
pub(super) fn core_type(function: &Function) -> &str {
    if function.attrs.has("hivm.vector_function") {
        return "AIV";
    }
    function.attrs.get("hivm.func_core_type").and_then(|a| a.word()).unwrap_or_default()
}

impl<'a> Machines<'a> {
    pub(super) fn new(target: &'a Target) -> Self {
        Self { target, known: Vec::new() }
    }

    /// The machine of a function; its scopes are added to the problem when first needed.
    ///
    /// # Errors
    /// `simt-vf-dynamic-size` out of range for a function that needs it.
    pub(super) fn of(
        &mut self,
        problem: &mut Problem,
        chunk: &Chunk,
        function: &Function,
        options: &PassOptions,
    ) -> Result<Machine, Diagnostic> {
        let numbers = numbers(self.target, chunk, function, options)?;
        if let Some((_, machine)) = self.known.iter().find(|(n, _)| *n == numbers) {
            return Ok(machine.clone());
        }
        let mut scopes = BTreeMap::new();
        for &(space, name) in SPACES {
            let Some(id) = self.target.scope(name) else { continue };
            let mut scope = self.target.scopes[id].clone();
            let (bits, align) = match name {
                "ub" => (numbers.ub, numbers.ub_align),
                "l1" => (numbers.l1, numbers.l1_align),
                "l0c" => (numbers.l0c, numbers.l0c_align),
                _ => (0, 0),
            };
            if align > 0 {
                scope.capacity = Capacity::Bytes(bits / 8);
                scope.alignment = align.div_ceil(8);
            }
            let same = problem.scopes.enumerate().find(|(_, s)| **s == scope).map(|(id, _)| id);
            scopes.insert(space, same.unwrap_or_else(|| problem.scopes.push(scope)));
        }
        let pipes = problem.pipes.iter().cloned().collect();
        let machine = Machine { scopes, pipes };
        self.known.push((numbers, machine.clone()));
        Ok(machine)
    }
}

/// The numbers that hold for a function: those of the module's device spec, else those of the target; the
/// SIMT rule on register-based chips (HIVM spec 1.3, 1.5).
///
/// # Errors
/// `simt-vf-dynamic-size` out of range.
pub(super) fn numbers(
    target: &Target,
    chunk: &Chunk,
    function: &Function,
    options: &PassOptions,
) -> Result<TargetNumbers, Diagnostic> {
    let mut numbers = chunk_numbers(target, chunk);
    let mode = function.attrs.get("hivm.vf_mode").and_then(|a| a.word());
    if numbers.reg_based && matches!(mode, Some("SIMT" | "MIX")) {
        numbers.ub = numbers.simt_ub(options.simt_kib).map_err(|why| {
            Diagnostic::error(Code::HivmSimtSize, format!("`{}`: {why}", function.name))
                .at(function.loc, "a SIMT function")
                .help("give another `simt-vf-dynamic-size` with --hivm-options")
        })?;
    }
    Ok(numbers)
}

/// The numbers of a module without the SIMT rule.
pub(super) fn chunk_numbers(target: &Target, chunk: &Chunk) -> TargetNumbers {
    let own = from_target(target, chunk);
    match crate::ir::hivm::system_spec(&chunk.attrs) {
        None => own,
        Some(entries) => {
            let get = |key: &str, or: u64| {
                entries
                    .iter()
                    .rev()
                    .find(|(k, n)| k == key && (*n > 0 || !k.ends_with("_ALIGN_SIZE")))
                    .map_or(or, |&(_, n)| n)
            };
            TargetNumbers {
                ub: get("UB_SIZE", own.ub),
                l1: get("L1_SIZE", own.l1),
                l0c: get("L0C_SIZE", own.l0c),
                ub_align: get("UB_ALIGN_SIZE", own.ub_align).max(1),
                l1_align: get("L1_ALIGN_SIZE", own.l1_align).max(1),
                l0c_align: get("L0C_ALIGN_SIZE", own.l0c_align).max(1),
                min_dcache: get("MINIMAL_D_CACHE_SIZE", own.min_dcache),
                max_dcache: get("MAXIMUM_D_CACHE_SIZE", own.max_dcache),
                reg_based: own.reg_based,
            }
        }
    }
}

fn from_target(target: &Target, chunk: &Chunk) -> TargetNumbers {
    use crate::ir::hivm::Family;
    // A target file is no chip; its family is told by its name where it has one.
    let by_name = |name: &str| {
        let name = name.to_ascii_lowercase();
        let upper = format!("Ascend{}", name.strip_prefix("ascend").unwrap_or(&name));
        Family::of(&upper).or_else(|| Family::of(&upper.to_uppercase().replace("ASCEND", "Ascend")))
    };
    let file = by_name(&target.info.name);
    let family = hacc_target(&chunk.attrs).and_then(by_name).or(file);
    let caches = file.map_or((0, 0), |f| (f.numbers().min_dcache, f.numbers().max_dcache));
    let scope = |name: &str| -> (u64, u64) {
        let Some(id) = target.scope(name) else { return (0, 8) };
        let scope: &Scope = &target.scopes[id];
        let bits = scope.bytes().unwrap_or(0).saturating_mul(8);
        (bits, scope.alignment.saturating_mul(8))
    };
    let ((ub, ub_align), (l1, l1_align), (l0c, l0c_align)) =
        (scope("ub"), scope("l1"), scope("l0c"));
    TargetNumbers {
        ub,
        l1,
        l0c,
        ub_align,
        l1_align,
        l0c_align,
        min_dcache: caches.0,
        max_dcache: caches.1,
        reg_based: family.is_some_and(Family::reg_based),
    }
}

/// What a module says of its target that is not understood.
pub(super) fn doubts(chunk: &Chunk, at: crate::diag::Loc) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    if let Some(name) = hacc_target(&chunk.attrs).filter(|n| targets::find(n).is_none()) {
        let message = format!("the module is for `{name}`, a chip that is not known here");
        out.push(Diagnostic::warning(Code::SpecUnknownTarget, message).at(at, ""));
    }
    if let Some(entries) = crate::ir::hivm::system_spec(&chunk.attrs) {
        // A size may be 0, an alignment not.
        let said = |k: &str, n: u64| n > 0 || !k.ends_with("_ALIGN_SIZE");
        let known = |key: &&str| entries.iter().any(|(k, n)| k == key && said(k, *n));
        let wanted =
            ["UB_SIZE", "L1_SIZE", "L0C_SIZE", "UB_ALIGN_SIZE", "L1_ALIGN_SIZE", "L0C_ALIGN_SIZE"];
        let missing: Vec<&str> = wanted.into_iter().filter(|k| !known(k)).collect();
        if !missing.is_empty() {
            let message = format!(
                "the module's device spec does not say {}: the target's numbers are taken",
                missing.join(", ")
            );
            out.push(Diagnostic::warning(Code::SpecUnknownTarget, message).at(at, ""));
        }
    }
    out
}

/// The scope of a workspace argument.
pub(super) fn workspace(problem: &mut Problem, argument: &str, options: &PassOptions) -> ScopeId {
    let name = format!("workspace:%{argument}");
    if let Some(id) = problem.scope(&name) {
        return id;
    }
    // Base rounds every size to 32 bytes; regbase does not (HIVM spec 5).
    let base = options.pass == PassKind::Base;
    problem.scopes.push(Scope {
        name,
        capacity: Capacity::Unbounded,
        alignment: if base { 32 } else { 1 },
        round_up: base,
        reserved: Vec::new(),
        partitions: Vec::new(),
        source: Some("the runtime allocates it".to_owned()),
        loc: None,
    })
}
