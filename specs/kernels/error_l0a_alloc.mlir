// an alloc in L0A: the pass plans UB, L1 and L0C only
// rules: 1.4
// target: Ascend910B1
// pass: base
// expect hivm: error: Currently only support (UB | L1 | L0C) allocation
// expect auto: l1 optimal sequential 8192
// expect auto: l0a optimal sequential 8192
// how: asking whether a `ca` memref is local is fatal.
module {
  func.func @l0a_alloc(%a_gm: memref<64x64xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %a_l1 = memref.alloc() : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<64x64xf16, #hivm.address_space<gm>>) outs(%a_l1 : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>)
    %a_l0 = memref.alloc() : memref<4x4x16x16xf16, #hivm.address_space<ca>>
    hivm.hir.load ins(%a_l1 : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>) outs(%a_l0 : memref<4x4x16x16xf16, #hivm.address_space<ca>>)
    return
  }
}
