// a vector double buffer lowered to level 2 by rollback; the next vector tile is placed at level 3 again
// rules: 4.4, 4.7(reset), 4.9(3), 4.9(2), 4.11, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,98304] [98304] [0]
// expect auto: ub optimal loop 196608
// how: order D: c 80K (loop 2); O: a 2x96K, b 48K (loop 1). c@0, a L3@80K, a#1 fails: start 1, pop a: avoid 80K, level 2: a L2@0 over c;
// how: a#1 L2@98304: child = start: level 3 again. b: L3: at 0 c is DMA: conflict; at 98304 a#1 is a dead vector buffer: @98304.
// how: (At level 2 b would fall to level 1 and be promoted.) W1 with T = 278528 B = 2228224 bits.
module {
  func.func private @device_fold_a(memref<24576xf32, #hivm.address_space<ub>>)
  func.func private @device_fold_b(memref<12288xf32, #hivm.address_space<ub>>)
  func.func @vector_then_copy(%c_gm: memref<20480xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%a : memref<24576xf32, #hivm.address_space<ub>>)
      func.call @device_fold_a(%a) : (memref<24576xf32, #hivm.address_space<ub>>) -> ()
      %b = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%b : memref<12288xf32, #hivm.address_space<ub>>)
      func.call @device_fold_b(%b) : (memref<12288xf32, #hivm.address_space<ub>>) -> ()
    }
    scf.for %j = %c0 to %n step %c1 {
      %c = memref.alloc() : memref<20480xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%c_gm : memref<20480xf32, #hivm.address_space<gm>>) outs(%c : memref<20480xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%c : memref<20480xf32, #hivm.address_space<ub>>) outs(%c_gm : memref<20480xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
