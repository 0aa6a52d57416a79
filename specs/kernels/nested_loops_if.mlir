// blocked accumulation: inner loop with an if that either adds or takes the maximum
// rules: 2.1, 2.5, 2.6, 2.7, 3.2(2), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [4096] [8192] [4096]
// expect auto: ub feasible sequential 16384
// how: bias is defined outside: no op inside the loops may kill it. tile cannot die inside the if (its own level is the inner loop).
// how: acc belongs to the outer loop's body and dies at the last vadd there: pair (out,acc). Entries bias, acc (with out), tile.
module {
  func.func @blocked(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %bias_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.000000e+00 : f32
    %bias = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%bias_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%bias : memref<1024xf32, #hivm.address_space<ub>>)
    scf.for %i = %c0 to %n step %c1 {
      %acc = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%acc : memref<1024xf32, #hivm.address_space<ub>>)
      scf.for %j = %c0 to %c4 step %c1 {
        %tile = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
        hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%tile : memref<1024xf32, #hivm.address_space<ub>>)
        %is_first = arith.cmpi eq, %j, %c0 : index
        scf.if %is_first {
          hivm.hir.vadd ins(%acc, %tile : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%acc : memref<1024xf32, #hivm.address_space<ub>>)
        } else {
          hivm.hir.vmax ins(%acc, %tile : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%acc : memref<1024xf32, #hivm.address_space<ub>>)
        }
      }
      %out = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc, %bias : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%out : memref<1024xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%out : memref<1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<1024xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
