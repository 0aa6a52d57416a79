// prefix sum over the last axis: a scalar loop on 910B, so its result shares with no vector tile
// rules: 3.2(5), 4.4, 4.5, 4.6, 4.9(3), A.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [139008] [46080] [46848] [92928] [46848] [46464]
// expect auto: ub feasible pipe 139008
// how: cum dim is the last: prefix and x are scalar buffers. 5 x 46080 B > 192 KB. Order D: x, peak, sum; O: v1, v2, v3; S: prefix.
// how: level 3: 0, 46080, 46464 (384 B each), v1@46848, v2@92928, v3 over v1; prefix: every vector or DMA tile conflicts, x by its life: @139008.
// how: T = 185088 B fits: kept, no warning.
module {
  func.func @cumsum_then_vector(%x_gm: memref<96x120xf32, #hivm.address_space<gm>>, %r_gm: memref<96x1xf32, #hivm.address_space<gm>>, %s_gm: memref<96x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %half = arith.constant 5.000000e-01 : f32
    %x = memref.alloc() : memref<96x120xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<96x120xf32, #hivm.address_space<gm>>) outs(%x : memref<96x120xf32, #hivm.address_space<ub>>)
    %prefix = memref.alloc() : memref<96x120xf32, #hivm.address_space<ub>>
    hivm.hir.vcumsum ins(%x : memref<96x120xf32, #hivm.address_space<ub>>) outs(%prefix : memref<96x120xf32, #hivm.address_space<ub>>) cum_dims = [1] reverse = false
    %peak = memref.alloc() : memref<96x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%prefix : memref<96x120xf32, #hivm.address_space<ub>>) outs(%peak : memref<96x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%peak : memref<96x1xf32, #hivm.address_space<ub>>) outs(%r_gm : memref<96x1xf32, #hivm.address_space<gm>>)
    %v1 = memref.alloc() : memref<96x120xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%half : f32) outs(%v1 : memref<96x120xf32, #hivm.address_space<ub>>)
    %v2 = memref.alloc() : memref<120x96xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v1 : memref<96x120xf32, #hivm.address_space<ub>>) outs(%v2 : memref<120x96xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %v3 = memref.alloc() : memref<96x120xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v2 : memref<120x96xf32, #hivm.address_space<ub>>) outs(%v3 : memref<96x120xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %sum = memref.alloc() : memref<96x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%v3 : memref<96x120xf32, #hivm.address_space<ub>>) outs(%sum : memref<96x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%sum : memref<96x1xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<96x1xf32, #hivm.address_space<gm>>)
    return
  }
}
