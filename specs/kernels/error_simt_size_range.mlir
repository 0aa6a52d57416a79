// a dynamic size outside 128..216 KB is refused
// rules: 1.1, 1.5
// target: Ascend950PR_9589
// pass: regbase
// options: simt-vf-dynamic-size=64
// expect hivm: error: PlanMemory Fail : SimtVFDynamicSize have to in range [128, 216], but got 64!
// expect auto: error memplan::hivm::simt_size
// how: UB 248 KB - max D-cache 120 KB = 128; - min D-cache 32 KB = 216.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @simt_copy(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMT>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
