//! Instances made to measure: as inputs, or as files.

use std::path::{Path, PathBuf};

use super::present::Report;
use super::race::Course;
use crate::bench::generate::{Order, generate};
use crate::cli::args::{From, Global, InputArgs};
use crate::cli::config::Layers;
use crate::cli::exit::Exit;
use crate::cli::input::Item;
use crate::cli::output;
use crate::cli::streams::Streams;
use crate::diag::Sources;
use crate::format::json_bench::Written;

/// An instance as an input: with the capacity that is known to be enough, unless another is asked for.
pub(super) fn course(order: &Order, args: &InputArgs) -> Course {
    let made = generate(order);
    let mut args = InputArgs { from: Some(From::Csv), ..args.clone() };
    // What a file says is about inputs.
    if args.layers.says("capacity") {
        args.capacity.clear();
    }
    args.layers = Layers::default();
    if let (true, Some(capacity)) = (args.capacity.is_empty(), made.capacity) {
        args.capacity.push(capacity.to_string());
    }
    let item = Item::made(&file(&made.name), made.csv());
    Course { item, args, optimum: made.optimum }
}

/// Writes instances into a folder, and says what each is.
pub(super) fn write(
    orders: &[Order],
    folder: &Path,
    mut report: Report,
    global: &Global,
    streams: &mut Streams,
) -> Exit {
    for order in orders {
        let made = generate(order);
        let name = file(&made.name);
        let path: PathBuf = folder.join(&name);
        let done = output::folder(folder).and_then(|()| output::write(&path, &made.csv()));
        match done {
            Ok(()) => report.wrote(Written {
                file: name,
                buffers: made.blocks.len(),
                capacity: made.capacity,
                optimum: made.optimum,
            }),
            Err(error) => report.broken(&[error], &Sources::default(), streams),
        }
    }
    report.end(None, global, streams)
}

fn file(name: &str) -> String {
    format!("{name}.csv")
}
