// level 1 checks every slot that it would take: the second tile may not be promoted
// rules: 4.10, 4.9(1), 4.9(0), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,98304] [0,98304] [16384]
// expect auto: ub optimal lifetime 196608
// how: stream 2x96K fills the UB; acc 16K: L1 on stream: [0, 98304]. scale 32K meets acc: L1 in the rest of stream @16K: slot 98304 holds acc: reject;
// how: the rest behind acc in the second half belongs to an extra slot: reject. L0@16384. W1 with T = 245760 B = 1966080 bits.
module {
  func.func @stream_then_scale(%stream_gm: memref<24576xf32, #hivm.address_space<gm>>, %acc_gm: memref<4096xf32, #hivm.address_space<gm>>, %scale_gm: memref<8192xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %stream = memref.alloc() : memref<24576xf32, #hivm.address_space<ub>>
      annotation.mark %stream {hivm.multi_buffer = 2 : i32} : memref<24576xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%stream_gm : memref<24576xf32, #hivm.address_space<gm>>) outs(%stream : memref<24576xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%stream : memref<24576xf32, #hivm.address_space<ub>>) outs(%stream_gm : memref<24576xf32, #hivm.address_space<gm>>)
      %acc = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%acc_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%acc : memref<4096xf32, #hivm.address_space<ub>>)
      %scale = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%scale_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%scale : memref<8192xf32, #hivm.address_space<ub>>)
      %scale_lo = memref.subview %scale[0] [4096] [1] : memref<8192xf32, #hivm.address_space<ub>> to memref<4096xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%acc, %scale_lo : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%acc : memref<4096xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%acc : memref<4096xf32, #hivm.address_space<ub>>) outs(%acc_gm : memref<4096xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
