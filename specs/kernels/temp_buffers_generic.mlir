// the kernel of temp_buffers.mlir in generic form (whole module)
// rules: 8.3(generic), 2.4, 3.2(2), 3.2(4), 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [4096] [0] [8192] [12288] [16384]
// expect auto: ub feasible sequential 20480
// how: vadd: ISA op, temp does not matter: pair (a,x). vdiv by a scalar: one temp tolerated: pair (b,a). vdiv tile by tile with a temp: no.
// how: the temporaries are gen'd after the outputs and never in place. Entries x, t0, t1, c, t2 of 4096 B.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<1024xf32, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<gm>>) -> (), sym_name = "temp_buffers"}> ({
  ^bb0(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>):
    %three = "arith.constant"() <{value = 3.000000e+00 : f32}> : () -> f32
    %x = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%x_gm, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<1024xf32, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    %t0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vadd"(%x, %x, %a, %t0) <{operandSegmentSizes = array<i32: 2, 1, 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %b = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    %t1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vdiv"(%a, %three, %b, %t1) <{operandSegmentSizes = array<i32: 2, 1, 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %c = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    %t2 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vdiv"(%b, %b, %c, %t2) <{operandSegmentSizes = array<i32: 2, 1, 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.store"(%c, %y_gm) : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<gm>>) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) : () -> ()
