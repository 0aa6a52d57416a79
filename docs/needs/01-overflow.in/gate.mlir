// y = (x + bias) * gate: 64, 80 and 96 KiB, of which at most 176 are alive at once
module {
  func.func @gate(%bias_gm: memref<16384xf32, #hivm.address_space<gm>>, %x_gm: memref<20480xf32, #hivm.address_space<gm>>, %gate_gm: memref<24576xf32, #hivm.address_space<gm>>, %y_gm: memref<20480xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %bias = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%bias_gm : memref<16384xf32, #hivm.address_space<gm>>) outs(%bias : memref<16384xf32, #hivm.address_space<ub>>)
    %x = memref.alloc() : memref<20480xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<20480xf32, #hivm.address_space<gm>>) outs(%x : memref<20480xf32, #hivm.address_space<ub>>)
    %head = memref.subview %x[0] [16384] [1] : memref<20480xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%head, %bias : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%head : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>)
    %gate = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%gate_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%gate : memref<24576xf32, #hivm.address_space<ub>>)
    %part = memref.subview %gate[0] [20480] [1] : memref<24576xf32, #hivm.address_space<ub>> to memref<20480xf32, strided<[1]>, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%x, %part : memref<20480xf32, #hivm.address_space<ub>>, memref<20480xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%x : memref<20480xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<20480xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<20480xf32, #hivm.address_space<gm>>)
    return
  }
}
