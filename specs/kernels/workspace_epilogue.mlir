// matmul result handed to the vector epilogue through GM workspace, plus a small flag area
// rules: 1.1, 5, 1.6, 6(workspace)
// target: Ascend910B1
// pass: base
// options: mem-plan-mode=global-work-space-plan
// expect hivm: [0] [1024]
// expect auto: workspace:%ws_arg optimal sequential 66560
// how: buffers are the alloc_workspace results, gen'd by the first write through the view; 1000 B rounds up to 1024: offsets 0, 1024.
// how: memref.alloc is ignored in this mode.
module {
  func.func @matmul_epilogue(%ws_arg: memref<?xi8, #hivm.address_space<gm>>, %a_gm: memref<128x64xf16, #hivm.address_space<gm>>, %b_gm: memref<64x128xf16, #hivm.address_space<gm>>, %s_gm: memref<250xf32, #hivm.address_space<gm>>, %y_gm: memref<128x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<MIX>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %ws_stats = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<1000xi8, #hivm.address_space<gm>>
    %stats_ws = memref.view %ws_stats[%c0][] : memref<1000xi8, #hivm.address_space<gm>> to memref<250xf32, #hivm.address_space<gm>>
    %ws_acc = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<65536xi8, #hivm.address_space<gm>>
    %acc_ws = memref.view %ws_acc[%c0][] : memref<65536xi8, #hivm.address_space<gm>> to memref<128x128xf32, #hivm.address_space<gm>>
    %stats = memref.alloc() : memref<250xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%s_gm : memref<250xf32, #hivm.address_space<gm>>) outs(%stats : memref<250xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%stats : memref<250xf32, #hivm.address_space<ub>>) outs(%stats_ws : memref<250xf32, #hivm.address_space<gm>>)
    %a_l1 = memref.alloc() : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%a_l1 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>)
    %b_l1 = memref.alloc() : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<64x128xf16, #hivm.address_space<gm>>) outs(%b_l1 : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>)
    %acc = memref.alloc() : memref<8x8x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 ins(%a_l1, %b_l1, %true, %c128, %c64, %c128 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>, memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc : memref<8x8x16x16xf32, #hivm.address_space<cc>>)
    hivm.hir.fixpipe {enable_nz2nd} ins(%acc : memref<8x8x16x16xf32, #hivm.address_space<cc>>) outs(%acc_ws : memref<128x128xf32, #hivm.address_space<gm>>)
    %tile = memref.alloc() : memref<128x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%acc_ws : memref<128x128xf32, #hivm.address_space<gm>>) outs(%tile : memref<128x128xf32, #hivm.address_space<ub>>)
    hivm.hir.vrelu ins(%tile : memref<128x128xf32, #hivm.address_space<ub>>) outs(%tile : memref<128x128xf32, #hivm.address_space<ub>>)
    hivm.hir.load ins(%stats_ws : memref<250xf32, #hivm.address_space<gm>>) outs(%stats : memref<250xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%stats : memref<250xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<250xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%tile : memref<128x128xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<128x128xf32, #hivm.address_space<gm>>)
    return
  }
}
