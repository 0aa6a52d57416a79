// the load of the second operand was forgotten
// rules: 2.2, 2.8, 6(3), 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: 'memref.alloc' op error: read before first write
// expect auto: ub optimal sequential 16384
// how: bias is never gen'd: no life, no storage; rewriting reports it on the alloc.
module {
  func.func @forgotten_load(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %bias = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    %sum = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %bias : memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) outs(%sum : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%sum : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
