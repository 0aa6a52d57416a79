// option restrict-inplace-as-isa: the exponential is not in place, the add still is
// rules: 1.1, 3.2(2), 3.2(3), 4.3
// target: Ascend910B1
// pass: base
// options: restrict-inplace-as-isa=true
// expect hivm: [0] [16384] [16384]
// expect auto: ub optimal sequential 32768
// how: vexp is none of the seven ISA ops: no. vadd by a scalar: pair (shifted,expd). Entries x, expd.
module {
  func.func @exp_plus_one(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %one = arith.constant 1.000000e+00 : f32
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %expd = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%expd : memref<4096xf32, #hivm.address_space<ub>>)
    %shifted = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%expd, %one : memref<4096xf32, #hivm.address_space<ub>>, f32) outs(%shifted : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%shifted : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
