// One tile with a place already, one that shares with nobody, one with two slots.
module {
  func.func @marks(%t_gm: memref<4096xf32, #hivm.address_space<gm>>, %x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c65536_i64 = arith.constant 65536 : i64
    %table = hivm.hir.pointer_cast(%c65536_i64) : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%table : memref<4096xf32, #hivm.address_space<ub>>)
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      annotation.mark %y {mem_unique} : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%x, %table : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%y : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
