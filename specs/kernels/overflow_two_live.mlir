// two tiles alive at the same time exceed the UB
// rules: 4.2, 4.11, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 1835008 bits while 1572864 bits available!
// expect auto: ub infeasible 229376
// how: x 128K and y 96K both live at the vadd. N = 131072 + 98304 B = 1835008 bits.
module {
  func.func @two_live(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%x : memref<32768xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%y : memref<24576xf32, #hivm.address_space<ub>>)
    %x_part = memref.subview %x[0] [24576] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x_part, %y : memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>, memref<24576xf32, #hivm.address_space<ub>>) outs(%x_part : memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<32768xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
