module {
  func.func @kernel(%g: memref<64xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    %b = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%a : memref<64xf32, #hivm.address_space<ub>>) outs(%b : memref<64xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%b : memref<64xf32, #hivm.address_space<ub>>) outs(%g : memref<64xf32, #hivm.address_space<gm>>)
    return
  }
}
