// unstructured control flow: two blocks produce the tile that the join block stores
// rules: 2.1, 2.3, 2.6, 3.1, 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [16384]
// expect auto: ub feasible sequential 32768
// how: block arguments are conditional aliases: pos and neg are not forced together. In ^bb1 x is not live out (D.3), so vexp kills x:
// how: pair (pos,x). In ^bb2 x is killed already: neg gets no partner. Entries x (with pos), neg.
module {
  func.func @cf_join(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    cf.cond_br %flag, ^bb1, ^bb2
  ^bb1:
    %pos = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%pos : memref<4096xf32, #hivm.address_space<ub>>)
    cf.br ^bb3(%pos : memref<4096xf32, #hivm.address_space<ub>>)
  ^bb2:
    %neg = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%neg : memref<4096xf32, #hivm.address_space<ub>>)
    cf.br ^bb3(%neg : memref<4096xf32, #hivm.address_space<ub>>)
  ^bb3(%chosen: memref<4096xf32, #hivm.address_space<ub>>):
    hivm.hir.store ins(%chosen : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
