// an alloc in the scalar stack buffer
// rules: 1.4
// target: Ascend910B1
// pass: base
// expect hivm: error: Temporarily unsupported memory buffer space !
// expect auto: error memplan::hivm::unplanned_space
// how: ssbuf counts as local, but cannot be planned: fatal in base (an assertion in regbase).
module {
  func.func @ssbuf_alloc(%n: i32) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %flags = memref.alloc() : memref<16xi32, #hivm.address_space<ssbuf>>
    memref.store %n, %flags[%c0] : memref<16xi32, #hivm.address_space<ssbuf>>
    %f = memref.load %flags[%c0] : memref<16xi32, #hivm.address_space<ssbuf>>
    return
  }
}
