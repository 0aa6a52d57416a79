// preload buffers live as long as their own loop: two loops after each other share
// rules: 2.9(2), 4.7, 4.9(2), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0]
// expect auto: ub optimal loop 131072
// how: each preload buffer lives from its loop's begin to its end entry; the loops are disjoint in time. 128 + 128 KB > 192 KB.
// how: second: L3 no (DMA), L2: anchors are the two different loops: @0. W1 with T = 2097152 bits.
module {
  func.func @two_preload_loops(%k_gm: memref<32768xf32, #hivm.address_space<gm>>, %v_gm: memref<32768xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %k_tile = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      annotation.mark %k_tile {hivm.preload_local_buffer = 1 : i32} : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%k_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%k_tile : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%k_tile : memref<32768xf32, #hivm.address_space<ub>>) outs(%k_gm : memref<32768xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %v_tile = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      annotation.mark %v_tile {hivm.preload_local_buffer = 1 : i32} : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%v_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%v_tile : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%v_tile : memref<32768xf32, #hivm.address_space<ub>>) outs(%v_gm : memref<32768xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
