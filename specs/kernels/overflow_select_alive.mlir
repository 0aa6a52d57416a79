// like select_alias, sized so that a planner which ends the candidates at the select would wrongly fit it
// rules: 2.3, 2.7, 4.11, 4.12
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 1835008 bits while 1572864 bits available!
// expect auto: ub infeasible 229376
// how: a 64K, b 64K, wide 96K: a and b live until the store of s, wide is written and stored before that: all three meet.
// how: N = 229376 B = 1835008 bits.
module {
  func.func @pick_wide(%c: i1, %a_gm: memref<16384xf32, #hivm.address_space<gm>>, %b_gm: memref<16384xf32, #hivm.address_space<gm>>, %w_gm: memref<24576xf32, #hivm.address_space<gm>>, %out_gm: memref<16384xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%a : memref<16384xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%b : memref<16384xf32, #hivm.address_space<ub>>)
    %s = arith.select %c, %a, %b : memref<16384xf32, #hivm.address_space<ub>>
    %wide = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%w_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%wide : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%wide : memref<24576xf32, #hivm.address_space<ub>>) outs(%w_gm : memref<24576xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%s : memref<16384xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<16384xf32, #hivm.address_space<gm>>)
    return
  }
}
