// the kernel of overflow_simt.mlir as a SIMD function: the whole 248 KB are available
// rules: 1.5, 4.2, 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [0] [131072]
// expect auto: ub optimal sequential 229376
// how: 229376 B <= 253952 B: sequential.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @simd_add(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>} {
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
