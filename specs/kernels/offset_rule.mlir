// views with layout offsets: static against none is refused, dynamic against dynamic is accepted
// rules: 2.3, 3.2(1), 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [32768] [49152] [49152]
// expect auto: ub feasible sequential 81920
// how: x_v has offset 1024, y none: no. w_v and z_v both have `?`: equal; same type; w is as large as z: pair (z,w).
// how: entries x 32768, y 16384, w 32768 (with z).
module {
  func.func @offset_rule(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %w_gm: memref<8192xf32, #hivm.address_space<gm>>, %z_gm: memref<4096xf32, #hivm.address_space<gm>>, %off: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%x : memref<8192xf32, #hivm.address_space<ub>>)
    %x_v = memref.subview %x[1024] [4096] [1] : memref<8192xf32, #hivm.address_space<ub>> to memref<4096xf32, strided<[1], offset: 1024>, #hivm.address_space<ub>>
    %y = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x_v : memref<4096xf32, strided<[1], offset: 1024>, #hivm.address_space<ub>>) outs(%y : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%y : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    %w = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%w_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%w : memref<8192xf32, #hivm.address_space<ub>>)
    %w_v = memref.subview %w[%off] [4096] [1] : memref<8192xf32, #hivm.address_space<ub>> to memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    %z = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    %z_v = memref.subview %z[%off] [4096] [1] : memref<8192xf32, #hivm.address_space<ub>> to memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%w_v : memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>) outs(%z_v : memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%z_v : memref<4096xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>) outs(%z_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
