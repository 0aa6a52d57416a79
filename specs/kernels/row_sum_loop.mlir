// row reduction of 64 x 2048 in column tiles, accumulated over a loop
// rules: 2.1, 2.4, 2.7, 4.3
// target: Ascend910_9391
// pass: base
// expect hivm: [0] [256] [33024]
// expect auto: ub optimal sequential 33280
// how: acc is written before the loop and read after it; tile and part live inside one iteration. No kill meets a gen.
// how: entries in first-write order acc 256, tile 32768, part 256: sequential.
module attributes {hacc.target = #hacc.target<"Ascend910_9391">} {
  func.func @row_sum(%x_gm: memref<64x2048xf32, #hivm.address_space<gm>>, %out_gm: memref<64x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.000000e+00 : f32
    %acc = memref.alloc() : memref<64x1xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%acc : memref<64x1xf32, #hivm.address_space<ub>>)
    scf.for %j = %c0 to %c16 step %c1 {
      %col = arith.muli %j, %c128 : index
      %src = memref.subview %x_gm[0, %col] [64, 128] [1, 1] : memref<64x2048xf32, #hivm.address_space<gm>> to memref<64x128xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>
      %tile = memref.alloc() : memref<64x128xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%src : memref<64x128xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>) outs(%tile : memref<64x128xf32, #hivm.address_space<ub>>)
      %part = memref.alloc() : memref<64x1xf32, #hivm.address_space<ub>>
      hivm.hir.vreduce <sum> ins(%tile : memref<64x128xf32, #hivm.address_space<ub>>) outs(%part : memref<64x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
      hivm.hir.vadd ins(%acc, %part : memref<64x1xf32, #hivm.address_space<ub>>, memref<64x1xf32, #hivm.address_space<ub>>) outs(%acc : memref<64x1xf32, #hivm.address_space<ub>>)
    }
    hivm.hir.store ins(%acc : memref<64x1xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<64x1xf32, #hivm.address_space<gm>>)
    return
  }
}
