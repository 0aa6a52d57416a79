// sqrt(|x|) tile by tile, in and out double-buffered: five slots of 40 KiB for 192 KiB
module {
  func.func @stream(%x_gm: memref<10240xf32, #hivm.address_space<gm>>, %y_gm: memref<10240xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<10240xf32, #hivm.address_space<gm>>) outs(%x : memref<10240xf32, #hivm.address_space<ub>>)
      %t = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%x : memref<10240xf32, #hivm.address_space<ub>>) outs(%t : memref<10240xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.vsqrt ins(%t : memref<10240xf32, #hivm.address_space<ub>>) outs(%y : memref<10240xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<10240xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<10240xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
