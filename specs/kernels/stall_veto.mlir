// double-buffered load and store tiles around a square: in place would serialise MTE2 and MTE3
// rules: 3.2(11), 4.3, 6(4), 6(5)
// target: Ascend910B1
// pass: base
// expect hivm: [0,32768] [16384,49152]
// expect auto: ub feasible sequential 65536
// how: vmul is an ISA op: yes so far; both are multi-buffers, sq reaches a store and x a load: no (stall pair remembered). It fits sequentially.
module {
  func.func @square_stream(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
      %sq = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      annotation.mark %sq {hivm.multi_buffer = 2 : i32} : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%x, %x : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sq : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%sq : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
