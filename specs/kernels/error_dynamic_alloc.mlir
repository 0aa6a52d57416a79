// dynamic dimensions on the alloc itself
// rules: 1.6
// target: Ascend910B1
// pass: base
// expect hivm: error: Failed to obtain op buffer shape size which should be static.
// expect auto: error memplan::hivm::no_size
// how: the size of the alloc is unknown: fatal. Dynamic sizes belong on views of a static alloc (dynamic_tail.mlir).
// how: A fatal error is not retried with other seeds.
module {
  func.func @dynamic_alloc(%x_gm: memref<?xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc(%n) : memref<?xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<?xf32, #hivm.address_space<gm>>) outs(%x : memref<?xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%x : memref<?xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<?xf32, #hivm.address_space<gm>>)
    return
  }
}
