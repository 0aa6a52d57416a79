// a tile chosen at run time keeps both candidates alive (public case 20)
// rules: 2.3, 2.4, 3.1, 2.8, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [256] [512]
// expect auto: ub optimal sequential 1024
// how: s is a conditional alias of a and b: no pair, excluded from op in-place; both die at the store. Sequential 256 + 256 + 512 B.
module {
  func.func @pick(%c: i1, %out_gm: memref<64xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %a = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%a : memref<64xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%one : f32) outs(%b : memref<64xf32, #hivm.address_space<ub>>)
    %s = arith.select %c, %a, %b : memref<64xf32, #hivm.address_space<ub>>
    %t = memref.alloc() : memref<128xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%one : f32) outs(%t : memref<128xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%s : memref<64xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<64xf32, #hivm.address_space<gm>>)
    return
  }
}
