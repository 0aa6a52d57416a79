//! Who is heard: flags, then `--config`, then the environment, then the file.

use crate::tool::{stderr, stdout};
use crate::tree::{CSV, capacity, run, tree, write};

#[test]
fn flags_beat_settings_beat_variables_beat_the_file() {
    let here = tree(&[("a.csv", CSV), ("memplan.toml", "capacity = ['100']\n")]);
    let variable: &[(&str, &str)] = &[("MEMPLAN_CAPACITY", "200")];
    let (flag, setting) = (["a.csv", "--capacity", "400"], ["a.csv", "--config", "capacity=300"]);
    let of = |args: &[&str], variables| capacity(here.path(), args, variables);
    assert_eq!(of(&["a.csv"], &[]), [Some(100)]);
    assert_eq!(of(&["a.csv"], variable), [Some(200)]);
    assert_eq!(of(&["a.csv", "--isolated"], variable), [Some(200)]);
    assert_eq!(of(&setting, variable), [Some(300)]);
    assert_eq!(of(&[&flag[..], &setting[1..]].concat(), variable), [Some(400)]);
    assert_eq!(of(&["a.csv", "--isolated"], &[]), [None]);
}

#[test]
fn an_empty_variable_is_none() {
    let here = tree(&[("a.csv", CSV), ("memplan.toml", "capacity = ['100']\n")]);
    assert_eq!(capacity(here.path(), &["a.csv"], &[("MEMPLAN_CAPACITY", "")]), [Some(100)]);
}

#[test]
fn a_variable_that_makes_no_sense_is_named() {
    let here = tree(&[("a.csv", CSV)]);
    let output = run(here.path(), &["solve", "a.csv"], &[("MEMPLAN_LEVEL", "slott")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).is_empty());
    let told = stderr(&output);
    assert!(told.contains("MEMPLAN_LEVEL") && told.contains("did you mean `slot`?"), "{told}");
    // Of a command that has no such option it is no business.
    let output = run(here.path(), &["schema"], &[("MEMPLAN_LEVEL", "slott")]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_format_holds_for_the_commands_that_have_it() {
    let here = tree(&[("a.csv", CSV), ("memplan.toml", "format = 'csv'\n")]);
    let output = run(here.path(), &["solve", "a.csv"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("a.csv: optimal"), "{}", stdout(&output));
    let output = run(here.path(), &["bench", "a.csv", "--strategies", "auto"], &[]);
    assert!(stdout(&output).starts_with("input,"), "{}", stdout(&output));
    write(here.path(), "memplan.toml", "format = 'json'\n");
    let output = run(here.path(), &["solve", "a.csv"], &[]);
    assert!(stdout(&output).starts_with('{'), "{}", stdout(&output));
}

#[test]
fn a_setting_that_the_command_does_not_have_is_refused() {
    let here = tree(&[("a.csv", CSV)]);
    let output = run(here.path(), &["solve", "a.csv", "--config", "budget=b.toml"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`solve` has no option `budget`"), "{}", stderr(&output));
}

#[test]
fn an_option_of_a_file_is_complained_about_as_such() {
    let scope = |name: &str| format!("[[scope]]\nname = '{name}'\ncapacity = 64\n");
    let buffer = |name: &str, scope: &str| {
        format!("[[buffer]]\nname = '{name}'\nscope = '{scope}'\nsize = 8\nlive = [0, 1]\n")
    };
    let spec =
        ["version = 1\n".to_owned(), scope("p"), scope("q"), buffer("a", "p"), buffer("b", "q")];
    let spec = spec.concat();
    let here = tree(&[("a.toml", spec.as_str()), ("memplan.toml", "capacity = ['100']\n")]);
    let output = run(here.path(), &["solve", "a.toml"], &[]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("of which scope?"), "{told}");
    assert!(told.contains("`memplan.toml`") && !told.contains("--capacity"), "{told}");
}

#[test]
fn a_capacity_of_a_file_is_for_the_memories_that_an_input_has() {
    let here = tree(&[("a.csv", CSV), ("memplan.toml", "capacity = ['ub=100']\n")]);
    let output = run(here.path(), &["solve", "a.csv"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = run(here.path(), &["solve", "a.csv", "--capacity", "ub=100"], &[]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_was_used_is_told_to_whoever_asks() {
    let here = tree(&[("a.csv", CSV), ("memplan.toml", "seed = 3\n")]);
    let used = "memplan: options from `memplan.toml`\n";
    let of = |args: &[&str], variables: &[(&str, &str)]| {
        stderr(&run(here.path(), &[&["solve", "a.csv"], args].concat(), variables))
    };
    assert_eq!(of(&[], &[]), "");
    assert_eq!(of(&["-v"], &[]), used);
    assert_eq!(of(&[], &[("MEMPLAN_LOG", "debug")]), used);
    assert_eq!(of(&["-q"], &[("MEMPLAN_LOG", "debug")]), "");
    assert_eq!(of(&["-v", "--isolated"], &[]), "");
}
