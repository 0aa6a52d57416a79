// a coupled UB buffer shares with a later tile (the default)
// rules: 2.9(4), 4.9(0), 4.14(W1)
// target: Ascend950PR_9589
// pass: base
// expect hivm: [0] [0]
// expect auto: ub optimal loop 163840
// how: scores 160K lives from its mark (written by the cube core) to the store; tile 96K later. 256 KB > 248 KB: L0@0.
// how: W1 with T = 2097152 bits.
module {
  func.func @coupled(%s_gm: memref<40960xf32, #hivm.address_space<gm>>, %t_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %scores = memref.alloc() : memref<40960xf32, #hivm.address_space<ub>>
    annotation.mark %scores {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>} : memref<40960xf32, #hivm.address_space<ub>>
    hivm.hir.store ins(%scores : memref<40960xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<40960xf32, #hivm.address_space<gm>>)
    %tile = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%tile : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%tile : memref<24576xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
