// a scope.scope region that returns its tile
// rules: 2.1, 2.3, 2.7, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192]
// expect auto: ub feasible sequential 16384
// how: x may not die inside the scope (its level is the function), only at the scope's end: no in-place for act.
module {
  func.func @scoped_exp(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %r = scope.scope : () -> (memref<2048xf32, #hivm.address_space<ub>>) {
      %act = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%act : memref<2048xf32, #hivm.address_space<ub>>)
      scope.return %act : memref<2048xf32, #hivm.address_space<ub>>
    } {hivm.scope_kind = "vector"}
    hivm.hir.store ins(%r : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
