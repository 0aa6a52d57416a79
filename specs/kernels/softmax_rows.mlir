// softmax over the last axis of a 16x256 f16 tile, computed in f32
// rules: 2.4, 3.2(7), 3.2(8), 3.2(10), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [24576] [8192] [8192] [24640] [8192] [24704]
// expect auto: ub feasible sequential 32896
// how: widening vcast: no. vsub with broadcast kills %x and %row_max; %row_max is smaller, %x has the shape of the result: pair (centred,x).
// how: vexp: pair (expd,centred). vdiv with broadcast: pair (prob,expd). Narrowing vcast of rank 2: no.
// how: entries x_f16 8192, x 16384, row_max 64, row_sum 64, prob_f16 8192 in first-write order: sequential.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @softmax_rows(%x_gm: memref<16x256xf16, #hivm.address_space<gm>>, %out_gm: memref<16x256xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x_f16 = memref.alloc() : memref<16x256xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<16x256xf16, #hivm.address_space<gm>>) outs(%x_f16 : memref<16x256xf16, #hivm.address_space<ub>>)
    %x = memref.alloc() : memref<16x256xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x_f16 : memref<16x256xf16, #hivm.address_space<ub>>) outs(%x : memref<16x256xf32, #hivm.address_space<ub>>) round_mode = <rint>
    %row_max = memref.alloc() : memref<16x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%x : memref<16x256xf32, #hivm.address_space<ub>>) outs(%row_max : memref<16x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %centred = memref.alloc() : memref<16x256xf32, #hivm.address_space<ub>>
    hivm.hir.vsub ins(%x, %row_max : memref<16x256xf32, #hivm.address_space<ub>>, memref<16x1xf32, #hivm.address_space<ub>>) outs(%centred : memref<16x256xf32, #hivm.address_space<ub>>) broadcast = [1]
    %expd = memref.alloc() : memref<16x256xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%centred : memref<16x256xf32, #hivm.address_space<ub>>) outs(%expd : memref<16x256xf32, #hivm.address_space<ub>>)
    %row_sum = memref.alloc() : memref<16x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%expd : memref<16x256xf32, #hivm.address_space<ub>>) outs(%row_sum : memref<16x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %prob = memref.alloc() : memref<16x256xf32, #hivm.address_space<ub>>
    hivm.hir.vdiv ins(%expd, %row_sum : memref<16x256xf32, #hivm.address_space<ub>>, memref<16x1xf32, #hivm.address_space<ub>>) outs(%prob : memref<16x256xf32, #hivm.address_space<ub>>) broadcast = [1]
    %prob_f16 = memref.alloc() : memref<16x256xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%prob : memref<16x256xf32, #hivm.address_space<ub>>) outs(%prob_f16 : memref<16x256xf16, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.store ins(%prob_f16 : memref<16x256xf16, #hivm.address_space<ub>>) outs(%out_gm : memref<16x256xf16, #hivm.address_space<gm>>)
    return
  }
}
