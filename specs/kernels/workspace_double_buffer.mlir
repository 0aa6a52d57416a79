// cube to vector hand-over in a loop through a double-buffered workspace area
// rules: 2.9(1), 4.1, 5
// target: Ascend910B1
// pass: base
// options: mem-plan-mode=global-work-space-plan
// expect hivm: [0,24576] [16384]
// expect auto: workspace:%ws_arg optimal sequential 40960
// how: the mark sits on the workspace value itself: 2 slots. List acc 16384, stat 8192, acc#1: running sums 0, 16384, 24576.
module {
  func.func @hand_over(%ws_arg: memref<?xi8, #hivm.address_space<gm>>, %x_gm: memref<4096xf32, #hivm.address_space<gm>>, %s_gm: memref<2048xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<MIX>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %ws_acc = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<16384xi8, #hivm.address_space<gm>>
      annotation.mark %ws_acc {hivm.multi_buffer = 2 : i32} : memref<16384xi8, #hivm.address_space<gm>>
      %acc_ws = memref.view %ws_acc[%c0][] : memref<16384xi8, #hivm.address_space<gm>> to memref<4096xf32, #hivm.address_space<gm>>
      %ws_stat = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<8192xi8, #hivm.address_space<gm>>
      %stat_ws = memref.view %ws_stat[%c0][] : memref<8192xi8, #hivm.address_space<gm>> to memref<2048xf32, #hivm.address_space<gm>>
      %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%acc_ws : memref<4096xf32, #hivm.address_space<gm>>)
      %s = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%s_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%s : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%s : memref<2048xf32, #hivm.address_space<ub>>) outs(%stat_ws : memref<2048xf32, #hivm.address_space<gm>>)
      hivm.hir.load ins(%acc_ws : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.load ins(%stat_ws : memref<2048xf32, #hivm.address_space<gm>>) outs(%s : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<4096xf32, #hivm.address_space<gm>>)
      hivm.hir.store ins(%s : memref<2048xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<2048xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
