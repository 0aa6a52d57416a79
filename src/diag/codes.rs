//! The one table of codes. Each has a page under `pages/`, shown by `memplan explain`.

macro_rules! codes {
    ($($variant:ident $area:literal $name:literal $title:literal)*) => {
        /// The class of a diagnostic or finding; stable, part of the command line contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the title in the table is the documentation")]
        pub enum Code { $($variant,)* }

        /// All codes in the order of the table.
        pub const ALL: &[Code] = &[$(Code::$variant,)*];

        impl Code {
            /// The full name, such as `memplan::spec::unknown_key`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => concat!("memplan::", $area, "::", $name),)* }
            }

            /// One sentence.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The page in markdown: what it means, the smallest example, what to do.
            pub fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("pages/", $area, "_", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    SpecSyntax "spec" "syntax" "The text is not TOML."
    SpecInvalidUtf8 "spec" "invalid_utf8" "The input is not UTF-8."
    SpecTooLarge "spec" "too_large" "The input is larger than the limit."
    SpecNestingTooDeep "spec" "nesting_too_deep" "Loops, branches, aliases or TOML values are nested too deeply."
    SpecVersion "spec" "version" "The `version` is missing or not one that this memplan reads."
    SpecUnknownKey "spec" "unknown_key" "A key that the format does not have."
    SpecMissingKey "spec" "missing_key" "A key that must be there is not."
    SpecWrongType "spec" "wrong_type" "A value of the wrong type."
    SpecInvalidValue "spec" "invalid_value" "A value of the right type that makes no sense."
    SpecSizeOverflow "spec" "size_overflow" "A size, offset or sum does not fit 64 bits."
    SpecBadInterval "spec" "bad_interval" "A live range or byte range is empty or reversed."
    SpecNoLiveRange "spec" "no_live_range" "A buffer is touched by no op and has no `live`."
    SpecUnknownName "spec" "unknown_name" "A name that nothing in the spec has."
    SpecDuplicateName "spec" "duplicate_name" "Two things of one kind have the same name."
    SpecAliasCycle "spec" "alias_cycle" "Names are defined in terms of each other."
    SpecRegionReentered "spec" "region_reentered" "A loop or branch side is left and entered again."
    SpecSlotsWithoutLoop "spec" "slots_without_loop" "A multi-buffer of a program has no loop to rotate in."
    SpecOutOfBounds "spec" "out_of_bounds" "A view or access reaches past the end of what it views."
    SpecUnknownTarget "spec" "unknown_target" "No target has that name."
    SpecUnknownCapacity "spec" "unknown_capacity" "A scope whose size nobody knows is used without giving one."
    SpecInplaceAcrossScopes "spec" "inplace_across_scopes" "An in-place pair whose buffers lie in different scopes."
    SpecInplaceLarger "spec" "inplace_larger" "An in-place result that is larger than its operand."
    SpecInplaceNoEffect "spec" "inplace_no_effect" "An in-place pair whose operand is still needed afterwards."
    SpecBadRelation "spec" "bad_relation" "A relation that contradicts another, or makes no sense for its buffers."
    SpecBadPin "spec" "bad_pin" "A pin that is misaligned, not on usable bytes of the scope, or for the wrong number of slots."
    SpecBadScope "spec" "bad_scope" "A scope whose reserved ranges or partitions overlap or make no sense."
    SpecTwoForms "spec" "two_forms" "A buffer whose live ranges are given although ops touch it."
    SpecReadBeforeWrite "spec" "read_before_write" "An op reads a buffer that nothing has written."
    CsvSyntax "csv" "syntax" "A row that is not CSV."
    CsvInvalidUtf8 "csv" "invalid_utf8" "The input is not UTF-8."
    CsvTooLarge "csv" "too_large" "The input is larger than the limit."
    CsvMissingColumn "csv" "missing_column" "A column that must be there is not."
    CsvUnknownColumn "csv" "unknown_column" "A column that the format does not have."
    CsvInvalidValue "csv" "invalid_value" "A field that is not a number, or makes no sense."
    CsvBadInterval "csv" "bad_interval" "A live range that is empty or reversed."
    CsvDuplicateName "csv" "duplicate_name" "Two rows have the same id."
    CsvSizeOverflow "csv" "size_overflow" "A size or offset does not fit 64 bits."
    DsaSyntax "dsa" "syntax" "The text is not JSON, or a key stands twice in one object."
    DsaInvalidUtf8 "dsa" "invalid_utf8" "The input is not UTF-8."
    DsaTooLarge "dsa" "too_large" "The input is larger than the limit."
    DsaVersion "dsa" "version" "The `schema_version` is not one that this memplan reads."
    DsaMissingKey "dsa" "missing_key" "A key that must be there is not."
    DsaUnknownKey "dsa" "unknown_key" "A key that the format does not have."
    DsaWrongType "dsa" "wrong_type" "A value of the wrong type."
    DsaInvalidValue "dsa" "invalid_value" "A value of the right type that makes no sense."
    DsaSizeOverflow "dsa" "size_overflow" "A size, offset, cost or sum does not fit 64 bits."
    DsaBadInterval "dsa" "bad_interval" "A live interval or reserved range is empty or reversed."
    DsaDuplicateId "dsa" "duplicate_id" "Two pools or two buffers have the same id."
    DsaUnknownId "dsa" "unknown_id" "An id that no pool or buffer of the document has."
    DsaUnknownConstraint "dsa" "unknown_constraint" "Constraints of a kind that memplan does not know."
    DsaBadConstraint "dsa" "bad_constraint" "A constraint that contradicts another, or makes no sense for its buffers."
    DsaSeveralPools "dsa" "several_pools" "A buffer that may lie in several pools."
    DsaObjective "dsa" "objective" "A part of the objective that is not minimised."
    HivmSyntax "hivm" "syntax" "A statement of MLIR text that cannot be read."
    HivmUndefinedValue "hivm" "undefined_value" "A value or block is used but defined nowhere."
    HivmRedefinedValue "hivm" "redefined_value" "Two values or blocks of one region have the same name."
    HivmBadType "hivm" "bad_type" "A type that is written wrongly."
    HivmNestingTooDeep "hivm" "nesting_too_deep" "Regions, modules or attributes are nested too deeply."
    HivmUnknownOp "hivm" "unknown_op" "An op that nobody here knows touches an on-chip buffer."
    HivmUnplannedSpace "hivm" "unplanned_space" "A buffer is allocated in a memory that is not planned."
    HivmNoSize "hivm" "no_size" "A buffer has no size that can be planned."
    HivmCarried "hivm" "carried" "A buffer that every trip makes anew is still read under the name of an earlier trip."
    HivmSimtSize "hivm" "simt_size" "`simt-vf-dynamic-size` is out of the range of the chip."
    HivmRefuted "hivm" "refuted" "The plan of the compiler's pass overwrites data that is still needed."
    HivmInvalidUtf8 "hivm" "invalid_utf8" "The input is not UTF-8."
    HivmTooLarge "hivm" "too_large" "The input is larger than the limit."
    PlanOverflow "plan" "overflow" "The buffers of a scope do not fit its capacity."
    PlanNotFound "plan" "not_found" "The heuristic that was asked for found no plan."
    PlanUndecided "plan" "undecided" "The budget ran out before the question was decided."
    PlanStall "plan" "stall" "A reuse makes one pipe wait for another, or has a price."
    PlanPromoted "plan" "promoted" "A single buffer was made a multi-buffer to take another's slots."
    VerifyPlanSyntax "verify" "plan_syntax" "The plan file cannot be read."
    VerifyPlanMismatch "verify" "plan_mismatch" "The plan was made for another problem."
    VerifyNoFingerprint "verify" "no_fingerprint" "The plan does not say what it was made for."
    VerifyUnknownBuffer "verify" "unknown_buffer" "The plan places a buffer that the problem does not have."
    VerifyUnplaced "verify" "unplaced" "A buffer has no place in the plan."
    VerifyDuplicatePlacement "verify" "duplicate_placement" "The plan places a buffer twice."
    VerifyWrongScope "verify" "wrong_scope" "The plan places a buffer in another scope than the problem."
    VerifyWrongSlots "verify" "wrong_slots" "The plan gives a buffer another number of offsets than it has slots."
    VerifyOverCapacity "verify" "over_capacity" "A buffer ends past the capacity of its scope."
    VerifyReserved "verify" "reserved" "A buffer lies on reserved bytes."
    VerifyMisaligned "verify" "misaligned" "An offset is not a multiple of the alignment."
    VerifyPinMoved "verify" "pin_moved" "A pinned buffer is not at its pin."
    VerifyPartition "verify" "partition" "A buffer lies outside its owner's part, or inside another's."
    VerifyOverlap "verify" "overlap" "Two buffers that are alive together share bytes."
    VerifyInplaceShifted "verify" "inplace_shifted" "An in-place pair shares bytes but does not start at one offset."
    VerifyInplaceForbidden "verify" "inplace_forbidden" "A result lies on an operand although its op does not allow it."
    VerifySeparate "verify" "separate" "Two buffers that must never share bytes share some."
    VerifyUnique "verify" "unique" "A buffer that must share with nobody shares bytes."
    VerifyColocateSplit "verify" "colocate_split" "Two buffers that must be the same bytes are not."
    VerifyClobbered "verify" "clobbered" "An op reads bytes that another buffer has overwritten."
    VerifyReadBeforeWrite "verify" "read_before_write" "An op reads bytes that nothing has written."
    VerifyReuseCost "verify" "reuse_cost" "What the plan pays for sharing bytes."
    VerifyFragmented "verify" "fragmented" "The free bytes are enough, the largest hole is not."
    VerifyUndecided "verify" "undecided" "A limit was reached before everything was checked."
    TraceSyntax "replay" "trace_syntax" "A line of a trace cannot be read."
    TraceInvalidUtf8 "replay" "trace_invalid_utf8" "The trace is not UTF-8."
    TraceTooLarge "replay" "trace_too_large" "The trace is larger than the limit."
    TraceVersion "replay" "trace_version" "The trace does not say its version, or not one that this memplan reads."
    TraceUnknownKey "replay" "trace_unknown_key" "A key that the line or the header does not have."
    TraceMissingKey "replay" "trace_missing_key" "A key that must be there is not."
    TraceWrongType "replay" "trace_wrong_type" "A value of the wrong type."
    TraceInvalidValue "replay" "trace_invalid_value" "A value of the right type that makes no sense."
    TraceUnknownOp "replay" "trace_unknown_op" "An operation that the trace language does not have."
    TraceUnknownName "replay" "trace_unknown_name" "A name that nothing before has made."
    TraceDuplicateName "replay" "trace_duplicate_name" "Two things of one kind have the same name."
    TraceNestingTooDeep "replay" "trace_nesting_too_deep" "Loops or branches of a core program are nested too deeply."
    MachineSyntax "replay" "machine_syntax" "The machine file cannot be read."
    MachineUnknown "replay" "machine_unknown" "No machine has that name."
    ReplayRefused "replay" "refused" "A call returned an error that the trace does not expect."
    ReplayExpectation "replay" "expectation" "A call or the whole run ended otherwise than the trace expects."
    ReplayOutOfScope "replay" "out_of_scope" "An address lies past the end of its memory."
    ReplayMisaligned "replay" "misaligned" "An address or length is not a multiple of what the transfer needs."
    ReplayPipeScope "replay" "pipe_scope_mismatch" "A pipe touches a memory that it has no path to."
    ReplayOob "replay" "oob" "An access reaches past the requested length."
    ReplayUnmappedAccess "replay" "unmapped_access" "An access to an address that nothing is mapped to."
    ReplayPerm "replay" "perm" "An access by somebody without the permission."
    ReplayUaf "replay" "uaf" "An access is not ordered before the free of what it touches."
    ReplayUseBeforeAlloc "replay" "use_before_alloc" "An access is not ordered after the allocation of what it touches."
    ReplayDoubleFree "replay" "double_free" "Something is freed twice."
    ReplayBadFree "replay" "bad_free" "A free of an inner or foreign address, or with the wrong call."
    ReplayFreeBeforeAlloc "replay" "free_before_alloc" "A free is not ordered after its allocation."
    ReplayLeak "replay" "leak" "Something is still there when its owner ends."
    ReplayStaleHandle "replay" "stale_handle" "A handle, key, pool, stream or event is used after it was destroyed."
    ReplayVmmFreeMapped "replay" "vmm_free_mapped" "An address range is freed while memory is mapped to it."
    ReplayVmmAlias "replay" "vmm_alias_undeclared" "One handle is mapped at two addresses without saying so."
    ReplayIpcStale "replay" "ipc_stale" "Shared memory is used after its owner took it away."
    ReplayIpcOrder "replay" "ipc_order" "The owner takes shared memory away while others have it open."
    ReplayIpcPerm "replay" "ipc_perm" "A process opens shared memory that it may not."
    ReplayRegFree "replay" "reg_free" "Memory is freed or unmapped while it is registered."
    ReplayWrongValue "replay" "wrong_value" "A read finds another value than the one that it wants."
    ReplayUninitRead "replay" "uninit_read" "A read finds bytes that nothing has written."
    ReplayPartialValue "replay" "partial_value" "A read finds the value that it wants in a part of the bytes only."
    ReplayLostWrite "replay" "lost_write" "A value is overwritten before anybody has read it."
    ReplayOutputMissing "replay" "output_missing" "An output does not hold its last value at the end."
    ReplaySubbyteSize "replay" "subbyte_size" "A range is too small for the elements that it has to hold."
    ReplayRaceRaw "replay" "race_raw" "A read is not ordered after the write that it needs."
    ReplayRaceWar "replay" "race_war" "A write is not ordered after a read of what it overwrites."
    ReplayRaceWaw "replay" "race_waw" "Two writes of the same bytes have no order."
    ReplaySamePipe "replay" "same_pipe_hazard" "Two instructions of one pipe depend on each other without a barrier between."
    ReplayFlagOverrun "replay" "flag_overrun" "A flag is set again before the wait for it is done."
    ReplayFlagUnmatched "replay" "flag_unmatched" "A flag is set and never awaited, or awaited and never set."
    ReplayFlagIdRange "replay" "flag_id_range" "A flag id that the hardware does not have."
    ReplayFlagReserved "replay" "flag_reserved" "A flag id that the compiler keeps for itself."
    ReplayCounterOverflow "replay" "counter_overflow" "A cross-core counter is raised too often without a wait."
    ReplayDeadlock "replay" "deadlock" "Actors wait for each other, or for what never happens."
    ReplayBarrierS "replay" "barrier_s" "A barrier on the scalar pipe."
    ReplayEventNeverRecorded "replay" "event_never_recorded" "A wait for an event that nobody has recorded orders nothing."
    ReplayEventAmbiguous "replay" "event_ambiguous" "Which record a wait is for depends on timing."
    ReplayStagingReuse "replay" "staging_reuse" "The host changes the source of a copy that has not run yet."
    ReplayReuseUnsafe "replay" "reuse_unsafe" "A block is handed out again although its free is not ordered before."
    ReplayCrossDeviceEvent "replay" "cross_device_event" "An event of one device is used on another."
    ReplayRedundantSync "replay" "redundant_sync" "A synchronisation that others already imply."
    ReplayCoherence "replay" "coherence" "The model reached a page state that must not exist: a defect of memplan."
    ReplayAccounting "replay" "capacity_accounting" "The model's counters do not add up: a defect of memplan."
    ReplayUvmWildAccess "replay" "uvm_wild_access" "The host touches a managed address that is not allocated."
    ReplayOomDevice "replay" "oom_device" "The device has no page left for a fault or an allocation."
    ReplayOomHost "replay" "oom_host" "The host has no page left."
    ReplayOomPool "replay" "oom_pool" "A pool has no room for a request."
    ReplayUvmRmLost "replay" "uvm_rm_lost" "A write ended the replication of a managed range."
    ReplayUvmFalseSharing "replay" "uvm_false_sharing" "Two places take turns on one managed page for different data."
    ReplayUvmThrash "replay" "uvm_thrash" "Pages come back soon after they were swapped out."
    ReplayPrefetchUseless "replay" "prefetch_useless" "A prefetch moves nothing, or nobody uses what it moved."
    ReplayPrefetchUnsupported "replay" "prefetch_unsupported" "A prefetch of what cannot be prefetched."
    ReplayPreferConflict "replay" "prefer_conflict" "A preferred place is set while the memory lies elsewhere."
    ReplayFragmentation "replay" "fragmentation" "A request fails although the free bytes are enough."
    ReplayThresholdZero "replay" "soma_threshold_zero" "Every synchronisation gives a pool's memory back, and it is needed again."
    ReplayHostDuringKernel "replay" "host_during_kernel" "The host touches managed memory while a kernel runs."
    ReplayPortability "replay" "portability" "The result depends on whether the machine follows the document or the source."
    ReplayLint "replay" "lint" "A call that works here and is not to be relied on."
    ReplayBounded "replay" "bounded" "Not everything was executed: a limit was reached."
    VerifyOwedEdge "verify" "owed_edge" "The placement makes an ordering necessary that the program does not have."
    VerifyUndeclaredAccess "verify" "undeclared_access" "A kernel touches bytes that it does not declare."
    ConfigNoInput "config" "no_input" "There is nothing to read."
    ConfigUnreadable "config" "unreadable" "A file cannot be read."
    ConfigUnwritable "config" "unwritable" "A file cannot be written."
    ConfigBadOption "config" "bad_option" "An option that makes no sense here."
    ConfigUnknownFormat "config" "unknown_format" "The format of an input is not known."
    ConfigUnknownCode "config" "unknown_code" "No such code to explain."
    ConfigUnknownFunction "config" "unknown_function" "The input has no function of that name."
    InternalBug "internal" "bug" "A defect in memplan."
}

impl Code {
    /// The code of that name; the `memplan::` in front may be left out.
    pub fn find(name: &str) -> Option<Self> {
        let name = name.strip_prefix("memplan::").unwrap_or(name);
        ALL.iter().copied().find(|code| {
            let full = code.name().strip_prefix("memplan::").unwrap_or_default();
            full == name || full.rsplit("::").next() == Some(name)
        })
    }
}
