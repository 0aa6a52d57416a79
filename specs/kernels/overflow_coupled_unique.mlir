// the kernel of coupled_shared.mlir with coupled reuse switched off: the buffer is unique, the tile finds no room
// rules: 1.1, 2.9(4), 4.8(unique), 4.12
// target: Ascend950PR_9589
// pass: base
// options: disable-tightly-coupled-buffer-reuse=true
// expect hivm: error: ub overflow, requires 2097152 bits while 2031616 bits available!
// expect auto: ub infeasible 262144
// how: 160 + 96 KB = 2097152 bits, no sharing allowed.
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
