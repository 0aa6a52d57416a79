// rollback pops both slots of a double buffer placed at the same level
// rules: 4.1, 4.9(2), 4.11(sibling), 4.15, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [49152] [131072] [0,98304]
// expect auto: ub optimal loop 180224
// how: head 48K (loop 1); acc 48K, scratch 64K (vector, placed last), tile 2x32K (loop 2). head@0, acc@48K, tile@96K, tile#1@128K: scratch fails.
// how: pop tile#1 (level 3, like tile: keep popping), pop tile: avoid 98304, level 2: tile L2@0, tile#1 L2@98304 (avoid is for tile only),
// how: scratch L2@131072. W1 with T = 229376 B = 1835008 bits.
module {
  func.func @head_then_sum(%head_gm: memref<12288xf32, #hivm.address_space<gm>>, %acc_gm: memref<12288xf32, #hivm.address_space<gm>>, %tile_gm: memref<8192xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %n step %c1 {
      %head = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%head_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%head : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%head : memref<12288xf32, #hivm.address_space<ub>>) outs(%head_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %acc = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%acc_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%acc : memref<12288xf32, #hivm.address_space<ub>>)
      %scratch = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%scratch : memref<16384xf32, #hivm.address_space<ub>>)
      %tile = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %tile {hivm.multi_buffer = 2 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%tile_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%tile : memref<8192xf32, #hivm.address_space<ub>>)
      %scratch_lo = memref.subview %scratch[0] [8192] [1] : memref<16384xf32, #hivm.address_space<ub>> to memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%scratch_lo, %tile : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%scratch_lo : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
      %scratch_in = memref.subview %scratch[0] [12288] [1] : memref<16384xf32, #hivm.address_space<ub>> to memref<12288xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vmax ins(%acc, %scratch_in : memref<12288xf32, #hivm.address_space<ub>>, memref<12288xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%acc : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%acc : memref<12288xf32, #hivm.address_space<ub>>) outs(%acc_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
