// add of two tiles with a shuffle-dependent in-place partner: the first attempts overflow, a later seed succeeds
// rules: 2.7, 3.2, 4.9(0), 4.11, 4.13, B
// target: Ascend910B1
// pass: base
// expect hivm: [65536] [0] [0] [65536]
// expect auto: ub optimal loop 196608
// how: kill order at the vadd (third shuffle, after lengths 5 and 4): seed 0 gives x before y, so z joins x: y@0, x(+z)@64K, w 128K meets z
// how: and finds no place, nor after rollback and split restart: overflow. Seed 1 gives y before x: z joins y.
// how: then y(+z)@0, x L3@64K, w: L3, L2, L1 no, L0@65536 over dead x and the rest. W1 with T = 2097152 bits.
module {
  func.func @retry(%x_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %w_gm: memref<32768xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    %y = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%y : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.load ins(%x_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%x : memref<16384xf32, #hivm.address_space<ub>>)
    %z = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %y : memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%z : memref<16384xf32, #hivm.address_space<ub>>)
    %w = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%w_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%w : memref<32768xf32, #hivm.address_space<ub>>)
    %w_lo = memref.subview %w[0] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%w_lo, %z : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%w_lo : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%w : memref<32768xf32, #hivm.address_space<ub>>) outs(%w_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
