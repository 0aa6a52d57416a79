// a module with a host function, a declaration and two device functions, each planned from offset 0
// rules: 1.2, 1.3, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [0]
// expect auto: @copy_pair ub optimal sequential 16384
// expect auto: @copy_one ub optimal sequential 8192
// how: host and declaration plan nothing; copy_pair has two tiles, copy_one starts at 0 again.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @tiling(%n: i64) -> i64 attributes {hacc.function_kind = #hacc.function_kind<HOST>} {
    return %n : i64
  }
  func.func private @helper(i64) -> i64
  func.func @copy_pair(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%y : memref<2048xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
  func.func @copy_one(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
