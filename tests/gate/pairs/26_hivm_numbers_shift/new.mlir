module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @elementwise_chain(%b_gm: memref<64xf32, #hivm.address_space<gm>>, %x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %act_gm: memref<4096xf32, #hivm.address_space<gm>>, %prod_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %alloc = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<64xf32, #hivm.address_space<gm>>) outs(%alloc : memref<64xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%alloc : memref<64xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<64xf32, #hivm.address_space<gm>>)
    %alloc_0 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%alloc_0 : memref<4096xf32, #hivm.address_space<ub>>)
    %alloc_1 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%alloc_1 : memref<4096xf32, #hivm.address_space<ub>>)
    %alloc_2 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%alloc_0, %alloc_1 : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%alloc_2 : memref<4096xf32, #hivm.address_space<ub>>)
    %alloc_3 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%alloc_2, %alloc_1 : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%alloc_3 : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%alloc_3 : memref<4096xf32, #hivm.address_space<ub>>) outs(%prod_gm : memref<4096xf32, #hivm.address_space<gm>>)
    %alloc_4 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vrelu ins(%alloc_2 : memref<4096xf32, #hivm.address_space<ub>>) outs(%alloc_4 : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%alloc_4 : memref<4096xf32, #hivm.address_space<ub>>) outs(%act_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
