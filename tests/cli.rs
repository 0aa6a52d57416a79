//! The command as a user meets it. Sessions are in `cli/*.trycmd`; bless them with
//! `TRYCMD=overwrite`.

#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/dsa.rs"]
mod dsa;
#[path = "cli/external.rs"]
mod external;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/tool.rs"]
mod tool;
#[path = "cli/verdicts.rs"]
mod verdicts;

#[test]
fn sessions() {
    trycmd::TestCases::new().env("NO_COLOR", "1").env("COLUMNS", "100").case("tests/cli/*.trycmd");
}
