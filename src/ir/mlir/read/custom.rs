//! The custom forms: which op is read how (spec 8.3, points 2, 4, 5 and 6).

use super::build::Draft;
use super::cursor::Reader;
use super::errors::Read;
use crate::ir::mlir::OpId;

impl Reader<'_> {
    /// Reads what stands behind the name of an op.
    pub(super) fn custom(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        match name {
            "scf.for" => self.scf_for(op, d),
            "scf.if" => self.scf_if(op, d),
            "scf.while" => self.scf_while(op, d),
            "scope.scope" => self.scope(op, d),
            "scf.forall" | "scf.parallel" | "affine.for" | "affine.parallel" => self.nest(op, d),
            "memref.alloc" | "memref.alloca" => self.alloc(d),
            "memref_ext.alloc_workspace" => self.workspace(d),
            "hivm.hir.pointer_cast" => self.pointer_cast(d),
            "memref.subview" | "tensor.extract_slice" | "tensor.insert_slice" => self.subview(d),
            "memref.reinterpret_cast" => self.reinterpret(d),
            "memref.expand_shape"
            | "memref.collapse_shape"
            | "tensor.expand_shape"
            | "tensor.collapse_shape" => self.reshaped(d),
            "memref.transpose" => self.transposed(d),
            "bufferization.to_tensor" => self.bufferized(op, d),
            "memref.load" | "tensor.extract" | "affine.load" => self.load(op, d),
            "arith.constant" => self.constant(d),
            "arith.cmpi" | "arith.cmpf" => self.compare(op, d),
            "memref.dim" | "tensor.dim" | "affine.apply" | "affine.min" | "affine.max"
            | "memref.rank" | "tensor.rank" => self.index(name, op, d),
            "func.call" | "gpu.launch_func" | "memref.get_global" => self.symbol(name, op, d),
            "cf.br" | "cf.cond_br" | "cf.switch" => self.branch(name, d),
            "annotation.mark" | "scf.yield" | "scope.return" | "func.return" | "scf.condition" => {
                self.plain(d)
            }
            _ if name.starts_with("hivm.hir.") || name.starts_with("linalg.") => {
                self.uniform(name, op, d)
            }
            _ => self.fallback(op, d),
        }
    }
}
