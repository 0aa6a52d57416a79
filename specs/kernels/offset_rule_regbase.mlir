// the same views in the other pass: it has no offset rule
// rules: 7(3), 3.2(8), 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: unsound [0] [0] [32768] [32768]
// expect auto: ub feasible sequential 114688
// how: both vabs are in place: pairs (y,x) and (z,w); entries x 32768, w 32768.
// how: Unsound by the identical-slice rule (public case 07): y takes bytes [0,16384) of x, the op reads bytes [4096,20480).
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
