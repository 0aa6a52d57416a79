//! Machine files.

use memplan::diag::Sources;
use memplan::front::machine;
use memplan::model::machine::{Machine, SomaPolicy, WaterLevel};
use memplan::model::trace::Setting;

fn read(text: &str) -> Result<Machine, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add("m.toml", text);
    machine::read(&sources, file).map_err(|errors| {
        errors.into_iter().map(|d| format!("{}: {}", d.code.name(), d.message)).collect()
    })
}

fn named(name: &str) -> Machine {
    Machine::named(name).expect("a machine")
}

/// The file's name, and the name of the machine that it writes out.
const FILES: [(&str, &str); 3] =
    [("ascend910b", "910B"), ("ascend910_93", "910_93"), ("ascend950", "950")];

#[test]
fn the_files_of_the_project_are_the_defaults() {
    for (file, name) in FILES {
        let path = format!("specs/machines/{file}.toml");
        let text = std::fs::read_to_string(&path).expect("a machine file");
        assert_eq!(read(&text), Ok(named(name)), "{path}");
        // A base without numbers: every one must stand in the file itself.
        let text = text.replace("base = ", "base = \"310B\" # ");
        let mut machine = read(&text).expect("a machine");
        // How the mode decides cannot be written down, and is left out.
        assert_eq!(machine.soma_policy, None);
        machine.name = named(name).name;
        assert_eq!(machine, named(name), "{path}");
    }
}

#[test]
fn what_a_file_does_not_say_is_as_in_its_base() {
    let text = "version = 1\nbase = \"950\"\nname = \"mine\"\ndevice_memory = \"32GiB\"\n\
                weak_pipes = []\n[scope.ub]\ncapacity = 1024\n[costs.pipes.MTE2]\nlatency = 7\n\
                [[oversub.level]]\nfree_below = \"50%\"\nscan_every = 3\ncold_after = 2\n";
    let mut expected = named("950");
    expected.name = "mine".to_owned();
    expected.device_memory = 32 << 30;
    expected.weak_pipes.clear();
    for scope in expected.scopes.iter_mut().filter(|s| s.name == "ub") {
        scope.capacity = Some(1024);
    }
    for (_, cost) in expected.costs.pipes.iter_mut().filter(|(name, _)| name == "MTE2") {
        cost.latency = 7;
    }
    expected.oversub.levels = vec![WaterLevel { free_below: 50, scan_every: 3, cold_after: 2 }];
    assert_eq!(read(text), Ok(expected));
}

#[test]
fn slips_of_a_machine_file_come_together() {
    let text = "version = 2\nuvm_page = 0\nweak_pipe = [\"V\"]\n[oversub]\nbatch = \"many\"\n";
    let errors = read(text).expect_err("wrong");
    assert_eq!(
        errors,
        [
            "memplan::replay::machine_syntax: `version` is not 1, which this memplan reads",
            "memplan::replay::machine_syntax: `uvm_page` is 0",
            "memplan::replay::machine_syntax: a machine has no key `weak_pipe`",
            "memplan::replay::machine_syntax: `oversub.batch` is `many`, not a number of 64 bits",
        ]
    );
    let errors = read("version = 1\nbase = \"Z80\"\n").expect_err("wrong");
    assert_eq!(errors, ["memplan::replay::machine_unknown: no machine is named `Z80`"]);
    assert!(read("base = \"950\"\n").is_err());
}

#[test]
fn a_header_changes_single_numbers() {
    let text = "{\"trace\": 1, \"soma.policy\": \"head\", \"oversub\": {\"enabled\": false}}\n";
    let trace = super::good(text);
    let mut machine = named("910B");
    machine::apply(&mut machine, &trace.settings).expect("a machine");
    assert_eq!(machine.soma_policy, Some(SomaPolicy::Head));
    assert!(!machine.oversub.enabled);
    let wrong = Setting { key: "soma.police".to_owned(), value: "x".to_owned(), loc: None };
    assert!(machine::apply(&mut machine, &[wrong]).is_err());
    let errors = super::wrong("trace = 1\nsoma.police = \"head\"\ncosts.link = 0\n");
    assert_eq!(
        errors,
        [
            "unknown_key t:2:15: a machine has no key `soma.police` (did you mean `soma.policy`?)",
            "invalid_value t:3:14: `costs.link` is 0",
        ]
    );
}
