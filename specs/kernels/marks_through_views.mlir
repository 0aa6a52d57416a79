// marks on views reach the root alloc; the last mark wins; one slot counts as no mark
// rules: 1.3, 2.3, 2.9(1), 4.1, 4.3, 6(4)
// target: Ascend910B1
// pass: base
// expect hivm: [0,7168,9216] [2048] [4096,11264]
// expect auto: ub optimal sequential 14336
// how: x: 2 slots through a subview, then 3 on the same view: 3. y: N = 1 is ignored. z: 2 through a collapse_shape.
// how: list x 2048, y 2048, z 3072, then x#1, x#2 (2048), z#1 (3072): sums 0, 2048, 4096, 7168, 9216, 11264.
// how: no hoist: no mark sits on the cast itself (y's mark is no multi-buffer).
module {
  func.func @marks(%x_gm: memref<512xf32, #hivm.address_space<gm>>, %y_gm: memref<512xf32, #hivm.address_space<gm>>, %z_gm: memref<32x24xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<512xf32, #hivm.address_space<ub>>
      %x_v = memref.subview %x[0] [256] [1] : memref<512xf32, #hivm.address_space<ub>> to memref<256xf32, strided<[1]>, #hivm.address_space<ub>>
      annotation.mark %x_v {hivm.multi_buffer = 2 : i32} : memref<256xf32, strided<[1]>, #hivm.address_space<ub>>
      annotation.mark %x_v {hivm.multi_buffer = 3 : i32} : memref<256xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<512xf32, #hivm.address_space<gm>>) outs(%x : memref<512xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<512xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 1 : i32} : memref<512xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%y_gm : memref<512xf32, #hivm.address_space<gm>>) outs(%y : memref<512xf32, #hivm.address_space<ub>>)
      %z = memref.alloc() : memref<32x24xf32, #hivm.address_space<ub>>
      %z_flat = memref.collapse_shape %z [[0, 1]] : memref<32x24xf32, #hivm.address_space<ub>> into memref<768xf32, #hivm.address_space<ub>>
      annotation.mark %z_flat {hivm.multi_buffer = 2 : i32} : memref<768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%z_gm : memref<32x24xf32, #hivm.address_space<gm>>) outs(%z : memref<32x24xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%x : memref<512xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<512xf32, #hivm.address_space<gm>>)
      hivm.hir.store ins(%y : memref<512xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<512xf32, #hivm.address_space<gm>>)
      hivm.hir.store ins(%z : memref<32x24xf32, #hivm.address_space<ub>>) outs(%z_gm : memref<32x24xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
