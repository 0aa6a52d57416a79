//! Shapes and their bytes (spec 3).

use super::{instruction, module};
use crate::ir::hlo::{ElementType, Shape, ShapeIndex};

fn shape(text: &str) -> Shape {
    let m = module(&format!("ENTRY e {{ p = {text} parameter(0) }}"));
    let shape = instruction(&m, "p").shape.clone();
    assert_eq!(shape.to_string(), text);
    shape
}

fn bytes(text: &str) -> Option<u64> {
    shape(text).bytes(8)
}

fn padded(text: &str) -> Option<u64> {
    shape(text).array().and_then(|array| array.padded_bytes())
}

#[test]
fn every_element_type_has_its_bytes() {
    for (words, expected) in [
        (
            "pred s1 s2 s4 s8 u1 u2 u4 u8 f4e2m1fn f8e3m4 f8e4m3 f8e4m3fn f8e4m3fnuz f8e4m3b11fnuz",
            1,
        ),
        ("f8e5m2 f8e5m2fnuz f8e8m0fnu", 1),
        ("s16 u16 f16 bf16", 2),
        ("s32 u32 f32", 4),
        ("s64 u64 f64 c64", 8),
        ("c128", 16),
    ] {
        for word in words.split(' ') {
            assert_eq!(bytes(&format!("{word}[3,5]")), Some(15 * expected), "{word}");
        }
    }
    assert_eq!(ElementType::ALL.len(), 30);
}

#[test]
fn element_bits_pack_elements_and_the_last_byte_is_whole() {
    assert_eq!(bytes("s4[33,77]{1,0:E(4)}"), Some(1271));
    assert_eq!(bytes("u1[9]{0:E(1)}"), Some(2));
    assert_eq!(bytes("u4[0]{0:E(4)}"), Some(0));
}

#[test]
fn scalars_tuples_tokens_and_opaque_shapes_have_theirs() {
    assert_eq!(bytes("f32[]"), Some(4));
    assert_eq!(bytes("((f32[100]), f32[], u32[])"), Some(24));
    assert_eq!(bytes("()"), Some(0));
    assert_eq!(bytes("token[]"), Some(0));
    assert_eq!(bytes("opaque[]"), Some(8));
}

#[test]
fn bounded_dimensions_count_with_their_bound_and_unbounded_ones_have_no_size() {
    assert_eq!(bytes("f32[<=8,2]"), Some(64));
    assert_eq!(bytes("f32[?,2]"), None);
    assert_eq!(bytes("f32[?,0]"), Some(0));
}

#[test]
fn layouts_and_tiles_do_not_change_plain_bytes() {
    assert_eq!(bytes("f32[3,5]{0,1:T(8,128)}"), Some(60));
    assert_eq!(padded("f32[3,5]{0,1}"), Some(60));
}

#[test]
fn tiles_are_filled_up_where_asked_for() {
    // 3 x 5 lies in one tile of 8 x 128, whichever is minor.
    assert_eq!(padded("f32[3,5]{1,0:T(8,128)}"), Some(8 * 128 * 4));
    // Dimension 0 is minor: 2 tiles of 128 along it, 1 of 8 along dimension 1.
    assert_eq!(padded("f32[200,5]{0,1:T(8,128)}"), Some(2 * 8 * 128 * 4));
    assert_eq!(padded("f32[200,5]{1,0:T(8,128)}"), Some(25 * 8 * 128 * 4));
    // The second tile lies in the first one.
    assert_eq!(padded("bf16[3,5]{1,0:T(8,128)(2,1)}"), Some(8 * 128 * 2));
    assert_eq!(padded("s8[1,1]{1,0:T(8,128)(4,1)}"), Some(8 * 128));
    assert_eq!(padded("bf16[1,1]{1,0:T(3,128)(2,1)}"), Some(4 * 128 * 2));
    // Dimensions in front of the tile stay; a tile with more of them takes ones.
    assert_eq!(padded("f32[7,3,5]{2,1,0:T(8,128)}"), Some(7 * 8 * 128 * 4));
    assert_eq!(padded("f32[5]{0:T(8,128)}"), Some(8 * 128 * 4));
    assert_eq!(padded("f32[]{:T(128)}"), Some(512));
    // Joined dimensions are filled up as one.
    assert_eq!(padded("f32[3,50]{1,0:T(*,128)}"), Some(2 * 128 * 4));
    assert_eq!(padded("f32[0,5]{1,0:T(8,128)}"), Some(0));
    assert_eq!(padded("f32[?,5]{1,0:T(8,128)}"), None);
    assert_eq!(padded("s8[18446744073709551615]{0:T(1024)}"), None);
}

#[test]
fn every_tag_of_a_layout_is_kept() {
    for layout in [
        "{1,0:T(8,128)(2,1)E(4)S(5)}",
        "{1,0:D(D,C)T(8,128)L(128)#(u32)*(u8)E(4)S(1)SC(0:1,2)SC(1:3)P(f32[2]{0})M(16)}",
        "{0,1:S(5)}",
        "{:S(5)}",
        "{}",
    ] {
        let text = format!("f32[2,3]{layout}");
        assert_eq!(shape(&text).to_string(), text);
    }
    assert_eq!(shape("f32[2]{0:S(5)}").memory_space(), 5);
}

#[test]
fn what_the_text_leaves_out_has_its_default() {
    assert!(shape("f32[2,3]").same(&shape("f32[2,3]{1,0}")));
    assert!(!shape("f32[2,3]").same(&shape("f32[2,3]{0,1}")));
    assert!(!shape("f32[2,3]").same(&shape("f32[2,3]{1,0:S(5)}")));
    assert!(!shape("f32[2,3]").same(&shape("f32[3,2]")));
    assert!(!shape("(f32[2])").same(&shape("f32[2]")));
}

#[test]
fn nodes_come_in_pre_order() {
    let shape = shape("((f32[], s32[]), (), token[])");
    let nodes: Vec<String> = shape.nodes().iter().map(|(index, _)| index.to_string()).collect();
    assert_eq!(nodes, ["{}", "{0}", "{0,0}", "{0,1}", "{1}", "{2}"]);
    assert_eq!(shape.leaves().len(), 3);
    let inner = shape.at(&ShapeIndex(vec![0, 1])).expect("a node");
    assert_eq!(inner.to_string(), "s32[]");
    assert_eq!(shape.at(&ShapeIndex(vec![1, 0])), None);
}

#[test]
fn text_without_layouts_and_with_indices_is_that_of_xla() {
    let shape = shape("(f32[2]{0}, f32[], f32[], f32[], f32[], f32[])");
    let text = "(f32[2], f32[], f32[], f32[], f32[], /*index=5*/f32[])";
    assert_eq!(shape.text(false, true).to_string(), text);
}
