// a single tile spreads over both slots of a dead double buffer: refused at level 1, accepted at level 0
// rules: 4.1, 4.7, 4.8(place), 4.9(1), 4.9(0), 4.10, 10.2(6), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,32768] [65536] [0]
// expect auto: ub feasible lifetime 180224
// how: 2x32K + 128K fill the UB; late 48K: L3 no (DMA), L2 no (same loop), L1 no (needs two bounds), L0 over slots 0 and 1: @0.
// how: Sound by lives, but late occupies slots that the next iteration's load wants: it stalls. W1 with T = 245760 B = 1966080 bits.
module {
  func.func @copy_three(%a_gm: memref<8192xf32, #hivm.address_space<gm>>, %b_gm: memref<32768xf32, #hivm.address_space<gm>>, %c_gm: memref<12288xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %early = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %early {hivm.multi_buffer = 2 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%a_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%early : memref<8192xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%early : memref<8192xf32, #hivm.address_space<ub>>) outs(%a_gm : memref<8192xf32, #hivm.address_space<gm>>)
      %bulk = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%b_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%bulk : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%bulk : memref<32768xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<32768xf32, #hivm.address_space<gm>>)
      %late = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%c_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%late : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%late : memref<12288xf32, #hivm.address_space<ub>>) outs(%c_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
