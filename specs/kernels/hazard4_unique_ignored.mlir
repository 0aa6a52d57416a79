// a result marked mem_unique is put in place of its source and loses the protection
// rules: 2.9(3), 3.2(8), 3.4, 4.4, 4.8(unique), 10.2(4), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0] [0]
// expect auto: ub infeasible 262144
// how: base pairs (pinned,x) although pinned is unique; the merged life keeps the name of x, which is not unique.
// how: later 128K: L3 no (DMA), L2, L1 no, L0: unique test looks at x: @0. W1 with T = 2097152 bits.
// how: Unsound: two buffers share with a unique one.
module {
  func.func @unique_result(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<32768xf32, #hivm.address_space<gm>>, %z_gm: memref<32768xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%x : memref<32768xf32, #hivm.address_space<ub>>)
    %pinned = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    annotation.mark %pinned {mem_unique} : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x : memref<32768xf32, #hivm.address_space<ub>>) outs(%pinned : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%pinned : memref<32768xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<32768xf32, #hivm.address_space<gm>>)
    %later = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%z_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%later : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%later : memref<32768xf32, #hivm.address_space<ub>>) outs(%z_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
