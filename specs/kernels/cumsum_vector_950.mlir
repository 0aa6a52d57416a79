// the same prefix sum on a 950 stays a vector op: its result is shared by the later vector tiles
// rules: 3.2(5), 4.4, 4.5, 4.6, 4.9(3), A.3
// target: Ascend950PR_9589
// pass: base
// expect hivm: [0] [58240] [57344] [58240] [115584] [58240] [57792]
// expect auto: ub feasible pipe 172928
// how: reg-based chip, f32: no scalar loop. 5 x 57344 B + 896 > 248 KB. Order D: x, peak, sum; O: prefix, v1, v2, v3.
// how: level 3: 0, 57344, 57792, prefix@58240, v1 over dead prefix, v2@115584, v3@58240. T = 172928 B fits: kept.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @cumsum_then_vector(%x_gm: memref<112x128xf32, #hivm.address_space<gm>>, %r_gm: memref<112x1xf32, #hivm.address_space<gm>>, %s_gm: memref<112x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %half = arith.constant 5.000000e-01 : f32
    %x = memref.alloc() : memref<112x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<112x128xf32, #hivm.address_space<gm>>) outs(%x : memref<112x128xf32, #hivm.address_space<ub>>)
    %prefix = memref.alloc() : memref<112x128xf32, #hivm.address_space<ub>>
    hivm.hir.vcumsum ins(%x : memref<112x128xf32, #hivm.address_space<ub>>) outs(%prefix : memref<112x128xf32, #hivm.address_space<ub>>) cum_dims = [1] reverse = false
    %peak = memref.alloc() : memref<112x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%prefix : memref<112x128xf32, #hivm.address_space<ub>>) outs(%peak : memref<112x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%peak : memref<112x1xf32, #hivm.address_space<ub>>) outs(%r_gm : memref<112x1xf32, #hivm.address_space<gm>>)
    %v1 = memref.alloc() : memref<112x128xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%half : f32) outs(%v1 : memref<112x128xf32, #hivm.address_space<ub>>)
    %v2 = memref.alloc() : memref<128x112xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v1 : memref<112x128xf32, #hivm.address_space<ub>>) outs(%v2 : memref<128x112xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %v3 = memref.alloc() : memref<112x128xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v2 : memref<128x112xf32, #hivm.address_space<ub>>) outs(%v3 : memref<112x128xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %sum = memref.alloc() : memref<112x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%v3 : memref<112x128xf32, #hivm.address_space<ub>>) outs(%sum : memref<112x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%sum : memref<112x1xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<112x1xf32, #hivm.address_space<gm>>)
    return
  }
}
