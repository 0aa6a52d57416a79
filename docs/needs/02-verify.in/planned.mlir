// The same kernel with addresses in it. Wrong: %d takes the bytes of %x, which the vdiv still reads.
module {
  func.func @gelu(%x_gm: memref<12288xf32, #hivm.address_space<gm>>, %y_gm: memref<12288xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c49152_i64 = arith.constant 49152 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %scale = arith.constant -1.702 : f32
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %x = hivm.hir.pointer_cast(%c0_i64) : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%x : memref<12288xf32, #hivm.address_space<ub>>)
      %t = hivm.hir.pointer_cast(%c49152_i64) : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%x, %scale : memref<12288xf32, #hivm.address_space<ub>>, f32) outs(%t : memref<12288xf32, #hivm.address_space<ub>>)
      %e = hivm.hir.pointer_cast(%c49152_i64) : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%t : memref<12288xf32, #hivm.address_space<ub>>) outs(%e : memref<12288xf32, #hivm.address_space<ub>>)
      %d = hivm.hir.pointer_cast(%c0_i64) : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%e, %one : memref<12288xf32, #hivm.address_space<ub>>, f32) outs(%d : memref<12288xf32, #hivm.address_space<ub>>)
      %y = hivm.hir.pointer_cast(%c0_i64) : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vdiv ins(%x, %d : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%y : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<12288xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
