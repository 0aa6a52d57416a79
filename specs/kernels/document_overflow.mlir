// fused residual add + RMSNorm, f16, hidden size 4096, double-buffered tiles: the error text of the public document
// rules: 1.6, 2.5, 2.9(1), 4.1, 4.2, 4.4, 4.8, 4.11, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 3219456 bits while 1572864 bits available!
// expect auto: ub infeasible 402432
// how: KB: gamma 8 and rstd_all 1 live for the whole loop; x 2x64, res 2x64, y 2x64 (f16); hid, res_f32, sq 128 each (f32); ms 32 B.
// how: at the second vcast res, hid and res_f32 alone need 384 KB: no plan. N: level 0, order D: gamma@0, rstd_all@8K, x@9K, x#1@73K,
// how: res@137K, res#1@201K, y over x @9K, y#1@73K; O: hid meets x, res and y: @265K..393K; res_f32 and sq over x; ms over res.
// how: 393 KB = 402432 B = 3219456 bits, printed as loc("/tmp/tmp0h121237/kernel.ttadapter.mlir":2:3): error: ub overflow, ...
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @add_rmsnorm(%x_gm: memref<256x4096xf16, #hivm.address_space<gm>>, %res_gm: memref<256x4096xf16, #hivm.address_space<gm>>, %gamma_gm: memref<1x4096xf16, #hivm.address_space<gm>>, %y_gm: memref<256x4096xf16, #hivm.address_space<gm>>, %rstd_gm: memref<256x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %inv_n = arith.constant 2.44140625E-4 : f32
    %eps = arith.constant 9.99999997E-7 : f32
    %gamma = memref.alloc() : memref<1x4096xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%gamma_gm : memref<1x4096xf16, #hivm.address_space<gm>>) outs(%gamma : memref<1x4096xf16, #hivm.address_space<ub>>)
    %rstd_all = memref.alloc() : memref<256x1xf32, #hivm.address_space<ub>>
    scf.for %row = %c0 to %c256 step %c8 {
      %x_src = memref.subview %x_gm[%row, 0] [8, 4096] [1, 1] : memref<256x4096xf16, #hivm.address_space<gm>> to memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>
      %res_src = memref.subview %res_gm[%row, 0] [8, 4096] [1, 1] : memref<256x4096xf16, #hivm.address_space<gm>> to memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>
      %y_dst = memref.subview %y_gm[%row, 0] [8, 4096] [1, 1] : memref<256x4096xf16, #hivm.address_space<gm>> to memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>
      %x = memref.alloc() : memref<8x4096xf16, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<8x4096xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_src : memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>) outs(%x : memref<8x4096xf16, #hivm.address_space<ub>>)
      %res = memref.alloc() : memref<8x4096xf16, #hivm.address_space<ub>>
      annotation.mark %res {hivm.multi_buffer = 2 : i32} : memref<8x4096xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%res_src : memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>) outs(%res : memref<8x4096xf16, #hivm.address_space<ub>>)
      %hid = memref.alloc() : memref<8x4096xf32, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%x : memref<8x4096xf16, #hivm.address_space<ub>>) outs(%hid : memref<8x4096xf32, #hivm.address_space<ub>>) round_mode = <rint>
      %res_f32 = memref.alloc() : memref<8x4096xf32, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%res : memref<8x4096xf16, #hivm.address_space<ub>>) outs(%res_f32 : memref<8x4096xf32, #hivm.address_space<ub>>) round_mode = <rint>
      hivm.hir.vadd ins(%hid, %res_f32 : memref<8x4096xf32, #hivm.address_space<ub>>, memref<8x4096xf32, #hivm.address_space<ub>>) outs(%hid : memref<8x4096xf32, #hivm.address_space<ub>>)
      %sq = memref.alloc() : memref<8x4096xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%hid, %hid : memref<8x4096xf32, #hivm.address_space<ub>>, memref<8x4096xf32, #hivm.address_space<ub>>) outs(%sq : memref<8x4096xf32, #hivm.address_space<ub>>)
      %ms = memref.alloc() : memref<8x1xf32, #hivm.address_space<ub>>
      hivm.hir.vreduce <sum> ins(%sq : memref<8x4096xf32, #hivm.address_space<ub>>) outs(%ms : memref<8x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
      hivm.hir.vmul ins(%ms, %inv_n : memref<8x1xf32, #hivm.address_space<ub>>, f32) outs(%ms : memref<8x1xf32, #hivm.address_space<ub>>)
      hivm.hir.vadd ins(%ms, %eps : memref<8x1xf32, #hivm.address_space<ub>>, f32) outs(%ms : memref<8x1xf32, #hivm.address_space<ub>>)
      %rstd = memref.subview %rstd_all[%row, 0] [8, 1] [1, 1] : memref<256x1xf32, #hivm.address_space<ub>> to memref<8x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<ub>>
      hivm.hir.vrsqrt ins(%ms : memref<8x1xf32, #hivm.address_space<ub>>) outs(%rstd : memref<8x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<ub>>)
      hivm.hir.vmul ins(%hid, %rstd : memref<8x4096xf32, #hivm.address_space<ub>>, memref<8x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<ub>>) outs(%hid : memref<8x4096xf32, #hivm.address_space<ub>>) broadcast = [1]
      %y = memref.alloc() : memref<8x4096xf16, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<8x4096xf16, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%hid : memref<8x4096xf32, #hivm.address_space<ub>>) outs(%y : memref<8x4096xf16, #hivm.address_space<ub>>) round_mode = <rint>
      hivm.hir.vmul ins(%y, %gamma : memref<8x4096xf16, #hivm.address_space<ub>>, memref<1x4096xf16, #hivm.address_space<ub>>) outs(%y : memref<8x4096xf16, #hivm.address_space<ub>>) broadcast = [0]
      hivm.hir.store ins(%y : memref<8x4096xf16, #hivm.address_space<ub>>) outs(%y_dst : memref<8x4096xf16, strided<[4096, 1], offset: ?>, #hivm.address_space<gm>>)
    }
    hivm.hir.store ins(%rstd_all : memref<256x1xf32, #hivm.address_space<ub>>) outs(%rstd_gm : memref<256x1xf32, #hivm.address_space<gm>>)
    return
  } loc("/tmp/tmp0h121237/kernel.ttadapter.mlir":2:3)
}
