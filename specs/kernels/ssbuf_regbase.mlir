// flags in the scalar stack buffer through an existing pointer_cast: accepted in regbase
// rules: 7(8), 2.4, 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [0]
// expect auto: ub optimal sequential 8192
// how: the ssbuf pointer_cast is no alloc and owns no storage; the UB tile is planned as usual.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @signal_and_copy(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %one: i32) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %addr = arith.constant 0 : i64
    %flags = hivm.hir.pointer_cast(%addr) : memref<16xi32, #hivm.address_space<ssbuf>>
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    memref.store %one, %flags[%c0] : memref<16xi32, #hivm.address_space<ssbuf>>
    hivm.hir.store ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
