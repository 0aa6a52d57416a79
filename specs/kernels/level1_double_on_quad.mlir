// a double buffer joins a quad buffer at level 1 and becomes a quad buffer itself
// rules: 4.1, 4.7, 4.9(1), 4.10, 6(1), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,24576,49152,73728] [98304,147456] [0,24576,49152,73728]
// expect auto: ub feasible slot 196608
// how: a 4x24K, b 2x48K fill the UB exactly; c is 2x24K. Order D: a..a#3, b, b#1, c, c#1.
// how: c: L3 no, L2 no (same loop), L1 on a's first bound: X = [24576, 49152, 73728] (>= N-1 = 1), anchors equal, lives disjoint.
// how: c -> 0, c#1 -> 24576, the rest become additional slots. c#1 is in the history already. W1 with T = 1966080 bits.
module {
  func.func @copy_three_streams(%a_gm: memref<6144xf32, #hivm.address_space<gm>>, %b_gm: memref<12288xf32, #hivm.address_space<gm>>, %c_gm: memref<6144xf32, #hivm.address_space<gm>>,
                                %ao_gm: memref<6144xf32, #hivm.address_space<gm>>, %bo_gm: memref<12288xf32, #hivm.address_space<gm>>, %co_gm: memref<6144xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      annotation.mark %a {hivm.multi_buffer = 4 : i32} : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%a_gm : memref<6144xf32, #hivm.address_space<gm>>) outs(%a : memref<6144xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%a : memref<6144xf32, #hivm.address_space<ub>>) outs(%ao_gm : memref<6144xf32, #hivm.address_space<gm>>)
      %b = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      annotation.mark %b {hivm.multi_buffer = 2 : i32} : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%b_gm : memref<12288xf32, #hivm.address_space<gm>>) outs(%b : memref<12288xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%b : memref<12288xf32, #hivm.address_space<ub>>) outs(%bo_gm : memref<12288xf32, #hivm.address_space<gm>>)
      %c = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      annotation.mark %c {hivm.multi_buffer = 2 : i32} : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%c_gm : memref<6144xf32, #hivm.address_space<gm>>) outs(%c : memref<6144xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%c : memref<6144xf32, #hivm.address_space<ub>>) outs(%co_gm : memref<6144xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
