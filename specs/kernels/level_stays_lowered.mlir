// after a rollback the level stays lowered until the failing entry is placed
// rules: 4.7, 4.9(2), 4.11, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,40960] [0] [73728]
// expect auto: ub optimal loop 163840
// how: a 2x40K (loop 1), b 72K and c 88K (loop 2). L3: a@0, a#1@40K, b@80K; c fails: start 2, pop b: avoid 80K, level 2.
// how: b: L2 over both slots of a @0; child 1 is not the start: level stays 2. c: L2 @73728, right behind b, over the end of a#1 (level 3 would take 81920).
// how: W1 with T = 245760 B = 1966080 bits.
module {
  func.func @two_loops(%a_gm: memref<10240xf32, #hivm.address_space<gm>>, %b_gm: memref<18432xf32, #hivm.address_space<gm>>, %c_gm: memref<22528xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%a_gm : memref<10240xf32, #hivm.address_space<gm>>) outs(%a : memref<10240xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%a : memref<10240xf32, #hivm.address_space<ub>>) outs(%a_gm : memref<10240xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<18432xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%b_gm : memref<18432xf32, #hivm.address_space<gm>>) outs(%b : memref<18432xf32, #hivm.address_space<ub>>)
      %c = memref.alloc() : memref<22528xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%c_gm : memref<22528xf32, #hivm.address_space<gm>>) outs(%c : memref<22528xf32, #hivm.address_space<ub>>)
      %c_lo = memref.subview %c[0] [18432] [1] : memref<22528xf32, #hivm.address_space<ub>> to memref<18432xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%b, %c_lo : memref<18432xf32, #hivm.address_space<ub>>, memref<18432xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%b : memref<18432xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%b : memref<18432xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<18432xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
