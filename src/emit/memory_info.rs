//! The display JSON of the compiler's pass, for tools that read it (HIVM spec 6.5).

use crate::diag::Sources;
use crate::format::memory_info::{Buffer, Header, MemoryInfo, Record, write};
use crate::ir::hivm::Kernels;
use crate::ir::mlir::Role;
use crate::model::{Answer, Function, Problem, ScopeAnswer};

/// The JSON of all functions of an answer.
pub fn memory_info(
    problem: &Problem,
    answer: &Answer,
    kernels: &Kernels,
    sources: &Sources,
) -> String {
    let functions = answer.functions.iter().map(|f| {
        let function = &problem.functions[f.index];
        let writer = Writer { function, kernels, sources, index: f.index };
        let record = f.scopes.iter().map(|scope| Record {
            scope: space(&problem.scopes[scope.scope].name).to_owned(),
            status: if scope.verdict.has_plan() { "success" } else { "fail" }.to_owned(),
            error_info: scope
                .message
                .clone()
                .filter(|_| !scope.verdict.has_plan())
                .unwrap_or_default(),
            memory_info_array: writer.buffers(scope, &f.plan.placements),
        });
        MemoryInfo { header: Header { kernel_name: f.name.clone() }, record: record.collect() }
    });
    write(functions.collect())
}

/// The compiler's name of a scope.
fn space(scope: &str) -> &str {
    match scope {
        "l1" => "cbuf",
        "l0c" => "cc",
        "l0a" => "ca",
        "l0b" => "cb",
        other => other,
    }
}

struct Writer<'a> {
    function: &'a Function,
    kernels: &'a Kernels,
    sources: &'a Sources,
    index: usize,
}

impl Writer<'_> {
    fn buffers(&self, scope: &ScopeAnswer, placed: &[crate::model::Placement]) -> Vec<Buffer> {
        let kernel = &self.kernels.functions[self.index];
        let ir = &self.kernels.file.chunks[kernel.chunk].functions[kernel.function];
        let text = self.sources.get(self.kernels.text).map_or("", |s| &s.text);
        let mut out = Vec::new();
        for (id, live) in &scope.buffers {
            let buffer = &self.function.buffers[*id];
            let Some(placement) = placed.iter().find(|p| p.id == Some(id.0)) else { continue };
            let maker = kernel.makers.get(id.0 as usize).map(|op| (*op, &ir.ops[*op]));
            let printed =
                maker.and_then(|(_, op)| text.get(op.loc.start as usize..op.loc.end as usize));
            let step = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
            let first = live.first().map(|l| step(l.start.0));
            let last = live.last().map(|l| step(l.end.0) - 1);
            let temporary = maker.is_some_and(|(_, op)| {
                let uses = op.results.first().map(|v| ir.values[*v].uses.as_slice());
                uses.unwrap_or_default().iter().any(|u| {
                    let operand = ir.ops[u.op].operands.get(u.operand as usize);
                    operand.is_some_and(|o| o.role == Role::Temp)
                })
            });
            out.push(Buffer {
                buffer: printed.map_or_else(|| format!("%{}", buffer.name), str::to_owned),
                offset: placement.offsets.clone(),
                extent: bits(buffer),
                alloc_time_in_ir: first.unwrap_or(0),
                life_time_in_ir: first.into_iter().chain(last).collect(),
                source_location: maker
                    .and_then(|(_, op)| op.printed_loc.clone())
                    .or_else(|| buffer.loc.map(|l| self.sources.place(l)))
                    .unwrap_or_default(),
                is_tmpbuf: temporary,
            });
        }
        out
    }
}

/// Bits of a slot, rounded up to whole bytes.
fn bits(buffer: &crate::model::Buffer) -> u64 {
    buffer.size.0.saturating_mul(8)
}
