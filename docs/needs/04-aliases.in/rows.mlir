// exp(x - max(x)) in f32 and back to f16, with a view of the result as the shape that the store wants
module {
  func.func @rows(%x_gm: memref<16x512xf16, #hivm.address_space<gm>>, %y_gm: memref<64x128xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x16 = memref.alloc() : memref<16x512xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<16x512xf16, #hivm.address_space<gm>>) outs(%x16 : memref<16x512xf16, #hivm.address_space<ub>>)
    %x = memref.alloc() : memref<16x512xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x16 : memref<16x512xf16, #hivm.address_space<ub>>) outs(%x : memref<16x512xf32, #hivm.address_space<ub>>) round_mode = <rint>
    %max = memref.alloc() : memref<16x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%x : memref<16x512xf32, #hivm.address_space<ub>>) outs(%max : memref<16x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %centred = memref.alloc() : memref<16x512xf32, #hivm.address_space<ub>>
    hivm.hir.vsub ins(%x, %max : memref<16x512xf32, #hivm.address_space<ub>>, memref<16x1xf32, #hivm.address_space<ub>>) outs(%centred : memref<16x512xf32, #hivm.address_space<ub>>) broadcast = [1]
    %e = memref.alloc() : memref<16x512xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%centred : memref<16x512xf32, #hivm.address_space<ub>>) outs(%e : memref<16x512xf32, #hivm.address_space<ub>>)
    %y16 = memref.alloc() : memref<16x512xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%e : memref<16x512xf32, #hivm.address_space<ub>>) outs(%y16 : memref<16x512xf16, #hivm.address_space<ub>>) round_mode = <rint>
    %view = memref.reinterpret_cast %y16 to offset: [0], sizes: [64, 128], strides: [128, 1] : memref<16x512xf16, #hivm.address_space<ub>> to memref<64x128xf16, strided<[128, 1]>, #hivm.address_space<ub>>
    hivm.hir.store ins(%view : memref<64x128xf16, strided<[128, 1]>, #hivm.address_space<ub>>) outs(%y_gm : memref<64x128xf16, #hivm.address_space<gm>>)
    return
  }
}
