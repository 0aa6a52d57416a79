//! `docs/SCENARIOS.md`: every scenario of the runtime model with its files.

use std::fmt::Write;
use std::fs;

use libtest_mimic::Failed;

use crate::cases::{all, name};

/// What a test in code shows in place of a file.
const GENERATED: [(&str, &str); 2] = [
    ("batch_4097", "`tests/replay/generated.rs`"),
    ("prefetch_cost", "`tests/replay/prefetch.rs`"),
];

/// Sections and their scenarios, by the part of the name that their files begin with.
const SCENARIOS: &[(&str, &[&str])] = &[
    (
        "8.1 Managed memory",
        &[
            "uvm/uvm_roundtrip",
            "uvm/uvm_readmostly_prefetch",
            "uvm/uvm_kernel_add",
            "uvm/uvm_param_errors",
            "uvm/uvm_async_error_swallowed",
            "uvm/uvm_attr_single",
            "uvm/uvm_attr_mixed",
            "uvm/uvm_attr_accessby",
            "uvm/uvm_advise_read_mostly",
            "uvm/uvm_advise_unset_read_mostly",
            "uvm/uvm_advise_prefer_location",
            "uvm/uvm_advise_unset_prefer_location",
            "uvm/uvm_advise_access_by",
            "uvm/uvm_advise_unset_access_by",
            "uvm/uvm_fault_h_load",
            "uvm/uvm_fault_h_store",
            "uvm/uvm_fault_d_load",
            "uvm/uvm_fault_d_store",
            "uvm/uvm_rm_write_loses_attr",
            "uvm/uvm_false_sharing",
            "uvm/uvm_prefetch_hole",
            "uvm/uvm_prefetch_d2d",
            "uvm/uvm_prefetch_ackloss",
            "uvm/uvm_prefetch_dmaerr",
            "uvm/uvm_oversub_cold",
            "uvm/uvm_oversub_scan_levels",
            "uvm/uvm_oversub_allhot",
            "uvm/uvm_oversub_pinned",
            "uvm/uvm_oversub_hostfull",
            "uvm/uvm_oversub_readmostly_release",
            "uvm/uvm_oversub_refault",
            "uvm/uvm_swap_vs_fault_race",
            "uvm/uvm_free_inflight",
            "prefetch_cost",
        ],
    ),
    (
        "8.2 Memory, copies, queries",
        &[
            "svm/svm_open_close",
            "svm/svm_reopen_after_failed_close",
            "svm/alloc_zero",
            "svm/alloc_huge_only_oom",
            "svm/alloc_huge_first_fallback",
            "svm/alloc_giant",
            "svm/alloc_flag_combos",
            "svm/free_double",
            "svm/free_interior",
            "svm/free_reserve",
            "svm/free_registered",
            "svm/free_exported",
            "svm/memset_bounds",
            "svm/memset_crossing",
            "svm/memcpy_zero",
            "svm/memcpy_max",
            "svm/memcpy_short_dst",
            "svm/memcpy_h2d",
            "svm/memcpy_d2h",
            "svm/memcpy_d2d",
            "svm/memcpy_peer",
            "svm/memcpy_ipc_d2d",
            "svm/memcpy2d_pitch",
            "batch_4097",
            "svm/batch_overlap",
            "svm/batch_h2h",
            "svm/async_pageable",
            "svm/async_pinned",
            "svm/info_counters",
            "svm/addr_range",
            "svm/host_copy_h2h",
        ],
    ),
    (
        "8.3 Addresses and physical memory",
        &[
            "vmm/vmm_basic",
            "vmm/vmm_granularity",
            "vmm/vmm_reserve_null",
            "vmm/vmm_reserve_zero",
            "vmm/vmm_reserve_small_rounds",
            "vmm/vmm_reserve_at_addr",
            "vmm/vmm_reserve_misaligned",
            "vmm/vmm_create_size0",
            "vmm/vmm_create_unaligned",
            "vmm/vmm_create_normal_becomes_huge",
            "vmm/vmm_map_offset",
            "vmm/vmm_map_twice",
            "vmm/vmm_map_too_big",
            "vmm/vmm_map_other_side",
            "vmm/vmm_map_multi_alias",
            "vmm/vmm_unmap_interior",
            "vmm/vmm_unmap_busy",
            "vmm/vmm_release_while_mapped",
            "vmm/vmm_release_too_often",
            "vmm/vmm_retain",
            "vmm/vmm_access",
            "vmm/vmm_reuse_physical",
            "vmm/expandable_segment",
        ],
    ),
    (
        "8.4 Sharing",
        &[
            "share/ipc_withpid",
            "share/ipc_nopid",
            "share/ipc_same_process",
            "share/ipc_close_unknown",
            "share/ipc_close_error",
            "share/ipc_pid_not_listed",
            "share/ipc_reopen_refcount",
            "share/ipc_sequential_close",
            "share/ipc_import_without_attr",
            "share/ipc_attr_once_import_many",
            "share/ipc_destroy_before_close",
            "share/ipc_free_exported",
            "share/ipc_exporter_crash",
            "share/ipc_no_sync_race",
            "share/vmm_share_withpid",
            "share/vmm_share_nopid",
            "share/vmm_share_freed_last",
            "share/ipc_unaligned",
            "share/reg_zero_copy",
            "share/reg_mapped",
            "share/reg_pinned",
            "share/reg_both",
            "share/reg_readonly_io",
            "share/reg_duplicate",
            "share/reg_free_first",
            "streams/value_wait",
        ],
    ),
    (
        "8.5 Pools",
        &[
            "soma/soma_create_destroy",
            "soma/soma_attr",
            "soma/soma_alloc_free",
            "soma/soma_find_by_ptr",
            "soma/soma_trim_part",
            "soma/soma_trim_none",
            "soma/soma_trim_all",
            "soma/soma_trim_seq",
            "soma/soma_implicit_stream",
            "soma/soma_implicit_event",
            "soma/soma_implicit_device",
            "soma/soma_implicit_head",
            "soma/soma_malloc_triggers_trim",
            "soma/soma_mix_sync_alloc_async_free",
            "soma/soma_mix_async_alloc_sync_free",
            "soma/soma_reuse_single",
            "soma/soma_reuse_event",
            "soma/soma_reuse_event_fail",
            "soma/soma_reuse_opp",
            "soma/soma_reuse_internal",
            "soma/soma_reuse_transitive",
            "soma/soma_reuse_wrong_stream",
            "soma/soma_merge_lost_dep",
            "soma/soma_loop_basic",
            "soma/soma_loop_reuse",
            "soma/soma_head_exhaust",
            "soma/soma_aicpu",
            "soma/soma_fragment",
        ],
    ),
    (
        "8.6 Streams",
        &[
            "streams/stream_fifo",
            "streams/event_basic",
            "streams/event_rerecord",
            "streams/event_never_recorded",
            "streams/event_destroy_pending",
            "streams/event_reset",
            "streams/multi_stream",
            "streams/ipc_event",
            "streams/callback_hostfunc",
        ],
    ),
    (
        "8.6 Pipes",
        &[
            "pipes/basic",
            "pipes/loop",
            "pipes/loop_nest",
            "pipes/if",
            "pipes/if_else",
            "pipes/two_event_id",
            "pipes/db_two_address",
            "pipes/db_two_address_two_buffer",
            "pipes/widen_sync",
            "pipes/sync_for_cube",
            "pipes/shape_alias",
            "pipes/subview_alias",
            "pipes/parallel_loop",
            "pipes/unit_flag",
            "pipes/fix_multibuffer",
            "pipes/reuse_set_on_last_iter",
            "pipes/while",
            "pipes/block_sync",
            "pipes/block_sync_loop",
            "pipes/block_sync_branch",
            "pipes/cv_pipelining",
            "pipes/preload",
        ],
    ),
    (
        "Sections of a JIT linker (xla-memory 17)",
        &[
            "sections/layout",
            "sections/full",
            "sections/twice",
            "sections/alignment",
            "sections/reserve_oom",
            "sections/reserve_injected",
            "sections/reserve_overflow",
            "sections/write_code",
            "sections/copy_code",
            "sections/overrun",
            "sections/use_after_destroy",
            "sections/free_part",
            "sections/far",
            "sections/threads",
        ],
    ),
    (
        "Host memory pools (xla-memory 18)",
        &[
            "hostpool/predicate",
            "hostpool/exhausted",
            "hostpool/executions",
            "hostpool/oldest_first",
            "hostpool/move",
            "hostpool/assign",
            "hostpool/moved_from",
            "hostpool/release_twice",
            "hostpool/use_after_release",
            "hostpool/type",
            "hostpool/overrun",
            "hostpool/free_element",
            "hostpool/destroy_in_use",
            "hostpool/not_destroyed",
            "hostpool/threads",
        ],
    ),
    (
        "11 What users run into",
        &[
            "soma/soma_merge_lost_dep",
            "streams/event_never_recorded",
            "soma/soma_free_before_alloc",
            "users/per_thread_streams",
            "users/wrong_device_event",
            "streams/event_used_after_destroy",
            "users/first_use_on_side_stream",
            "users/reuse_side_copy",
            "users/aux_streams_scratch",
            "users/staging_buffer",
            "soma/soma_mix_sync_free_pending",
            "users/leak_on_failure",
            "soma/trim_pending",
            "users/fragmented_retry",
            "soma/soma_threshold_zero",
            "soma/soma_uncommit_live",
            "users/graph_replay_order",
            "uvm/uvm_oversub_refault",
            "share/ipc_free_exported",
            "share/vmm_share_freed_last",
            "streams/ipc_event_destroyed_before_open",
            "share/ipc_no_sync_race",
            "users/static_overlap_loop",
            "users/hidden_workspace",
            "pipes/out_of_scope",
            "pipes/same_pipe_hazard",
        ],
    ),
];

pub(crate) fn table() -> Result<(), Failed> {
    let names: Vec<String> = all().iter().map(|path| name(path)).collect();
    let mut text = String::from(
        "# Scenarios\n\nWhat the runtime model has to reproduce, and the files of `tests/files/replay` that show it.\n\
         Written by `MEMPLAN_BLESS=1 cargo test --test replay`.\n",
    );
    let mut missing = Vec::new();
    for (section, scenarios) in SCENARIOS {
        let _ = write!(text, "\n## {section}\n\n| scenario | files |\n|---|---|\n");
        for scenario in *scenarios {
            let files = match GENERATED.iter().find(|(name, _)| name == scenario) {
                Some((_, file)) => (*file).to_owned(),
                None => files(&names, scenario, scenarios),
            };
            if files.is_empty() {
                missing.push(*scenario);
            }
            let short = scenario.rsplit('/').next().unwrap_or(scenario);
            let _ = writeln!(text, "| {short} | {files} |");
        }
    }
    if !missing.is_empty() {
        return Err(format!("no file for {}", missing.join(", ")).into());
    }
    let _ = writeln!(
        text,
        "\nNot in the language of traces: ipc_pid_reused_later (no process starts later than the trace), \
         vmm_share_cross_server (one server), vmm_create_module (attribute lists of the runtime)."
    );
    fresh("docs/SCENARIOS.md", &text)
}

/// Files of a scenario: its own, and those that begin with its name and are no other's.
fn files(names: &[String], scenario: &str, all: &[&str]) -> String {
    let longer = |name: &str, other: &str| {
        other.len() > scenario.len() && (name == other || name.starts_with(&format!("{other}_")))
    };
    let mine = names.iter().filter(|name| {
        (*name == scenario || name.starts_with(&format!("{scenario}_")))
            && !all.iter().any(|other| longer(name, other))
    });
    mine.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

/// A file of the project says what is computed; blessed, it is written.
pub(crate) fn fresh(path: &str, text: &str) -> Result<(), Failed> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if fs::read_to_string(&path).unwrap_or_default() == text {
        return Ok(());
    }
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        return Ok(fs::write(&path, text)?);
    }
    Err(format!("{path} is old: MEMPLAN_BLESS=1 cargo test --test replay").into())
}
