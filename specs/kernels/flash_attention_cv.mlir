// one flash-attention step split over cube (AIC) and vector (AIV) core, coupled by a UB and an L1 buffer
// rules: 1.2, 1.3, 2.9(4), 2.9(5), 4.1, 4.3, 4.5
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [0] [16384] [0] [0] [32768] [65536] [65536] [0] [65536] [66048] [32768]
// expect auto: @attention_mix_aic ub optimal sequential 65536
// expect auto: @attention_mix_aic l1 feasible sequential 81920
// expect auto: @attention_mix_aic l0c feasible sequential 98304
// expect auto: @attention_mix_aiv ub feasible sequential 98816
// expect auto: @attention_mix_aiv l1 feasible sequential 65536
// how: id 1 (scores): owner AIV (ub), consumer AIC; id 2 (probabilities): owner AIC (cbuf), consumer AIV. Owners are gen'd at their marks,
// how: consumers get the owner's offsets after planning. AIC L1: q 0, k 16384, probs 32768, v 65536; L0C: scores 0, out 65536.
// how: AIV UB: scores 0 (65536), row_max 65536 (512), p_f16 66048 (2-D narrowing: not in place).
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @attention_mix_aic(%q_gm: memref<128x64xf16, #hivm.address_space<gm>>, %k_gm: memref<128x64xf16, #hivm.address_space<gm>>, %v_gm: memref<128x64xf16, #hivm.address_space<gm>>, %o_gm: memref<128x64xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %q_l1 = memref.alloc() : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%q_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%q_l1 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>)
    %k_l1 = memref.alloc() : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%k_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%k_l1 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>)
    %scores_l0c = memref.alloc() : memref<8x8x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 {b_transpose} ins(%q_l1, %k_l1, %true, %c128, %c64, %c128 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>, memref<4x8x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%scores_l0c : memref<8x8x16x16xf32, #hivm.address_space<cc>>)
    %scores_ub = memref.alloc() : memref<128x128xf32, #hivm.address_space<ub>>
    annotation.mark %scores_ub {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>} : memref<128x128xf32, #hivm.address_space<ub>>
    hivm.hir.fixpipe {enable_nz2nd, l0c_to_ub} ins(%scores_l0c : memref<8x8x16x16xf32, #hivm.address_space<cc>>) outs(%scores_ub : memref<128x128xf32, #hivm.address_space<ub>>)
    %probs_l1 = memref.alloc() : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>
    annotation.mark %probs_l1 {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<2>} : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>
    %v_l1 = memref.alloc() : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%v_gm : memref<128x64xf16, #hivm.address_space<gm>>) outs(%v_l1 : memref<4x8x16x16xf16, #hivm.address_space<cbuf>>)
    %out_l0c = memref.alloc() : memref<4x8x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 ins(%probs_l1, %v_l1, %true, %c128, %c128, %c64 : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>, memref<4x8x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%out_l0c : memref<4x8x16x16xf32, #hivm.address_space<cc>>)
    hivm.hir.fixpipe {enable_nz2nd} ins(%out_l0c : memref<4x8x16x16xf32, #hivm.address_space<cc>>) outs(%o_gm : memref<128x64xf32, #hivm.address_space<gm>>)
    return
  }
  func.func @attention_mix_aiv(%max_gm: memref<128x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %scores = memref.alloc() : memref<128x128xf32, #hivm.address_space<ub>>
    annotation.mark %scores {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<1>} : memref<128x128xf32, #hivm.address_space<ub>>
    %row_max = memref.alloc() : memref<128x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%scores : memref<128x128xf32, #hivm.address_space<ub>>) outs(%row_max : memref<128x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.vsub ins(%scores, %row_max : memref<128x128xf32, #hivm.address_space<ub>>, memref<128x1xf32, #hivm.address_space<ub>>) outs(%scores : memref<128x128xf32, #hivm.address_space<ub>>) broadcast = [1]
    hivm.hir.vexp ins(%scores : memref<128x128xf32, #hivm.address_space<ub>>) outs(%scores : memref<128x128xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%row_max : memref<128x1xf32, #hivm.address_space<ub>>) outs(%max_gm : memref<128x1xf32, #hivm.address_space<gm>>)
    %p_f16 = memref.alloc() : memref<128x128xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%scores : memref<128x128xf32, #hivm.address_space<ub>>) outs(%p_f16 : memref<128x128xf16, #hivm.address_space<ub>>) round_mode = <rint>
    %p_nz = memref.reinterpret_cast %p_f16 to offset: [0], sizes: [8, 8, 16, 16], strides: [16, 2048, 128, 1] : memref<128x128xf16, #hivm.address_space<ub>> to memref<8x8x16x16xf16, strided<[16, 2048, 128, 1]>, #hivm.address_space<ub>>
    %probs_l1 = memref.alloc() : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>
    annotation.mark %probs_l1 {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<2>} : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.copy {ub_to_l1} ins(%p_nz : memref<8x8x16x16xf16, strided<[16, 2048, 128, 1]>, #hivm.address_space<ub>>) outs(%probs_l1 : memref<8x8x16x16xf16, #hivm.address_space<cbuf>>)
    return
  }
}
