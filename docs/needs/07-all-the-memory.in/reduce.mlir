// A row sum with the temporary that the op needs, and two workspaces in global memory that the host has to provide.
module {
  func.func @reduce(%ws: memref<?xi8, #hivm.address_space<gm>>, %x_gm: memref<16x2048xf32, #hivm.address_space<gm>>, %y_gm: memref<16x1xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %ws_part = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to memref<131072xi8, #hivm.address_space<gm>>
    %part_gm = memref.view %ws_part[%c0][] : memref<131072xi8, #hivm.address_space<gm>> to memref<16x2048xf32, #hivm.address_space<gm>>
    %ws_flag = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to memref<100xi8, #hivm.address_space<gm>>
    %flag_gm = memref.view %ws_flag[%c0][] : memref<100xi8, #hivm.address_space<gm>> to memref<25xf32, #hivm.address_space<gm>>
    %x = memref.alloc() : memref<16x2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<16x2048xf32, #hivm.address_space<gm>>) outs(%x : memref<16x2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<16x2048xf32, #hivm.address_space<ub>>) outs(%part_gm : memref<16x2048xf32, #hivm.address_space<gm>>)
    %sum = memref.alloc() : memref<16x1xf32, #hivm.address_space<ub>>
    %tmp = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%x : memref<16x2048xf32, #hivm.address_space<ub>>) outs(%sum : memref<16x1xf32, #hivm.address_space<ub>>) temp_buffer(%tmp : memref<32768xf32, #hivm.address_space<ub>>) reduce_dims = [1]
    %flag = memref.alloc() : memref<25xf32, #hivm.address_space<ub>>
    %zero = arith.constant 0.0 : f32
    hivm.hir.vbrc ins(%zero : f32) outs(%flag : memref<25xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%flag : memref<25xf32, #hivm.address_space<ub>>) outs(%flag_gm : memref<25xf32, #hivm.address_space<gm>>)
    hivm.hir.load ins(%flag_gm : memref<25xf32, #hivm.address_space<gm>>) outs(%flag : memref<25xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%sum : memref<16x1xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<16x1xf32, #hivm.address_space<gm>>)
    return
  }
}
