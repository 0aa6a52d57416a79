//! Executions on several threads that take elements of one host memory pool: whether they are too
//! many depends on who is faster.

use libtest_mimic::Failed;
use memplan::verify::trace::{Options, Schedule, trace as replay};

use crate::cases::{errors, read};

/// Two threads with so many executions each; `h1` runs beside `h0`, or after it.
fn threads(executions: u64, joined: bool) -> String {
    let join = "{\"op\": \"join\", \"thread\": \"h1\"}\n";
    let mine = format!(
        "{{\"op\": \"host_pool_acquire\", \"out\": \"a\", \"pool\": \"H\", \"count\": {executions}}}\n\
         {{\"op\": \"host_pool_release\", \"handle\": \"a\"}}\n"
    );
    let theirs = mine.replace("\"a\"", "\"b\"").replace("{\"op\"", "{\"th\": \"p0.h1\", \"op\"");
    let (before, behind) = if joined { (join, "") } else { ("", join) };
    format!(
        "{{\"trace\": 1}}\n\
         {{\"op\": \"host_pool_create\", \"out\": \"H\", \"type\": \"pred\"}}\n\
         {{\"op\": \"fork\", \"thread\": \"h1\"}}\n\
         {theirs}{before}{mine}{behind}{{\"op\": \"host_pool_destroy\", \"pool\": \"H\"}}\n"
    )
}

pub(crate) fn exhausted() -> Result<(), Failed> {
    let all = Schedule::Exhaustive { bound: 4 };
    for (executions, joined, wanted) in [(64, false, 0), (65, false, 1), (65, true, 0)] {
        let (trace, machine) = read(&threads(executions, joined))?;
        // In the order written one is over before the other begins.
        let written = replay(&trace, &machine, &Options::default());
        assert_eq!(errors(&written), [""; 0], "{executions} {joined}");
        let options = Options { schedule: all.clone(), ..Options::default() };
        let found = errors(&replay(&trace, &machine, &options));
        let count = found.iter().filter(|class| **class == "host_pool_exhausted").count();
        assert_eq!(usize::from(count > 0), wanted, "{executions} {joined}: {found:?}");
    }
    Ok(())
}
