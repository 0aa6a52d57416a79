//! Types from text.

use super::function;
use crate::ir::mlir::{Layout, Scalar, Type};

/// The type of an argument.
fn ty(text: &str) -> Type {
    let mut f = function(&format!(
        "#m = affine_map<(d0) -> (d0 * 2)>\n!t = memref<4xf32, 1 : i32>\n\
                                   func.func private @f({text})"
    ));
    f.inputs.remove(0)
}

fn width(text: &str) -> Option<u32> {
    let Type::MemRef(memref) = ty(&format!("memref<31744x{text}, #hivm.address_space<ub>>")) else {
        return None;
    };
    assert_eq!(memref.dims.as_deref(), Some(&[Some(31744)][..]));
    assert_eq!(memref.space.as_deref(), Some("ub"));
    memref.element.bits()
}

#[test]
fn elements() {
    let table = [
        ("i1", 1),
        ("i32", 32),
        ("si8", 8),
        ("ui16", 16),
        ("f16", 16),
        ("bf16", 16),
        ("f32", 32),
        ("f64", 64),
        ("tf32", 19),
        ("f8E4M3FN", 8),
        ("f8E5M2", 8),
        ("f8E4M3FNUZ", 8),
        ("f8E8M0FNU", 8),
        ("f6E2M3FN", 6),
        ("f4E2M1FN", 4),
    ];
    for (text, bits) in table {
        assert_eq!(width(text), Some(bits), "{text}");
        assert!(matches!(ty(text), Type::Scalar(s) if s.bits() == Some(bits)), "{text}");
    }
    assert_eq!(width("index"), None);
    assert_eq!(width("complex<f32>"), None);
    assert_eq!(ty("index"), Type::Scalar(Scalar::Index));
}

#[test]
fn layouts_and_spaces() {
    let memref = |text: &str| match ty(text) {
        Type::MemRef(memref) => memref,
        other => unreachable!("{text}: {other:?}"),
    };
    let m = memref("memref<16x?xf32, strided<[32, ?], offset: 8>, #hivm.address_space<cbuf>>");
    assert_eq!(m.dims.as_deref(), Some(&[Some(16), None][..]));
    assert_eq!(m.layout, Layout::Strided { strides: vec![Some(32), None], offset: Some(8) });
    assert_eq!(memref("memref<4xf32, strided<[1], offset: ?>>").offset(), None);
    assert_eq!(memref("memref<4xf32, strided<[1]>>").offset(), Some(0));
    assert_eq!(memref("memref<4xf32, strided<[1]>>").space, None);
    assert_eq!(memref("memref<4xf32, 1 : i32>").space.as_deref(), Some("1"));
    assert_eq!(memref("memref<4xf32, 3>").space.as_deref(), Some("3"));
    let gpu = "#gpu.address_space<workgroup>";
    assert_eq!(memref(&format!("memref<4xf32, {gpu}>")).space.as_deref(), Some(gpu));
    assert_eq!(memref("!t").space.as_deref(), Some("1"));
    let map = Layout::Other("affine_map<(d0) -> (d0 * 2)>".to_owned());
    assert_eq!(memref("memref<4xf32, #m>").layout, map);
    assert_eq!(memref("memref<4xf32, #m, 2>").space.as_deref(), Some("2"));
    assert_eq!(memref("memref<4xf32, affine_map<(d0) -> (d0)>>").layout, Layout::Identity);
    assert_eq!(memref("memref<f32>").dims.as_deref(), Some(&[][..]));
    assert_eq!(memref("memref<*xf32>").dims, None);
    assert_eq!(memref("memref<2x!llvm.ptr>").element, Scalar::Other("!llvm.ptr".to_owned()));
    assert_eq!(memref("memref<0x16xi8>").dims.as_deref(), Some(&[Some(0), Some(16)][..]));
}

#[test]
fn others() {
    assert!(matches!(ty("tensor<4x?xf32, #x.encoding<{a = [1]}>>"), Type::Tensor(_)));
    assert!(
        matches!(ty("vector<4x[8]xf32>"), Type::Vector(v) if v.dims.as_deref() == Some(&[Some(4), None]))
    );
    for text in [
        "!llvm.ptr<3>",
        "(i32) -> i32",
        "(i32) -> (i32, f32)",
        "tuple<i32, memref<4xf32>>",
        "!hivm.x<\"a>b\">",
        "() -> ()",
        "none",
    ] {
        assert_eq!(ty(text), Type::Other(text.into()), "{text}");
    }
}
