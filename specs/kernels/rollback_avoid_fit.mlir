// rollback skips an entry whose place would not help the failing one
// rules: 4.9(0), 4.11(avoid fit), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [0] [40960,114688]
// expect auto: ub optimal loop 188416
// how: p 72K, q 56K (loop 1), r 40K, v 2x72K (loop 2). p@0, q@72K, r@128K, v L2@0, v#1 fails: pop v: avoid 0, level 1: no place.
// how: pop r: 131072 + 73728 > 196608: keep popping; pop q: avoid 72K (147456 fits), level 2: q: L2 no (loop of p), L1 no, L0@0;
// how: r L2@0, v L2@40960, v#1 L2@114688. W1 with T = 319488 B = 2555904 bits.
module {
  func.func @copy_copy_add(%p_gm: memref<18432xf32, #hivm.address_space<gm>>, %q_gm: memref<14336xf32, #hivm.address_space<gm>>, %r_gm: memref<10240xf32, #hivm.address_space<gm>>, %v_gm: memref<18432xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %p = memref.alloc() : memref<18432xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%p_gm : memref<18432xf32, #hivm.address_space<gm>>) outs(%p : memref<18432xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%p : memref<18432xf32, #hivm.address_space<ub>>) outs(%p_gm : memref<18432xf32, #hivm.address_space<gm>>)
      %q = memref.alloc() : memref<14336xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%q_gm : memref<14336xf32, #hivm.address_space<gm>>) outs(%q : memref<14336xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%q : memref<14336xf32, #hivm.address_space<ub>>) outs(%q_gm : memref<14336xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %r = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%r_gm : memref<10240xf32, #hivm.address_space<gm>>) outs(%r : memref<10240xf32, #hivm.address_space<ub>>)
      %v = memref.alloc() : memref<18432xf32, #hivm.address_space<ub>>
      annotation.mark %v {hivm.multi_buffer = 2 : i32} : memref<18432xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%v_gm : memref<18432xf32, #hivm.address_space<gm>>) outs(%v : memref<18432xf32, #hivm.address_space<ub>>)
      %v_lo = memref.subview %v[0] [10240] [1] : memref<18432xf32, #hivm.address_space<ub>> to memref<10240xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%v_lo, %r : memref<10240xf32, strided<[1]>, #hivm.address_space<ub>>, memref<10240xf32, #hivm.address_space<ub>>) outs(%v_lo : memref<10240xf32, strided<[1]>, #hivm.address_space<ub>>)
      hivm.hir.store ins(%v : memref<18432xf32, #hivm.address_space<ub>>) outs(%v_gm : memref<18432xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
