// two independent accumulators (sum and maximum) carried by one loop
// rules: 2.3, 2.5, 3.1, 3.4, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [16384] [32768] [0] [16384] [32768]
// expect auto: ub optimal sequential 49152
// how: pairs (sum_init,sum_next) and (max_init,max_next); the positions do not mix. Each init merges into its successor:
// how: list tile, sum_next, max_next = 0, 16384, 32768.
module {
  func.func @sum_and_max(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %sum_gm: memref<4096xf32, #hivm.address_space<gm>>, %max_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %low = arith.constant -3.40282347E+38 : f32
    %sum_init = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%sum_init : memref<4096xf32, #hivm.address_space<ub>>)
    %max_init = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%low : f32) outs(%max_init : memref<4096xf32, #hivm.address_space<ub>>)
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %sum_init, %max = %max_init) -> (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) {
      %tile = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%tile : memref<4096xf32, #hivm.address_space<ub>>)
      %sum_next = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%sum, %tile : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sum_next : memref<4096xf32, #hivm.address_space<ub>>)
      %max_next = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vmax ins(%max, %tile : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%max_next : memref<4096xf32, #hivm.address_space<ub>>)
      scf.yield %sum_next, %max_next : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%r#0 : memref<4096xf32, #hivm.address_space<ub>>) outs(%sum_gm : memref<4096xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%r#1 : memref<4096xf32, #hivm.address_space<ub>>) outs(%max_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
