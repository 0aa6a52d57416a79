// a preload mark outside every loop
// rules: 2.9(2)
// target: Ascend910B1
// pass: base
// expect hivm: error: preload local buffer must be inside a loop-like op
// expect auto: ub optimal sequential 8192
// how: no loop around the mark nor around the alloc: fatal.
module {
  func.func @preload_nowhere(%x_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    annotation.mark %x {hivm.preload_local_buffer = 1 : i32} : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
