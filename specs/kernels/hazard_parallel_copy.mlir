// FIR filter of three taps, the last two tiles carried as a shift register: a parallel copy (see public case 12)
// rules: 2.3, 3.1, 3.4, 10.2
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0] [0] [16384]
// expect auto: ub infeasible 65536
// how: lag1 <- old1, lag2 <- old2, then v <- lag1 and lag1 <- lag2 (yields): old1, old2 and v become unconditional aliases: one address.
// how: pairs (old1,v), (old1,old2): old2's entry holds all three at 0; out 16384.
// how: Unsound: loading v destroys both carried tiles before they are read.
module {
  func.func @fir3(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    %old1 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%old1 : memref<4096xf32, #hivm.address_space<ub>>)
    %old2 = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%old2 : memref<4096xf32, #hivm.address_space<ub>>)
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%lag1 = %old1, %lag2 = %old2) -> (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) {
      %v = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%v : memref<4096xf32, #hivm.address_space<ub>>)
      %out = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%lag1, %lag2 : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%out : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.vadd ins(%out, %v : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%out : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%out : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
      scf.yield %v, %lag1 : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>
    }
    return
  }
}
