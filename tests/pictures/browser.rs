//! Headless Chromium: a page in, its document or a picture of it out.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::tool::text;

/// Seconds that a page may take, start of the browser included.
const PATIENCE: &str = "120";

/// A browser that can be asked.
pub(crate) struct Browser {
    command: &'static str,
    profile: tempfile::TempDir,
}

/// The browser of this machine. `None` where there is none, which `MEMPLAN_REQUIRE_CHROMIUM` makes a
/// failure.
pub(crate) fn browser() -> Option<Browser> {
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let command = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(answers);
    let required = std::env::var_os("MEMPLAN_REQUIRE_CHROMIUM").is_some_and(|v| v != "0");
    assert!(command.is_some() || !required, "no Chromium: install `chromium`");
    if command.is_none() {
        // Past the test runner's capture: a skip is meant to be seen.
        let _ = writeln!(std::io::stderr(), "SKIPPED for want of Chromium");
    }
    let profile = tempfile::tempdir().expect("a folder");
    command.map(|command| Browser { command, profile })
}

/// A page after its script has run.
pub(crate) struct Seen {
    /// The document.
    pub(crate) document: String,
    /// What the console said.
    pub(crate) console: Vec<String>,
}

impl Browser {
    fn run(&self, page: &str, hash: &str, args: &[&str]) -> Output {
        let mut command = Command::new("timeout");
        command.args([PATIENCE, self.command, "--headless=new", "--no-sandbox", "--disable-gpu"]);
        // Memory for canvases is scarce in containers otherwise.
        command.args(["--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--enable-logging=stderr", "--v=0", "--force-device-scale-factor=1"]);
        command.arg(format!("--user-data-dir={}", self.profile.path().display()));
        command.args(args).arg(format!("file://{page}{hash}"));
        command.output().expect("Chromium runs")
    }

    /// Opens a page and returns its document.
    pub(crate) fn open(&self, page: &str, hash: &str) -> Seen {
        let output = self.run(page, hash, &["--dump-dom"]);
        let console = text(&output.stderr);
        let console = console.lines().filter(|l| l.contains(":CONSOLE")).map(str::to_owned);
        Seen { document: text(&output.stdout), console: console.collect() }
    }

    /// Takes a picture of a page; `size` is `WIDTH,HEIGHT`.
    pub(crate) fn screenshot(&self, page: &str, hash: &str, size: &str, to: &Path) {
        let to = format!("--screenshot={}", to.display());
        let output = self.run(page, hash, &[&to, &format!("--window-size={size}")]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

impl Seen {
    /// An attribute that the page has set on its root.
    pub(crate) fn mark(&self, name: &str) -> Option<&str> {
        let root = &self.document[self.document.find("<html")?..];
        let root = &root[..root.find('>')?];
        let begin = format!("data-{name}=\"");
        let rest = &root[root.find(&begin)? + begin.len()..];
        rest.find('"').map(|end| &rest[..end])
    }

    /// A time that the page has measured, in milliseconds.
    pub(crate) fn time(&self, name: &str) -> f64 {
        self.mark(name).and_then(|t| t.parse().ok()).unwrap_or(f64::INFINITY)
    }

    /// Fails if anything went wrong on the page.
    pub(crate) fn is_well(&self) {
        assert_eq!(self.mark("errors"), None);
        assert!(self.console.is_empty(), "{:?}", self.console);
        assert_eq!(self.mark("ready"), Some("true"), "the script ran to its end");
    }
}
