// a tile promoted at level 1 blocks the next one: rollback pops both of its slots and lowers it to level 0
// rules: 4.7, 4.10, 4.11(joint), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,98304] [98304] [0]
// expect auto: ub optimal lifetime 196608
// how: stream 2x96K fills the UB; acc 56K: L3, L2 no, L1 on stream: [0, 98304 joint]; wide 96K meets acc in both halves: fails.
// how: pop the joint record, pop acc (level 1): avoid address 0, level 0. acc: L0 on the other slot @98304; wide: L0@0.
// how: W1 with T = 352256 B = 2818048 bits.
module {
  func.func @stream_then_add(%stream_gm: memref<24576xf32, #hivm.address_space<gm>>, %acc_gm: memref<14336xf32, #hivm.address_space<gm>>, %wide_gm: memref<24576xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %stream = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      annotation.mark %stream {hivm.multi_buffer = 2 : i32} : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%stream_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%stream : memref<24576xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%stream : memref<24576xf32, #hivm.address_space<ub>>) outs(%stream_gm : memref<24576xf32, #hivm.address_space<gm>>)
      %acc = memref.alloc() : memref<14336xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%acc_gm : memref<14336xf32, #hivm.address_space<gm>>) outs(%acc : memref<14336xf32, #hivm.address_space<ub>>)
      %wide = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%wide_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%wide : memref<24576xf32, #hivm.address_space<ub>>)
      %wide_lo = memref.subview %wide[0] [14336] [1] : memref<24576xf32, #hivm.address_space<ub>> to memref<14336xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc, %wide_lo : memref<14336xf32, #hivm.address_space<ub>>, memref<14336xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%acc : memref<14336xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%acc : memref<14336xf32, #hivm.address_space<ub>>) outs(%acc_gm : memref<14336xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
