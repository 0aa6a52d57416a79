// Everything that makes lives longer than the text says, in one kernel: a table from before the loop, a sum that a
// loop carries, a tile that either side of a branch makes, one of two tiles chosen at run time, a loop in a loop.
module {
  func.func @flow(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %t_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>, %n: index, %flag: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %table = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%table : memref<1024xf32, #hivm.address_space<ub>>)
    %init = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%init : memref<1024xf32, #hivm.address_space<ub>>)
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (memref<1024xf32, #hivm.address_space<ub>>) {
      %tile = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%tile : memref<1024xf32, #hivm.address_space<ub>>)
      scf.for %j = %c0 to %c4 step %c1 {
        hivm.hir.vmul ins(%tile, %table : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%tile : memref<1024xf32, #hivm.address_space<ub>>)
      }
      %act = scf.if %flag -> (memref<1024xf32, #hivm.address_space<ub>>) {
        %grown = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
        hivm.hir.vexp ins(%tile : memref<1024xf32, #hivm.address_space<ub>>) outs(%grown : memref<1024xf32, #hivm.address_space<ub>>)
        scf.yield %grown : memref<1024xf32, #hivm.address_space<ub>>
      } else {
        %plain = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
        hivm.hir.vabs ins(%tile : memref<1024xf32, #hivm.address_space<ub>>) outs(%plain : memref<1024xf32, #hivm.address_space<ub>>)
        scf.yield %plain : memref<1024xf32, #hivm.address_space<ub>>
      }
      %picked = arith.select %flag, %act, %tile : memref<1024xf32, #hivm.address_space<ub>>
      %sum = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc, %picked : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%sum : memref<1024xf32, #hivm.address_space<ub>>)
      scf.yield %sum : memref<1024xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%total : memref<1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<1024xf32, #hivm.address_space<gm>>)
    return
  }
}
