// MIX function with the dynamic size set to 160 KB: reuse where 216 KB would be sequential
// rules: 1.1, 1.5, 4.2, 4.9(0), 4.14(W1)
// target: Ascend950PR_9589
// pass: regbase
// options: simt-vf-dynamic-size=160
// expect hivm: [0] [0]
// expect auto: ub optimal loop 122880
// how: 120 + 60 KB = 180 KB > 160 KB. second: L3 no (DMA), L2 no (no loops), L1 no, L0@0. W1 with T = 184320 B = 1474560 bits.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @mix_copies(%x_gm: memref<30720xf32, #hivm.address_space<gm>>, %y_gm: memref<15360xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<MIX>} {
    %first = memref.alloc() : memref<30720xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<30720xf32, #hivm.address_space<gm>>) outs(%first : memref<30720xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%first : memref<30720xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<30720xf32, #hivm.address_space<gm>>)
    %second = memref.alloc() : memref<15360xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<15360xf32, #hivm.address_space<gm>>) outs(%second : memref<15360xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%second : memref<15360xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<15360xf32, #hivm.address_space<gm>>)
    return
  }
}
