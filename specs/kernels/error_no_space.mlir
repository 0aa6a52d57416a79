// an alloc without a local address space
// rules: 1.4
// target: Ascend910B1
// pass: base
// expect hivm: error: Alloc buffer not at UB space!
// expect auto: error memplan::hivm::unplanned_space
// how: no space on the alloc: error on it, then PlanMemory Traverse IR Failed.
// how: The text says UB, but cbuf and cc are accepted as well.
module {
  func.func @no_space(%x_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32>)
    hivm.hir.store ins(%x : memref<2048xf32>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
