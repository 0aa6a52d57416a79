//! Traces that say what must be found in them: `tests/files/replay`, the scenario catalogue of the
//! runtime model, and what is generated from it.
//!
//! A file is right when it can be read, and when its run has no finding `expectation`: every call
//! answers what `expect` says, the findings are those of `[expect_findings]`, and no other error is
//! found. Comments `#= faults_device = 2` say what counters must be.
//!
//! `MEMPLAN_BLESS=1 cargo test --test replay` writes `docs/SCENARIOS.md` and `docs/INTERFACES.md`.

#[path = "replay/advise.rs"]
mod advise;
#[path = "replay/cases.rs"]
mod cases;
#[path = "replay/coverage.rs"]
mod coverage;
#[path = "replay/flows.rs"]
mod flows;
#[path = "replay/generated.rs"]
mod generated;
#[path = "replay/interfaces.rs"]
mod interfaces;
#[path = "replay/orders.rs"]
mod orders;
#[path = "replay/overlap.rs"]
mod overlap;
#[path = "replay/pages.rs"]
mod pages;
#[path = "replay/prefetch.rs"]
mod prefetch;
#[path = "replay/removal.rs"]
mod removal;
#[path = "replay/scenarios.rs"]
mod scenarios;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for path in cases::all() {
        let name = cases::name(&path);
        if name.starts_with("pipes/") {
            let path = path.clone();
            let sync = format!("{name}: every sync is needed or said to be redundant");
            trials.push(Trial::test(sync, move || removal::every_sync(&path)));
        }
        if ["streams/", "share/"].iter().any(|area| name.starts_with(area))
            && !removal::HARMLESS.contains(&name.as_str())
        {
            let path = path.clone();
            let wait = format!("{name}: every wait is needed or said to be redundant");
            trials.push(Trial::test(wait, move || removal::every_wait(&path)));
        }
        trials.push(Trial::test(name, move || cases::check(&path)));
    }
    let mut test = |name: &str, run: fn() -> Result<(), Failed>| {
        trials.push(Trial::test(name.to_owned(), run));
    };
    test("every class of a replay has a file that expects it", coverage::every_class);
    test("every class of a replay has a file without it", coverage::every_twin);
    test("every fault has a file", coverage::every_fault);
    test("every quirk that a trace can show has a file", coverage::every_quirk);
    test("every page has its parts", pages::parts);
    test("every example raises its code and no other", pages::examples);
    test("docs/SCENARIOS.md is up to date", scenarios::table);
    test("docs/INTERFACES.md is up to date", interfaces::table);
    test("every step of the five flows is needed", flows::every_step);
    test("the five flows are right", flows::right);
    test("every advice does what the table says", advise::every_cell);
    test("what is right in one order is right in all", orders::same_verdict);
    test("the same run says the same", orders::same_again);
    test("executions that may overlap are found to exhaust a host pool", overlap::exhausted);
    test("a batch has at most 4096 entries", generated::batch_4097);
    test("a prefetch makes managed memory faster", prefetch::faster);
    libtest_mimic::run(&args, trials).exit_code()
}
