// a temporary on vcmp is never counted as written
// rules: A.1, 2.4, 6(3), 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: 'memref.alloc' op error: read before first write
// expect auto: ub optimal sequential 24576
// how: vcmp has no extra-buffer interface: tmp is not gen'd, so its alloc has no storage.
module {
  func.func @compare(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %m_gm: memref<2048xi1, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
    %mask = memref.alloc() : memref<2048xi1, #hivm.address_space<ub>>
    %tmp = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.vcmp ins(%x, %y : memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) outs(%mask : memref<2048xi1, #hivm.address_space<ub>>) temp_buffer(%tmp : memref<2048xf32, #hivm.address_space<ub>>) compare_mode = <lt>
    hivm.hir.store ins(%mask : memref<2048xi1, #hivm.address_space<ub>>) outs(%m_gm : memref<2048xi1, #hivm.address_space<gm>>)
    return
  }
}
