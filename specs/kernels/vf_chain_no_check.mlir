// the kernel of vf_chain_veto.mlir with the reachability veto switched off
// rules: 1.1, 3.3, 3.4
// target: Ascend950PR_9589
// pass: regbase
// options: disable-vf-reachable-check=true
// expect hivm: [0] [0] [0]
// expect auto: ub feasible sequential 49152
// how: both pairs accepted: one entry.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @vf_abs(%src: memref<4096xf32, #hivm.address_space<ub>>, %dst: memref<4096xf32, #hivm.address_space<ub>>) attributes {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function, no_inline} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %pad = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c4096 step %c64 {
      %s = memref.subview %src[%i] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %d = memref.subview %dst[%i] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %v = vector.transfer_read %s[%c0], %pad {in_bounds = [true]} : memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>, vector<64xf32>
      %a = math.absf %v : vector<64xf32>
      vector.transfer_write %a, %d[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    }
    return
  }
  func.func @abs_twice(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %t = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
      %mid = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      func.call @vf_abs(%x, %mid) {hivm.vector_function} : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
      %y = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
      func.call @vf_abs(%mid, %y) {hivm.vector_function} : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
      hivm.hir.store ins(%y : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
