// The chip stands in the text.
module attributes {hacc.target = #hacc.target<"Ascend910_9391">} {
  func.func @copy(%x_gm: memref<49152xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<49152xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<49152xf32, #hivm.address_space<gm>>) outs(%x : memref<49152xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<49152xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<49152xf32, #hivm.address_space<gm>>)
    return
  }
}
