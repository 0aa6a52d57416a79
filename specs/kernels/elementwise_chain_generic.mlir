// the kernel of elementwise_chain.mlir in generic form (whole module)
// rules: 8.3(generic), 2.4, 2.7, 3.2(1), 3.2(2), 3.2(8), 3.4, 4.3, 6(1), 6(2)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [16384] [0] [16384] [0]
// expect auto: ub optimal sequential 32768
// how: vadd kills %x only (%y is read again): ISA op, pair (sum,x). vmul kills %y only (%sum lives on): pair (prod,y).
// how: vrelu kills %sum, same-type elementwise: pair (act,sum), so act sits in %x's entry.
// how: entries x (with sum, act) and y (with prod), 16384 B each, sum 32768 fits: sequential 0, 16384.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4096xf32, #hivm.address_space<gm>>, memref<4096xf32, #hivm.address_space<gm>>, memref<4096xf32, #hivm.address_space<gm>>, memref<4096xf32, #hivm.address_space<gm>>) -> (), sym_name = "elementwise_chain"}> ({
  ^bb0(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %act_gm: memref<4096xf32, #hivm.address_space<gm>>, %prod_gm: memref<4096xf32, #hivm.address_space<gm>>):
    %x = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4096xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%x_gm, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<4096xf32, #hivm.address_space<gm>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    %y = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4096xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%y_gm, %y) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<4096xf32, #hivm.address_space<gm>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    %sum = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4096xf32, #hivm.address_space<ub>>
    "hivm.hir.vadd"(%x, %y, %sum) <{operandSegmentSizes = array<i32: 2, 1, 0>}> : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    %prod = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4096xf32, #hivm.address_space<ub>>
    "hivm.hir.vmul"(%sum, %y, %prod) <{operandSegmentSizes = array<i32: 2, 1, 0>}> : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.store"(%prod, %prod_gm) : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<gm>>) -> ()
    %act = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4096xf32, #hivm.address_space<ub>>
    "hivm.hir.vrelu"(%sum, %act) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.store"(%act, %act_gm) : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<gm>>) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) {hacc.target = #hacc.target<"Ascend910B1">} : () -> ()
