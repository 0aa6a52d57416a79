// a debug print keeps a tile alive one op longer and so forbids in-place
// rules: 2.4, 2.7, 4.3, 6.5
// target: Ascend910B1
// pass: base
// options: enable-memory-display=true
// expect hivm: [0] [16384]
// expect auto: ub optimal sequential 32768
// how: x is read by the print after the vabs: not dead there. Writes memory_info_aiv.json.
module {
  func.func @debug_abs(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %act = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x : memref<4096xf32, #hivm.address_space<ub>>) outs(%act : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.debug {debugtype = "print", hex = false, prefix = " x (100%): "} %x : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.store ins(%act : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
