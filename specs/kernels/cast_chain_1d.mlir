// 1-D cast chain: f32 -> f16 (narrowing), f16 -> i16 (equal width), i16 -> f32 (widening)
// rules: 3.2(10), 3.2(5), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0] [0] [32768]
// expect auto: ub feasible sequential 65536
// how: 1-D contiguous narrowing: yes. Equal width: yes. Widening: 16 is no multiple of 32 (and the kill is smaller): no.
// how: entries x 32768 (with half, bits), wide 32768.
module {
  func.func @cast_chain_1d(%x_gm: memref<8192xf32, #hivm.address_space<gm>>, %out_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%x : memref<8192xf32, #hivm.address_space<ub>>)
    %half = memref.alloc() : memref<8192xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%x : memref<8192xf32, #hivm.address_space<ub>>) outs(%half : memref<8192xf16, #hivm.address_space<ub>>) round_mode = <rint>
    %bits = memref.alloc() : memref<8192xi16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%half : memref<8192xf16, #hivm.address_space<ub>>) outs(%bits : memref<8192xi16, #hivm.address_space<ub>>) round_mode = <trunc>
    %wide = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%bits : memref<8192xi16, #hivm.address_space<ub>>) outs(%wide : memref<8192xf32, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.store ins(%wide : memref<8192xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<8192xf32, #hivm.address_space<gm>>)
    return
  }
}
