// embedding lookup plus position embedding
// rules: 2.4, 3.2(1), 4.3
// target: Ascend950DT_9571
// pass: base
// expect hivm: [0] [512] [16896]
// expect auto: ub feasible sequential 33280
// how: embedding_gather gens rows and kills ids; it is no structured op (and ids is smaller): no pair. vadd writes rows again: no gen.
// how: entries ids 512, rows 16384, pos 16384.
module attributes {hacc.target = #hacc.target<"Ascend950DT_9571">} {
  func.func @embedding_lookup(%ids_gm: memref<128xi32, #hivm.address_space<gm>>, %table_gm: memref<32000x64xf16, #hivm.address_space<gm>>, %pos_gm: memref<128x64xf16, #hivm.address_space<gm>>, %out_gm: memref<128x64xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %ids = memref.alloc() : memref<128xi32, #hivm.address_space<ub>>
    hivm.hir.load ins(%ids_gm : memref<128xi32, #hivm.address_space<gm>>) outs(%ids : memref<128xi32, #hivm.address_space<ub>>)
    %rows = memref.alloc() : memref<128x64xf16, #hivm.address_space<ub>>
    hivm.hir.embedding_gather ins(%table_gm, %ids : memref<32000x64xf16, #hivm.address_space<gm>>, memref<128xi32, #hivm.address_space<ub>>) outs(%rows : memref<128x64xf16, #hivm.address_space<ub>>)
    %pos = memref.alloc() : memref<128x64xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%pos_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%pos : memref<128x64xf16, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%rows, %pos : memref<128x64xf16, #hivm.address_space<ub>>, memref<128x64xf16, #hivm.address_space<ub>>) outs(%rows : memref<128x64xf16, #hivm.address_space<ub>>)
    hivm.hir.store ins(%rows : memref<128x64xf16, #hivm.address_space<ub>>) outs(%out_gm : memref<128x64xf16, #hivm.address_space<gm>>)
    return
  }
}
