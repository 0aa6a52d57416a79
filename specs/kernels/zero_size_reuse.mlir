// row sum with a size 0 temporary next to a tile that forces reuse
// rules: 1.6, 4.4, 4.8, 4.9(0), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [131072] [0] [0]
// expect auto: ub optimal loop 131328
// how: x 128K, sum 256 B, y 128K > 192 KB. Order D: x, sum, y; O: none. x@0, sum L3@131072, y: L3, L2, L1 no, L0@0; size 0: offset 0.
// how: W1 with T = 262400 B = 2099200 bits.
module {
  func.func @sum_then_copy(%x_gm: memref<64x512xf32, #hivm.address_space<gm>>, %s_gm: memref<64x1xf32, #hivm.address_space<gm>>, %y_gm: memref<64x512xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<64x512xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64x512xf32, #hivm.address_space<gm>>) outs(%x : memref<64x512xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<64x1xf32, #hivm.address_space<ub>>
    %none = memref.alloc() : memref<0xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%x : memref<64x512xf32, #hivm.address_space<ub>>) outs(%sum : memref<64x1xf32, #hivm.address_space<ub>>) temp_buffer(%none : memref<0xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.store ins(%sum : memref<64x1xf32, #hivm.address_space<ub>>) outs(%s_gm : memref<64x1xf32, #hivm.address_space<gm>>)
    %y = memref.alloc() : memref<64x512xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<64x512xf32, #hivm.address_space<gm>>) outs(%y : memref<64x512xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%y : memref<64x512xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<64x512xf32, #hivm.address_space<gm>>)
    return
  }
}
