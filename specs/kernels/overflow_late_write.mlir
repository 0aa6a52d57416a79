// a buffer allocated before a loop, but first written after it, is kept for the whole loop: false overflow
// rules: 2.5, 4.11, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 2097152 bits while 1572864 bits available!
// expect auto: ub optimal loop 131072
// how: tail is alive (SSA) at the loop: its life starts at the loop begin, so it meets tile. 128 + 128 KB.
// how: With the alloc of tail behind the loop the lives are disjoint and the kernel fits.
module {
  func.func @late_write(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tail = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    scf.for %i = %c0 to %n step %c1 {
      %tile = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%tile : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.vexp ins(%tile : memref<32768xf32, #hivm.address_space<ub>>) outs(%tile : memref<32768xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%tile : memref<32768xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<32768xf32, #hivm.address_space<gm>>)
    }
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%tail : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%tail : memref<32768xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
