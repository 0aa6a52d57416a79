// two copies after each other do not fit side by side: level 0 reuse of a DMA buffer, warning W1
// rules: 4.2, 4.7, 4.9(0), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0]
// expect auto: ub optimal loop 131072
// how: 128 KB + 96 KB > 192 KB. second: L3 no (DMA), L2 no (no loop on either side), L1 no, L0@0 (lives disjoint).
// how: W1 with T = 1835008 bits: ... Not reusing dma buffer needs 1835008 bits while 1572864 bits available!
module {
  func.func @two_copies(%a_gm: memref<32768xf32, #hivm.address_space<gm>>, %b_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %first = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%first : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.vrelu ins(%first : memref<32768xf32, #hivm.address_space<ub>>) outs(%first : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%first : memref<32768xf32, #hivm.address_space<ub>>) outs(%a_gm : memref<32768xf32, #hivm.address_space<gm>>)
    %second = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%second : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vrelu ins(%second : memref<24576xf32, #hivm.address_space<ub>>) outs(%second : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%second : memref<24576xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
