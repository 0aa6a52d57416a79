// casts that read every second element: strided narrowing is refused, strided equal width is not
// rules: 2.3, 3.2(1), 3.2(10), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [10240] [10240]
// expect auto: ub feasible sequential 18432
// how: x_even has last stride 2: narrowing vcast no. y_even, equal width: yes, pair (whole,y) (k is the root of the view).
// how: entries x 8192, half 2048, y 8192 (with whole 4096).
module {
  func.func @cast_strided(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %half_gm: memref<1024xf16, #hivm.address_space<gm>>, %whole_gm: memref<1024xi32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %x_even = memref.subview %x[0] [1024] [2] : memref<2048xf32, #hivm.address_space<ub>> to memref<1024xf32, strided<[2]>, #hivm.address_space<ub>>
    %half = memref.alloc() : memref<1024xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x_even : memref<1024xf32, strided<[2]>, #hivm.address_space<ub>>) outs(%half : memref<1024xf16, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.store ins(%half : memref<1024xf16, #hivm.address_space<ub>>) outs(%half_gm : memref<1024xf16, #hivm.address_space<gm>>)
    %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
    %y_even = memref.subview %y[0] [1024] [2] : memref<2048xf32, #hivm.address_space<ub>> to memref<1024xf32, strided<[2]>, #hivm.address_space<ub>>
    %whole = memref.alloc() : memref<1024xi32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%y_even : memref<1024xf32, strided<[2]>, #hivm.address_space<ub>>) outs(%whole : memref<1024xi32, #hivm.address_space<ub>>) round_mode = <trunc>
    hivm.hir.store ins(%whole : memref<1024xi32, #hivm.address_space<ub>>) outs(%whole_gm : memref<1024xi32, #hivm.address_space<gm>>)
    return
  }
}
