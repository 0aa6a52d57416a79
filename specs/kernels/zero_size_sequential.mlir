// row sum whose temporary has size 0, everything fits
// rules: 1.6, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [65536] [65792]
// expect auto: ub optimal sequential 65792
// how: sequential mode: a zero-size entry gets the running sum.
module {
  func.func @sum_no_temp(%x_gm: memref<64x256xf32, #hivm.address_space<gm>>, %y_gm: memref<64x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<64x256xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64x256xf32, #hivm.address_space<gm>>) outs(%x : memref<64x256xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<64x1xf32, #hivm.address_space<ub>>
    %none = memref.alloc() : memref<0xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%x : memref<64x256xf32, #hivm.address_space<ub>>) outs(%sum : memref<64x1xf32, #hivm.address_space<ub>>) temp_buffer(%none : memref<0xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%sum : memref<64x1xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<64x1xf32, #hivm.address_space<gm>>)
    return
  }
}
