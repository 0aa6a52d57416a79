// vector function that widens f16 to f32, and one that writes in reverse order: no in-place
// rules: 3.3, 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [0] [8192] [24576]
// expect auto: ub feasible sequential 40960
// how: vf_widen: written width 32 > read width 16 (and the source is smaller): no. vf_reverse: the subviews have different offsets: no.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @vf_widen(%src: memref<4096xf16, #hivm.address_space<ub>>, %dst: memref<4096xf32, #hivm.address_space<ub>>) attributes {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function, no_inline} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.000000e+00 : f16
    %v = vector.transfer_read %src[%c0], %pad {in_bounds = [true]} : memref<4096xf16, #hivm.address_space<ub>>, vector<64xf16>
    %w = arith.extf %v : vector<64xf16> to vector<64xf32>
    vector.transfer_write %w, %dst[%c0] {in_bounds = [true]} : vector<64xf32>, memref<4096xf32, #hivm.address_space<ub>>
    return
  }
  func.func @vf_reverse(%src: memref<4096xf32, #hivm.address_space<ub>>, %dst: memref<4096xf32, #hivm.address_space<ub>>) attributes {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function, no_inline} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4032 = arith.constant 4032 : index
    %c4096 = arith.constant 4096 : index
    %pad = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c4096 step %c64 {
      %j = arith.subi %c4032, %i : index
      %s = memref.subview %src[%i] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %d = memref.subview %dst[%j] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %v = vector.transfer_read %s[%c0], %pad {in_bounds = [true]} : memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>, vector<64xf32>
      vector.transfer_write %v, %d[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    }
    return
  }
  func.func @widen_kernel(%x_gm: memref<4096xf16, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf16, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf16, #hivm.address_space<gm>>) outs(%x : memref<4096xf16, #hivm.address_space<ub>>)
    %wide = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    func.call @vf_widen(%x, %wide) {hivm.vector_function} : (memref<4096xf16, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    %back = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    func.call @vf_reverse(%wide, %back) {hivm.vector_function} : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    hivm.hir.store ins(%back : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
