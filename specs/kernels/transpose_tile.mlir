// transpose of a 128x64 f16 tile with its temporary
// rules: 3.2(4), 3.2(5), 2.4, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [16384] [32768]
// expect auto: ub optimal sequential 49152
// how: vtranspose is not elementwise: no in-place. It gens dst, then the temporary. Sequential.
module {
  func.func @transpose_tile(%x_gm: memref<128x64xf16, #hivm.address_space<gm>>, %y_gm: memref<64x128xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<128x64xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%x : memref<128x64xf16, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<64x128xf16, #hivm.address_space<ub>>
    %tmp = memref.alloc() : memref<8192xf16, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%x : memref<128x64xf16, #hivm.address_space<ub>>) outs(%y : memref<64x128xf16, #hivm.address_space<ub>>) temp_buffer(%tmp : memref<8192xf16, #hivm.address_space<ub>>) permutation = [1, 0]
    hivm.hir.store ins(%y : memref<64x128xf16, #hivm.address_space<ub>>) outs(%y_gm : memref<64x128xf16, #hivm.address_space<gm>>)
    return
  }
}
