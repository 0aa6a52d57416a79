// a tile killed in one cf block is still read in its sibling block
// rules: 2.6, 2.7, 2.8, 4.9(0), 10.2, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0] [0]
// expect auto: ub infeasible 229376
// how: vexp in ^bb1 kills x (not live out there); pair (pos,x). ^bb2 stands later in the text: flipped's life starts after x's recorded end.
// how: 112 + 112 KB > 192 KB: level 0 puts flipped at 0. W1 with T = 229376 B = 1835008 bits.
// how: Unsound: in ^bb2 the transpose reads x while it overwrites x's bytes.
module {
  func.func @cf_sibling(%x_gm: memref<128x224xf32, #hivm.address_space<gm>>, %y_gm: memref<128x224xf32, #hivm.address_space<gm>>, %t_gm: memref<224x128xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<128x224xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<128x224xf32, #hivm.address_space<gm>>) outs(%x : memref<128x224xf32, #hivm.address_space<ub>>)
    cf.cond_br %flag, ^bb1, ^bb2
  ^bb1:
    %pos = memref.alloc() : memref<128x224xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%x : memref<128x224xf32, #hivm.address_space<ub>>) outs(%pos : memref<128x224xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%pos : memref<128x224xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<128x224xf32, #hivm.address_space<gm>>)
    cf.br ^bb3
  ^bb2:
    %flipped = memref.alloc() : memref<224x128xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%x : memref<128x224xf32, #hivm.address_space<ub>>) outs(%flipped : memref<224x128xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    hivm.hir.store ins(%flipped : memref<224x128xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<224x128xf32, #hivm.address_space<gm>>)
    cf.br ^bb3
  ^bb3:
    return
  }
}
