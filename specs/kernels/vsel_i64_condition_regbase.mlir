// the kernel of vsel_i64_condition.mlir in the other pass: the width rule lets the result take the condition's memory
// rules: 7(3), 3.2(10), 4.3
// target: Ascend910B1
// pass: regbase
// expect hivm: unsound [0] [2048] [4096] [4096]
// expect auto: ub optimal sequential 8192
// how: no vsel special case: width rule, operand a has the output's width: yes: pair (lo,mask).
// how: Unsound by the identical-slice rule: the first element of lo overwrites the condition bits of 64 elements.
module {
  func.func @min_i64(%a_gm: memref<256xi64, #hivm.address_space<gm>>, %b_gm: memref<256xi64, #hivm.address_space<gm>>, %lo_gm: memref<256xi64, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<256xi64, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<256xi64, #hivm.address_space<gm>>) outs(%a : memref<256xi64, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<256xi64, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<256xi64, #hivm.address_space<gm>>) outs(%b : memref<256xi64, #hivm.address_space<ub>>)
    %mask = memref.alloc() : memref<16384xi1, #hivm.address_space<ub>>
    %mask_v = memref.subview %mask[0] [256] [1] : memref<16384xi1, #hivm.address_space<ub>> to memref<256xi1, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vcmp ins(%a, %b : memref<256xi64, #hivm.address_space<ub>>, memref<256xi64, #hivm.address_space<ub>>) outs(%mask_v : memref<256xi1, strided<[1]>, #hivm.address_space<ub>>) compare_mode = <lt>
    %lo = memref.alloc() : memref<256xi64, #hivm.address_space<ub>>
    hivm.hir.vsel ins(%mask_v, %a, %b : memref<256xi1, strided<[1]>, #hivm.address_space<ub>>, memref<256xi64, #hivm.address_space<ub>>, memref<256xi64, #hivm.address_space<ub>>) outs(%lo : memref<256xi64, #hivm.address_space<ub>>)
    hivm.hir.store ins(%lo : memref<256xi64, #hivm.address_space<ub>>) outs(%lo_gm : memref<256xi64, #hivm.address_space<gm>>)
    hivm.hir.store ins(%a : memref<256xi64, #hivm.address_space<ub>>) outs(%a_gm : memref<256xi64, #hivm.address_space<gm>>)
    hivm.hir.store ins(%b : memref<256xi64, #hivm.address_space<ub>>) outs(%b_gm : memref<256xi64, #hivm.address_space<gm>>)
    return
  }
}
