// the kernel of stall_pair.mlir in the other pass: no veto, so y takes x's slots in place
// rules: 7(3), 3.2(8), 3.4, 4.3
// target: Ascend910B1
// pass: regbase
// expect hivm: [0,65536] [0,65536]
// expect auto: ub optimal sequential 131072
// how: no stall veto in regbase: pair (y,x), slots max(2,2). One entry plus one extra slot, 128 KB: sequential.
module {
  func.func @abs_stream(%x_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%x : memref<16384xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%x : memref<16384xf32, #hivm.address_space<ub>>) outs(%y : memref<16384xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<16384xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<16384xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
