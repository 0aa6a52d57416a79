// byte buffer seen as a tile: view, collapse, expand, reinterpret
// rules: 2.3, 2.4, 3.2(1), 3.2(8), 1.6
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0]
// expect auto: ub optimal sequential 16384
// how: all names are one alias class of raw; vabs kills raw through the last view: offset 0 on both sides, same type: pair (act,raw).
module {
  func.func @view_chain(%x_gm: memref<64x64xf32, #hivm.address_space<gm>>, %y_gm: memref<32x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %raw = memref.alloc() : memref<16384xi8, #hivm.address_space<ub>>
    %tile = memref.view %raw[%c0][] : memref<16384xi8, #hivm.address_space<ub>> to memref<64x64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64x64xf32, #hivm.address_space<gm>>) outs(%tile : memref<64x64xf32, #hivm.address_space<ub>>)
    %flat = memref.collapse_shape %tile [[0, 1]] : memref<64x64xf32, #hivm.address_space<ub>> into memref<4096xf32, #hivm.address_space<ub>>
    %rows = memref.expand_shape %flat [[0, 1]] output_shape [16, 256] : memref<4096xf32, #hivm.address_space<ub>> into memref<16x256xf32, #hivm.address_space<ub>>
    %wide = memref.reinterpret_cast %rows to offset: [0], sizes: [32, 128], strides: [128, 1] : memref<16x256xf32, #hivm.address_space<ub>> to memref<32x128xf32, strided<[128, 1]>, #hivm.address_space<ub>>
    %act = memref.alloc() : memref<32x128xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%wide : memref<32x128xf32, strided<[128, 1]>, #hivm.address_space<ub>>) outs(%act : memref<32x128xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%act : memref<32x128xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<32x128xf32, #hivm.address_space<gm>>)
    return
  }
}
