//! Orders of the HLO corpus: the depth-first one is XLA's own, the best needs no more than any other and
//! is measured by the analysis of the printed module.

use std::path::PathBuf;

use memplan::analyze::hlo::{Analysis, Metric, Options, ValueOptions, Values, minimum_memory};
use memplan::diag::Sources;
use memplan::ir::hlo::{Calls, Module, Sharing, parse, platform_of, print};
use memplan::schedule::{Budget, Inputs, Order, order, schedule, valid};

use crate::corpus;

/// The corpus' texts of a name, with their paths.
fn texts(name: &str) -> Vec<(String, Module)> {
    let corpus = corpus::root();
    let entries = std::fs::read_dir(&corpus).expect("the corpus");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path().join(name)).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        let name = path.strip_prefix(&corpus).expect("inside").display().to_string();
        Some((name, module(&text)))
    };
    let found: Vec<_> = paths.into_iter().filter_map(read).collect();
    assert!(!found.is_empty() || !corpus::is_whole(), "the corpus has texts");
    found
}

fn module(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("corpus.hlo", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

#[test]
fn the_depth_first_order_is_that_of_xlas_memory_optimised_schedules() {
    let mut count = 0;
    for (name, module) in texts("sched_mem/after_optimizations.hlo.txt") {
        let calls = Calls::of(&module).expect("calls");
        let values = Values::of(&module, &calls, ValueOptions::default()).expect("values");
        let inputs = Inputs { module: &module, calls: &calls, values: &values };
        let found = order(inputs, Order::Dfs).expect("an order");
        for id in module.computations.ids().filter(|&id| !calls.fused[id]) {
            let computation = &module.computations[id];
            assert_eq!(found.0[id], computation.instructions, "{name}: `{}`", computation.name);
            count += 1;
        }
    }
    println!("{count} computations");
}

#[test]
fn the_best_order_of_every_program_is_sound_and_needs_no_more_than_any_other() {
    println!("| text | given | default | list | dfs | bfs | post | best | proven |");
    for file in ["after", "sched_mem/after", "before"] {
        for (name, module) in texts(&format!("{file}_optimizations.hlo.txt")) {
            check(&name, &module);
        }
    }
}

fn check(name: &str, module: &Module) {
    let options = Options { platform: platform_of(module), async_start_extension: false };
    let run = |wanted| schedule(module, options, wanted, Budget::default()).expect("a schedule");
    let (best, default) = (run(Order::Best), run(Order::Default));
    valid(module, &best.sequences).expect("a schedule");
    let of = |order| best.orders.iter().find(|m| m.order == order).map_or(0, |m| m.exact);
    let [given, list, dfs, bfs, post] =
        [Order::Given, Order::List, Order::Dfs, Order::Bfs, Order::Post].map(of);
    let row = [given, default.peak_after, list, dfs, bfs, post, best.peak_after];
    let cells: Vec<String> = row.iter().map(u64::to_string).collect();
    let proven = if best.proven { "yes" } else { "" };
    println!("| {name} | {} | {proven} |", cells.join(" | "));
    assert_eq!(row.iter().min(), Some(&best.peak_after), "{name}");
    let again = self::module(&print(&module.in_order(&best.sequences)));
    let analysis = Analysis::of(&again, again.sequences(), options).expect("an analysis");
    let sharing = Sharing::new(&again, options.platform);
    assert_eq!(minimum_memory(&analysis, &sharing, Metric::Exact), best.peak_after, "{name}");
}
