//! What holds for every order in which a trace may happen (6.5, 9.5).

use std::fs;

use libtest_mimic::Failed;
use memplan::verify::trace::{Options, Schedule, trace as replay};

use crate::cases::{all, errors, name, read};

/// A trace without an error in one order, of which it is said that this is enough, has none in
/// others.
pub(crate) fn same_verdict() -> Result<(), Failed> {
    let orders = [
        Schedule::Skew,
        Schedule::Random { runs: 4 },
        Schedule::Pct { runs: 4, depth: 3 },
        Schedule::Exhaustive { bound: 1 },
    ];
    let (mut wrong, mut clean) = (Vec::new(), 0);
    for path in all() {
        let (trace, machine) = read(&fs::read_to_string(&path)?)?;
        let first = replay(&trace, &machine, &Options::default());
        let right = errors(&first).is_empty() && first.complete;
        clean += u64::from(right);
        for schedule in &orders {
            let options = Options { schedule: schedule.clone(), seed: 7, ..Options::default() };
            let other = replay(&trace, &machine, &options);
            // Counts of notes and the like may differ.
            let mut found = errors(&other);
            found.retain(|class| *class != "expectation");
            if right && !found.is_empty() {
                wrong.push(format!("{} by {schedule:?}: {}", name(&path), found.join(", ")));
            }
            if !right && found.is_empty() && !errors(&first).is_empty() {
                wrong.push(format!("{} by {schedule:?}: nothing is found", name(&path)));
            }
        }
    }
    assert!(clean > 200, "{clean} files are clean");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The same run says the same.
pub(crate) fn same_again() -> Result<(), Failed> {
    for path in all() {
        let (trace, machine) = read(&fs::read_to_string(&path)?)?;
        let options = Options { schedule: Schedule::Random { runs: 3 }, ..Options::default() };
        let (one, two) = (replay(&trace, &machine, &options), replay(&trace, &machine, &options));
        assert!(one == two, "{}", name(&path));
    }
    Ok(())
}
