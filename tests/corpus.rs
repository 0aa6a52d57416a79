//! The public packing benchmarks beside the repository (`MEMPLAN_SHARED`, else `../shared`): each is
//! read, planned and verified. Skips loudly without them, unless `MEMPLAN_REQUIRE_SHARED` is set.

mod shared;

use memplan::diag::Sources;
use memplan::front::csv;
use memplan::model::{Capacity, Plan};
use memplan::plan::{Options, Question, solve};
use memplan::verify::verify;

#[test]
fn the_eleven_hard_instances_fit_the_capacity_they_were_made_for() {
    let Some(shared) = shared::folder() else { return };
    for name in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"] {
        let path = shared.join(format!("corpus/minimalloc/{name}.1048576.csv"));
        let text = std::fs::read_to_string(&path).expect("a corpus file");
        let mut sources = Sources::default();
        let file = sources.add(name, text.as_str());
        let mut read = csv::read(&sources, file).expect("a valid CSV");
        for scope in read.problem.scopes.iter_mut() {
            scope.capacity = Capacity::Bytes(1_048_576);
        }
        let answer = solve(&Question::of(&read.problem), &Options::default(), &|_| ());
        let scope = &answer.functions[0].scopes[0];
        let peak = scope.peak.expect("a plan that fits");
        println!("{name}: peak {peak}, max load {}", scope.max_load.bytes);
        assert!(scope.max_load.bytes <= scope.lower_bound && scope.lower_bound <= peak);
        let plan = Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() };
        assert!(verify(&read.problem, &plan).is_empty(), "{name} verifies");
    }
}
