// regbase never puts a mem_unique buffer in place
// rules: 3.2, 7(3), 4.3
// target: Ascend910B1
// pass: regbase
// expect hivm: [0] [16384]
// expect auto: ub optimal sequential 32768
// how: neither side of an op pair may be unique: pinned keeps its own entry. Sequential.
module {
  func.func @unique_result(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %pinned = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    annotation.mark %pinned {mem_unique} : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%pinned : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%pinned : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
