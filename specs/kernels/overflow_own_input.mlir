// a tile is worked on in its own memory after a second tile has passed: it stays alive all the while
// rules: 2.4, 2.5, 4.11, 4.12
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 1835008 bits while 1572864 bits available!
// expect auto: ub infeasible 229376
// how: acc 96K is loaded before t 128K and is an input of the vmax after it, although it is its output, too: both live together.
// how: N = 98304 + 131072 B = 1835008 bits.
module {
  func.func @relu_later(%acc_gm: memref<24576xf32, #hivm.address_space<gm>>, %t_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %zero = arith.constant 0.000000e+00 : f32
    %acc = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%acc_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%acc : memref<24576xf32, #hivm.address_space<ub>>)
    %t = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%t : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%t : memref<32768xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<32768xf32, #hivm.address_space<gm>>)
    hivm.hir.vmax ins(%acc, %zero : memref<24576xf32, #hivm.address_space<ub>>, f32) outs(%acc : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%acc : memref<24576xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
