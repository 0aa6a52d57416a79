// feasible in 192 KB (optimum A@96K, B@0, C@96K), but first fit in first-write order overflows
// rules: 4.2, 4.8, 4.11, 4.12, 4.14, 10.1
// target: Ascend910B1
// pass: base
// options: plan-memory-strategy=default
// expect hivm: error: ub overflow, requires 1966080 bits while 1572864 bits available!
// expect auto: ub optimal loop 196608
// how: KB and lives: bias 48 [0,2], acc 96 [1,5], scale 96 [3,4]. bias@0, acc@48K, scale needs 96K in one piece: none.
// how: rollback: acc must avoid 48K: no place; root: restart in split mode: the same. N = level-0 total 0/48K/144K..240K = 1966080 bits.
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
