// two double buffers of 48 KB fill the 192 KB exactly: sequential, no reuse
// rules: 2.9(1), 4.1, 4.2, 4.3, 3.2(11), 6(4)
// target: Ascend910B1
// pass: base
// expect hivm: [0,98304] [49152,147456]
// expect auto: ub feasible sequential 196608
// how: stall veto keeps src and dst apart. need = 4 x 49152 = 196608 = capacity: sequential, extra slots after all first slots.
module {
  func.func @sqrt_stream(%x_gm: memref<12288xf32, #hivm.address_space<gm>>, %y_gm: memref<12288xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %src = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      annotation.mark %src {hivm.multi_buffer = 2 : i32} : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%src : memref<12288xf32, #hivm.address_space<ub>>)
      %dst = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      annotation.mark %dst {hivm.multi_buffer = 2 : i32} : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vsqrt ins(%src : memref<12288xf32, #hivm.address_space<ub>>) outs(%dst : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%dst : memref<12288xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
