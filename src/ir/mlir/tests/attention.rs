//! The long text, looked at from several sides.

use super::show::{attrs, show};
use super::{ATTENTION, read};
use crate::ir::mlir::{Attr, Def, Function, Op, OpId, Role};

fn main() -> Function {
    let mut parsed = read(ATTENTION);
    parsed.file.chunks[0].functions.remove(1)
}

fn find<'f>(f: &'f Function, name: &str) -> Vec<(OpId, &'f Op)> {
    f.ops.enumerate().filter(|(_, op)| op.name == name).collect()
}

fn names(f: &Function, op: &Op, role: Role) -> Vec<String> {
    op.with_role(role).map(|v| f.values[v].name.clone()).collect()
}

#[test]
fn functions_and_modules() {
    let parsed = read(ATTENTION);
    let names: Vec<Vec<&str>> = parsed
        .file
        .chunks
        .iter()
        .map(|c| c.functions.iter().map(|f| f.name.as_str()).collect())
        .collect();
    assert_eq!(names, [vec!["rescale", "attention", "rescale_body"], vec!["second"]]);
    let chunk = &parsed.file.chunks[0];
    let spec = chunk.attrs.get("dlti.target_system_spec");
    let expected = "#dlti.target_system_spec<\"NPU\" : #hacc.target_device_spec<#dlti.dl_entry<\
                    \"UB_SIZE\", 1572864 : i32>>>";
    assert_eq!(spec, Some(&Attr::Other(expected.to_owned())));
    assert_eq!(chunk.functions[0].inputs.len(), 2);
    assert!(chunk.functions[0].body.is_none());
    assert!(chunk.functions[0].attrs.has("no_inline"));
    assert!(chunk.functions.iter().all(|f| f.top_level));
    let f = &chunk.functions[1];
    assert_eq!(f.printed_loc.as_deref(), Some("\"attention.py\":1:1"));
    assert_eq!(f.attrs.get("hivm.func_core_type").and_then(Attr::word), Some("AIV"));
    let args = f.attrs.get("arg_attrs");
    assert!(matches!(args, Some(Attr::Array(list)) if list.len() == 5), "{args:?}");
    let start = f.body_start.expect("a body");
    assert!(ATTENTION[..start.start as usize].ends_with("<AIV>} {"));
}

#[test]
fn operands_have_their_roles() {
    let f = main();
    let load = find(&f, "hivm.hir.load")[0].1;
    assert_eq!(names(&f, load, Role::In), ["view", "cst", "c0"]);
    assert_eq!(names(&f, load, Role::Out), ["alloc_0"]);
    let segments = load.attrs.get("segments").and_then(Attr::ints);
    assert_eq!(segments, Some(vec![1, 1, 1, 1, 0, 0]));
    let reduce = find(&f, "hivm.hir.vreduce")[0].1;
    assert_eq!(attrs(&reduce.attrs), "{kind=sum reduce_dims=[Int(1)]}");
    assert_eq!(names(&f, reduce, Role::Temp), ["temp"]);
    let mmad = find(&f, "hivm.hir.mmadL1")[0].1;
    let all: Vec<&str> = mmad.operands.iter().map(|o| f.values[o.value].name.as_str()).collect();
    assert_eq!(all, ["l1", "l1", "true", "c16", "c16", "c16", "l0c", "block"]);
    let workspace = find(&f, "memref_ext.alloc_workspace")[0].1;
    assert_eq!(workspace.attrs.get("segments").and_then(Attr::ints), Some(vec![1, 1, 1]));
    assert_eq!(
        find(&f, "func.call")[0].1.attrs.get("callee").and_then(Attr::word),
        Some("rescale")
    );
}

#[test]
fn loops_carry_values() {
    let f = main();
    let (id, op) = find(&f, "scf.for")[0];
    assert_eq!(op.operands.len(), 5);
    assert_eq!(op.results.len(), 2);
    assert_eq!(op.printed_loc.as_deref(), Some("\"attention.py\":9:5"));
    let body = f.regions[op.regions[0]].blocks[0];
    let args: Vec<&str> = f.blocks[body].args.iter().map(|v| f.values[*v].name.as_str()).collect();
    assert_eq!(args, ["i", "acc", "count"]);
    assert_eq!(f.ty(f.blocks[body].args[1]), f.ty(op.results[0]));
    assert_eq!(f.values[op.results[1]].def, Def::Result(id, 1));
    assert_eq!(f.values[op.results[1]].name, "loop#1");
    let while_op = find(&f, "scf.while")[0].1;
    assert_eq!(f.values[while_op.operands[0].value].name, "loop#0");
    assert_eq!(while_op.regions.len(), 2);
    let inner = find(&f, "scf.if")[0];
    assert_eq!(f.parent(inner.0), Some(id));
    assert!(inner.1.attrs.has("once"));
}

#[test]
fn locations_go_through_aliases() {
    let f = main();
    let place = |name: &str| find(&f, name)[0].1.printed_loc.clone();
    assert_eq!(place("memref.reinterpret_cast").as_deref(), Some("\"attention.py\":5:7"));
    assert_eq!(place("memref.alloc").as_deref(), Some("\"attention.py\":5:7"));
    assert_eq!(place("affine.apply").as_deref(), Some("\"attention.py\":6:2"));
    assert_eq!(place("memref.dim"), None);
}

#[test]
fn ids_are_in_textual_order_and_uses_follow_the_regions() {
    for chunk in read(ATTENTION).file.chunks {
        for f in chunk.functions {
            let starts: Vec<u32> = f.ops.iter().map(|op| op.loc.start).collect();
            assert!(starts.is_sorted());
            let starts: Vec<u32> = f.values.iter().map(|v| v.loc.start).collect();
            assert!(starts.is_sorted(), "{}", show(&f));
            for (id, op) in f.ops.enumerate() {
                for (at, operand) in op.operands.iter().enumerate() {
                    let uses = &f.values[operand.value].uses;
                    assert!(uses.iter().any(|u| u.op == id && u.operand as usize == at));
                }
            }
        }
    }
    let f = main();
    // `%n` bounds the loop; a while loop inside of nothing uses it after that.
    let n = f.values.enumerate().find(|(_, v)| v.name == "c0_i32").expect("c0_i32").1;
    let users: Vec<&str> = n.uses.iter().map(|u| f.ops[u.op].name.as_str()).collect();
    assert_eq!(users, ["arith.addi", "scf.for", "func.return"]);
}
