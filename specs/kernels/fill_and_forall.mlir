// linalg.fill on a tile, rows normalised inside scf.forall (a region without rules of its own)
// rules: 2.1, 2.4, 2.7, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [4096]
// expect auto: ub optimal sequential 8192
// how: linalg.fill is destination-style: it gens acc. Inside forall row is written and read; no in-place (vadd writes acc again).
module {
  func.func @fill_forall(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %zero = arith.constant 0.000000e+00 : f32
    %acc = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<1024xf32, #hivm.address_space<ub>>)
    scf.forall (%i) in (4) {
      %row = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%row : memref<1024xf32, #hivm.address_space<ub>>)
      hivm.hir.vadd ins(%acc, %row : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%acc : memref<1024xf32, #hivm.address_space<ub>>)
    }
    hivm.hir.store ins(%acc : memref<1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<1024xf32, #hivm.address_space<gm>>)
    return
  }
}
