// the module's own target spec with a UB of 184 KB (the top 8 KB reserved, public case 15)
// rules: 1.3, 4.2, 4.8, 4.9(0), 4.14(W1)
// target: module
// pass: base
// expect hivm: [0,49152] [98304,0]
// expect auto: ub optimal lifetime 98304
// how: 4 x 49152 = 196608 B fill a whole UB, but not UB_SIZE = 1507328 bits = 188416 B. Order D: src, src#1, dst, dst#1: 0, 48K, 96K;
// how: dst#1: L3, L2, L1 no; L0@0: it meets src at the vsqrt only and they are a stall pair. W1 with T = 1572864 bits.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1507328 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @sqrt_stream(%x_gm: memref<12288xf32, #hivm.address_space<gm>>, %y_gm: memref<12288xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %src = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      annotation.mark %src {hivm.multi_buffer = 2 : i32} : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%src : memref<12288xf32, #hivm.address_space<ub>>)
      %dst = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      annotation.mark %dst {hivm.multi_buffer = 2 : i32} : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vsqrt ins(%src : memref<12288xf32, #hivm.address_space<ub>>) outs(%dst : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%dst : memref<12288xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<12288xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
