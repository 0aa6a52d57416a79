//! README's claim about the gate: a folder of 1,000 kernels is planned, judged and held to a budget in
//! seconds, and what has not changed since is skipped: `cargo bench --bench gate`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::fs;
use std::path::Path;
use std::process::Command;

use criterion::{Criterion, criterion_group, criterion_main};

/// How many kernels the folder has.
const KERNELS: usize = 1_000;

/// Kernels of the project that have a plan, over and over, each with a line of its own so that no two are
/// the same bytes.
fn fill(folder: &Path) {
    let mut files: Vec<_> = fs::read_dir("specs/kernels")
        .expect("the kernels of the project")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    files.sort();
    let planned = |path: &Path| {
        let solve = Command::new(env!("CARGO_BIN_EXE_memplan")).arg("solve").arg(path).output();
        solve.is_ok_and(|out| out.status.success())
    };
    files.retain(|path| planned(path));
    for n in 0..KERNELS {
        let from = &files[n % files.len()];
        let text = fs::read_to_string(from).expect("a kernel");
        let stem = from.file_stem().expect("a name").to_string_lossy();
        let path = folder.join(format!("{stem}_{n}.mlir"));
        fs::write(path, format!("// kernel {n}\n{text}")).expect("a file");
    }
}

fn verify(folder: &Path, more: &[&str]) {
    let budget = folder.join("memplan-budget.toml");
    let status = Command::new(env!("CARGO_BIN_EXE_memplan"))
        .args(["verify", "--quiet", "--budget"])
        .arg(&budget)
        .args(more)
        .arg(folder.join("kernels"))
        .output()
        .expect("the command")
        .status;
    assert!(status.success(), "the budget is what the kernels take");
}

fn gate(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = folder.path().join("kernels");
    fs::create_dir(&kernels).expect("a folder");
    fill(&kernels);
    verify(folder.path(), &["--update-budget"]);
    let cache = folder.path().join("cache").display().to_string();
    let mut group = criterion.benchmark_group("1000 kernels");
    group.sample_size(10);
    group.bench_function("anew", |b| b.iter(|| verify(folder.path(), &[])));
    verify(folder.path(), &["--cache", &cache]);
    let cached = ["--cache", cache.as_str()];
    group.bench_function("cached", |b| b.iter(|| verify(folder.path(), &cached)));
    group.finish();
}

criterion_group!(benches, gate);
criterion_main!(benches);
