// the kernel of fragmentation_default.mlir with largest-first order: it fits
// rules: 4.4, 4.7, 4.9(0), 4.14(W1), 10.1
// target: Ascend910B1
// pass: base
// options: plan-memory-strategy=largest-first
// expect hivm: [98304] [0] [98304]
// expect auto: ub optimal loop 196608
// how: class D sorted by size (stable): acc 96K, scale 96K, bias 48K. acc@0, scale L3@96K, bias: L3, L2, L1 no; acc is alive;
// how: L0 on scale's bytes (dead before): @98304. W1 with T = 245760 B = 1966080 bits.
module {
  func.func @bias_then_scale(%bias_gm: memref<12288xf32, #hivm.address_space<gm>>, %acc_gm: memref<24576xf32, #hivm.address_space<gm>>, %scale_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %bias = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%bias_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%bias : memref<12288xf32, #hivm.address_space<ub>>)
    %acc = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%acc_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%acc : memref<24576xf32, #hivm.address_space<ub>>)
    %acc_lo = memref.subview %acc[0] [12288] [1] : memref<24576xf32, #hivm.address_space<ub>> to memref<12288xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%acc_lo, %bias : memref<12288xf32, strided<[1]>, #hivm.address_space<ub>>, memref<12288xf32, #hivm.address_space<ub>>) outs(%acc_lo : memref<12288xf32, strided<[1]>, #hivm.address_space<ub>>)
    %scale = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%scale_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%scale : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vmul ins(%acc, %scale : memref<24576xf32, #hivm.address_space<ub>>, memref<24576xf32, #hivm.address_space<ub>>) outs(%acc : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%acc : memref<24576xf32, #hivm.address_space<ub>>) outs(%acc_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
