// SwiGLU: silu(gate) * up in f16, silu in f32
// rules: 3.2(2), 3.2(8), 3.2(10), 4.3, 7(3), 7(9)
// target: Ascend950PR_9589
// pass: regbase
// options: enable-print-memory-allocated-size=true
// expect hivm: [0] [16384] [32768] [65536] [65536] [65536] [32768]
// expect auto: ub feasible sequential 98304
// how: widening vcast: no. neg gets no partner (gate_f32 lives on); expd pairs with neg, den with expd.
// how: vdiv writes gate_f32 again (no gen). 1-D contiguous narrowing vcast: pair (silu,gate_f32).
// how: entries gate 16384, up 16384, gate_f32 32768, neg 32768: UB end 98304 B = 786432 bits printed.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @swiglu(%gate_gm: memref<8192xf16, #hivm.address_space<gm>>, %up_gm: memref<8192xf16, #hivm.address_space<gm>>, %out_gm: memref<8192xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %minus_one = arith.constant -1.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %gate = memref.alloc() : memref<8192xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%gate_gm : memref<8192xf16, #hivm.address_space<gm>>) outs(%gate : memref<8192xf16, #hivm.address_space<ub>>)
    %up = memref.alloc() : memref<8192xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%up_gm : memref<8192xf16, #hivm.address_space<gm>>) outs(%up : memref<8192xf16, #hivm.address_space<ub>>)
    %gate_f32 = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%gate : memref<8192xf16, #hivm.address_space<ub>>) outs(%gate_f32 : memref<8192xf32, #hivm.address_space<ub>>) round_mode = <rint>
    %neg = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%gate_f32, %minus_one : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%neg : memref<8192xf32, #hivm.address_space<ub>>)
    %expd = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%neg : memref<8192xf32, #hivm.address_space<ub>>) outs(%expd : memref<8192xf32, #hivm.address_space<ub>>)
    %den = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%expd, %one : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%den : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vdiv ins(%gate_f32, %den : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%gate_f32 : memref<8192xf32, #hivm.address_space<ub>>)
    %silu = memref.alloc() : memref<8192xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%gate_f32 : memref<8192xf32, #hivm.address_space<ub>>) outs(%silu : memref<8192xf16, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.vmul ins(%silu, %up : memref<8192xf16, #hivm.address_space<ub>>, memref<8192xf16, #hivm.address_space<ub>>) outs(%up : memref<8192xf16, #hivm.address_space<ub>>)
    hivm.hir.store ins(%up : memref<8192xf16, #hivm.address_space<ub>>) outs(%out_gm : memref<8192xf16, #hivm.address_space<gm>>)
    return
  }
}
