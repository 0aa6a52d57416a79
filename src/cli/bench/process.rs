//! One call of a planner from outside: a process in a folder of its own, watched by the clock.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::bench::external::{Case, External, Ran};
use crate::model::LimitedBy;

/// How long a planner from outside may take unless `--time` says.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// What may end a call.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// The time it may take.
    pub(super) time: Duration,
    /// The bytes that it may write.
    pub(super) bytes: u64,
    /// Ctrl-C.
    pub(super) cancel: &'a AtomicBool,
}

/// Runs a planner on a case.
///
/// # Errors
/// Why it cannot be started.
pub(super) fn run(
    external: &External,
    case: &Case,
    capacity: u64,
    limits: Limits<'_>,
) -> Result<Ran, String> {
    let folder = tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))?;
    let [input, output, errors] =
        ["in.csv", "out.csv", "stderr.txt"].map(|n| folder.path().join(n));
    let cannot_write = |e: io::Error| format!("cannot write `{}`: {e}", input.display());
    fs::write(&input, case.text()).map_err(cannot_write)?;
    let stderr = File::create(&errors).map_err(cannot_write)?;
    let words: Vec<String> = external.call(&input, &output, capacity);
    let words: Vec<String> = words.into_iter().map(found_here).collect();
    let [program, arguments @ ..] = words.as_slice() else { return Err("no program".to_owned()) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    family::set_apart(&mut command);
    let start = Instant::now();
    let mut child = command.spawn().map_err(|e| format!("cannot run `{program}`: {e}"))?;
    let ended = watch(&mut child, start, limits);
    let took = start.elapsed();
    let limited_by = ended.err();
    let output = match ended {
        Ok(status) => written(&output, status, &errors, limits.bytes),
        Err(LimitedBy::Time) => Err(format!("killed at the time limit of {:?}", limits.time)),
        Err(_) => Err("interrupted".to_owned()),
    };
    Ok(Ran { output, limited_by, took })
}

/// Waits for the end of a process, or ends it.
fn watch(child: &mut Child, start: Instant, limits: Limits<'_>) -> Result<ExitStatus, LimitedBy> {
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Ok(status);
        }
        let took = start.elapsed();
        let over = match (took >= limits.time, limits.cancel.load(Ordering::Relaxed)) {
            (true, _) => Some(LimitedBy::Time),
            (false, true) => Some(LimitedBy::Interrupt),
            (false, false) => None,
        };
        if let Some(why) = over {
            family::kill(child);
            let _ = child.wait();
            return Err(why);
        }
        // Often enough for a time within two percent, seldom enough not to take the planner's.
        let pause = (took / 50).clamp(Duration::from_micros(50), Duration::from_millis(20));
        std::thread::sleep(pause.min(limits.time - took));
    }
}

/// What a process that ended by itself has written, or why that does not count.
fn written(output: &Path, status: ExitStatus, errors: &Path, limit: u64) -> Result<String, String> {
    let last_words = || {
        let text = fs::read(errors).unwrap_or_default();
        let text =
            String::from_utf8_lossy(&text[text.len().saturating_sub(1 << 12)..]).into_owned();
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        line.map_or(String::new(), |line| {
            format!(": {}", line.chars().take(200).collect::<String>())
        })
    };
    if !status.success() {
        return Err(format!("{status}{}", last_words()));
    }
    match fs::metadata(output) {
        Ok(meta) if meta.len() > limit => Err(format!("its output is larger than {limit} bytes")),
        Ok(meta) if meta.len() > 0 => {
            let bytes = fs::read(output).map_err(|e| format!("its output cannot be read: {e}"))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => Err(format!("no output{}", last_words())),
    }
}

/// A word that names a file here (`./planner`, `planner.py`), by its full path: the process runs
/// elsewhere.
fn found_here(word: String) -> String {
    let path = Path::new(&word);
    let like_a_path = word.contains(['/', '\\']) || path.extension().is_some();
    match fs::canonicalize(path) {
        Ok(full) if path.is_relative() && like_a_path && path.is_file() => {
            full.to_string_lossy().into_owned()
        }
        _ => word,
    }
}

/// A process and those that it starts.
#[cfg(unix)]
mod family {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, kill_process_group};

    pub(super) fn set_apart(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn kill(child: &mut Child) {
        // It has not been waited for, so the id is still its own.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

/// A process; those that it starts are not known here.
#[cfg(not(unix))]
mod family {
    use std::process::{Child, Command};

    pub(super) fn set_apart(_: &mut Command) {}

    pub(super) fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
