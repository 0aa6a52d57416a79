//! What a user may rely on, from the text to the answer.

use super::{Options, Question, Strategy, solve};
use crate::diag::{Severity, Sources};
use crate::front::spec::targets::Embedded;
use crate::front::{hivm, spec};
use crate::ir::hivm::PassOptions;
use crate::model::{Answer, FunctionPlan, ReuseLevel, Verdict};
use crate::verify;

fn hivm(text: &str, options: &Options) -> Answer {
    let mut sources = Sources::default();
    let file = sources.add("case.mlir", text);
    let read = hivm::read(&mut sources, file, None, &PassOptions::default(), &mut Embedded)
        .expect("readable");
    let problem = &read.read.problem;
    let judge = |index: usize, plan: &FunctionPlan| {
        let found = verify::one(problem, &problem.functions[index], plan);
        !found.iter().any(|f| f.severity == Severity::Error)
    };
    let question = Question { problem, kernels: Some(&read.kernels), module: None, judge: &judge };
    solve(&question, options, &|_| ())
}

fn spec(text: &str, options: &Options) -> Answer {
    let mut sources = Sources::default();
    let file = sources.add("case.toml", text);
    let read = spec::read(&mut sources, file, None, &mut Embedded).expect("readable");
    solve(&Question::of(&read.problem), options, &|_| ())
}

/// A tile in two slots, a temporary that the pass lays on it, and a result in two slots.
fn stream(elements: u32) -> String {
    let ub = format!("memref<{elements}xf32, #hivm.address_space<ub>>");
    let gm = format!("memref<{elements}xf32, #hivm.address_space<gm>>");
    format!(
        "module {{ func.func @stream(%g: {gm}, %h: {gm}, %n: index) attributes {{hacc.entry, \
         hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>}} {{\n\
         %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n\
         scf.for %i = %c0 to %n step %c1 {{\n\
         %x = memref.alloc() : {ub}\nannotation.mark %x {{hivm.multi_buffer = 2 : i32}} : {ub}\n\
         hivm.hir.load ins(%g : {gm}) outs(%x : {ub})\n\
         %t = memref.alloc() : {ub}\nhivm.hir.vabs ins(%x : {ub}) outs(%t : {ub})\n\
         %y = memref.alloc() : {ub}\nannotation.mark %y {{hivm.multi_buffer = 2 : i32}} : {ub}\n\
         hivm.hir.vsqrt ins(%t : {ub}) outs(%y : {ub})\n\
         hivm.hir.store ins(%y : {ub}) outs(%h : {gm})\n}}\nreturn\n}}\n}}\n"
    )
}

#[test]
fn no_pair_of_a_plan_needs_a_lower_level_than_what_was_allowed() {
    // With everything apart 200 KiB of 192: only what the pass merges makes it fit at `pipe`.
    for level in ReuseLevel::ALL {
        let options = Options { level: Some(level), ..Options::default() };
        let answer = hivm(&stream(10_240), &options);
        let scope = &answer.functions[0].scopes[0];
        let needed = scope.reuse.iter().filter_map(|r| r.level).max();
        assert!(needed <= Some(level), "{needed:?} under {level:?}");
        let fits = level >= ReuseLevel::Slot;
        assert_eq!(scope.verdict.has_plan(), fits, "{level:?}: {:?}", scope.verdict);
        if !fits {
            assert_eq!(scope.verdict, Verdict::Infeasible);
        }
    }
}

#[test]
fn a_plan_that_overwrites_data_does_not_lower_the_bound() {
    // One of two tiles is chosen; the pass loads both to the same bytes.
    let ub = "memref<4096xf32, #hivm.address_space<ub>>";
    let gm = "memref<4096xf32, #hivm.address_space<gm>>";
    let text = format!(
        "module {{ func.func @tail(%g: {gm}, %h: {gm}, %c: i1) attributes {{hacc.entry, \
         hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>}} {{\n\
         %a = memref.alloc() : {ub}\n%b = memref.alloc() : {ub}\n\
         hivm.hir.load ins(%g : {gm}) outs(%a : {ub})\nhivm.hir.load ins(%h : {gm}) outs(%b : {ub})\n\
         %t = scf.if %c -> ({ub}) {{\nscf.yield %a : {ub}\n}} else {{\nscf.yield %b : {ub}\n}}\n\
         hivm.hir.store ins(%t : {ub}) outs(%g : {gm})\nreturn\n}}\n}}\n"
    );
    let strategy = Strategy::Hivm { largest_first: false };
    let answer = hivm(&text, &Options { strategy, ..Options::default() });
    let scope = &answer.functions[0].scopes[0];
    assert_eq!((scope.peak, scope.lower_bound), (Some(16_384), 32_768));
    assert_eq!(scope.verdict, Verdict::Feasible, "the verdict stays the pass's");
}

/// Two buffers of one pipe, one after the other, and one beside both.
const ONE_PIPE: &str = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 96\n\
    [[buffer]]\nname = \"a\"\nsize = 32\nlive = [0, 2]\npipes = [\"V:w\"]\n\
    [[buffer]]\nname = \"b\"\nsize = 32\nlive = [2, 4]\npipes = [\"V:w\"]\n\
    [[buffer]]\nname = \"c\"\nsize = 32\nlive = [0, 4]\npipes = [\"V:w\"]\n";

#[test]
fn the_level_of_a_plan_is_the_lowest_that_one_of_its_pairs_needs() {
    let options = Options { strategy: Strategy::Optimal, ..Options::default() };
    let scope = &spec(ONE_PIPE, &options).functions[0].scopes[0];
    assert_eq!((scope.peak, scope.reuse.len()), (Some(64), 1));
    assert_eq!(scope.level, Some(ReuseLevel::Pipe));
}

#[test]
fn whoever_found_no_plan_has_a_name() {
    let strategy = Strategy::find("first-fit").expect("a strategy");
    let text = ONE_PIPE.replace("capacity = 96", "capacity = 32");
    let scope = &spec(&text, &Options { strategy, ..Options::default() }).functions[0].scopes[0];
    assert_ne!(scope.strategy, "", "{:?}", scope.verdict);
}

#[test]
fn pins_that_contradict_each_other_are_named_instead_of_a_requirement() {
    let text = "version = 1\n[[scope]]\nname = \"ub\"\ncapacity = 65536\n\
                [[buffer]]\nname = \"a\"\nsize = 8192\npin = [0]\nlive = [0, 4]\n\
                [[buffer]]\nname = \"b\"\nsize = 8192\npin = [4096]\nlive = [2, 6]\n";
    let scope = &spec(text, &Options::default()).functions[0].scopes[0];
    assert_eq!(scope.verdict, Verdict::Infeasible);
    let message = scope.message.as_deref().unwrap_or_default();
    let both =
        "`a` at [0, 8192) and `b` at [4096, 12288) are pinned onto bytes that they may not share";
    assert!(message.contains(both) && !message.contains("requires"), "{message}");
}
