module {
  func.func @kernel(%g: memref<64xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc(%n) : memref<?xf32, #hivm.address_space<ub>>
    return
  }
}
