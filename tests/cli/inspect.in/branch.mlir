// either branch produces the tile that is used after the if
// rules: 2.1, 2.3, 3.1, 3.4, 2.7, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [32768] [32768] [65536]
// expect auto: ub feasible sequential 98304
// how: result <- grown and result <- plain: pair (grown,plain); x cannot die inside a branch (nesting rule), so no op in-place there.
// how: sq: grown and plain die at the vmul, but are excluded from op in-place. List x, plain (with grown), sq.
module {
  func.func @branch_activation(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %y_gm: memref<8192xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%x : memref<8192xf32, #hivm.address_space<ub>>)
    %act = scf.if %flag -> (memref<8192xf32, #hivm.address_space<ub>>) {
      %grown = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%x : memref<8192xf32, #hivm.address_space<ub>>) outs(%grown : memref<8192xf32, #hivm.address_space<ub>>)
      scf.yield %grown : memref<8192xf32, #hivm.address_space<ub>>
    } else {
      %plain = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%x : memref<8192xf32, #hivm.address_space<ub>>) outs(%plain : memref<8192xf32, #hivm.address_space<ub>>)
      scf.yield %plain : memref<8192xf32, #hivm.address_space<ub>>
    }
    %sq = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%act, %act : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%sq : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%sq : memref<8192xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<8192xf32, #hivm.address_space<gm>>)
    return
  }
}
