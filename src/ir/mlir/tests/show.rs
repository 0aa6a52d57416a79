//! A tree as lines, so that trees can be compared: equal text means equal trees, except for names
//! of values and places. Attributes are sorted, enums reduced to their word.

use std::fmt::Write;

use crate::ir::mlir::{Attr, Attrs, Function, OpId, RegionId, Role, ValueId};

/// The whole function.
pub(super) fn show(f: &Function) -> String {
    let mut out = format!("{} {:?} {}\n", f.name, f.inputs, attrs(&f.attrs));
    if let Some(body) = f.body {
        region(f, body, 1, &mut out);
    }
    let uses = f.values.enumerate().map(|(id, v)| format!("{}={:?}", id.0, v.uses));
    out + &uses.collect::<Vec<_>>().join("\n")
}

fn value(f: &Function, id: ValueId) -> String {
    format!("v{}:{:?}", id.0, f.values[id].ty)
}

fn region(f: &Function, id: RegionId, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for (at, block) in f.regions[id].blocks.iter().enumerate() {
        let block = &f.blocks[*block];
        let args: Vec<String> = block.args.iter().map(|v| value(f, *v)).collect();
        let _ = writeln!(out, "{pad}^{at}({})", args.join(", "));
        block.ops.iter().for_each(|id| op(f, *id, depth, out));
    }
}

fn op(f: &Function, id: OpId, depth: usize, out: &mut String) {
    let op = &f.ops[id];
    let results: Vec<String> = op.results.iter().map(|v| value(f, *v)).collect();
    let operands = op.operands.iter().map(|o| {
        let sign = match o.role {
            Role::In => "",
            Role::Out => "!",
            Role::Temp => "~",
        };
        format!("{sign}v{}", o.value.0)
    });
    let operands: Vec<String> = operands.collect();
    let pad = "  ".repeat(depth);
    let results = results.join(", ");
    let _ =
        writeln!(out, "{pad}{results} = {}({}) {}", op.name, operands.join(", "), attrs(&op.attrs));
    for successor in &op.successors {
        let region = f.blocks[op.block].region;
        let at = f.regions[region].blocks.iter().position(|b| *b == successor.block);
        let _ = writeln!(out, "{pad}  -> {at:?} {:?}", successor.args);
    }
    for id in &op.regions {
        let _ = writeln!(out, "{pad}  region");
        region(f, *id, depth + 2, out);
    }
}

pub(super) fn attrs(attrs: &Attrs) -> String {
    let mut list: Vec<String> =
        attrs.iter().map(|(name, attr, _)| format!("{name}={}", word(attr))).collect();
    list.sort();
    format!("{{{}}}", list.join(" "))
}

fn word(attr: &Attr) -> String {
    match attr {
        Attr::Dict(dict) => attrs(dict),
        Attr::Array(items) => {
            format!("[{}]", items.iter().map(word).collect::<Vec<_>>().join(","))
        }
        _ => attr.word().map_or_else(|| format!("{attr:?}"), str::to_owned),
    }
}
