// A cube/vector kernel of our own: every family of ops that the reader has a form for.
#map = affine_map<(d0)[s0] -> (d0 * 64 + s0)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#ub = #hivm.address_space<ub>
!tile = memref<16x64xf16, #ub>
module @attention attributes {hacc.target = #hacc.target<"Ascend910B1">, dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #spec>} {
  memref.global "private" constant @table : memref<16xf32> = dense<0.000000e+00>
  func.func private @rescale(memref<16x64xf16, #hivm.address_space<ub>>, memref<16x64xf16, #hivm.address_space<ub>>) attributes {hivm.vector_function, no_inline}
  func.func @attention(%arg0: memref<?xf16, #hivm.address_space<gm>> {tt.divisibility = 16 : i32} loc("attention.py":3:1), %arg1: memref<16x64xf16, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<workspace>}, %n: index, %flag: i1) -> (i32 {hivm.result}) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %true = arith.constant true
    %cst = arith.constant -1.500000e+00 : f16
    %c0_i32 = arith.constant 0 : i32
    %dense = arith.constant dense<[1, -2]> : tensor<2xi32>
    %block = hivm.hir.get_block_idx -> i64
    %idx = arith.index_cast %block : i64 to index
    %off = affine.apply #map(%idx)[%n] loc(#loc4)
    hivm.hir.set_mask_norm
    %view = memref.reinterpret_cast %arg0 to offset: [%off], sizes: [16, 64], strides: [64, 1] : memref<?xf16, #hivm.address_space<gm>> to memref<16x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>> loc(#loc2)
    %alloc = memref.alloc() {alignment = 64 : i64} : !tile loc(#loc3)
    annotation.mark %alloc {hivm.multi_buffer = 2 : i32} : !tile
    %alloc_0 = memref.alloc() : memref<16x64xf16, #ub>
    annotation.mark %alloc_0 {hivm.tightly_coupled_buffer = #hivm.tightly_coupled_buffer<3>, mem_unique} : memref<16x64xf16, #ub>
    %alloc_1 = memref.alloc(%n) : memref<?x64xf16, #ub>
    %work = memref_ext.alloc_workspace(%n) from %arg2 offset = [%c0] : from memref<?xi8, #hivm.address_space<gm>> to memref<?xf16, #hivm.address_space<gm>>
    %dim = memref.dim %alloc_1, %c0 : memref<?x64xf16, #ub>
    %cmp = arith.cmpi slt, %dim, %c16 : index
    %pick = arith.select %cmp, %alloc, %alloc_0 : !tile
    %loop:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %alloc, %count = %c0_i32) -> (memref<16x64xf16, #ub>, i32) {
      hivm.hir.load ins(%view : memref<16x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) outs(%alloc_0 : memref<16x64xf16, #ub>) pad_mode = <PadValue> pad_value = %cst : f16 left_padding_num = %c0 : index eviction_policy = <EvictFirst> core_type = <VECTOR>
      hivm.hir.vadd ins(%acc, %alloc_0 : memref<16x64xf16, #ub>, memref<16x64xf16, #ub>)
                    outs(%alloc_0 : memref<16x64xf16, #ub>)
                    broadcast = [0]
      %rows = memref.alloc() : memref<16x1xf32, #ub>
      %temp = memref.alloc() : memref<1024xf32, #ub>
      hivm.hir.vreduce <sum> ins(%alloc_0 : memref<16x64xf16, #ub>) outs(%rows : memref<16x1xf32, #ub>) temp_buffer(%temp : memref<1024xf32, #ub>) reduce_dims = [1]
      %sub = memref.subview %alloc_0[0, %i] [16, 32] [1, 1] : memref<16x64xf16, #ub> to memref<16x32xf16, strided<[64, 1], offset: ?>, #ub>
      %flat = memref.collapse_shape %alloc_0 [[0, 1]] : memref<16x64xf16, #ub> into memref<1024xf16, #ub>
      %tall = memref.expand_shape %flat [[0, 1]] output_shape [64, 16] : memref<1024xf16, #ub> into memref<64x16xf16, #ub>
      %mask = memref.alloc() : memref<16x64xi1, #ub>
      hivm.hir.vcmp ins(%acc, %alloc_0 : memref<16x64xf16, #ub>, memref<16x64xf16, #ub>) outs(%mask : memref<16x64xi1, #ub>) compare_mode = <gt>
      hivm.hir.vsel ins(%mask, %acc, %alloc_0 : memref<16x64xi1, #ub>, memref<16x64xf16, #ub>, memref<16x64xf16, #ub>) outs(%acc : memref<16x64xf16, #ub>)
      hivm.hir.vcast ins(%alloc_0 : memref<16x64xf16, #ub>) outs(%alloc_0 : memref<16x64xf16, #ub>) round_mode = <trunc>
      %branch = scf.if %flag -> (i32) {
        %0 = arith.addi %count, %c0_i32 : i32
        scf.yield %0 : i32
      } else {
        %0 = memref.load %arg2[%c0] : memref<?xi8, #hivm.address_space<gm>>
        %1 = arith.extsi %0 : i8 to i32
        scf.yield %1 : i32
      } {once}
      func.call @rescale(%acc, %alloc_0) {hivm.vector_function} : (memref<16x64xf16, #ub>, memref<16x64xf16, #ub>) -> ()
      hivm.hir.debug {debugtype = "print", hex = false, prefix = " acc: %d {", tcoretype = #hivm.tcore_type<VECTOR>} %acc : memref<16x64xf16, #ub>
      scf.yield %acc, %branch : memref<16x64xf16, #ub>, i32
    } loc("attention.py":9:5)
    %0:2 = scf.while (%a = %loop#0, %k = %c0) : (memref<16x64xf16, #ub>, index) -> (memref<16x64xf16, #ub>, index) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %a, %k : memref<16x64xf16, #ub>, index
    } do {
    ^bb0(%a: memref<16x64xf16, #ub>, %k: index loc("attention.py":20:3)):
      %next = arith.addi %k, %c1 : index
      scf.yield %a, %next : memref<16x64xf16, #ub>, index
    }
    %s = scope.scope : () -> (memref<16x64xf16, #ub>) {
      %t = tensor.empty() : tensor<16x64xf16>
      %filled = linalg.fill ins(%cst : f16) outs(%t : tensor<16x64xf16>) -> tensor<16x64xf16>
      linalg.generic {indexing_maps = [#transposed, #transposed], iterator_types = ["parallel", "parallel"]} ins(%0#0 : memref<16x64xf16, #ub>) outs(%alloc : !tile) {
      ^bb0(%in: f16, %out: f16):
        %2 = arith.addf %in, %out : f16
        linalg.yield %2 : f16
      }
      scope.return %0#0 : memref<16x64xf16, #ub>
    } {tcore_type = #hivm.tcore_type<VECTOR>}
    cf.cond_br %flag, ^bb1(%c0 : index), ^bb2
  ^bb1(%from: index):  // 2 predecessors
    %later = arith.addi %from, %c1 : index
    cf.br ^bb2
  ^bb2:
    %l1 = memref.alloc() : memref<1x4x16x16xf16, #hivm.address_space<cbuf>>
    %l0c = memref.alloc() : memref<16x64xf32, #hivm.address_space<cc>>
    hivm.hir.nd2nz {dst_continuous} ins(%arg1 : memref<16x64xf16, #hivm.address_space<gm>>) outs(%l1 : memref<1x4x16x16xf16, #hivm.address_space<cbuf>>) init_out_buffer = false
    hivm.hir.mmadL1 {b_transpose} ins(%l1, %l1, %true, %c16, %c16, %c16 : memref<1x4x16x16xf16, #hivm.address_space<cbuf>>, memref<1x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%l0c : memref<16x64xf32, #hivm.address_space<cc>>) sync_related_args(%block : i64)
    hivm.hir.fixpipe {enable_nz2nd} ins(%l0c : memref<16x64xf32, #hivm.address_space<cc>>) outs(%arg1 : memref<16x64xf16, #hivm.address_space<gm>>)
    hivm.hir.store ins(%s : memref<16x64xf16, #ub>) outs(%arg1 : memref<16x64xf16, #hivm.address_space<gm>>)
    return %c0_i32 : i32
  } loc("attention.py":1:1)
  func.func @rescale_body(%arg0: memref<64xf32, #ub>, %arg1: memref<64xf32, #ub>) attributes {hivm.vector_function} {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %m = vector.constant_mask [64] : vector<64xi1>
    %v = vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : memref<64xf32, #ub>, vector<64xf32>
    %r = vector.mask %m { vector.multi_reduction <add>, %v, %cst [0] : vector<64xf32> to f32 } : vector<64xi1> -> f32
    vector.transfer_write %v, %arg1[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, #ub>
    return
  }
}
#spec = #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>>
#loc1 = loc("attention.py":5:7)
#loc2 = loc("load"(#loc1))
#loc3 = loc(fused[#loc2, "other.py":1:1])
#loc4 = loc(callsite("inner"("attention.py":6:2) at #loc1))
// -----
func.func @second(%a: i32) -> i32 { return %a : i32 }
