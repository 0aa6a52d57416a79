// two tiles of 128 KB fill the 256 KB UB of a 310B exactly
// rules: 1.5, 4.2, 4.3, 7(7)
// target: Ascend310B1
// pass: regbase
// expect hivm: [0] [131072]
// expect auto: ub optimal sequential 262144
// how: need = 262144 B = capacity: sequential.
module attributes {hacc.target = #hacc.target<"Ascend310B1">} {
  func.func @add_in_place(%x_gm: memref<32768xf32, #hivm.address_space<gm>>, %y_gm: memref<32768xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%x : memref<32768xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%y : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%x, %y : memref<32768xf32, #hivm.address_space<ub>>, memref<32768xf32, #hivm.address_space<ub>>) outs(%x : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<32768xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<32768xf32, #hivm.address_space<gm>>)
    return
  }
}
