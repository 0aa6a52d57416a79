// stencil with halo: double-buffered load and padded store; the second store slot moves at rollback
// rules: 3.2(1), 4.1, 4.4, 4.7, 4.9(2), 4.9(1), 4.9(0), 4.10, 4.11, 4.15, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,57344] [118784] [0,59392]
// expect auto: ub optimal slot 172032
// how: halo 2x57344, inner 53248, padded 2x59392. The halo view has offset 1024: vabs not in place; vpad is not elementwise.
// how: order halo, halo#1, padded, padded#1, inner. padded L3@114688; padded#1 L0@0; inner fails: pop padded#1 (level 0), pop padded:
// how: avoid 114688, level 2. padded L0@0 (L1: two bounds), padded#1 L2@114688; inner fails: pop padded#1 (L2, sibling at L0: may stop),
// how: avoid 114688, level 1: padded#1 L1 no, L0@59392; inner L1 no, L0@118784. W1 with T = 286720 B = 2293760 bits.
module {
  func.func @stencil(%in_gm: memref<14336xf32, #hivm.address_space<gm>>, %out_gm: memref<14848xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %n step %c1 {
      %halo = memref.alloc() : memref<14336xf32, #hivm.address_space<ub>>
      annotation.mark %halo {hivm.multi_buffer = 2 : i32} : memref<14336xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in_gm : memref<14336xf32, #hivm.address_space<gm>>) outs(%halo : memref<14336xf32, #hivm.address_space<ub>>)
      %core = memref.subview %halo[1024] [13312] [1] : memref<14336xf32, #hivm.address_space<ub>> to memref<13312xf32, strided<[1], offset: 1024>, #hivm.address_space<ub>>
      %inner = memref.alloc() : memref<13312xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%core : memref<13312xf32, strided<[1], offset: 1024>, #hivm.address_space<ub>>) outs(%inner : memref<13312xf32, #hivm.address_space<ub>>)
      %padded = memref.alloc() : memref<14848xf32, #hivm.address_space<ub>>
      annotation.mark %padded {hivm.multi_buffer = 2 : i32} : memref<14848xf32, #hivm.address_space<ub>>
      hivm.hir.vpad ins(%inner : memref<13312xf32, #hivm.address_space<ub>>) outs(%padded : memref<14848xf32, #hivm.address_space<ub>>) low[512] high[1024] pad_value %zero : f32
      hivm.hir.store ins(%padded : memref<14848xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<14848xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
