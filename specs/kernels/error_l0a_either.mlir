// an if leaves behind one of two tiles; both together would not fit, one at a time does (with an alloc that the pass refuses)
// rules: 1.4, 2.3
// target: Ascend910B1
// pass: base
// expect hivm: error: Currently only support (UB | L1 | L0C) allocation
// expect auto: ub optimal loop 196608
// expect auto: l0a optimal sequential 512
// how: the alloc in `ca` is fatal, so nothing but memplan's own analysis plans the UB: keep 64K lives throughout, big 128K or
// how: small 64K lies beside it: 192K fill the UB.
module {
  func.func @either_fits(%k_gm: memref<16384xf32, #hivm.address_space<gm>>, %big_gm: memref<32768xf32, #hivm.address_space<gm>>, %small_gm: memref<16384xf32, #hivm.address_space<gm>>, %y_gm: memref<16384xf32, #hivm.address_space<gm>>, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %keep = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%k_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%keep : memref<16384xf32, #hivm.address_space<ub>>)
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
    hivm.hir.store ins(%keep : memref<16384xf32, #hivm.address_space<ub>>) outs(%k_gm : memref<16384xf32, #hivm.address_space<gm>>)
    %flag_l0 = memref.alloc() : memref<16xf16, #hivm.address_space<ca>>
    return
  }
}
