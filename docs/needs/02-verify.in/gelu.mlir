// y = x * sigmoid(1.702 * x), tile by tile
module {
  func.func @gelu(%x_gm: memref<12288xf32, #hivm.address_space<gm>>, %y_gm: memref<12288xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %scale = arith.constant -1.702 : f32
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%x : memref<12288xf32, #hivm.address_space<ub>>)
      %t = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%x, %scale : memref<12288xf32, #hivm.address_space<ub>>, f32) outs(%t : memref<12288xf32, #hivm.address_space<ub>>)
      %e = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%t : memref<12288xf32, #hivm.address_space<ub>>) outs(%e : memref<12288xf32, #hivm.address_space<ub>>)
      %d = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%e, %one : memref<12288xf32, #hivm.address_space<ub>>, f32) outs(%d : memref<12288xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vdiv ins(%x, %d : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%y : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<12288xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
