// vector function with two results: the larger result gets the dying source
// rules: 3.2, 3.3, 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [0] [16384] [0]
// expect auto: ub optimal sequential 24576
// how: at the call small (8192 B) and big (16384 B) are gen'd, x dies. Gens sorted by size: big first: pair (big,x); small finds no kill.
// how: entries x (with big), small.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @vf_split(%src: memref<4096xf32, #hivm.address_space<ub>>, %half: memref<4096xf16, #hivm.address_space<ub>>, %copy: memref<4096xf32, #hivm.address_space<ub>>) attributes {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function, no_inline} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %pad = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c4096 step %c64 {
      %s = memref.subview %src[%i] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %h = memref.subview %half[%i] [64] [1] : memref<4096xf16, #hivm.address_space<ub>> to memref<64xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %c = memref.subview %copy[%i] [64] [1] : memref<4096xf32, #hivm.address_space<ub>> to memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %v = vector.transfer_read %s[%c0], %pad {in_bounds = [true]} : memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>, vector<64xf32>
      %t = arith.truncf %v : vector<64xf32> to vector<64xf16>
      vector.transfer_write %t, %h[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %e = math.exp %v : vector<64xf32>
      vector.transfer_write %e, %c[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    }
    return
  }
  func.func @split_kernel(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %h_gm: memref<4096xf16, #hivm.address_space<gm>>, %e_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %small = memref.alloc() : memref<4096xf16, #hivm.address_space<ub>>
    %big = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    func.call @vf_split(%x, %small, %big) {hivm.vector_function} : (memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf16, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
    hivm.hir.store ins(%small : memref<4096xf16, #hivm.address_space<ub>>) outs(%h_gm : memref<4096xf16, #hivm.address_space<gm>>)
    hivm.hir.store ins(%big : memref<4096xf32, #hivm.address_space<ub>>) outs(%e_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
