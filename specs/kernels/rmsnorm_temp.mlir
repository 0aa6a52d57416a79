// RMS normalisation, bf16 in and out, with the temporary that the row reduction needs
// rules: 2.4, 3.2(4), 3.2(5), 3.2(7), 3.2(10), 4.3, 1.6
// target: Ascend910B1
// pass: base
// expect hivm: [0] [16384] [49152] [81920] [81952] [81920] [81920] [81920] [16384] [90144]
// expect auto: ub feasible sequential 106528
// how: vreduce gens its output, then the temporary (8192 B, live at that op only, never in place).
// how: mean, mean_eps, rstd follow sum_sq in place; y pairs with x through the broadcast rule; both vcasts: no (widening, 2-D narrowing).
// how: entries x_bf16 16384, x 32768, sq 32768, sum_sq 16 -> 32 aligned, red_tmp 8192, y_bf16 16384.
module {
  func.func @rmsnorm(%x_gm: memref<4x2048xbf16, #hivm.address_space<gm>>, %y_gm: memref<4x2048xbf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %inv_n = arith.constant 4.8828125E-4 : f32
    %eps = arith.constant 9.99999997E-7 : f32
    %x_bf16 = memref.alloc() : memref<4x2048xbf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4x2048xbf16, #hivm.address_space<gm>>) outs(%x_bf16 : memref<4x2048xbf16, #hivm.address_space<ub>>)
    %x = memref.alloc() : memref<4x2048xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x_bf16 : memref<4x2048xbf16, #hivm.address_space<ub>>) outs(%x : memref<4x2048xf32, #hivm.address_space<ub>>) round_mode = <rint>
    %sq = memref.alloc() : memref<4x2048xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %x : memref<4x2048xf32, #hivm.address_space<ub>>, memref<4x2048xf32, #hivm.address_space<ub>>) outs(%sq : memref<4x2048xf32, #hivm.address_space<ub>>)
    %sum_sq = memref.alloc() : memref<4x1xf32, #hivm.address_space<ub>>
    %red_tmp = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%sq : memref<4x2048xf32, #hivm.address_space<ub>>) outs(%sum_sq : memref<4x1xf32, #hivm.address_space<ub>>) temp_buffer(%red_tmp : memref<2048xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %mean = memref.alloc() : memref<4x1xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%sum_sq, %inv_n : memref<4x1xf32, #hivm.address_space<ub>>, f32) outs(%mean : memref<4x1xf32, #hivm.address_space<ub>>)
    %mean_eps = memref.alloc() : memref<4x1xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%mean, %eps : memref<4x1xf32, #hivm.address_space<ub>>, f32) outs(%mean_eps : memref<4x1xf32, #hivm.address_space<ub>>)
    %rstd = memref.alloc() : memref<4x1xf32, #hivm.address_space<ub>>
    hivm.hir.vrsqrt ins(%mean_eps : memref<4x1xf32, #hivm.address_space<ub>>) outs(%rstd : memref<4x1xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<4x2048xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %rstd : memref<4x2048xf32, #hivm.address_space<ub>>, memref<4x1xf32, #hivm.address_space<ub>>) outs(%y : memref<4x2048xf32, #hivm.address_space<ub>>) broadcast = [1]
    %y_bf16 = memref.alloc() : memref<4x2048xbf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%y : memref<4x2048xf32, #hivm.address_space<ub>>) outs(%y_bf16 : memref<4x2048xbf16, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.store ins(%y_bf16 : memref<4x2048xbf16, #hivm.address_space<ub>>) outs(%y_gm : memref<4x2048xbf16, #hivm.address_space<gm>>)
    return
  }
}
