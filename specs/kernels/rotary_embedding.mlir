// rotary position embedding: two halves of a head, rotated by cos and sin
// rules: 2.3, 2.4, 3.2(1), 3.2(2), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [4096] [6144] [8192] [10240] [12288] [6144] [16384]
// expect auto: ub feasible sequential 18432
// how: x1/x2 are views at element offsets 0 and 64 of x; rot1/rot2 the same of out. out is gen'd by the first write through a view.
// how: x1_sin: only sin dies, all layout offsets 0: pair (x1_sin,sin). x2_cos: x and cos die, but operand x2 has offset 64: no (offset rule).
// how: entries x 4096, cos 2048, sin 2048, x1_cos 2048, x2_sin 2048, out 4096, x2_cos 2048: sequential.
module {
  func.func @rotary(%x_gm: memref<16x128xf16, #hivm.address_space<gm>>, %cos_gm: memref<16x64xf16, #hivm.address_space<gm>>, %sin_gm: memref<16x64xf16, #hivm.address_space<gm>>, %out_gm: memref<16x128xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<16x128xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<16x128xf16, #hivm.address_space<gm>>) outs(%x : memref<16x128xf16, #hivm.address_space<ub>>)
    %cos = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%cos_gm : memref<16x64xf16, #hivm.address_space<gm>>) outs(%cos : memref<16x64xf16, #hivm.address_space<ub>>)
    %sin = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%sin_gm : memref<16x64xf16, #hivm.address_space<gm>>) outs(%sin : memref<16x64xf16, #hivm.address_space<ub>>)
    %x1 = memref.subview %x[0, 0] [16, 64] [1, 1] : memref<16x128xf16, #hivm.address_space<ub>> to memref<16x64xf16, strided<[128, 1]>, #hivm.address_space<ub>>
    %x2 = memref.subview %x[0, 64] [16, 64] [1, 1] : memref<16x128xf16, #hivm.address_space<ub>> to memref<16x64xf16, strided<[128, 1], offset: 64>, #hivm.address_space<ub>>
    %x1_cos = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x1, %cos : memref<16x64xf16, strided<[128, 1]>, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%x1_cos : memref<16x64xf16, #hivm.address_space<ub>>)
    %x2_sin = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x2, %sin : memref<16x64xf16, strided<[128, 1], offset: 64>, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%x2_sin : memref<16x64xf16, #hivm.address_space<ub>>)
    %out = memref.alloc() : memref<16x128xf16, #hivm.address_space<ub>>
    %rot1 = memref.subview %out[0, 0] [16, 64] [1, 1] : memref<16x128xf16, #hivm.address_space<ub>> to memref<16x64xf16, strided<[128, 1]>, #hivm.address_space<ub>>
    %rot2 = memref.subview %out[0, 64] [16, 64] [1, 1] : memref<16x128xf16, #hivm.address_space<ub>> to memref<16x64xf16, strided<[128, 1], offset: 64>, #hivm.address_space<ub>>
    hivm.hir.vsub ins(%x1_cos, %x2_sin : memref<16x64xf16, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%rot1 : memref<16x64xf16, strided<[128, 1]>, #hivm.address_space<ub>>)
    %x1_sin = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x1, %sin : memref<16x64xf16, strided<[128, 1]>, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%x1_sin : memref<16x64xf16, #hivm.address_space<ub>>)
    %x2_cos = memref.alloc() : memref<16x64xf16, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x2, %cos : memref<16x64xf16, strided<[128, 1], offset: 64>, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%x2_cos : memref<16x64xf16, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%x1_sin, %x2_cos : memref<16x64xf16, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) outs(%rot2 : memref<16x64xf16, strided<[128, 1], offset: 64>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%out : memref<16x128xf16, #hivm.address_space<ub>>) outs(%out_gm : memref<16x128xf16, #hivm.address_space<gm>>)
    return
  }
}
