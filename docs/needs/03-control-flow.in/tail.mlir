// Both tiles are loaded before the branch that chooses one of them.
module {
  func.func @tail(%a_gm: memref<4096xf32, #hivm.address_space<gm>>, %b_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %last: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %whole = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%whole : memref<4096xf32, #hivm.address_space<ub>>)
    %padded = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%padded : memref<4096xf32, #hivm.address_space<ub>>)
    %tile = scf.if %last -> (memref<4096xf32, #hivm.address_space<ub>>) {
      scf.yield %padded : memref<4096xf32, #hivm.address_space<ub>>
    } else {
      scf.yield %whole : memref<4096xf32, #hivm.address_space<ub>>
    }
    hivm.hir.vexp ins(%tile : memref<4096xf32, #hivm.address_space<ub>>) outs(%tile : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%tile : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
