// a tile of 48000 f32 fits once, its double buffer does not (the numbers of public case 01)
// rules: 2.9(1), 4.1, 4.2, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 3072000 bits while 1572864 bits available!
// expect auto: ub infeasible 384000
// how: 192000 B x 2 slots: two entries with the same life. N = 384000 B = 3072000 bits.
module {
  func.func @double_tile(%x_gm: memref<48000xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %tile = memref.alloc() : memref<48000xf32, #hivm.address_space<ub>>
      annotation.mark %tile {hivm.multi_buffer = 2 : i32} : memref<48000xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<48000xf32, #hivm.address_space<gm>>) outs(%tile : memref<48000xf32, #hivm.address_space<ub>>)
      hivm.hir.vexp ins(%tile : memref<48000xf32, #hivm.address_space<ub>>) outs(%tile : memref<48000xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%tile : memref<48000xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<48000xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
