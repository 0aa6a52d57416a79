// a double buffer whose second slot ended up at address 0 offers nothing to level 1
// rules: 4.8(place), 4.9(0), 4.10(offset 0), 10.2(7), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [90112] [122880,0] [0,32768]
// expect auto: ub feasible lifetime 180224
// how: first 88K, bias 32K, acc 2x56K, last 2x32K in one loop. first@0, bias@90112, acc L3@122880, acc#1: L3, L2 no, L1 no (extra slot), L0@0.
// how: last: L3 no, L2 no; L1: on the bytes of acc#1 (extra slot) and the rest of first (no slots): no; on acc: its only other slot is 0: ignored: no.
// how: L0@0; last#1: own life at 0, then 24K of the acc#1 bound plus the rest of first: L0@32768. W1 with T = 303104 B = 2424832 bits.
module {
  func.func @three_phases(%first_gm: memref<22528xf32, #hivm.address_space<gm>>, %bias_gm: memref<8192xf32, #hivm.address_space<gm>>, %acc_gm: memref<14336xf32, #hivm.address_space<gm>>, %last_gm: memref<8192xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %first = memref.alloc() : memref<22528xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%first_gm : memref<22528xf32, #hivm.address_space<gm>>) outs(%first : memref<22528xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%first : memref<22528xf32, #hivm.address_space<ub>>) outs(%first_gm : memref<22528xf32, #hivm.address_space<gm>>)
      %bias = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%bias_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%bias : memref<8192xf32, #hivm.address_space<ub>>)
      %acc = memref.alloc() : memref<14336xf32, #hivm.address_space<ub>>
      annotation.mark %acc {hivm.multi_buffer = 2 : i32} : memref<14336xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%acc_gm : memref<14336xf32, #hivm.address_space<gm>>) outs(%acc : memref<14336xf32, #hivm.address_space<ub>>)
      %acc_lo = memref.subview %acc[0] [8192] [1] : memref<14336xf32, #hivm.address_space<ub>> to memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc_lo, %bias : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%acc_lo : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
      hivm.hir.store ins(%acc : memref<14336xf32, #hivm.address_space<ub>>) outs(%acc_gm : memref<14336xf32, #hivm.address_space<gm>>)
      %last = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %last {hivm.multi_buffer = 2 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%last_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%last : memref<8192xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%last : memref<8192xf32, #hivm.address_space<ub>>) outs(%last_gm : memref<8192xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
