// layer normalisation of 8 rows of 1024 with affine weights
// rules: 2.4, 3.2(2), 3.2(7), 3.2(8), 4.3
// target: Ascend910B2
// pass: base
// expect hivm: [0] [32768] [36864] [40960] [40960] [0] [40992] [73760] [73760] [73760] [73760] [0] [0] [0]
// expect auto: ub feasible sequential 73792
// how: mean pairs with sum (scalar operand is ignored); centred with x (same shape; mean is too small); sq gets no partner (centred lives on).
// how: vreduce is not elementwise: var_sum is new; var, var_eps, rstd follow it in place.
// how: normed, scaled, y follow centred (gamma and beta are smaller than the result), i.e. all in x's entry.
// how: entries x 32768, gamma 4096, beta 4096, sum 32, sq 32768, var_sum 32.
module {
  func.func @layernorm(%x_gm: memref<8x1024xf32, #hivm.address_space<gm>>, %gamma_gm: memref<1x1024xf32, #hivm.address_space<gm>>, %beta_gm: memref<1x1024xf32, #hivm.address_space<gm>>, %y_gm: memref<8x1024xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %inv_n = arith.constant 9.765625E-4 : f32
    %eps = arith.constant 9.99999974E-6 : f32
    %x = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8x1024xf32, #hivm.address_space<gm>>) outs(%x : memref<8x1024xf32, #hivm.address_space<ub>>)
    %gamma = memref.alloc() : memref<1x1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%gamma_gm : memref<1x1024xf32, #hivm.address_space<gm>>) outs(%gamma : memref<1x1024xf32, #hivm.address_space<ub>>)
    %beta = memref.alloc() : memref<1x1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%beta_gm : memref<1x1024xf32, #hivm.address_space<gm>>) outs(%beta : memref<1x1024xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%x : memref<8x1024xf32, #hivm.address_space<ub>>) outs(%sum : memref<8x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %mean = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%sum, %inv_n : memref<8x1xf32, #hivm.address_space<ub>>, f32) outs(%mean : memref<8x1xf32, #hivm.address_space<ub>>)
    %centred = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.vsub ins(%x, %mean : memref<8x1024xf32, #hivm.address_space<ub>>, memref<8x1xf32, #hivm.address_space<ub>>) outs(%centred : memref<8x1024xf32, #hivm.address_space<ub>>) broadcast = [1]
    %sq = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%centred, %centred : memref<8x1024xf32, #hivm.address_space<ub>>, memref<8x1024xf32, #hivm.address_space<ub>>) outs(%sq : memref<8x1024xf32, #hivm.address_space<ub>>)
    %var_sum = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%sq : memref<8x1024xf32, #hivm.address_space<ub>>) outs(%var_sum : memref<8x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %var = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%var_sum, %inv_n : memref<8x1xf32, #hivm.address_space<ub>>, f32) outs(%var : memref<8x1xf32, #hivm.address_space<ub>>)
    %var_eps = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%var, %eps : memref<8x1xf32, #hivm.address_space<ub>>, f32) outs(%var_eps : memref<8x1xf32, #hivm.address_space<ub>>)
    %rstd = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
    hivm.hir.vrsqrt ins(%var_eps : memref<8x1xf32, #hivm.address_space<ub>>) outs(%rstd : memref<8x1xf32, #hivm.address_space<ub>>)
    %normed = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%centred, %rstd : memref<8x1024xf32, #hivm.address_space<ub>>, memref<8x1xf32, #hivm.address_space<ub>>) outs(%normed : memref<8x1024xf32, #hivm.address_space<ub>>) broadcast = [1]
    %scaled = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%normed, %gamma : memref<8x1024xf32, #hivm.address_space<ub>>, memref<1x1024xf32, #hivm.address_space<ub>>) outs(%scaled : memref<8x1024xf32, #hivm.address_space<ub>>) broadcast = [0]
    %y = memref.alloc() : memref<8x1024xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%scaled, %beta : memref<8x1024xf32, #hivm.address_space<ub>>, memref<1x1024xf32, #hivm.address_space<ub>>) outs(%y : memref<8x1024xf32, #hivm.address_space<ub>>) broadcast = [0]
    hivm.hir.store ins(%y : memref<8x1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<8x1024xf32, #hivm.address_space<gm>>)
    return
  }
}
