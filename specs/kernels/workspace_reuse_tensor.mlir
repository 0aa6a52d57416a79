// three workspace areas in tensor form, with lifetime reuse between the first and the later ones
// rules: 1.1, 2.3, 2.4, 5
// target: Ascend910B1
// pass: base
// options: mem-plan-mode=global-work-space-plan,enable-global-workspace-reuse=true
// expect hivm: [0] [0] [32768]
// expect auto: workspace:%ws_arg optimal loop 65536
// how: t1/w1 are aliases of ws1 (view, to_tensor, result <- init): ws1 dies at its load; ws2 and ws3 come later and meet each other.
// how: level 0, unlimited: ws1@0; ws2: disjoint: @0; ws3 32K: meets ws2: the tail behind it: @32768.
module {
  func.func @spill_three(%ws_arg: memref<?xi8, #hivm.address_space<gm>>, %x: tensor<8192xf32>, %y: tensor<8192xf32>, %out_gm: memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<MIX>} {
    %c0 = arith.constant 0 : index
    %ws1 = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<65536xi8>
    %v1 = memref.view %ws1[%c0][] : memref<65536xi8> to memref<16384xf32>
    %h1 = memref.subview %v1[0] [8192] [1] : memref<16384xf32> to memref<8192xf32, strided<[1]>>
    %t1 = bufferization.to_tensor %h1 restrict writable : memref<8192xf32, strided<[1]>>
    %w1 = hivm.hir.store ins(%x : tensor<8192xf32>) outs(%t1 : tensor<8192xf32>) -> tensor<8192xf32>
    %e1 = tensor.empty() : tensor<8192xf32>
    %r1 = hivm.hir.load ins(%w1 : tensor<8192xf32>) outs(%e1 : tensor<8192xf32>) -> tensor<8192xf32>
    %ws2 = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<32768xi8>
    %v2 = memref.view %ws2[%c0][] : memref<32768xi8> to memref<8192xf32>
    %t2 = bufferization.to_tensor %v2 restrict writable : memref<8192xf32>
    %w2 = hivm.hir.store ins(%r1 : tensor<8192xf32>) outs(%t2 : tensor<8192xf32>) -> tensor<8192xf32>
    %ws3 = memref_ext.alloc_workspace() from %ws_arg : from memref<?xi8, #hivm.address_space<gm>> to memref<32768xi8>
    %v3 = memref.view %ws3[%c0][] : memref<32768xi8> to memref<8192xf32>
    %t3 = bufferization.to_tensor %v3 restrict writable : memref<8192xf32>
    %w3 = hivm.hir.store ins(%y : tensor<8192xf32>) outs(%t3 : tensor<8192xf32>) -> tensor<8192xf32>
    %e2 = tensor.empty() : tensor<8192xf32>
    %r2 = hivm.hir.load ins(%w2 : tensor<8192xf32>) outs(%e2 : tensor<8192xf32>) -> tensor<8192xf32>
    %e3 = tensor.empty() : tensor<8192xf32>
    %r3 = hivm.hir.load ins(%w3 : tensor<8192xf32>) outs(%e3 : tensor<8192xf32>) -> tensor<8192xf32>
    %e4 = tensor.empty() : tensor<8192xf32>
    %sum = hivm.hir.vadd ins(%r2, %r3 : tensor<8192xf32>, tensor<8192xf32>) outs(%e4 : tensor<8192xf32>) -> tensor<8192xf32>
    hivm.hir.store ins(%sum : tensor<8192xf32>) outs(%out_gm : memref<8192xf32, #hivm.address_space<gm>>)
    return
  }
}
