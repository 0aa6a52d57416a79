//! Inputs that are no files of ours: bytes that git would mind, and more of them than is allowed.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

/// The trials of this file.
pub(crate) fn trials() -> Vec<Trial> {
    let spec = b"version = 1\n[[scope]]\nname = \"ub\"\n# caf\xE9\n";
    let cases: [(&str, &str, &'static [u8], &str); 3] = [
        ("utf8_spec", "x.toml", spec, "memplan::spec::invalid_utf8"),
        ("utf8_csv", "x.csv", b"id,lower,upper,size\na\xFF,0,3,64\n", "memplan::csv::invalid_utf8"),
        (
            "utf8_string",
            "x.toml",
            b"version = 1\nname = \"\xC3\x28\"\n",
            "memplan::spec::invalid_utf8",
        ),
    ];
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|(name, file, bytes, code)| {
            Trial::test(format!("streams/{name}"), move || {
                refused(file, None, code, |to| to.write_all(bytes))?;
                Ok(())
            })
        })
        .collect();
    let limits = [("limit_small", Some("1 MiB"), 1u64 << 20), ("limit_default", None, 256 << 20)];
    for (name, limit, bytes) in limits {
        trials.push(Trial::test(format!("streams/{name}"), move || {
            let code = "memplan::spec::too_large";
            refused("x.toml", limit, code, |to| comments(to, bytes + 1))?;
            refused("x.csv", limit, "memplan::csv::too_large", |to| comments(to, bytes + 1))
        }));
    }
    trials.push(Trial::test("streams/endless", || {
        let code = "memplan::spec::too_large";
        refused("x.toml", Some("64 KiB"), code, |to| comments(to, u64::MAX))
    }));
    trials.push(Trial::test("streams/just_fits", || {
        refused("x.toml", Some("1 MiB"), "memplan::spec::version", |to| comments(to, 1 << 20))
    }));
    trials
}

/// So many bytes of comments.
fn comments(to: &mut dyn Write, mut bytes: u64) -> io::Result<()> {
    let line = [b"# ", &[b'x'; 61][..], b"\n"].concat().repeat(64);
    while bytes > 0 {
        let some = usize::try_from(bytes).map_or(line.len(), |n| n.min(line.len()));
        to.write_all(&line[..some])?;
        bytes -= some as u64;
    }
    Ok(())
}

/// Pipes an input into `memplan solve -`, which refuses it with that code.
fn refused(
    name: &str,
    limit: Option<&str>,
    code: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(["solve", "-", "--stdin-name", name, "--color", "never"]);
    command.env_remove("MEMPLAN_FORMAT").env_remove("MEMPLAN_MAX_INPUT");
    if let Some(limit) = limit {
        command.env("MEMPLAN_MAX_INPUT", limit);
    }
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        match write(&mut stdin) {
            // It has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let panicked = said.contains("panicked") || said.contains("internal::bug");
    if output.status.code() != Some(2) || !said.contains(code) || panicked {
        return Err(format!("{:?}, not {code}:\n{said}", output.status).into());
    }
    // The place: a line and a column, where there is a text to point into.
    if code.ends_with("utf8") && !said.contains(&format!("[{name}:")) {
        return Err(format!("no place:\n{said}").into());
    }
    Ok(())
}
