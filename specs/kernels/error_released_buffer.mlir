// a valid kernel that is refused: a buffer killed in one cf block is written in its sibling block
// rules: 2.2, 2.6, 2.7
// target: Ascend910B1
// pass: base
// expect hivm: error: The buffer memory has been released and cannot be used again!
// expect auto: ub optimal sequential 16384
// how: the store in ^bb1 kills x (not live out there); the vabs in ^bb2, later in the text, writes x again: fatal.
module {
  func.func @abs_or_copy(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    cf.cond_br %flag, ^bb1, ^bb2
  ^bb1:
    hivm.hir.store ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    cf.br ^bb3
  ^bb2:
    hivm.hir.vabs ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    cf.br ^bb3
  ^bb3:
    return
  }
}
