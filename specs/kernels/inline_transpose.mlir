// add with inline transpose of the operands: the ISA shortcut does not apply
// rules: 3.2(2), 3.2(6), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [16384]
// expect auto: ub optimal sequential 24576
// how: vadd is an ISA op but has transpose = [1, 0]: step 2 no; no extra buffer, elementwise, step 6 inline transpose: no. Both kills rejected.
module {
  func.func @inline_transpose(%a_gm: memref<32x64xf32, #hivm.address_space<gm>>, %b_gm: memref<32x64xf32, #hivm.address_space<gm>>, %c_gm: memref<64x32xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<32x64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<32x64xf32, #hivm.address_space<gm>>) outs(%a : memref<32x64xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<32x64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<32x64xf32, #hivm.address_space<gm>>) outs(%b : memref<32x64xf32, #hivm.address_space<ub>>)
    %c = memref.alloc() : memref<64x32xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%a, %b : memref<32x64xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) outs(%c : memref<64x32xf32, #hivm.address_space<ub>>) transpose = [1, 0]
    hivm.hir.store ins(%c : memref<64x32xf32, #hivm.address_space<ub>>) outs(%c_gm : memref<64x32xf32, #hivm.address_space<gm>>)
    return
  }
}
