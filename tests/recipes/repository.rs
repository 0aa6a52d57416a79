//! A small repository of kernels with a budget.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::bash::{Done, bash};

/// One on a branch, with a commit before it that was reviewed.
pub(crate) struct Repository {
    folder: TempDir,
    /// The commit that pull requests are against.
    pub(crate) base: String,
}

/// A kernel of two buffers that are alive together.
pub(crate) fn kernel(name: &str, size: u64) -> String {
    format!(
        "version = 1\nname = \"{name}\"\n\n[[scope]]\nname = \"ub\"\ncapacity = 8192\n\n\
         [[buffer]]\nname = \"x\"\nsize = 1024\nlive = [0, 3]\n\n\
         [[buffer]]\nname = \"y\"\nsize = {size}\nlive = [2, 5]\n"
    )
}

impl Repository {
    /// Five kernels and the budget that they keep to.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut repository = Self { folder, base: String::new() };
        repository.run("git init -q -b main");
        fs::create_dir(repository.path().join("kernels")).expect("a folder");
        for (at, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
            let text = kernel(name, 512 * (at as u64 + 1));
            fs::write(repository.path().join(format!("kernels/{name}.toml")), text)
                .expect("written");
        }
        repository.update_budget();
        repository.base = repository.run("git rev-parse HEAD").out.trim().to_owned();
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, lines: &str) -> Done {
        let done = bash(self.path(), lines, &[]);
        assert_eq!(done.code, 0, "{lines}: {done:?}");
        done
    }

    /// Writes what the kernels take into the budget, and commits it.
    pub(crate) fn update_budget(&self) {
        self.run("memplan verify kernels/ --budget memplan-budget.toml --update-budget");
        self.run("git add -A && git commit -q -m budget");
    }

    /// Changes a file.
    pub(crate) fn commit(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("written");
        self.run("git add -A && git commit -q -m change");
    }

    /// A fresh checkout, as every job has one.
    pub(crate) fn checkout(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let from = self.path().display();
        let done = bash(folder.path(), &format!("git clone -q '{from}' ."), &[]);
        assert_eq!(done.code, 0, "{done:?}");
        folder
    }
}
