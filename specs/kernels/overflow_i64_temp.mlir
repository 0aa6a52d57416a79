// i64 row sum: the temporary counts although the op becomes a scalar loop: false overflow
// rules: 4.4, 4.5, A.3, 4.12, 10.4
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 1573120 bits while 1572864 bits available!
// expect auto: ub infeasible 196640
// how: x 65536, sum 8 -> 32, tmp 131072 all meet at the vreduce. Order D: x, sum; S: tmp: 0, 65536, 65568: 196640 B = 1573120 bits.
module {
  func.func @sum_i64(%x_gm: memref<8192xi64, #hivm.address_space<gm>>, %s_gm: memref<1xi64, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<8192xi64, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<8192xi64, #hivm.address_space<gm>>) outs(%x : memref<8192xi64, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<1xi64, #hivm.address_space<ub>>
    %tmp = memref.alloc() : memref<16384xi64, #hivm.address_space<ub>>
    hivm.hir.vreduce <sum> ins(%x : memref<8192xi64, #hivm.address_space<ub>>) outs(%sum : memref<1xi64, #hivm.address_space<ub>>) temp_buffer(%tmp : memref<16384xi64, #hivm.address_space<ub>>) reduce_dims = [0]
    hivm.hir.store ins(%sum : memref<1xi64, #hivm.address_space<ub>>) outs(%s_gm : memref<1xi64, #hivm.address_space<gm>>)
    return
  }
}
