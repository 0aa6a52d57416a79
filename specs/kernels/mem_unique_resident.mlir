// a tile marked mem_unique keeps its bytes for itself; two later tiles share among themselves
// rules: 2.9(3), 4.4, 4.7, 4.8(unique), 4.9(0), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [65536] [65536]
// expect auto: ub optimal loop 163840
// how: 64 + 96 + 64 KB > 192 KB. Order U: table; D: x, y. table@0, x L3@64K; y: L3, L2 no, L1 no; L0: table is unique: conflict although dead;
// how: x is dead: @65536. (Without the mark y would go to 0.) W1 with T = 229376 B = 1835008 bits.
module {
  func.func @resident(%t_gm: memref<16384xf32, #hivm.address_space<gm>>, %x_gm: memref<24576xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %table = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    annotation.mark %table {mem_unique} : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%table : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%table : memref<16384xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<16384xf32, #hivm.address_space<gm>>)
    %x = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%x : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vexp ins(%x : memref<24576xf32, #hivm.address_space<ub>>) outs(%x : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<24576xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<24576xf32, #hivm.address_space<gm>>)
    %y = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%y : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.vexp ins(%y : memref<16384xf32, #hivm.address_space<ub>>) outs(%y : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%y : memref<16384xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<16384xf32, #hivm.address_space<gm>>)
    return
  }
}
