// head, body loop and tail of a long vector: the tail may share with the loop (level 2), not with the head
// rules: 4.2, 4.7, 4.8, 4.9(3), 4.9(2), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [98304] [98304]
// expect auto: ub feasible loop 196608
// how: three 96 KB DMA buffers, need = T = 288 KB > 192 KB. head@0, body L3@96K.
// how: tail: L3 no (DMA). L2: head has no loop, tail has none: equal, conflict; body's anchor is the loop: @98304. (Level 0 would take 0.)
// how: W1 with T = 2359296 bits.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @head_body_tail(%in_gm: memref<?xf32, #hivm.address_space<gm>>, %out_gm: memref<?xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c24576 = arith.constant 24576 : index
    %head_src = memref.subview %in_gm[0] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1]>, #hivm.address_space<gm>>
    %head_dst = memref.subview %out_gm[0] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1]>, #hivm.address_space<gm>>
    %head = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%head_src : memref<24576xf32, strided<[1]>, #hivm.address_space<gm>>) outs(%head : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vrelu ins(%head : memref<24576xf32, #hivm.address_space<ub>>) outs(%head : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%head : memref<24576xf32, #hivm.address_space<ub>>) outs(%head_dst : memref<24576xf32, strided<[1]>, #hivm.address_space<gm>>)
    scf.for %i = %c24576 to %n step %c24576 {
      %src = memref.subview %in_gm[%i] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %dst = memref.subview %out_gm[%i] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %body = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%src : memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%body : memref<24576xf32, #hivm.address_space<ub>>)
      hivm.hir.vrelu ins(%body : memref<24576xf32, #hivm.address_space<ub>>) outs(%body : memref<24576xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%body : memref<24576xf32, #hivm.address_space<ub>>) outs(%dst : memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>)
    }
    %tail_src = memref.subview %in_gm[%n] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %tail_dst = memref.subview %out_gm[%n] [24576] [1] : memref<?xf32, #hivm.address_space<gm>> to memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %tail = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%tail_src : memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%tail : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.vrelu ins(%tail : memref<24576xf32, #hivm.address_space<ub>>) outs(%tail : memref<24576xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%tail : memref<24576xf32, #hivm.address_space<ub>>) outs(%tail_dst : memref<24576xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>)
    return
  }
}
