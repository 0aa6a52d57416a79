//! The pages of `docs/needs` and `docs/TROUBLESHOOTING.md` are true: what they show is what the binary prints,
//! what they quote is in the files, and what they point at is there.
//!
//! Bless the pages with `TRYCMD=overwrite`, and read what changed before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
const TROUBLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/TROUBLESHOOTING");

#[test]
fn the_pages_of_the_needs_are_what_the_binary_prints() {
    trycmd::TestCases::new().env("NO_COLOR", "1").env("COLUMNS", "100").case("docs/needs/*.md");
}

#[test]
fn every_need_has_a_page_with_commands() {
    let pages = pages();
    for need in 1..=11 {
        let name = format!("{need:02}-");
        let page = pages.iter().find(|page| file_name(page).starts_with(&name));
        let page = page.unwrap_or_else(|| panic!("need {need} has no page"));
        assert!(read(page).contains("```console\n$ memplan "), "{} runs nothing", page.display());
    }
}

#[test]
fn what_a_page_quotes_from_a_file_is_in_that_file() {
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        for quote in quotes(&text) {
            let file = page.with_extension("in").join(quote.file);
            let whole = read(&file);
            assert!(
                whole.contains(quote.text),
                "{} quotes what {} does not say:\n{}",
                page.display(),
                file.display(),
                quote.text
            );
            seen += 1;
        }
    }
    assert!(seen >= 15, "{seen} quotes were found");
}

#[test]
fn links_lead_to_files() {
    let mut pages = pages();
    pages.push(PathBuf::from(format!("{TROUBLE}.md")));
    for page in pages {
        let folder = page.parent().expect("a page lies in a folder").to_path_buf();
        for link in links(&read(&page)) {
            let target = folder.join(link);
            assert!(target.exists(), "{}: `{link}` leads nowhere", page.display());
        }
    }
}

/// Each row says what to run, how it exits, what the answer says and which page explains it.
#[test]
fn every_row_of_the_troubleshooting_holds() {
    let text = read(Path::new(&format!("{TROUBLE}.md")));
    let rows: Vec<Row> = rows(&text).collect();
    assert!(rows.len() >= 25, "{} rows", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(Row::wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows do not hold:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// The pages of the needs, in order; the index is one of them.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("{DOCS}/needs")).expect("docs/needs is there");
    let mut pages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A block of a page that stands below the name of a file.
struct Quote<'a> {
    file: &'a str,
    text: &'a str,
}

/// Blocks that follow a line with nothing but a file's name in backticks and a colon.
fn quotes(page: &str) -> impl Iterator<Item = Quote<'_>> {
    page.match_indices("\n`").filter_map(|(at, start)| {
        let (file, rest) = page[at + start.len()..].split_once("`:\n\n```")?;
        if file.contains(['\n', ' ']) {
            return None;
        }
        let (_, rest) = rest.split_once('\n')?;
        let (text, _) = rest.split_once("\n```")?;
        Some(Quote { file, text })
    })
}

/// Relative links of a page; what runs and what is printed is not looked at.
fn links(page: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut links = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for rest in line.split("](").skip(1) {
            let Some((link, _)) = rest.split_once(')') else { continue };
            let file = link.split('#').next().unwrap_or(link);
            if !file.is_empty() && !file.contains("://") {
                links.push(file);
            }
        }
    }
    links
}

/// A row of a table of the troubleshooting.
struct Row<'a> {
    command: &'a str,
    exit: &'a str,
    says: Vec<&'a str>,
    read_on: Vec<&'a str>,
}

/// The rows of all tables with five columns.
fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [symptom, command, exit, says, read_on] = cells[..] else { return None };
        if symptom == "you see" {
            return None;
        }
        Some(Row {
            command: words(command).first().copied().unwrap_or_default(),
            exit,
            says: words(says),
            read_on: words(read_on),
        })
    })
}

/// What stands in backticks.
fn words(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

impl Row<'_> {
    /// Why the row does not hold; none if it does. Each runs in a copy of the folder, for some write.
    fn wrong(&self) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(Path::new(&format!("{TROUBLE}.in")), folder.path());
        let args = self.command.strip_prefix("memplan ").unwrap_or_default().split(' ');
        let (exit, said) = run(args, folder.path());
        let mut wrong = Vec::new();
        if exit != self.exit {
            wrong.push(format!("exits {exit}, not {}", self.exit));
        }
        for words in self.says.iter().filter(|words| !said.contains(**words)) {
            wrong.push(format!("does not say `{words}`"));
        }
        for code in &self.read_on {
            let (exit, page) = run(["explain", code].into_iter(), folder.path());
            if exit != "0" || page.len() < 200 {
                wrong.push(format!("`{code}` has no page"));
            }
        }
        (!wrong.is_empty()).then(|| format!("`{}`: {}", self.command, wrong.join("; ")))
    }
}

/// The exit code and all that was said, without line breaks and the bars of wrapped messages.
fn run<'a>(args: impl Iterator<Item = &'a str>, folder: &Path) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_memplan"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env_remove("MEMPLAN_FORMAT")
        .env_remove("MEMPLAN_CACHE")
        .output()
        .expect("the binary runs");
    let exit = output.status.code().map_or_else(|| "?".to_owned(), |code| code.to_string());
    let both = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&both).replace('│', " ");
    (exit, said.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder can be read").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file can be copied");
        }
    }
}
