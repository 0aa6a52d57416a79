// index arithmetic on i64 tiles is lowered to scalar loops: two scalar tiles share at level 3, the f32 tile does not
// rules: 4.4, 4.5, 4.6, 4.9(3), A.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [65536]
// expect auto: ub feasible pipe 163840
// how: vadd/vmul on i64: base and stride tiles are scalar buffers (and DMA through load/store). 64 + 64 + 96 KB = 224 KB > 192 KB.
// how: order (class D first for all): rows, cols, x. Level 3: rows@0; cols: both scalar: no conflict, lives disjoint: @0;
// how: x: exactly one side scalar: conflict: @65536. T = 160 KB fits: kept, no warning.
module {
  func.func @index_tiles(%r_gm: memref<8192xi64, #hivm.address_space<gm>>, %c_gm: memref<8192xi64, #hivm.address_space<gm>>, %x_gm: memref<24576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %pitch = arith.constant 128 : i64
    %rows = memref.alloc() : memref<8192xi64, #hivm.address_space<ub>>
    hivm.hir.load ins(%r_gm : memref<8192xi64, #hivm.address_space<gm>>) outs(%rows : memref<8192xi64, #hivm.address_space<ub>>)
    hivm.hir.vmul ins(%rows, %pitch : memref<8192xi64, #hivm.address_space<ub>>, i64) outs(%rows : memref<8192xi64, #hivm.address_space<ub>>)
    hivm.hir.store ins(%rows : memref<8192xi64, #hivm.address_space<ub>>) outs(%r_gm : memref<8192xi64, #hivm.address_space<gm>>)
    %cols = memref.alloc() : memref<8192xi64, #hivm.address_space<ub>>
    hivm.hir.load ins(%c_gm : memref<8192xi64, #hivm.address_space<gm>>) outs(%cols : memref<8192xi64, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%cols, %pitch : memref<8192xi64, #hivm.address_space<ub>>, i64) outs(%cols : memref<8192xi64, #hivm.address_space<ub>>)
    hivm.hir.store ins(%cols : memref<8192xi64, #hivm.address_space<ub>>) outs(%c_gm : memref<8192xi64, #hivm.address_space<gm>>)
    %x = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%x : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vexp ins(%x : memref<24576xf32, #hivm.address_space<ub>>) outs(%x : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<24576xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
