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

/// Where the programs are.
pub(crate) fn root() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("specs/hlo");
    crate::shared::folder().map_or_else(own, |shared| shared.join("corpus/hlo"))
}

/// True for the whole corpus.
pub(crate) fn is_whole() -> bool {
    crate::shared::folder().is_some()
}

/// The folders of all compilations, by name.
pub(crate) fn folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root()).expect("programs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let both = paths.flat_map(|path| [path.join("sched_mem"), path]);
    let mut folders: Vec<PathBuf> =
        both.filter(|path| path.join("heap_trace.json").is_file()).collect();
    folders.sort();
    assert!(folders.len() >= 10, "programs in {}", root().display());
    folders
}

/// All compilations.
pub(crate) fn programs() -> Vec<Program> {
    let read = |folder: PathBuf| {
        let path = folder.join("after_optimizations.hlo.txt");
        let text = std::fs::read_to_string(path).expect("a text");
        let name = folder.strip_prefix(root()).expect("inside").display().to_string();
        let mut sources = Sources::default();
        let file = sources.add(&*name, text.as_str());
        let module = parse(&sources, file).unwrap_or_else(|e| panic!("{name}: {e:#?}"));
        Program { name, folder, module }
    };
    folders().into_iter().map(read).collect()
}

/// The known optimum of a heap.
#[derive(Debug)]
pub(crate) struct Optimum {
    /// The program.
    pub(crate) dump: String,
    /// XLA's own heap.
    pub(crate) xla_heap: u64,
    /// The smallest with sizes rounded up to the alignment.
    pub(crate) best_aligned: u64,
}

/// `optimal.json`.
pub(crate) fn optimal() -> Vec<Optimum> {
    let text = std::fs::read_to_string(root().join("optimal.json")).expect("optima");
    let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let row = |row: &serde_json::Value| Optimum {
        dump: row["dump"].as_str().expect("a name").to_owned(),
        xla_heap: row["xla_heap"].as_u64().expect("bytes"),
        best_aligned: row["best_aligned"].as_u64().expect("bytes"),
    };
    rows.as_array().expect("rows").iter().map(row).collect()
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
