// the preloaded tile lives for the whole loop, so the later tile of the same iteration finds no room
// rules: 2.9(2), 4.11, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 1835008 bits while 1572864 bits available!
// expect auto: ub infeasible 229376
// how: k_tile 128K lives from loop begin to loop end; x_tile 96K inside it. (Without the mark they are disjoint and fit.)
// how: N = 131072 + 98304 B = 1835008 bits.
module {
  func.func @preload_and_tile(%k_gm: memref<32768xf32, #hivm.address_space<gm>>, %x_gm: memref<24576xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %k_tile = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      annotation.mark %k_tile {hivm.preload_local_buffer = 1 : i32} : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%k_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%k_tile : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%k_tile : memref<32768xf32, #hivm.address_space<ub>>) outs(%k_gm : memref<32768xf32, #hivm.address_space<gm>>)
      %x_tile = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%x_tile : memref<24576xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%x_tile : memref<24576xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<24576xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
