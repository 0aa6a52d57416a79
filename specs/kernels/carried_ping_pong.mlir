// the tile of the trip before is subtracted from this trip's: one address cannot hold both, two slots can
// rules: 2.3, 3.1, 3.4
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0] [16384]
// expect auto: ub optimal sequential 65536
// how: (start, tile) is an alias pair: init, iter_arg and yield are one entry, 16384 B. diff lives at its two ops: sequential, need = 32768.
// how: Unsound: the load of %tile overwrites the tile of the trip before, which vsub still reads as %last.
module {
  func.func @differences(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %start = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%start : memref<4096xf32, #hivm.address_space<ub>>)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %start) -> (memref<4096xf32, #hivm.address_space<ub>>) {
      %tile = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%tile : memref<4096xf32, #hivm.address_space<ub>>)
      %diff = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vsub ins(%tile, %last : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%diff : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%diff : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
      scf.yield %tile : memref<4096xf32, #hivm.address_space<ub>>
    }
    return
  }
}
