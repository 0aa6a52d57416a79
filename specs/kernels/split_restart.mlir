// resident table with staged updates: the plain outline fails, the split outline succeeds
// rules: 4.4, 4.7, 4.8(place), 4.8(split), 4.9(0), 4.11, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [131072] [131072] [163840] [131072]
// expect auto: ub optimal loop 196608
// how: order D: table 128K, p1 32K, p2 32K; O: wide 64K, mix 32K. T = 256 KB > 192 KB. L3: table@0, p1@128K, p2@160K.
// how: wide: L3 (DMA), L2 (no loops), L1 no; L0 over p1 and p2 @128K: plain mode makes one bound with the lives of all three,
// how: so mix (meets p2, not p1) finds no place. Rollback: p2 must avoid 160K: none; p1 must avoid 128K: none; root: restart in split mode.
// how: split: wide leaves two bounds (wide+p1, wide+p2); mix fits the first at L0: @131072. W1 with T = 2097152 bits.
module {
  func.func @staged_update(%t_gm: memref<32768xf32, #hivm.address_space<gm>>, %p1_gm: memref<8192xf32, #hivm.address_space<gm>>, %p2_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %table = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%table : memref<32768xf32, #hivm.address_space<ub>>)
    %lo = memref.subview %table[0] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    %hi = memref.subview %table[16384] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>
    %part = memref.subview %table[0] [8192] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>
    %wide = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%lo : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%wide : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%hi, %wide : memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%hi : memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>)
    %p1 = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%p1_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%p1 : memref<8192xf32, #hivm.address_space<ub>>)
    %p2 = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%p2_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%p2 : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%part, %p1 : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%part : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
    %mix = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%part, %p2 : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%mix : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vsub ins(%mix, %p2 : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%part : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%table : memref<32768xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
