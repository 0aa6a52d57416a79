//! Ops that make another name for bytes.

/// True for ops whose result is other bytes of, or another name for, their first operand.
pub(super) fn is_view(name: &str) -> bool {
    matches!(
        name,
        "memref.subview"
            | "memref.cast"
            | "memref.collapse_shape"
            | "memref.expand_shape"
            | "memref.reinterpret_cast"
            | "memref.reshape"
            | "memref.view"
            | "memref.transpose"
            | "memref.memory_space_cast"
            | "memref.extract_strided_metadata"
            | "bufferization.to_tensor"
            | "bufferization.to_memref"
            | "bufferization.to_buffer"
            | "hivm.hir.bitcast"
            | "tensor.collapse_shape"
            | "tensor.expand_shape"
            | "tensor.extract_slice"
            | "builtin.unrealized_conversion_cast"
    )
}
