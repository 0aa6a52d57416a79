// square root by Newton steps in an scf.while, scratch tile allocated before the loop
// rules: 2.1, 2.3, 2.5, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [16384] [32768]
// expect auto: ub optimal sequential 49152
// how: quot is live at the loop and not yet written: its life starts at the loop begin. No gen meets a usable kill. Sequential.
module {
  func.func @newton_sqrt(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.000000e+00 : f32
    %half = arith.constant 5.000000e-01 : f32
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %est = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%one : f32) outs(%est : memref<4096xf32, #hivm.address_space<ub>>)
    %quot = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    %steps = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%k: index):
      hivm.hir.vdiv ins(%x, %est : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%quot : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.vadd ins(%est, %quot : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%est : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.vmul ins(%est, %half : memref<4096xf32, #hivm.address_space<ub>>, f32) outs(%est : memref<4096xf32, #hivm.address_space<ub>>)
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    hivm.hir.store ins(%est : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
