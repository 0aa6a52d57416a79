module {
func.func @add(%in : memref<16384xf32, #hivm.address_space<gm>>, %out : memref<16384xf32, #hivm.address_space<gm>>) {
  %a = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
  hivm.hir.load ins(%in : memref<16384xf32, #hivm.address_space<gm>>) outs(%a : memref<16384xf32, #hivm.address_space<ub>>)
  %b = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
  hivm.hir.vexp ins(%a : memref<16384xf32, #hivm.address_space<ub>>) outs(%b : memref<16384xf32, #hivm.address_space<ub>>)
  %c = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
  hivm.hir.vadd ins(%b, %b : memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%c : memref<16384xf32, #hivm.address_space<ub>>)
  %d = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
  hivm.hir.vmul ins(%c, %c : memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%d : memref<16384xf32, #hivm.address_space<ub>>)
  hivm.hir.store ins(%d : memref<16384xf32, #hivm.address_space<ub>>) outs(%out : memref<16384xf32, #hivm.address_space<gm>>)
  return
}
}
