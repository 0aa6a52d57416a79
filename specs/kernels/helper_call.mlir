// call of an ordinary device function: every operand counts as written, the call kills, nothing is in place
// rules: 2.4, 3.2(1), 3.3, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192]
// expect auto: ub optimal sequential 16384
// how: the call gens y (x is gen'd already) and kills x; no vector_function, no structured op: no pair. dcci kills nothing.
module {
  func.func private @device_sort(memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>)
  func.func @call_sort(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    func.call @device_sort(%x, %y) : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    hivm.hir.store ins(%y : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
