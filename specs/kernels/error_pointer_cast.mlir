// a UB address fixed by hand: a pointer_cast that exists before planning is refused
// rules: 2.4
// target: Ascend910B1
// pass: base
// expect hivm: error: PlanMemory Fail : Unrecognized type of Operation touches local buffer!
// expect auto: ub optimal sequential 16384
// how: pointer_cast is not in the table of section 2.4: its result is a local memref.
module {
  func.func @fixed_address(%x_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %addr = arith.constant 8192 : i64
    %x = hivm.hir.pointer_cast(%addr) : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
