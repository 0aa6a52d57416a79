// temporaries of three kinds of op: ISA op, vector-scalar op, plain op
// rules: 2.4, 3.2(2), 3.2(4), 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [4096] [0] [8192] [12288] [16384]
// expect auto: ub feasible sequential 20480
// how: vadd: ISA op, temp does not matter: pair (a,x). vdiv by a scalar: one temp tolerated: pair (b,a). vdiv tile by tile with a temp: no.
// how: the temporaries are gen'd after the outputs and never in place. Entries x, t0, t1, c, t2 of 4096 B.
module {
  func.func @temp_buffers(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %three = arith.constant 3.000000e+00 : f32
    %x = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%x : memref<1024xf32, #hivm.address_space<ub>>)
    %a = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    %t0 = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %x : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%a : memref<1024xf32, #hivm.address_space<ub>>) temp_buffer(%t0 : memref<1024xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    %t1 = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.vdiv ins(%a, %three : memref<1024xf32, #hivm.address_space<ub>>, f32) outs(%b : memref<1024xf32, #hivm.address_space<ub>>) temp_buffer(%t1 : memref<1024xf32, #hivm.address_space<ub>>)
    %c = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    %t2 = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
    hivm.hir.vdiv ins(%b, %b : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%c : memref<1024xf32, #hivm.address_space<ub>>) temp_buffer(%t2 : memref<1024xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%c : memref<1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<1024xf32, #hivm.address_space<gm>>)
    return
  }
}
