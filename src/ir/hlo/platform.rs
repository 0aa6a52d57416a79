//! Which platform a text was compiled for, as far as it tells.

use super::{AttributeValue, Module, Platform};

/// Keys of a `backend_config` that only GPU compilers write.
const CONFIG_KEYS: [&str; 9] = [
    "operation_queue_id",
    "wait_on_operation_queues",
    "force_earliest_schedule",
    "reification_cost",
    "fusion_backend_config",
    "gemm_backend_config",
    "collective_backend_config",
    "cudnn_conv_backend_config",
    "bitcast_backend_config",
];

/// How the names of library calls begin that only GPUs have.
const CALL_PREFIXES: [&str; 14] = [
    "__cublas",
    "__cudnn",
    "__cusolver",
    "__gpu$",
    "__triton",
    "cublas",
    "cudnn",
    "cufft",
    "cusolver",
    "cusparse",
    "cu_",
    "hipblas",
    "hipsolver",
    "miopen",
];

/// The platform that a text seems to be compiled for.
///
/// GPU when one of these is in it: the fingerprint that the latency-hiding scheduler of GPU
/// compilers leaves in the header (`fingerprint_before_lhs`), a key of a GPU backend config, a call
/// of a GPU library. CPU otherwise: so a text before optimisation that calls no library is taken
/// for CPU text wherever it was meant to run, for it says nothing about that.
pub fn platform_of(module: &Module) -> Platform {
    let fingerprint = module.attributes.iter().any(|attribute| match &attribute.value {
        AttributeValue::Raw(text) => text.contains("fingerprint_before_lhs"),
        _ => false,
    });
    let is_gpu = fingerprint
        || module.instructions.iter().any(|op| {
            let config = op.raw("backend_config").unwrap_or_default();
            let target = op.custom_call_target().unwrap_or_default();
            CONFIG_KEYS.iter().any(|key| config.contains(key))
                || CALL_PREFIXES.iter().any(|prefix| target.starts_with(prefix))
        });
    if is_gpu { Platform::Gpu } else { Platform::Cpu }
}
