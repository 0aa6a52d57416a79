// the kernel of cast_chain_1d.mlir in generic form (operations only)
// rules: 8.3(generic), 3.2(10), 3.2(5), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [0] [32768]
// expect auto: ub feasible sequential 65536
// how: 1-D contiguous narrowing: yes. Equal width: yes. Widening: 16 is no multiple of 32 (and the kill is smaller): no.
// how: entries x 32768 (with half, bits), wide 32768.
module {
  func.func @cast_chain_1d(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %out_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%x_gm, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<8192xf32, #hivm.address_space<gm>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %half = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8192xf16, #hivm.address_space<ub>>
    "hivm.hir.vcast"(%x, %half) <{operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf16, #hivm.address_space<ub>>) -> ()
    %bits = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8192xi16, #hivm.address_space<ub>>
    "hivm.hir.vcast"(%half, %bits) <{operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<trunc>}> : (memref<8192xf16, #hivm.address_space<ub>>, memref<8192xi16, #hivm.address_space<ub>>) -> ()
    %wide = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.vcast"(%bits, %wide) <{operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>}> : (memref<8192xi16, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.store"(%wide, %out_gm) : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<gm>>) -> ()
    return
  }
}
