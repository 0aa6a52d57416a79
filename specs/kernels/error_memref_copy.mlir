// memref.copy on a UB buffer is not understood
// rules: 2.4
// target: Ascend910B1
// pass: base
// expect hivm: error: PlanMemory Fail : Unrecognized type of Operation touches local buffer!
// expect auto: ub optimal sequential 8192
// how: "anything else" with a local operand: error on the op, then PlanMemory Traverse IR Failed.
// how: hivm.hir.store or hivm.hir.copy would be accepted.
module {
  func.func @raw_copy(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    memref.copy %x, %y_gm : memref<2048xf32, #hivm.address_space<ub>> to memref<2048xf32, #hivm.address_space<gm>>
    return
  }
}
