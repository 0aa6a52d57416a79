// a SIMT function may use 216 KB of the UB only (32 KB data cache): it overflows where SIMD would fit
// rules: 1.5, 4.2, 4.12, 7(7)
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: error: ub overflow, requires 1835008 bits while 1769472 bits available!
// expect auto: ub infeasible 229376
// how: 128 + 96 KB = 224 KB, both live at the vadd; capacity 216 KB = 1769472 bits (SIMD: 248 KB). No tail text in regbase.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>>>, hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @simt_add(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMT>} {
    %x = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%x : memref<32768xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%y : memref<24576xf32, #hivm.address_space<ub>>)
    %x_lo = memref.subview %x[0] [24576] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x_lo, %y : memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>, memref<24576xf32, #hivm.address_space<ub>>) outs(%x_lo : memref<24576xf32, strided<[1]>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<32768xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
