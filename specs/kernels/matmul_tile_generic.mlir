// the kernel of matmul_tile.mlir in generic form (operations only)
// rules: 8.3(generic), 1.4, 2.4, 4.1, 4.3, 4.5
// target: Ascend910B1
// pass: base
// expect hivm: [0] [65536] [0]
// expect auto: l1 optimal sequential 131072
// expect auto: l0c optimal sequential 65536
// how: scopes cbuf and cc are planned separately, in order of first appearance; both sequential. a 65536, b 65536 in L1; acc 65536 in L0C.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @matmul_tile(%a_gm: memref<128x256xf16, #hivm.address_space<gm>>, %b_gm: memref<256x128xf16, #hivm.address_space<gm>>, %c_gm: memref<128x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = "arith.constant"() <{value = true}> : () -> i1
    %c128 = "arith.constant"() <{value = 128 : index}> : () -> index
    %c256 = "arith.constant"() <{value = 256 : index}> : () -> index
    %a_l1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16x8x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.nd2nz"(%a_gm, %a_l1) <{dst_continuous, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<128x256xf16, #hivm.address_space<gm>>, memref<16x8x16x16xf16, #hivm.address_space<cbuf>>) -> ()
    %b_l1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8x16x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.nd2nz"(%b_gm, %b_l1) <{dst_continuous, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<256x128xf16, #hivm.address_space<gm>>, memref<8x16x16x16xf16, #hivm.address_space<cbuf>>) -> ()
    %acc = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8x8x16x16xf32, #hivm.address_space<cc>>
    "hivm.hir.mmadL1"(%a_l1, %b_l1, %true, %c128, %c256, %c128, %acc) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (memref<16x8x16x16xf16, #hivm.address_space<cbuf>>, memref<8x16x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<8x8x16x16xf32, #hivm.address_space<cc>>) -> ()
    "hivm.hir.fixpipe"(%acc, %c_gm) <{enable_nz2nd, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<8x8x16x16xf32, #hivm.address_space<cc>>, memref<128x128xf32, #hivm.address_space<gm>>) -> ()
    return
  }
}
