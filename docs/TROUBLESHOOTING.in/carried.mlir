module {
  func.func @kernel(%g: memref<64xf32, #hivm.address_space<gm>>, %n: index, %c: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%g : memref<64xf32, #hivm.address_space<gm>>) outs(%a : memref<64xf32, #hivm.address_space<ub>>)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%best = %a) -> (memref<64xf32, #hivm.address_space<ub>>) {
      %new = memref.alloc() : memref<64xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%g : memref<64xf32, #hivm.address_space<gm>>) outs(%new : memref<64xf32, #hivm.address_space<ub>>)
      %next = arith.select %c, %new, %best : memref<64xf32, #hivm.address_space<ub>>
      hivm.hir.store ins(%best : memref<64xf32, #hivm.address_space<ub>>) outs(%g : memref<64xf32, #hivm.address_space<gm>>)
      scf.yield %next : memref<64xf32, #hivm.address_space<ub>>
    }
    return
  }
}
