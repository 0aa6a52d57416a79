// a table filled by memref.load/store between two vector phases: scalar class is placed last and shares with no vector buffer
// rules: 2.4, 2.6, 3.2(5), 4.4, 4.5, 4.6, 4.9(3)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [61920] [61440] [123840] [61920] [123360]
// expect auto: ub feasible pipe 185280
// how: memref.load/store make lut scalar; x, row_sum DMA; the others vector. 4 x 61440 > 192 KB: reuse. Order D: x, row_sum; O: v1, v2, part; S: lut.
// how: level 3: x@0, row_sum@61440 (480 B), v1@61920, v2: v1 is dead, vector: @61920; part meets v2: @123360;
// how: lut meets no life of part or v1, but exactly one is scalar: @123840. T = 185280 B fits: kept.
module {
  func.func @lut_between(%x_gm: memref<128x120xf32, #hivm.address_space<gm>>, %out_gm: memref<120x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c127 = arith.constant 127 : index
    %zero = arith.constant 0 : i32
    %x = memref.alloc() : memref<128x120xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<128x120xf32, #hivm.address_space<gm>>) outs(%x : memref<128x120xf32, #hivm.address_space<ub>>)
    %v1 = memref.alloc() : memref<120x128xf32, #hivm.address_space<ub>>
    hivm.hir.vtranspose ins(%x : memref<128x120xf32, #hivm.address_space<ub>>) outs(%v1 : memref<120x128xf32, #hivm.address_space<ub>>) permutation = [1, 0]
    %row_sum = memref.alloc() : memref<120x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%v1 : memref<120x128xf32, #hivm.address_space<ub>>) outs(%row_sum : memref<120x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %lut = memref.alloc() : memref<120x128xi32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : i32) outs(%lut : memref<120x128xi32, #hivm.address_space<ub>>)
    scf.for %i = %c1 to %c127 step %c1 {
      %old = memref.load %lut[%c0, %i] : memref<120x128xi32, #hivm.address_space<ub>>
      %new = arith.addi %old, %old : i32
      memref.store %new, %lut[%c0, %i] : memref<120x128xi32, #hivm.address_space<ub>>
    }
    %last = memref.load %lut[%c0, %c127] : memref<120x128xi32, #hivm.address_space<ub>>
    %scale = arith.sitofp %last : i32 to f32
    %v2 = memref.alloc() : memref<120x128xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%scale : f32) outs(%v2 : memref<120x128xf32, #hivm.address_space<ub>>)
    %part = memref.alloc() : memref<120x1xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <max> ins(%v2 : memref<120x128xf32, #hivm.address_space<ub>>) outs(%part : memref<120x1xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    hivm.hir.vadd ins(%row_sum, %part : memref<120x1xf32, #hivm.address_space<ub>>, memref<120x1xf32, #hivm.address_space<ub>>) outs(%row_sum : memref<120x1xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%row_sum : memref<120x1xf32, #hivm.address_space<ub>>) outs(%out_gm : memref<120x1xf32, #hivm.address_space<gm>>)
    return
  }
}
