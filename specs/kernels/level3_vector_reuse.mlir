// chain of transposes: only vector buffers share, no pipe stall
// rules: 4.2, 4.4, 4.5, 4.6, 4.9(3), 2.8, 3.2(5)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [98304] [147456] [98304] [49152]
// expect auto: ub feasible pipe 196608
// how: five 48 KB buffers, need 240 KB > 192 KB; vtranspose is never in place. Order D: x, out; O: v1, v2, v3.
// how: level 3: x@0, out@48K, v1@96K, v2@144K (meets v1 at one op), v3: x, out are DMA; v1 is dead and vector: @96K. T = 192 KB fits: kept, no warning.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @transpose_chain(%x_gm: memref<96x128xf32, #hivm.address_space<gm>>, %out_gm: memref<96x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<96x128xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<96x128xf32, #hivm.address_space<gm>>) outs(%x : memref<96x128xf32, #hivm.address_space<ub>>)
    %v1 = memref.alloc() : memref<128x96xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%x : memref<96x128xf32, #hivm.address_space<ub>>) outs(%v1 : memref<128x96xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %v2 = memref.alloc() : memref<96x128xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v1 : memref<128x96xf32, #hivm.address_space<ub>>) outs(%v2 : memref<96x128xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %v3 = memref.alloc() : memref<128x96xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v2 : memref<96x128xf32, #hivm.address_space<ub>>) outs(%v3 : memref<128x96xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %out = memref.alloc() : memref<96x128xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%v3 : memref<128x96xf32, #hivm.address_space<ub>>) outs(%out : memref<96x128xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    hivm.hir.store ins(%out : memref<96x128xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<96x128xf32, #hivm.address_space<gm>>)
    return
  }
}
