// an if yields half of a big tile or a small tile: the merged entry has the small size
// rules: 2.3, 3.1, 3.4, 10.2(5)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [98304] [98304]
// expect auto: ub infeasible 229376
// how: pair (big,small) through the views: entry(big) merges into entry(small), size 65536. need = 98304 + 65536: sequential.
// how: Unsound: big takes 98304 .. 229376, behind the end of the UB (196608).
module {
  func.func @half_or_small(%k_gm: memref<24576xf32, #hivm.address_space<gm>>, %big_gm: memref<32768xf32, #hivm.address_space<gm>>, %small_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %keep = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%k_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%keep : memref<24576xf32, #hivm.address_space<ub>>)
    %r = scf.if %flag -> (memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>) {
      %big = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%big_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%big : memref<32768xf32, #hivm.address_space<ub>>)
      %lo = memref.subview %big[0] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
      %hi = memref.subview %big[16384] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%lo, %hi : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>, memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>) outs(%lo : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>)
      scf.yield %lo : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    } else {
      %small = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%small_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%small : memref<16384xf32, #hivm.address_space<ub>>)
      %small_v = memref.cast %small : memref<16384xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
      scf.yield %small_v : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%r : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%y_gm : memref<16384xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%keep : memref<24576xf32, #hivm.address_space<ub>>) outs(%k_gm : memref<24576xf32, #hivm.address_space<gm>>)
    return
  }
}
