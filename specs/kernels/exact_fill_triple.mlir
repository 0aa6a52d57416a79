// two triple buffers fill the UB exactly; a third, single tile must take a slot at level 1
// rules: 4.1, 4.2, 4.4, 4.7, 4.9(1), 4.10, 3.2(11)
// target: Ascend910B1
// pass: base
// expect hivm: [0,32768,65536] [98304,131072,163840] [0,32768,65536]
// expect auto: ub feasible slot 196608
// how: vexp: src (loaded) and dst (stored) are both multi-buffers: stall veto, a stall pair, no pair. 6 x 32 KB = 192 KB.
// how: order D: src, #1, #2, dst, #1, #2, stats: L3 0..160K; stats: L3, L2 no; L1 on src: slots 32768, 65536 added.
// how: W1 with T = 229376 B = 1835008 bits.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @exp_stream(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %y_gm: memref<8192xf32, #hivm.address_space<gm>>, %s_gm: memref<8192xf32, #hivm.address_space<gm>>, %so_gm: memref<8192xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %src = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %src {hivm.multi_buffer = 3 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%src : memref<8192xf32, #hivm.address_space<ub>>)
      %dst = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %dst {hivm.multi_buffer = 3 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%src : memref<8192xf32, #hivm.address_space<ub>>) outs(%dst : memref<8192xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%dst : memref<8192xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<8192xf32, #hivm.address_space<gm>>)
      %stats = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%s_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%stats : memref<8192xf32, #hivm.address_space<ub>>)
      hivm.hir.vabs ins(%stats : memref<8192xf32, #hivm.address_space<ub>>) outs(%stats : memref<8192xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%stats : memref<8192xf32, #hivm.address_space<ub>>) outs(%so_gm : memref<8192xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
