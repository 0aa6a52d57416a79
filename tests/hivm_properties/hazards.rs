//! The hazards of section 10.2 of the HIVM spec, one program each: the pass's plan is wrong, the judge
//! says so, and `auto` plans soundly or proves that nothing fits.

use memplan::diag::Code;
use memplan::ir::hivm::{PassKind, PassOptions};
use memplan::model::Verdict;
use memplan::plan::Strategy;

use super::solve::{COMPAT, faults, fits, plan_of, solve, try_read_with};

/// What became of one program.
struct Seen {
    /// Offsets by the pass, in the order of the allocs.
    pass: Vec<Vec<u64>>,
    /// What the judge has against them.
    faults: Vec<Code>,
    auto: Verdict,
}

/// `@N` is an f32 vector of `N` elements in UB, `$N` one in global memory, `&N` one in L1.
fn module(ub: u64, body: &str) -> String {
    let sizes = [
        ("UB_SIZE", 8 * ub),
        ("L1_SIZE", 8 * ub),
        ("L0C_SIZE", 1_048_576),
        ("UB_ALIGN_SIZE", 256),
        ("L1_ALIGN_SIZE", 256),
        ("L0C_ALIGN_SIZE", 4096),
        ("L0A_SIZE", 524_288),
        ("L0B_SIZE", 524_288),
    ];
    let entries: Vec<String> =
        sizes.iter().map(|(k, n)| format!("#dlti.dl_entry<\"{k}\", {n} : i32>")).collect();
    let mut text = format!(
        "module attributes {{dlti.target_system_spec = #dlti.target_system_spec<\"NPU\" : \
         #hacc.target_device_spec<{}>>}} {{\nfunc.func @kernel(%g: $16, %h: $8, %k: $32, %outside: @16, %c: i1, %n: \
         index) {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n{body}\nreturn\n}}\n}}\n",
        entries.join(", ")
    );
    for n in [8, 16, 32] {
        text = text.replace(&format!("@{n}"), &format!("memref<{n}xf32, #hivm.address_space<ub>>"));
        text = text.replace(&format!("${n}"), &format!("memref<{n}xf32, #hivm.address_space<gm>>"));
        text =
            text.replace(&format!("&{n}"), &format!("memref<{n}xf32, #hivm.address_space<cbuf>>"));
    }
    text
}

fn seen(text: &str, pass: PassKind) -> Seen {
    let options = PassOptions { pass, ..PassOptions::default() };
    let read = match try_read_with(text, &options) {
        Ok(read) if read.defects.is_empty() => read,
        other => unreachable!("{:?}\n{text}", other.map(|r| r.defects)),
    };
    let answer = solve(&read, COMPAT);
    assert!(fits(&answer), "the pass plans it: {:?}\n{text}", answer.functions[0].message);
    let plan = plan_of(&answer);
    let auto = solve(&read, Strategy::Auto);
    if fits(&auto) {
        let found = faults(&read.read.problem, &plan_of(&auto));
        assert!(found.is_empty(), "{found:?}\n{text}");
    }
    Seen {
        pass: plan.functions[0].placements.iter().map(|p| p.offsets.clone()).collect(),
        faults: faults(&read.read.problem, &plan).iter().map(|f| f.code).collect(),
        auto: auto.functions[0].verdict,
    }
}

fn refuted(ub: u64, body: &str, pass: &[&[u64]], code: Code, auto: &[Verdict]) {
    let text = module(ub, body);
    let seen = seen(&text, PassKind::Base);
    assert_eq!(seen.pass, pass, "{text}");
    assert!(seen.faults.contains(&code), "{:?}\n{text}", seen.faults);
    assert!(auto.contains(&seen.auto), "{:?}\n{text}", seen.auto);
}

const PLANNED: &[Verdict] = &[Verdict::Optimal, Verdict::Feasible];
const IMPOSSIBLE: &[Verdict] = &[Verdict::Infeasible];

const LOAD_A: &str = "%a = memref.alloc() : @16\n\
    hivm.hir.load ins(%g : $16) outs(%a : @16)\n";
const LOAD_B: &str = "%b = memref.alloc() : @16\n\
    hivm.hir.load ins(%g : $16) outs(%b : @16)\n";
const STORE_A: &str = "hivm.hir.store ins(%a : @16) outs(%g : $16)\n";
const STORE_B: &str = "hivm.hir.store ins(%b : @16) outs(%g : $16)\n";
const OTHER: &str = "%d = memref.alloc() : @16\n\
    hivm.hir.load ins(%g : $16) outs(%d : @16)\n\
    hivm.hir.store ins(%d : @16) outs(%g : $16)\n";

#[test]
fn hazard_1_a_buffer_that_is_never_killed_is_overwritten_by_the_pass_alone() {
    let dim = "%dim = memref.dim %a, %c0 : @16\n";
    let body = [LOAD_A, LOAD_B, STORE_B, STORE_A, dim].concat();
    refuted(64, &body, &[&[0], &[0]], Code::VerifyClobbered, IMPOSSIBLE);
    let body = [LOAD_A, LOAD_B, STORE_B, OTHER, STORE_A, dim].concat();
    refuted(128, &body, &[&[0], &[64], &[0]], Code::VerifyClobbered, PLANNED);
}

#[test]
fn hazard_2_a_select_with_a_foreign_buffer_hides_the_other_one_from_the_pass_alone() {
    let select = "%s = arith.select %c, %outside, %a : @16\n";
    let store = "hivm.hir.store ins(%s : @16) outs(%g : $16)\n";
    let body = [LOAD_A, select, LOAD_B, STORE_B, store].concat();
    refuted(64, &body, &[&[0], &[0]], Code::VerifyClobbered, IMPOSSIBLE);
    let body = [LOAD_A, select, LOAD_B, STORE_B, OTHER, store].concat();
    refuted(128, &body, &[&[0], &[64], &[0]], Code::VerifyClobbered, PLANNED);
    // The other way round the pass sees it.
    let select = "%s = arith.select %c, %a, %outside : @16\n";
    let body = [LOAD_A, select, LOAD_B, STORE_B, OTHER, store].concat();
    let seen = seen(&module(128, &body), PassKind::Base);
    assert_eq!((seen.pass, seen.faults), (vec![vec![0], vec![64], vec![64]], Vec::new()));
}

#[test]
fn hazard_3_a_link_that_becomes_conditional_later_merges_buffers_in_the_base_pass_alone() {
    let body = [
        LOAD_A,
        LOAD_B,
        "%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (@16) {\n\
         hivm.hir.store ins(%x : @16) outs(%g : $16)\nscf.yield %b : @16\n}\n\
         %s = arith.select %c, %a, %b : @16\n\
         hivm.hir.store ins(%s : @16) outs(%g : $16)\n",
    ]
    .concat();
    refuted(128, &body, &[&[0], &[0]], Code::VerifyClobbered, PLANNED);
    let other = seen(&module(128, &body), PassKind::Regbase);
    assert_eq!((other.pass, other.faults), (vec![vec![0], vec![64]], Vec::new()));
}

#[test]
fn hazard_4_a_unique_buffer_is_shared_in_place_by_the_pass_alone() {
    let body = [
        LOAD_A,
        "annotation.mark %a {mem_unique} : @16\n\
         %b = memref.alloc() : @16\n\
         hivm.hir.vexp ins(%a : @16) outs(%b : @16)\n",
        STORE_B,
    ]
    .concat();
    refuted(128, &body, &[&[0], &[0]], Code::VerifyUnique, PLANNED);
    refuted(64, &body, &[&[0], &[0]], Code::VerifyUnique, IMPOSSIBLE);
}

#[test]
fn hazard_5_merged_buffers_of_two_sizes_get_too_few_bytes_from_the_pass_alone() {
    let strided = "memref<8xf32, strided<[1]>, #hivm.address_space<ub>>";
    let behind = "memref<8xf32, strided<[1], offset: 8>, #hivm.address_space<ub>>";
    let body = format!(
        "{LOAD_A}%first = memref.subview %a[0] [8] [1] : @16 to {strided}\n\
         %second = memref.subview %a[8] [8] [1] : @16 to {behind}\n\
         %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> ({strided}) {{\n\
         hivm.hir.store ins(%x : {strided}) outs(%h : $8)\n\
         %b = memref.alloc() : @8\n\
         hivm.hir.load ins(%h : $8) outs(%b : @8)\n\
         %e = memref.alloc() : @8\n\
         hivm.hir.load ins(%h : $8) outs(%e : @8)\n\
         hivm.hir.store ins(%e : @8) outs(%h : $8)\n\
         hivm.hir.store ins(%second : {behind}) outs(%h : $8)\n\
         %next = memref.cast %b : @8 to {strided}\n\
         scf.yield {{}} %next : {strided}\n}}\n"
    )
    .replace("scf.yield {} ", "scf.yield ");
    refuted(128, &body, &[&[0], &[0], &[32]], Code::VerifyClobbered, PLANNED);
}

#[test]
fn hazard_7_slots_of_a_plan_that_was_rolled_back_are_taken_by_the_pass_alone() {
    let one = |name: &str, n: u32, slots: u32, from: &str| {
        let mark = match slots {
            1 => String::new(),
            _ => format!("annotation.mark %{name} {{hivm.multi_buffer = {slots} : i32}} : &{n}\n"),
        };
        format!(
            "%{name} = memref.alloc() : &{n}\n{mark}\
             hivm.hir.nd2nz ins(%{from} : ${n}) outs(%{name} : &{n})\n"
        )
    };
    let use_of = |name: &str, n: u32| format!("%x{name} = memref.load %{name}[%c0] : &{n}\n");
    let body = [
        "scf.for %i = %c0 to %n step %c1 {\n".to_owned(),
        one("p", 16, 3, "g"),
        use_of("p", 16),
        one("q", 32, 1, "k"),
        use_of("q", 32),
        one("r", 16, 1, "g"),
        one("s", 16, 2, "g"),
        use_of("s", 16),
        use_of("r", 16),
        "}\n".to_owned(),
    ]
    .concat();
    // `r` becomes a multi-buffer on the slots of `p`, the last of which lie elsewhere by now: one of
    // them is a slot of `s`, which is alive together with it, one lies past the end.
    let pass: &[&[u64]] = &[&[0, 64, 128], &[64], &[0, 128, 192], &[64, 128]];
    refuted(192, &body, pass, Code::VerifyClobbered, PLANNED);
    refuted(192, &body, pass, Code::VerifyOverCapacity, PLANNED);
}

/// What a loop carries is the buffer of the trip before, which the alloc of this trip would overwrite.
const OLDER: &str = "%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (@16) {\n\
    %b = memref.alloc() : @16\n\
    MARK\
    hivm.hir.load ins(%g : $16) outs(%b : @16)\n\
    hivm.hir.store ins(%x : @16) outs(%g : $16)\n\
    scf.yield %b : @16\n}\n";

#[test]
fn a_buffer_of_an_earlier_trip_is_kept_by_a_second_slot() {
    let mark = "annotation.mark %b {hivm.multi_buffer = 2 : i32} : @16\n";
    let body = [LOAD_A, &OLDER.replace("MARK", mark)].concat();
    let seen = seen(&module(192, &body), PassKind::Base);
    assert!(seen.auto.has_plan());
}

#[test]
fn a_buffer_of_an_earlier_trip_gets_the_second_slot_that_it_needs() {
    let text = module(192, &[LOAD_A, &OLDER.replace("MARK", "")].concat());
    // The pass gives it one address.
    assert_eq!(seen(&text, PassKind::Base).faults, [Code::VerifyWrongSlots]);
    let read = try_read_with(&text, &PassOptions::default()).expect("readable");
    let auto = plan_of(&solve(&read, Strategy::Auto));
    let placed = auto.functions[0].placements.iter().find(|p| p.name == "b");
    assert_eq!(placed.map(|p| p.offsets.len()), Some(2));
}
