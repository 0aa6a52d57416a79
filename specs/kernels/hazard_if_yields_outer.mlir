// an if that chooses between two tiles written before it
// rules: 2.3, 3.1, 10.2
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0]
// expect auto: ub optimal sequential 32768
// how: picked <- a and picked <- b without condition flag: pair (a,b): one address, although both are alive at the if.
// how: Unsound: loading b destroys a. (arith.select in the same place is handled: its links are conditional.)
module {
  func.func @pick_tile(%a_gm: memref<4096xf32, #hivm.address_space<gm>>, %b_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%a : memref<4096xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%b : memref<4096xf32, #hivm.address_space<ub>>)
    %picked = scf.if %flag -> (memref<4096xf32, #hivm.address_space<ub>>) {
      scf.yield %a : memref<4096xf32, #hivm.address_space<ub>>
    } else {
      scf.yield %b : memref<4096xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%picked : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
