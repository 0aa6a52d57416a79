//! Where the document and the public source differ (runtime-model section 7): one row each.

macro_rules! quirks {
    ($($name:ident $id:literal $topic:literal $spec:literal $source:literal)*) => {
        /// A row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the row says it")]
        pub enum Quirk { $($name,)* }

        impl Quirk {
            /// All rows.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The id, such as `Q-UVM-9`.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// What it is about.
            pub fn topic(self) -> &'static str {
                match self { $(Self::$name => $topic,)* }
            }

            /// What happens in mode `spec`.
            pub fn spec(self) -> &'static str {
                match self { $(Self::$name => $spec,)* }
            }

            /// What happens in mode `source`.
            pub fn source(self) -> &'static str {
                match self { $(Self::$name => $source,)* }
            }
        }
    };
}

quirks! {
    Alloc1 "Q-ALLOC-1" "largest allocation" "128 GiB (a parameter)" "8 TiB"
    Alloc2 "Q-ALLOC-2" "free" "the address is free again" "the address stays cached; reserving it fails"
    Err1 "Q-ERR-1" "argument errors" "the class counts" "the exact code, ParaError where the kernel finds it"
    Cpy1 "Q-CPY-1" "directions of halMemcpy" "all, with a remark" "all"
    Qry1 "Q-QRY-1" "attribute of a freed address" "NotExist" "a stale answer"
    Vmm1 "Q-VMM-1" "freeing a range that is still mapped" "refused" "the mappings go silently"
    Vmm2 "Q-VMM-2" "retaining a handle by address" "any address of the mapping" "its start only"
    Vmm3 "Q-VMM-3" "a reserve range is bound to one side" "bound by its first map" "bound by its first map"
    Vmm4 "Q-VMM-4" "normal pages of 2 MiB and more" "become huge" "become huge"
    Vmm5 "Q-VMM-5" "halMemCreate on the host" "accepted, with a remark" "accepted"
    Vmm6 "Q-VMM-6" "mapping a part of a handle" "refused" "accepted"
    Ipc1 "Q-IPC-1" "exporting mapped memory" "refused" "allowed, and blocks the unmap"
    Ipc2 "Q-IPC-2" "closing an unknown pointer" "a finding" "success"
    Ipc3 "Q-IPC-3" "destroying before importers close" "importers fault later" "importers fault later"
    Ipc4 "Q-IPC-4" "aclrtFree of a shared pointer by its importer" "a bad free" "a bad free"
    Reg1 "Q-REG-1" "registering the same bytes again" "success, nothing more" "RepeatedUserd"
    Uvm1 "Q-UVM-1" "failures while freeing pages" "none" "ignored"
    Uvm2 "Q-UVM-2" "host store to a replicated page" "takes the page lock" "takes no page lock"
    Uvm3 "Q-UVM-3" "which devices hold a replica" "by logical id" "tested by physical id"
    Uvm4 "Q-UVM-4" "device id 64" "refused" "accepted"
    Uvm5 "Q-UVM-5" "PREFER allocates ahead" "always" "only with an equal ACCESS_BY"
    Uvm6 "Q-UVM-6" "PREFER while the page lies elsewhere" "refused" "a warning, success, nothing moves"
    Uvm7 "Q-UVM-7" "an absent page inside a prefetch" "is skipped" "drops the run collected before it"
    Uvm8 "Q-UVM-8" "acknowledgement of a read-mostly prefetch" "an error when it does not come" "its absence is ignored"
    Uvm9 "Q-UVM-9" "prefetch from device to device" "moves" "success, nothing moves"
    Uvm10 "Q-UVM-10" "a transfer that fails" "nothing changes" "the page table changes, the contents are poison"
    Uvm11 "Q-UVM-11" "asynchronous batch prefetch" "works" "walks its arrays with a wrong stride: refused here"
    Uvm12 "Q-UVM-12" "copy to pages that are not allocated" "refused" "success, nothing copied"
    Uvm13 "Q-UVM-13" "copy between two devices" "copies" "success, nothing copied"
    Uvm14 "Q-UVM-14" "which copy UNSET_READ_MOSTLY keeps" "that of its argument" "that of the preferred location, if one is set"
    Uvm15 "Q-UVM-15" "memset of a replicated page" "all replicas are written, the attribute stays" "all replicas are written, the attribute stays"
    Uvm16 "Q-UVM-16" "advice on a range with a bad page" "nothing changes" "the pages before it are changed"
    Uvm17 "Q-UVM-17" "addresses that are not multiples of 2 MiB" "rounded, with a remark" "rounded"
    Uvm18 "Q-UVM-18" "numbers of oversubscription" "parameters" "parameters"
    Uvm19 "Q-UVM-19" "prefetch to the host of what is there" "success" "NotSupport, the rest of the range is left"
    Uvm20 "Q-UVM-20" "where swapped pages go" "into an area of its own" "into pages allocated one by one"
    Uvm21 "Q-UVM-21" "access without moving" "every touch moves the page" "every touch moves the page"
    Uvm22 "Q-UVM-22" "page size" "2 MiB (a parameter)" "2 MiB (a parameter)"
    Uvm23 "Q-UVM-23" "UNSET_READ_MOSTLY with an invalid location" "keeps the host copy" "refused for ids above 64"
    Soma1 "Q-SOMA-1" "destroying a pool with blocks handed out" "a leak" "not looked at"
    Soma2 "Q-SOMA-2" "allocating no bytes" "refused" "allowed"
    Soma3 "Q-SOMA-3" "reuse by event" "needs the free to happen before" "looks at the stream that allocated"
    Soma4 "Q-SOMA-4" "the rest of a reused block" "keeps stream and clock of its free" "gets the new stream with the old number"
    Soma5 "Q-SOMA-5" "opportunistic reuse" "of blocks whose free is complete" "of any cached block"
    Soma6 "Q-SOMA-6" "reuse at all" "yes" "not at the head of the source (policy `head`)"
    Soma7 "Q-SOMA-7" "resetting a high-water mark" "to 0" "to 0"
    Soma8 "Q-SOMA-8" "trimming below what is used" "refused" "refused"
    Soma9 "Q-SOMA-9" "products with pools" "a capability" "a capability"
    Soma10 "Q-SOMA-10" "attributes and trim at the HAL" "a capability" "a capability"
    Soma11 "Q-SOMA-11" "HAL pool calls of the host" "refused" "refused"
    Evt1 "Q-EVT-1" "waiting for an event that was never recorded" "no edge, a finding" "no edge, a finding"
    Evt2 "Q-EVT-2" "waiting for an external event" "accepted, with a remark" "accepted"
    Pipe1 "Q-PIPE-1" "flag ids" "8 (a parameter)" "8 (a parameter)"
    Pipe2 "Q-PIPE-2" "limit of cross-core counters" "15 (a parameter)" "15 (a parameter)"
    Pipe3 "Q-PIPE-3" "order of completion inside a pipe" "weak (a parameter)" "weak (a parameter)"
}
