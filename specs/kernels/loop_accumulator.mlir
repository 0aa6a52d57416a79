// sum over tiles with the accumulator carried as an iter_arg
// rules: 2.3, 2.5, 3.1, 3.4, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [16384] [0] [16384]
// expect auto: ub optimal sequential 32768
// how: acc <- init, sum <- acc, result <- sum: pair (init,sum), both excluded from op in-place (tile's kill finds no gen).
// how: entry(init) merges into entry(sum), which is behind tile in the list: tile 0, sum and init 16384.
module {
  func.func @sum_tiles(%x_gm: memref<65536xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %c65536 = arith.constant 65536 : index
    %zero = arith.constant 0.000000e+00 : f32
    %init = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%init : memref<4096xf32, #hivm.address_space<ub>>)
    %total = scf.for %i = %c0 to %c65536 step %c4096 iter_args(%acc = %init) -> (memref<4096xf32, #hivm.address_space<ub>>) {
      %src = memref.subview %x_gm[%i] [4096] [1] : memref<65536xf32, #hivm.address_space<gm>> to memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %tile = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%src : memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%tile : memref<4096xf32, #hivm.address_space<ub>>)
      %sum = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc, %tile : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sum : memref<4096xf32, #hivm.address_space<ub>>)
      scf.yield %sum : memref<4096xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%total : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
