//! Runs the commands of a script with the built binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use serde_json::Value;

use crate::json;
use crate::script::{Command, Script};

/// What one run said.
struct Said {
    exit: i32,
    stdout: String,
    stderr: String,
}

/// Runs all commands; the script as it should be.
pub(crate) fn run(input: &Path, script: &Script) -> Result<Script, String> {
    let plans = write_plans(input, script)?;
    let mut now = script.clone();
    for command in &mut now.commands {
        let said = execute(input, &command.line, &plans)?;
        check_words(command, &said)?;
        command.exit = said.exit;
        command.stderr = lines(&said.stderr);
        command.stdout = if command.is_json() {
            json_lines(command, &said.stdout)?
        } else {
            lines(&said.stdout)
        };
        if !command.words.is_empty() && !command.is_json() {
            // The author wants these words, not the whole page.
            command.stdout = Vec::new();
            command.stderr = Vec::new();
        }
    }
    Ok(now)
}

/// What must hold for every broken input of a reader, whatever its snapshot says: exit code 2, and
/// every error has a code of that reader and a place.
pub(crate) fn broken(input: &Path, reader: &str) -> Result<(), String> {
    let said = execute(input, "memplan solve {} --format json", &[])?;
    if said.exit != 2 {
        return Err(format!("a broken {reader} exits with {}", said.exit));
    }
    let report: Value = serde_json::from_str(&said.stdout).map_err(|e| e.to_string())?;
    let all = report["diagnostics"].as_array().ok_or("no diagnostics")?;
    let errors: Vec<&Value> = all.iter().filter(|d| d["severity"] == "error").collect();
    if errors.is_empty() {
        return Err(format!("a broken {reader} without errors"));
    }
    for error in errors {
        let code = error["code"].as_str().unwrap_or_default();
        // A target file beside the spec may be missing: that is an error of the surroundings.
        let own = code.starts_with(&format!("memplan::{reader}::"));
        if !own && code != "memplan::config::unreadable" {
            return Err(format!("the code of a broken {reader} is {code}"));
        }
        if error["labels"].as_array().is_none_or(Vec::is_empty) {
            return Err(format!("an error without a place: {error}"));
        }
    }
    Ok(())
}

fn execute(input: &Path, line: &str, plans: &[(String, PathBuf)]) -> Result<Said, String> {
    let folder = input.parent().unwrap_or(Path::new("."));
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.current_dir(folder).env("COLUMNS", "100").env("NO_COLOR", "1");
    for key in ["MEMPLAN_FORMAT", "MEMPLAN_MAX_INPUT", "MEMPLAN_LOG", "CLICOLOR_FORCE"] {
        command.env_remove(key);
    }
    while let Some((key, value)) = words.first().and_then(|w| w.split_once('=')) {
        command.env(key, value);
        words.remove(0);
    }
    if words.first().is_none_or(|w| w != "memplan") {
        return Err(format!("a command starts with `memplan`: {line}"));
    }
    for word in &words[1..] {
        let plan = plans.iter().find(|(name, _)| *word == format!("{{{name}}}"));
        match plan {
            Some((_, path)) => command.arg(path),
            None => command.arg(word.replace("{}", &name)),
        };
    }
    let output = command.output().map_err(|e| e.to_string())?;
    let text = |bytes: Vec<u8>| {
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        for (name, path) in plans {
            text = text.replace(&*path.to_string_lossy(), &format!("{{{name}}}"));
        }
        text
    };
    let said = Said {
        exit: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    let defect = said.stdout.contains("internal::bug") || said.stderr.contains("internal::bug");
    if defect || said.stderr.contains("panicked") || !(0..=3).contains(&said.exit) {
        return Err(format!("{line}: exit {}\n{}{}", said.exit, said.stdout, said.stderr));
    }
    Ok(said)
}

fn check_words(command: &Command, said: &Said) -> Result<(), String> {
    for words in &command.words {
        if !said.stdout.contains(words.as_str()) && !said.stderr.contains(words.as_str()) {
            let (out, err) = (&said.stdout, &said.stderr);
            return Err(format!("{}\nsays nowhere: {words}\n{out}{err}", command.line));
        }
    }
    Ok(())
}

/// The listed paths with what the report has there.
fn json_lines(command: &Command, stdout: &str) -> Result<Vec<String>, String> {
    let report: Value =
        serde_json::from_str(stdout).map_err(|e| format!("{}: {e}\n{stdout}", command.line))?;
    let mut paths: Vec<String> = command
        .stdout
        .iter()
        .map(|line| line.split_once(" = ").map_or(line.as_str(), |(path, _)| path).to_owned())
        .collect();
    if paths.is_empty() {
        paths = json::usual(&report);
    }
    let line = |path: &String| match json::at(&report, path) {
        Ok(value) => format!("{path} = {}", compact(&value)),
        Err(why) => format!("{path} = ({why})"),
    };
    Ok(paths.iter().map(line).collect())
}

/// JSON on one line, with a blank after each comma.
fn compact(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(", "))
        }
        Value::Object(keys) => {
            let keys = keys.iter().map(|(k, v)| format!("{}: {}", Value::from(&**k), compact(v)));
            format!("{{{}}}", keys.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Writes the plans of `#@` lines as plan files.
fn write_plans(input: &Path, script: &Script) -> Result<Vec<(String, PathBuf)>, String> {
    let mut out = Vec::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("filetests");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let own = input.to_string_lossy().replace(['/', '\\', '.'], "_");
    for (name, plan) in &script.plans {
        let table: toml::Table = toml::from_str(&format!("plan = {{ {plan} }}"))
            .map_err(|e| format!("#@ {name}: {e}"))?;
        let mut text = "version = 1\n".to_owned();
        for (buffer, value) in table["plan"].as_table().into_iter().flatten() {
            let key = if value.is_array() { "offsets" } else { "offset" };
            text.push_str(&format!("[[buffer]]\nname = {buffer:?}\n{key} = {value}\n"));
        }
        let path = folder.join(format!("{own}-{name}.plan.toml"));
        fs::write(&path, text).map_err(|e| e.to_string())?;
        out.push((name.clone(), path));
    }
    Ok(out)
}
