//! The programs of the HLO corpus, read and analysed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use memplan::analyze::hlo::{Analysis, Options, ValueId};
use memplan::diag::Sources;
use memplan::ir::hlo::{Module, Platform, parse};

/// A compilation.
pub(crate) struct Program {
    /// `NAME` or `NAME/sched_mem`.
    pub(crate) name: String,
    /// Where its files are.
    pub(crate) folder: PathBuf,
    /// Its optimised, scheduled text.
    pub(crate) module: Module,
}

/// All of them; none without the corpus.
pub(crate) fn programs() -> Vec<Program> {
    let Some(shared) = crate::shared::folder() else { return Vec::new() };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(shared.join("corpus/hlo")).expect("the corpus") {
        let folder = entry.expect("an entry").path();
        folders.extend([folder.join("sched_mem"), folder]);
    }
    folders.sort();
    let read = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("after_optimizations.hlo.txt")).ok()?;
        let base = shared.join("corpus/hlo");
        let name = folder.strip_prefix(base).expect("inside").display().to_string();
        let mut sources = Sources::default();
        let file = sources.add(&*name, text.as_str());
        let module = parse(&sources, file).unwrap_or_else(|e| panic!("{name}: {e:#?}"));
        Some(Program { name, folder, module })
    };
    let programs: Vec<_> = folders.into_iter().filter_map(read).collect();
    assert!(!programs.is_empty(), "the corpus has programs");
    programs
}

impl Program {
    /// What follows from it in the order of its text.
    pub(crate) fn analysis(&self) -> Analysis<'_> {
        let gpu = self.name.starts_with("gpu_");
        let platform = if gpu { Platform::Gpu } else { Platform::Cpu };
        let options = Options { platform, async_start_extension: false };
        Analysis::text(&self.module, options).unwrap_or_else(|e| panic!("{}: {e:#?}", self.name))
    }

    /// `heap_trace.json`.
    pub(crate) fn trace(&self) -> serde_json::Value {
        let text = std::fs::read_to_string(self.folder.join("heap_trace.json")).expect("a trace");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Our ids by XLA's. The trace neither says which are phis (but a node bears one value) nor prints
    /// the braces of a tuple's table.
    pub(crate) fn ids(
        &self,
        trace: &serde_json::Value,
        keys: &BTreeMap<(String, bool), ValueId>,
    ) -> BTreeMap<u64, ValueId> {
        let rows = trace["values"].as_array().expect("values").iter();
        rows.map(|row| {
            let name = row[1].as_str().expect("a name").to_owned();
            let names = [name.clone(), format!("{name}{{}}")];
            let id = names.iter().find_map(|name| {
                let find = |phi| keys.get(&(name.clone(), phi)).copied();
                find(false).or_else(|| find(true))
            });
            (row[0].as_u64().expect("an id"), id.unwrap_or_else(|| panic!("{}: {row}", self.name)))
        })
        .collect()
    }
}
