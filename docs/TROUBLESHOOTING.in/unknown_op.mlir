module {
  func.func @kernel(%g: memref<64xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    "my.op"(%a) : (memref<64xf32, #hivm.address_space<ub>>) -> ()
    return
  }
}
