// GELU with the tanh approximation on an 8192-element tile
// rules: 2.4, 2.2, 3.2(2), 3.2(8), 4.3
// target: Ascend910B4
// pass: base
// expect hivm: [0] [32768] [32768] [32768] [32768] [0]
// expect auto: ub optimal sequential 65536
// how: x_cube pairs with x_sq, inner with x_cube, t with inner (each the only kill); half_x pairs with x at x's last use.
// how: ops that write a buffer already written (outs = an operand) gen nothing, so they pair nothing.
// how: entries x and x_sq, 32768 B each.
module {
  func.func @gelu_tanh(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %y_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c_cubic = arith.constant 4.471500e-02 : f32
    %c_sqrt = arith.constant 0.797884583 : f32
    %one = arith.constant 1.000000e+00 : f32
    %half = arith.constant 5.000000e-01 : f32
    %x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%x : memref<8192xf32, #hivm.address_space<ub>>)
    %x_sq = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %x : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%x_sq : memref<8192xf32, #hivm.address_space<ub>>)
    %x_cube = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x_sq, %x : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%x_cube : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vmul ins(%x_cube, %c_cubic : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%x_cube : memref<8192xf32, #hivm.address_space<ub>>)
    %inner = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x_cube, %x : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%inner : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vmul ins(%inner, %c_sqrt : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%inner : memref<8192xf32, #hivm.address_space<ub>>)
    %t = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vtanh ins(%inner : memref<8192xf32, #hivm.address_space<ub>>) outs(%t : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%t, %one : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%t : memref<8192xf32, #hivm.address_space<ub>>)
    %half_x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %half : memref<8192xf32, #hivm.address_space<ub>>, f32) outs(%half_x : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vmul ins(%t, %half_x : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%half_x : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%half_x : memref<8192xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<8192xf32, #hivm.address_space<gm>>)
    return
  }
}
