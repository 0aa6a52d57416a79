//! The README shows what the binary prints.

#[test]
fn the_console_blocks_of_the_readme_are_what_the_binary_prints() {
    trycmd::TestCases::new().case("README.md");
}
