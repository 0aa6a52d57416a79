// 2-D cast chain: f32 -> i32 (equal width), i32 -> f16 (narrowing), f16 -> f32 (widening)
// rules: 3.2(10), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [32768] [49152]
// expect auto: ub feasible sequential 81920
// how: equal width: yes, whatever the rank. Narrowing of rank 2: no. Widening: no. Entries x 32768, half 16384, wide 32768.
module {
  func.func @cast_chain_2d(%x_gm: memref<64x128xf32, #hivm.address_space<gm>>, %out_gm: memref<64x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64x128xf32, #hivm.address_space<gm>>) outs(%x : memref<64x128xf32, #hivm.address_space<ub>>)
    %whole = memref.alloc() : memref<64x128xi32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x : memref<64x128xf32, #hivm.address_space<ub>>) outs(%whole : memref<64x128xi32, #hivm.address_space<ub>>) round_mode = #hivm.round_mode<trunc>
    %half = memref.alloc() : memref<64x128xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%whole : memref<64x128xi32, #hivm.address_space<ub>>) outs(%half : memref<64x128xf16, #hivm.address_space<ub>>) round_mode = #hivm.round_mode<rint>
    %wide = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%half : memref<64x128xf16, #hivm.address_space<ub>>) outs(%wide : memref<64x128xf32, #hivm.address_space<ub>>) round_mode = #hivm.round_mode<rint>
    hivm.hir.store ins(%wide : memref<64x128xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<64x128xf32, #hivm.address_space<gm>>)
    return
  }
}
