// workspace of odd size in the other pass: sizes are not rounded up
// rules: 5, 7(6)
// target: Ascend950PR_9589
// pass: regbase
// options: mem-plan-mode=global-work-space-plan
// expect hivm: [0] [1000]
// expect auto: workspace:%ws_arg optimal sequential 5096
// how: regbase does not align workspace sizes: 1000.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @spill_two(%ws_arg: memref<?xi8, #hivm.address_space<gm>>, %s_gm: memref<250xf32, #hivm.address_space<gm>>, %x_gm: memref<1024xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %ws_stats = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<1000xi8, #hivm.address_space<gm>>
    %stats_ws = memref.view %ws_stats[%c0][] : memref<1000xi8, #hivm.address_space<gm>> to memref<250xf32, #hivm.address_space<gm>>
    %ws_x = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<4096xi8, #hivm.address_space<gm>>
    %x_ws = memref.view %ws_x[%c0][] : memref<4096xi8, #hivm.address_space<gm>> to memref<1024xf32, #hivm.address_space<gm>>
    %stats = memref.alloc() : memref<250xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%s_gm : memref<250xf32, #hivm.address_space<gm>>) outs(%stats : memref<250xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%stats : memref<250xf32, #hivm.address_space<ub>>) outs(%stats_ws : memref<250xf32, #hivm.address_space<gm>>)
    %x = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%x : memref<1024xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<1024xf32, #hivm.address_space<ub>>) outs(%x_ws : memref<1024xf32, #hivm.address_space<gm>>)
    hivm.hir.load ins(%x_ws : memref<1024xf32, #hivm.address_space<gm>>) outs(%x : memref<1024xf32, #hivm.address_space<ub>>)
    hivm.hir.load ins(%stats_ws : memref<250xf32, #hivm.address_space<gm>>) outs(%stats : memref<250xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%stats : memref<250xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<250xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%x : memref<1024xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<1024xf32, #hivm.address_space<gm>>)
    return
  }
}
