// elementwise chain: sum, product and activation of two 1-D tiles, two outputs
// rules: 2.4, 2.7, 3.2(1), 3.2(2), 3.2(8), 3.4, 4.3, 6(1), 6(2)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [16384] [0] [16384] [0]
// expect auto: ub optimal sequential 32768
// how: vadd kills %x only (%y is read again): ISA op, pair (sum,x). vmul kills %y only (%sum lives on): pair (prod,y).
// how: vrelu kills %sum, same-type elementwise: pair (act,sum), so act sits in %x's entry.
// how: entries x (with sum, act) and y (with prod), 16384 B each, sum 32768 fits: sequential 0, 16384.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @elementwise_chain(%x_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %act_gm: memref<4096xf32, #hivm.address_space<gm>>, %prod_gm: memref<4096xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%x : memref<4096xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%y : memref<4096xf32, #hivm.address_space<ub>>)
    %sum = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %y : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sum : memref<4096xf32, #hivm.address_space<ub>>)
    %prod = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%sum, %y : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%prod : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%prod : memref<4096xf32, #hivm.address_space<ub>>) outs(%prod_gm : memref<4096xf32, #hivm.address_space<gm>>)
    %act = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vrelu ins(%sum : memref<4096xf32, #hivm.address_space<ub>>) outs(%act : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%act : memref<4096xf32, #hivm.address_space<ub>>) outs(%act_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
