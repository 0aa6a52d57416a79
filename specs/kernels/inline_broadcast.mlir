// inline broadcast: only a source with the shape of the result may give its memory
// rules: 3.2(2), 3.2(7), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [32768] [0] [33024] [65792]
// expect auto: ub feasible sequential 98560
// how: vsub: row is too small, x has the result's shape: pair (y,x). vmul kills table only (y is stored later): big enough,
// how: but its operand type is 1x128, the result 64x128: no. Entries x 32768, row 256, table 32768, z 32768.
module {
  func.func @inline_broadcast(%x_gm: memref<64x128xf32, #hivm.address_space<gm>>, %row_gm: memref<64x1xf32, #hivm.address_space<gm>>, %t_gm: memref<64x128xf32, #hivm.address_space<gm>>, %y_gm: memref<64x128xf32, #hivm.address_space<gm>>, %z_gm: memref<64x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64x128xf32, #hivm.address_space<gm>>) outs(%x : memref<64x128xf32, #hivm.address_space<ub>>)
    %row = memref.alloc() : memref<64x1xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%row_gm : memref<64x1xf32, #hivm.address_space<gm>>) outs(%row : memref<64x1xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.vsub ins(%x, %row : memref<64x128xf32, #hivm.address_space<ub>>, memref<64x1xf32, #hivm.address_space<ub>>) outs(%y : memref<64x128xf32, #hivm.address_space<ub>>) broadcast = [1]
    %table = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<64x128xf32, #hivm.address_space<gm>>) outs(%table : memref<64x128xf32, #hivm.address_space<ub>>)
    %first = memref.subview %table[0, 0] [1, 128] [1, 1] : memref<64x128xf32, #hivm.address_space<ub>> to memref<1x128xf32, strided<[128, 1]>, #hivm.address_space<ub>>
    %z = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%y, %first : memref<64x128xf32, #hivm.address_space<ub>>, memref<1x128xf32, strided<[128, 1]>, #hivm.address_space<ub>>) outs(%z : memref<64x128xf32, #hivm.address_space<ub>>) broadcast = [0]
    hivm.hir.store ins(%y : memref<64x128xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<64x128xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%z : memref<64x128xf32, #hivm.address_space<ub>>) outs(%z_gm : memref<64x128xf32, #hivm.address_space<gm>>)
    return
  }
}
