//! The custom and the generic form of one op give one tree.

use quickcheck::quickcheck;

use super::function;
use super::show::show;

const ARGS: &str = "%a: memref<16x16xf32, #hivm.address_space<ub>>, %b: memref<16x16xf32, \
    #hivm.address_space<ub>>, %c: memref<16x16xf32, #hivm.address_space<ub>>, %t: memref<64xf32, \
    #hivm.address_space<ub>>, %m: memref<16x16xi1, #hivm.address_space<ub>>, %g: memref<?x16xf32, \
    #hivm.address_space<gm>>, %w: tensor<4x4xf32>, %v: vector<8xf32>, %i: index, %j: index, \
    %x: f32, %k: i64, %n: i32, %p: i1, %d: memref<?xi8, #hivm.address_space<gm>>";

/// Reads both texts as the body of one function.
fn same(custom: &str, generic: &str) {
    let first = function(&format!("func.func @f({ARGS}) {{\n{custom}\n}}"));
    let types: Vec<&str> =
        ARGS.split(", %").filter_map(|a| a.split_once(": ")).map(|a| a.1).collect();
    let second = function(&format!(
        "\"builtin.module\"() ({{\n\"func.func\"() <{{function_type = ({}) -> (), sym_name = \"f\"}}> \
         ({{\n^bb0({ARGS}):\n{generic}\n}}) : () -> ()\n}}) : () -> ()",
        types.join(", ")
    ));
    assert_eq!(show(&first), show(&second), "{custom}\n{generic}");
}

/// Writes out shorthands: `@T` is the type of `%a`, `@G` that of `%g`.
fn long(text: &str) -> String {
    text.replace("@T", "memref<16x16xf32, #hivm.address_space<ub>>")
        .replace("@M", "memref<16x16xi1, #hivm.address_space<ub>>")
        .replace("@S", "memref<64xf32, #hivm.address_space<ub>>")
        .replace("@G", "memref<?x16xf32, #hivm.address_space<gm>>")
        .replace("@D", "memref<?xi8, #hivm.address_space<gm>>")
}

fn all(pairs: &[(&str, &str)]) {
    for (custom, generic) in pairs {
        same(&long(custom), &long(generic));
    }
}

const VECTOR: &[(&str, &str)] = &[
    (
        "hivm.hir.vadd ins(%a, %b : @T, @T) outs(%c : @T)",
        "\"hivm.hir.vadd\"(%a, %b, %c) <{operandSegmentSizes = array<i32: 2, 1, 0>}> : (@T, @T, @T) -> ()",
    ),
    (
        "hivm.hir.vmul ins(%a, %x : @T, f32) outs(%c : @T) temp_buffer(%t : @S) broadcast = [0, 1] transpose = [1, 0]",
        "\"hivm.hir.vmul\"(%a, %x, %c, %t) <{broadcast = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64: 1, 0>}> : (@T, f32, @T, @S) -> ()",
    ),
    (
        "hivm.hir.vsub ins(%a, %b : @T, @T) outs(%a : @T)",
        "\"hivm.hir.vsub\"(%a, %b, %a) : (@T, @T, @T) -> ()",
    ),
    ("hivm.hir.vexp2 ins(%a : @T) outs(%b : @T)", "\"hivm.hir.vexp2\"(%a, %b) : (@T, @T) -> ()"),
    (
        "hivm.hir.vcast ins(%a : @T) outs(%b : @T) round_mode = <trunc>",
        "\"hivm.hir.vcast\"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<trunc>}> : (@T, @T) -> ()",
    ),
    (
        "hivm.hir.vcmp ins(%a, %b : @T, @T) outs(%m : @M) compare_mode = <gt>",
        "\"hivm.hir.vcmp\"(%a, %b, %m) <{compare_mode = #hivm.compare_mode<gt>, operandSegmentSizes = array<i32: 2, 1, 0>}> : (@T, @T, @M) -> ()",
    ),
    (
        "hivm.hir.vsel ins(%m, %a, %b : @M, @T, @T) outs(%c : @T) temp_buffer(%t : @S)",
        "\"hivm.hir.vsel\"(%m, %a, %b, %c, %t) <{operandSegmentSizes = array<i32: 3, 1, 1>}> : (@M, @T, @T, @T, @S) -> ()",
    ),
    (
        "hivm.hir.vbrc ins(%x : f32) outs(%a : @T) broadcast_dims = [0]",
        "\"hivm.hir.vbrc\"(%x, %a) <{broadcast_dims = array<i64: 0>}> : (f32, @T) -> ()",
    ),
    (
        "hivm.hir.vreduce <max_with_index> ins(%a : @T) indices(%b : @T) outs(%c, %t : @T, @S) temp_buffer(%t : @S) reduce_dims = [1]",
        "\"hivm.hir.vreduce\"(%a, %c, %t, %t, %b) <{arith = #hivm.reduce_op<max_with_index>, operandSegmentSizes = array<i32: 1, 2, 1, 1>, reduce_dims = array<i64: 1>}> : (@T, @T, @S, @S, @T) -> ()",
    ),
    (
        "hivm.hir.vgather ins(%a : @T) indices(%b : @T) outs(%c : @T)",
        "\"hivm.hir.vgather\"(%a, %b, %c) : (@T, @T, @T) -> ()",
    ),
    (
        "hivm.hir.vdeinterleave ins(%a : @T) outs(%b, %c : @T, @T) index_mode = <ALL_CHANNELS>",
        "\"hivm.hir.vdeinterleave\"(%a, %b, %c) <{index_mode = #hivm.deinterleave_mode<ALL_CHANNELS>}> : (@T, @T, @T) -> ()",
    ),
    (
        "hivm.hir.vconcat dim(1) ins(%a, %b : @T, @T) outs(%c : @T)",
        "\"hivm.hir.vconcat\"(%a, %b, %c) <{dim = 1 : i64}> : (@T, @T, @T) -> ()",
    ),
    (
        "hivm.hir.vpad ins(%a : @T) outs(%b : @T) low[%i, 0] high[1, %j] pad_value %x : f32",
        "\"hivm.hir.vpad\"(%a, %b, %x, %i, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, static_high = array<i64: 1, -9223372036854775808>, static_low = array<i64: -9223372036854775808, 0>}> : (@T, @T, f32, index, index) -> ()",
    ),
    (
        "hivm.hir.varange offset[%i] strides[%j, %i] outs(%a : @T)",
        "\"hivm.hir.varange\"(%a, %i, %j, %i) <{operandSegmentSizes = array<i32: 1, 1, 2>}> : (@T, index, index, index) -> ()",
    ),
    (
        "hivm.hir.custom \"norm\" ins(%a : @T) outs(%b : @T) temp_buffers(%t, %t : @S, @S)",
        "\"hivm.hir.custom\"(%a, %b, %t, %t) <{name = \"norm\", operandSegmentSizes = array<i32: 1, 1, 2>}> : (@T, @T, @S, @S) -> ()",
    ),
    (
        "hivm.hir.index_put ins(%a, %b, %c : @T, @T, @T)",
        "\"hivm.hir.index_put\"(%a, %b, %c) : (@T, @T, @T) -> ()",
    ),
    (
        "%0 = hivm.hir.vabs ins(%w : tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>",
        "%0 = \"hivm.hir.vabs\"(%w, %w) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
    ),
];

#[test]
fn vector_ops() {
    all(VECTOR);
}

const MOVERS: &[(&str, &str)] = &[
    (
        "hivm.hir.load ins(%g : @G) outs(%a : @T)",
        "\"hivm.hir.load\"(%g, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (@G, @T) -> ()",
    ),
    (
        "hivm.hir.load ins(%g : @G) outs(%a : @T) pad_mode = <PadValue> pad_value = %x : f32 right_padding_num = %i : index init_out_buffer = true init_condition = %p : i1 eviction_policy = <EvictFirst>",
        "\"hivm.hir.load\"(%g, %a, %x, %i, %p) <{eviction_policy = #hivm.evict<EvictFirst>, init_out_buffer = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>, pad_mode = #hivm.padmode<PadValue>}> : (@G, @T, f32, index, i1) -> ()",
    ),
    (
        "hivm.hir.store ins(%a : @T) outs(%g : @G) atomic = <add>",
        "\"hivm.hir.store\"(%a, %g) <{atomic = #hivm.atomic_kind<add>}> : (@T, @G) -> ()",
    ),
    (
        "hivm.hir.copy {ub_to_l1} ins(%a : @T) outs(%b : @T)",
        "\"hivm.hir.copy\"(%a, %b) {ub_to_l1} : (@T, @T) -> ()",
    ),
    (
        "hivm.hir.nd2nz {dst_continuous} ins(%g : @G) outs(%a : @T) init_condition = %p : i1",
        "\"hivm.hir.nd2nz\"(%g, %a, %p) <{dst_continuous, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (@G, @T, i1) -> ()",
    ),
    (
        "hivm.hir.fixpipe {enable_nz2nd, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>} ins(%a : @T) outs(%g : @G) quant_scale = %x : f32 unit_flag_mode(<A>, <B>) unit_flag_cond(%p, %p : i1, i1)",
        "\"hivm.hir.fixpipe\"(%a, %g, %p, %p, %x) <{enable_nz2nd, operandSegmentSizes = array<i32: 1, 1, 2, 1>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>, unit_flag_mode = [#hivm.unit_flag<A>, #hivm.unit_flag<B>]}> : (@T, @G, i1, i1, f32) -> ()",
    ),
    (
        "hivm.hir.mmadL1 {b_transpose} ins(%a, %b, %p, %i, %i, %j, %t : @T, @T, i1, index, index, index, @S) outs(%c : @T) sync_related_args(%k, %k : i64, i64)",
        "\"hivm.hir.mmadL1\"(%a, %b, %p, %i, %i, %j, %c, %k, %k, %t) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 2, 0, 1>}> : (@T, @T, i1, index, index, index, @T, i64, i64, @S) -> ()",
    ),
    (
        "hivm.hir.Conv2dL1 ins(%a, %b, %p : @T, @T, i1) outs(%c : @T)",
        "\"hivm.hir.Conv2dL1\"(%a, %b, %c, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0>}> : (@T, @T, @T, i1) -> ()",
    ),
    (
        "hivm.hir.matmul ins(%a, %b : @T, @T) outs(%c : @T)",
        "\"hivm.hir.matmul\"(%a, %b, %c) : (@T, @T, @T) -> ()",
    ),
    ("hivm.hir.set_mask_norm", "\"hivm.hir.set_mask_norm\"() : () -> ()"),
    ("%0 = hivm.hir.get_block_idx -> i64", "%0 = \"hivm.hir.get_block_idx\"() : () -> i64"),
    (
        "hivm.hir.debug {debugtype = \"print\", hex = false, prefix = \" %a: \"} %a : @T",
        "\"hivm.hir.debug\"(%a) <{debugtype = \"print\", hex = false, prefix = \" %a: \"}> : (@T) -> ()",
    ),
    ("%0 = hivm.hir.bitcast %a : @T -> @M", "%0 = \"hivm.hir.bitcast\"(%a) : (@T) -> @M"),
    (
        "%0 = hivm.hir.pointer_cast(%k, %k)[%i] : @G",
        "%0 = \"hivm.hir.pointer_cast\"(%k, %k, %i) <{operandSegmentSizes = array<i32: 2, 1>}> : (i64, i64, index) -> @G",
    ),
    (
        "linalg.fill ins(%x : f32) outs(%a : @T)",
        "\"linalg.fill\"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> : (f32, @T) -> ()",
    ),
];

#[test]
fn movers_and_macros() {
    all(MOVERS);
}

const MEMORY: &[(&str, &str)] = &[
    (
        "%0 = memref.alloc() {alignment = 64 : i64} : @T",
        "%0 = \"memref.alloc\"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> @T",
    ),
    (
        "%0 = memref.alloc(%i)[%j] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>",
        "%0 = \"memref.alloc\"(%i, %j) <{operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>",
    ),
    (
        "%0 = memref_ext.alloc_workspace() from %d offset = [%i, %j] : from @D to @T",
        "%0 = \"memref_ext.alloc_workspace\"(%d, %i, %j) <{operandSegmentSizes = array<i32: 0, 1, 2>}> : (@D, index, index) -> @T",
    ),
    (
        "%0 = memref_ext.alloc_workspace(%i) from %d : from @D to @G",
        "%0 = \"memref_ext.alloc_workspace\"(%d, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (@D, index) -> @G",
    ),
    (
        "%0 = memref.subview %a[0, %i] [%j, 4] [1, 1] : @T to memref<?x4xf32, strided<[16, 1], offset: ?>, #hivm.address_space<ub>>",
        "%0 = \"memref.subview\"(%a, %i, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (@T, index, index) -> memref<?x4xf32, strided<[16, 1], offset: ?>, #hivm.address_space<ub>>",
    ),
    (
        "%0 = memref.reinterpret_cast %d to offset: [%i], sizes: [4], strides: [1] : @D to memref<4xi8, strided<[1], offset: ?>>",
        "%0 = \"memref.reinterpret_cast\"(%d, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (@D, index) -> memref<4xi8, strided<[1], offset: ?>>",
    ),
    (
        "%0 = memref.view %d[%i][%j] : @D to @G",
        "%0 = \"memref.view\"(%d, %i, %j) : (@D, index, index) -> @G",
    ),
    (
        "%0 = memref.collapse_shape %a [[0, 1]] : @T into memref<256xf32, #hivm.address_space<ub>>",
        "%0 = \"memref.collapse_shape\"(%a) <{reassociation = [[0, 1]]}> : (@T) -> memref<256xf32, #hivm.address_space<ub>>",
    ),
    (
        "%0 = memref.expand_shape %t [[0, 1]] output_shape [4, %i] : @S into memref<4x?xf32>",
        "%0 = \"memref.expand_shape\"(%t, %i) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, -9223372036854775808>}> : (@S, index) -> memref<4x?xf32>",
    ),
    (
        "%0 = memref.reshape %a(%t) : (@T, @S) -> memref<256xf32>",
        "%0 = \"memref.reshape\"(%a, %t) : (@T, @S) -> memref<256xf32>",
    ),
    (
        "%0 = memref.transpose %a (d0, d1) -> (d1, d0) : @T to @T",
        "%0 = \"memref.transpose\"(%a) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (@T) -> @T",
    ),
    ("%0 = memref.cast %a : @T to @G", "%0 = \"memref.cast\"(%a) : (@T) -> @G"),
    (
        "%0 = memref.memory_space_cast %a : @T to @G",
        "%0 = \"memref.memory_space_cast\"(%a) : (@T) -> @G",
    ),
    (
        "%0, %1, %2:2, %3:2 = memref.extract_strided_metadata %a : @T -> memref<f32>, index, index, index, index, index",
        "%0, %1, %2:2, %3:2 = \"memref.extract_strided_metadata\"(%a) : (@T) -> (memref<f32>, index, index, index, index, index)",
    ),
    (
        "%0 = memref.load %a[%i, %j] : @T",
        "%0 = \"memref.load\"(%a, %i, %j) : (@T, index, index) -> f32",
    ),
    (
        "memref.store %x, %a[%i, %j] : @T",
        "\"memref.store\"(%x, %a, %i, %j) : (f32, @T, index, index) -> ()",
    ),
    ("%0 = memref.dim %g, %i : @G", "%0 = \"memref.dim\"(%g, %i) : (@G, index) -> index"),
    (
        "%0 = memref.get_global @table : memref<4xf32>",
        "%0 = \"memref.get_global\"() <{name = @table}> : () -> memref<4xf32>",
    ),
    (
        "%0 = bufferization.to_tensor %a restrict writable : @T",
        "%0 = \"bufferization.to_tensor\"(%a) : (@T) -> tensor<16x16xf32>",
    ),
    (
        "%0 = bufferization.to_buffer %w : tensor<4x4xf32> to memref<4x4xf32>",
        "%0 = \"bufferization.to_buffer\"(%w) : (tensor<4x4xf32>) -> memref<4x4xf32>",
    ),
    (
        "%0 = tensor.empty(%i) : tensor<?xf32>",
        "%0 = \"tensor.empty\"(%i) : (index) -> tensor<?xf32>",
    ),
    (
        "%0 = tensor.extract_slice %w[%i, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>",
        "%0 = \"tensor.extract_slice\"(%w, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x4xf32>, index) -> tensor<2x2xf32>",
    ),
    (
        "%0 = vector.transfer_read %a[%i, %j], %x {in_bounds = [true]} : @T, vector<8xf32>\nvector.transfer_write %0, %a[%i, %j] {in_bounds = [true]} : vector<8xf32>, @T",
        "%0 = \"vector.transfer_read\"(%a, %i, %j, %x) <{in_bounds = [true]}> : (@T, index, index, f32) -> vector<8xf32>\n\"vector.transfer_write\"(%0, %a, %i, %j) <{in_bounds = [true]}> : (vector<8xf32>, @T, index, index) -> ()",
    ),
];

#[test]
fn memrefs_and_tensors() {
    all(MEMORY);
}

const SCALARS: &[(&str, &str)] = &[
    (
        "%0 = arith.constant 5 : index",
        "%0 = \"arith.constant\"() <{value = 5 : index}> : () -> index",
    ),
    ("%0 = arith.constant true", "%0 = \"arith.constant\"() <{value = true}> : () -> i1"),
    (
        "%0 = arith.constant -1.5 : f16",
        "%0 = \"arith.constant\"() <{value = -1.5 : f16}> : () -> f16",
    ),
    (
        "%0 = arith.constant dense<0.0> : vector<8xf32>",
        "%0 = \"arith.constant\"() <{value = dense<0.0> : vector<8xf32>}> : () -> vector<8xf32>",
    ),
    (
        "%0 = arith.cmpi slt, %i, %j : index",
        "%0 = \"arith.cmpi\"(%i, %j) <{predicate = 2 : i64}> : (index, index) -> i1",
    ),
    (
        "%0 = arith.cmpf oge, %v, %v : vector<8xf32>",
        "%0 = \"arith.cmpf\"(%v, %v) <{predicate = 3 : i64}> : (vector<8xf32>, vector<8xf32>) -> vector<8xi1>",
    ),
    ("%0 = arith.select %p, %a, %b : @T", "%0 = \"arith.select\"(%p, %a, %b) : (i1, @T, @T) -> @T"),
    ("%0 = arith.index_cast %k : i64 to index", "%0 = \"arith.index_cast\"(%k) : (i64) -> index"),
    ("%0 = arith.mulf %x, %x : f32", "%0 = \"arith.mulf\"(%x, %x) : (f32, f32) -> f32"),
    (
        "%0 = math.sqrt %v : vector<8xf32>",
        "%0 = \"math.sqrt\"(%v) : (vector<8xf32>) -> vector<8xf32>",
    ),
    (
        "%0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j]",
        "%0 = \"affine.apply\"(%i, %j) <{map = affine_map<(d0)[s0] -> (d0 + s0)>}> : (index, index) -> index",
    ),
    (
        "annotation.mark %a {hivm.multi_buffer = 2 : i32, mem_unique} : @T",
        "\"annotation.mark\"(%a) {hivm.multi_buffer = 2 : i32, mem_unique} : (@T) -> ()",
    ),
    (
        "%0 = call @g(%a, %i) {hivm.vector_function} : (@T, index) -> i32",
        "%0 = \"func.call\"(%a, %i) <{callee = @g}> {hivm.vector_function} : (@T, index) -> i32",
    ),
    ("func.call @g() : () -> ()", "\"func.call\"() <{callee = @g}> : () -> ()"),
    (
        "gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%j, %j, %j) args(%a : @T)",
        "\"gpu.launch_func\"(%i, %i, %i, %j, %j, %j, %a) <{kernel = @m::@k}> : (index, index, index, index, index, index, @T) -> ()",
    ),
];

#[test]
fn scalars_marks_and_calls() {
    all(SCALARS);
}

const REGIONS: &[(&str, &str)] = &[
    (
        "%0:2 = scf.for %q = %i to %j step %i iter_args(%y = %x, %z = %n) -> (f32, i32) {\nscf.yield %y, %z : f32, i32\n}",
        "%0:2 = \"scf.for\"(%i, %j, %i, %x, %n) ({\n^bb0(%q: index, %y: f32, %z: i32):\n\"scf.yield\"(%y, %z) : (f32, i32) -> ()\n}) : (index, index, index, f32, i32) -> (f32, i32)",
    ),
    (
        "scf.for %q = %n to %n step %n : i32 {\n}",
        "\"scf.for\"(%n, %n, %n) ({\n^bb0(%q: i32):\n}) : (i32, i32, i32) -> ()",
    ),
    (
        "%0 = scf.if %p -> (f32) {\nscf.yield %x : f32\n} else {\nscf.yield %x : f32\n}",
        "%0 = \"scf.if\"(%p) ({\nscf.yield %x : f32\n}, {\nscf.yield %x : f32\n}) : (i1) -> f32",
    ),
    (
        "scf.if %p {\nmemref.store %x, %t[%i] : @S\n}",
        "\"scf.if\"(%p) ({\n\"memref.store\"(%x, %t, %i) : (f32, @S, index) -> ()\n}, {\n}) : (i1) -> ()",
    ),
    (
        "%0 = scf.while (%y = %x) : (f32) -> f32 {\nscf.condition(%p) %y : f32\n} do {\n^bb0(%z: f32):\nscf.yield %z : f32\n}",
        "%0 = \"scf.while\"(%x) ({\n^bb0(%y: f32):\n\"scf.condition\"(%p, %y) : (i1, f32) -> ()\n}, {\n^bb0(%z: f32):\n\"scf.yield\"(%z) : (f32) -> ()\n}) : (f32) -> f32",
    ),
    (
        "%0 = scope.scope : () -> (@T) {\nscope.return %a : @T\n} {noinline}",
        "%0 = \"scope.scope\"() ({\n\"scope.return\"(%a) : (@T) -> ()\n}) {noinline} : () -> @T",
    ),
    (
        "cf.cond_br %p, ^bb1(%x, %i : f32, index), ^bb2\n^bb1(%y: f32, %z: index):\ncf.br ^bb2\n^bb2:\nreturn",
        "\"cf.cond_br\"(%p, %x, %i)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, f32, index) -> ()\n^bb1(%y: f32, %z: index):\n\"cf.br\"()[^bb2] : () -> ()\n^bb2:\n\"func.return\"() : () -> ()",
    ),
    (
        "cf.switch %n : i32, [\ndefault: ^bb1(%x : f32),\n1: ^bb2(%i, %j : index, index)\n]\n^bb1(%y: f32):\nreturn\n^bb2(%z: index, %u: index):\nreturn",
        "\"cf.switch\"(%n, %x, %i, %j)[^bb1, ^bb2] <{case_operand_segments = array<i32: 2>, operandSegmentSizes = array<i32: 1, 1, 2>}> : (i32, f32, index, index) -> ()\n^bb1(%y: f32):\nreturn\n^bb2(%z: index, %u: index):\nreturn",
    ),
    (
        "linalg.generic {iterator_types = [\"parallel\"]} ins(%t : @S) outs(%t : @S) {\n^bb0(%y: f32, %z: f32):\nlinalg.yield %y : f32\n}",
        "\"linalg.generic\"(%t, %t) <{iterator_types = [\"parallel\"], operandSegmentSizes = array<i32: 1, 1>}> ({\n^bb0(%y: f32, %z: f32):\n\"linalg.yield\"(%y) : (f32) -> ()\n}) : (@S, @S) -> ()",
    ),
    (
        "%0 = scf.execute_region -> f32 {\nscf.yield %x : f32\n}",
        "%0 = \"scf.execute_region\"() ({\nscf.yield %x : f32\n}) : () -> f32",
    ),
    (
        "scf.parallel (%q, %r) = (%i, %i) to (%j, %j) step (%i, %i) {\nmemref.store %x, %t[%q] : @S\n}",
        "\"scf.parallel\"(%i, %i, %j, %j, %i, %i) ({\n^bb0(%q: index, %r: index):\nmemref.store %x, %t[%q] : @S\n}) : (index, index, index, index, index, index) -> ()",
    ),
    (
        "%0 = scf.forall (%q) in (%i) shared_outs(%o = %w) -> (tensor<4x4xf32>) {\nscf.forall.in_parallel {\n}\n}",
        "%0 = \"scf.forall\"(%i, %w) ({\n^bb0(%q: index, %o: tensor<4x4xf32>):\nscf.forall.in_parallel {\n}\n}) : (index, tensor<4x4xf32>) -> tensor<4x4xf32>",
    ),
];

#[test]
fn regions() {
    all(REGIONS);
}

quickcheck! {
    /// Statements end where they should, whatever comes next.
    fn many_statements(picks: Vec<usize>) -> bool {
        let pairs: Vec<_> = [VECTOR, MOVERS, MEMORY, SCALARS, REGIONS].concat();
        let (mut custom, mut generic) = (String::new(), String::new());
        for (at, pick) in picks.iter().enumerate() {
            let (first, second) = pairs[pick % pairs.len()];
            // Labels would meet.
            if first.contains("^bb1") {
                continue;
            }
            let own = |text: &str| ["%0", "%1", "%2", "%3"].iter().fold(long(text), |text, name| {
                text.replace(name, &format!("%r{at}_{}", &name[1..]))
            });
            custom.push_str(&(own(first) + "\n"));
            generic.push_str(&(own(second) + if pick % 2 == 0 { "\n" } else { " loc(unknown)\n" }));
        }
        same(&custom, &generic);
        true
    }
}
