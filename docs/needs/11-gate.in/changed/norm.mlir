module {
  func.func @norm(%x_gm: memref<12288xf32, #hivm.address_space<gm>>, %b_gm: memref<12288xf32, #hivm.address_space<gm>>, %y_gm: memref<12288xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %b = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%b : memref<12288xf32, #hivm.address_space<ub>>)
    %x = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%x : memref<12288xf32, #hivm.address_space<ub>>)
    %sq = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %x : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%sq : memref<12288xf32, #hivm.address_space<ub>>)
    %r = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.vrsqrt ins(%sq : memref<12288xf32, #hivm.address_space<ub>>) outs(%r : memref<12288xf32, #hivm.address_space<ub>>)
    %n = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %r : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%n : memref<12288xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%n, %b : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%y : memref<12288xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%y : memref<12288xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<12288xf32, #hivm.address_space<gm>>)
    return
  }
}
