// repeated scaling with the tile carried through scf.while as a memref
// rules: 2.3, 2.5, 3.1, 3.4, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [16384] [0] [16384]
// expect auto: ub optimal sequential 32768
// how: cur <- start, v <- cur, scaled <- cur: start and scaled are unconditional aliases: pair (start,scaled), no op in-place for them.
// how: entry(start) merges into entry(scaled), which stands behind weight: weight 0, scaled (and start) 16384.
module {
  func.func @power_iteration(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %w_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %start = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%start : memref<4096xf32, #hivm.address_space<ub>>)
    %weight = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%w_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%weight : memref<4096xf32, #hivm.address_space<ub>>)
    %r:2 = scf.while (%i = %c0, %cur = %start) : (index, memref<4096xf32, #hivm.address_space<ub>>) -> (index, memref<4096xf32, #hivm.address_space<ub>>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %cur : index, memref<4096xf32, #hivm.address_space<ub>>
    } do {
    ^bb0(%k: index, %v: memref<4096xf32, #hivm.address_space<ub>>):
      %scaled = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%v, %weight : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%scaled : memref<4096xf32, #hivm.address_space<ub>>)
      %k_next = arith.addi %k, %c1 : index
      scf.yield %k_next, %scaled : index, memref<4096xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%r#1 : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
