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
