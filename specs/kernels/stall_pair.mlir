// the vetoed load/store pair may still share at level 0 when nothing else fits
// rules: 3.2(11), 4.4, 4.7, 4.8, 4.9(0), 4.10, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,65536] [131072,0]
// expect auto: ub optimal lifetime 131072
// how: 2 x 64 KB + 2 x 64 KB = 256 KB > 192 KB. Order D: x, x#1, y, y#1: L3 0, 64K, 128K: full.
// how: y#1: L3 no, L2 no (same loop), L1 no (y#1 is an extra slot). L0: the lives of y#1 and x meet at the vabs only
// how: and (y,x) is a stall pair: no conflict: @0. W1 with T = 2097152 bits.
module {
  func.func @abs_stream(%x_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%x : memref<16384xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%x : memref<16384xf32, #hivm.address_space<ub>>) outs(%y : memref<16384xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<16384xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<16384xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
