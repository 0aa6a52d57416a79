// a tile carried through both regions of an scf.while, used again in the before-region (regbase rule)
// rules: 2.1, 2.3, 7(1), 3.1, 4.3
// target: Ascend950PR_9589
// pass: regbase
// expect hivm: [128] [0] [128]
// expect auto: ub feasible sequential 640
// how: start and next are one alias class through cur and v: pair (start,next), no op in-place for them; err dies inside the loop.
// how: start merges into next, which stands behind err (128 B) in the list: err 0, next (and start) 128.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @converge(%x_gm: memref<64xf32, #hivm.address_space<gm>>, %y_gm: memref<64xf32, #hivm.address_space<gm>>, %tol: f32) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %half = arith.constant 5.000000e-01 : f32
    %start = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<64xf32, #hivm.address_space<gm>>) outs(%start : memref<64xf32, #hivm.address_space<ub>>)
    %r = scf.while (%cur = %start) : (memref<64xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>> {
      %err = memref.alloc() : memref<32xf32, #hivm.address_space<ub>>
      %cur_lo = memref.subview %cur[0] [32] [1] : memref<64xf32, #hivm.address_space<ub>> to memref<32xf32, strided<[1]>, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%cur_lo : memref<32xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%err : memref<32xf32, #hivm.address_space<ub>>)
      %e = memref.load %err[%c0] : memref<32xf32, #hivm.address_space<ub>>
      %more = arith.cmpf ogt, %e, %tol : f32
      scf.condition(%more) %cur : memref<64xf32, #hivm.address_space<ub>>
    } do {
    ^bb0(%v: memref<64xf32, #hivm.address_space<ub>>):
      %next = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%v, %half : memref<64xf32, #hivm.address_space<ub>>, f32) outs(%next : memref<64xf32, #hivm.address_space<ub>>)
      scf.yield %next : memref<64xf32, #hivm.address_space<ub>>
    }
    hivm.hir.store ins(%r : memref<64xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<64xf32, #hivm.address_space<gm>>)
    return
  }
}
