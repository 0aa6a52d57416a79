// two rollbacks: the start index never goes back
// rules: 4.7, 4.9(2), 4.11(start), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,57344] [0] [32768,106496]
// expect auto: ub optimal loop 180224
// how: c 2x56K (loop 1), a 32K and b 2x72K (loop 2). c@0, c#1@56K, a L3@112K, b L2@0, b#1 fails: start 3, pop b: avoid 0, level 1: no place;
// how: start stays 3, pop a: avoid 112K (188416 fits), level 2: a L2@0, b L2@32768 (level stays 2), b#1 L2@106496 (level 3 would take 114688).
// how: W1 with T = 294912 B = 2359296 bits.
module {
  func.func @copy_then_add(%c_gm: memref<14336xf32, #hivm.address_space<gm>>, %a_gm: memref<8192xf32, #hivm.address_space<gm>>, %b_gm: memref<18432xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %c = memref.alloc() : memref<14336xf32, #hivm.address_space<ub>>
      annotation.mark %c {hivm.multi_buffer = 2 : i32} : memref<14336xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%c_gm : memref<14336xf32, #hivm.address_space<gm>>) outs(%c : memref<14336xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%c : memref<14336xf32, #hivm.address_space<ub>>) outs(%c_gm : memref<14336xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%a_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%a : memref<8192xf32, #hivm.address_space<ub>>)
      %b = memref.alloc() : memref<18432xf32, #hivm.address_space<ub>>
      annotation.mark %b {hivm.multi_buffer = 2 : i32} : memref<18432xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%b_gm : memref<18432xf32, #hivm.address_space<gm>>) outs(%b : memref<18432xf32, #hivm.address_space<ub>>)
      %b_lo = memref.subview %b[0] [8192] [1] : memref<18432xf32, #hivm.address_space<ub>> to memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%b_lo, %a : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%b_lo : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
      hivm.hir.store ins(%b : memref<18432xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<18432xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
