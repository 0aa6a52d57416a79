// the kernel of stall_pair.mlir in generic form (whole module)
// rules: 8.3(generic), 3.2(11), 4.4, 4.7, 4.8, 4.9(0), 4.10, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,65536] [131072,0]
// expect auto: ub optimal lifetime 131072
// how: 2 x 64 KB + 2 x 64 KB = 256 KB > 192 KB. Order D: x, x#1, y, y#1: L3 0, 64K, 128K: full.
// how: y#1: L3 no, L2 no (same loop), L1 no (y#1 is an extra slot). L0: the lives of y#1 and x meet at the vabs only
// how: and (y,x) is a stall pair: no conflict: @0. W1 with T = 2097152 bits.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16384xf32, #hivm.address_space<gm>>, memref<16384xf32, #hivm.address_space<gm>>, index) -> (), sym_name = "abs_stream"}> ({
  ^bb0(%x_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %n: index):
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
    "scf.for"(%c0, %n, %c1) ({
    ^bb0(%i: index):
      %x = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16384xf32, #hivm.address_space<ub>>
      "annotation.mark"(%x) {hivm.multi_buffer = 2 : i32} : (memref<16384xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.load"(%x_gm, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<16384xf32, #hivm.address_space<gm>>, memref<16384xf32, #hivm.address_space<ub>>) -> ()
      %y = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16384xf32, #hivm.address_space<ub>>
      "annotation.mark"(%y) {hivm.multi_buffer = 2 : i32} : (memref<16384xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.vabs"(%x, %y) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.store"(%y, %y_gm) : (memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) : () -> ()
