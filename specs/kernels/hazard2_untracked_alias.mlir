// select between a UB argument and a tile: the untracked alias hides the tile from the kill rule
// rules: 2.2, 2.3, 2.7, 2.8, 10.2(2), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0]
// expect auto: ub infeasible 229376
// how: aliases of s in order: scratch (untracked), own. At every op the kill rule meets scratch first and stops: own is never killed, end = -1.
// how: other: L0@0 on top of own. W1 with T = 229376 B = 1835008 bits. Unsound: own is read through s afterwards.
module {
  func.func @callee(%scratch: memref<32768xf32, #hivm.address_space<ub>>, %x_gm: memref<32768xf32, #hivm.address_space<gm>>, %o_gm: memref<24576xf32, #hivm.address_space<gm>>, %y_gm: memref<32768xf32, #hivm.address_space<gm>>, %use_scratch: i1) attributes {hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %own = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%own : memref<32768xf32, #hivm.address_space<ub>>)
    %s = arith.select %use_scratch, %scratch, %own : memref<32768xf32, #hivm.address_space<ub>>
    %other = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%o_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%other : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%other : memref<24576xf32, #hivm.address_space<ub>>) outs(%o_gm : memref<24576xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%s : memref<32768xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
