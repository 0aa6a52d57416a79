// two unique coupled buffers used one after the other may share in regbase, because their ids never meet
// rules: 1.1, 2.9(4), 7(4), 4.9(0), 4.14(W1)
// target: Ascend950PR_9589
// pass: regbase
// options: disable-tightly-coupled-buffer-reuse=true
// expect hivm: [0] [0]
// expect auto: ub optimal loop 163840
// how: ids 1 and 2: their op ranges in the only function are disjoint: allowed pair; then the normal overlap test: disjoint: L0@0.
// how: W1 with T = 2097152 bits.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @two_coupled(%a_gm: memref<40960xf32, #hivm.address_space<gm>>, %b_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %first = memref.alloc() : memref<40960xf32, #hivm.address_space<ub>>
    annotation.mark %first {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>} : memref<40960xf32, #hivm.address_space<ub>>
    hivm.hir.store ins(%first : memref<40960xf32, #hivm.address_space<ub>>) outs(%a_gm : memref<40960xf32, #hivm.address_space<gm>>)
    %second = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    annotation.mark %second {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<2>} : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.store ins(%second : memref<24576xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
