// gather of table elements by an index tile, with the temporary of vgather
// rules: 2.4, 3.2(5), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [12288] [14336]
// expect auto: ub optimal sequential 18432
// how: vgather gens picked, then its temporary, kills table and index; not elementwise: no in-place. Sequential.
module {
  func.func @gather_rows(%table_gm: memref<4096xf16, #hivm.address_space<gm>>, %index_gm: memref<1024xi32, #hivm.address_space<gm>>, %out_gm: memref<1024xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %table = memref.alloc() : memref<4096xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%table_gm : memref<4096xf16, #hivm.address_space<gm>>) outs(%table : memref<4096xf16, #hivm.address_space<ub>>)
    %index = memref.alloc() : memref<1024xi32, #hivm.address_space<ub>>
    hivm.hir.load ins(%index_gm : memref<1024xi32, #hivm.address_space<gm>>) outs(%index : memref<1024xi32, #hivm.address_space<ub>>)
    %picked = memref.alloc() : memref<1024xf16, #hivm.address_space<ub>>
    %tmp = memref.alloc() : memref<1024xi32, #hivm.address_space<ub>>
    hivm.hir.vgather ins(%table : memref<4096xf16, #hivm.address_space<ub>>) indices(%index : memref<1024xi32, #hivm.address_space<ub>>) outs(%picked : memref<1024xf16, #hivm.address_space<ub>>) temp_buffer(%tmp : memref<1024xi32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%picked : memref<1024xf16, #hivm.address_space<ub>>) outs(%out_gm : memref<1024xf16, #hivm.address_space<gm>>)
    return
  }
}
