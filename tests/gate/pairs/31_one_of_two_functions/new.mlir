module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @elementwise_chain(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %act_gm: memref<4096xf32, #hivm.address_space<gm>>, %prod_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%y : memref<4096xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %y : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sum : memref<4096xf32, #hivm.address_space<ub>>)
    %prod = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%sum, %y : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%prod : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%prod : memref<4096xf32, #hivm.address_space<ub>>) outs(%prod_gm : memref<4096xf32, #hivm.address_space<gm>>)
    %act = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vrelu ins(%sum : memref<4096xf32, #hivm.address_space<ub>>) outs(%act : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%act : memref<4096xf32, #hivm.address_space<ub>>) outs(%act_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
  func.func @second(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %y_gm: memref<8192xf32, #hivm.address_space<gm>>, %act_gm: memref<8192xf32, #hivm.address_space<gm>>, %prod_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%x : memref<8192xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%y : memref<8192xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %y : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%sum : memref<8192xf32, #hivm.address_space<ub>>)
    %prod = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%sum, %y : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%prod : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%prod : memref<8192xf32, #hivm.address_space<ub>>) outs(%prod_gm : memref<8192xf32, #hivm.address_space<gm>>)
    %act = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vrelu ins(%sum : memref<8192xf32, #hivm.address_space<ub>>) outs(%act : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%act : memref<8192xf32, #hivm.address_space<ub>>) outs(%act_gm : memref<8192xf32, #hivm.address_space<gm>>)
    return
  }
}
