//! JUnit XML: a suite for each input, a test for each function.
//!
//! What is refused is a `failure`, what cannot be read an `error`. What could not be decided is
//! `skipped`: it neither passed nor failed, and the exit code (3) still tells. Everything else, and the
//! line of numbers, is in `system-out`. There are no times: the same run writes the same bytes.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::page;
use super::run::{Case, Outcome, Run};
use crate::diag::Severity;
use crate::model::Remark;
use crate::report::words;

type Xml = Writer<Vec<u8>>;

/// The cases and general remarks of one input.
#[derive(Default)]
struct Suite<'a> {
    name: &'a str,
    cases: Vec<&'a Case>,
    general: Vec<&'a Remark>,
}

/// The report.
pub(super) fn junit(run: &Run) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing into memory does not fail.
    let _ = document(run, &mut xml);
    let mut text = String::from_utf8(xml.into_inner()).unwrap_or_default();
    text.push('\n');
    text
}

fn document(run: &Run, xml: &mut Xml) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = suites(run);
    let sum = |of: fn(&Suite<'_>) -> usize| suites.iter().map(of).sum::<usize>().to_string();
    xml.create_element("testsuites")
        .with_attribute(("name", format!("memplan {}", run.command).as_str()))
        .with_attribute(("tests", sum(|s| s.tests()).as_str()))
        .with_attribute(("failures", sum(|s| s.count(Outcome::Rejected)).as_str()))
        .with_attribute(("errors", sum(|s| s.errors()).as_str()))
        .write_inner_content(|xml| suites.iter().try_for_each(|s| suite(s, run.command, xml)))?;
    Ok(())
}

/// One suite for each input in the order in which they come; what belongs to none comes first.
fn suites(run: &Run) -> Vec<Suite<'_>> {
    let mut all: Vec<Suite<'_>> = Vec::new();
    for remark in &run.general {
        suite_of(&mut all, &remark.input).general.push(remark);
    }
    for case in &run.cases {
        suite_of(&mut all, &case.input).cases.push(case);
    }
    all
}

fn suite_of<'a, 'b>(all: &'b mut Vec<Suite<'a>>, name: &'a str) -> &'b mut Suite<'a> {
    // Cases come input by input: the last is the one nearly always.
    let at = match all.iter().rposition(|s| s.name == name) {
        Some(at) => at,
        None => {
            all.push(Suite { name, ..Suite::default() });
            all.len() - 1
        }
    };
    &mut all[at]
}

impl Suite<'_> {
    /// General errors have no test of their own to fail.
    fn broken(&self) -> bool {
        self.general.iter().any(|r| r.severity == Severity::Error)
            && !self.cases.iter().any(|c| c.outcome > Outcome::Undecided)
    }

    fn tests(&self) -> usize {
        self.cases.len() + usize::from(self.broken())
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.cases.iter().filter(|c| c.outcome == outcome).count()
    }

    fn errors(&self) -> usize {
        self.count(Outcome::Broken) + usize::from(self.broken())
    }
}

fn suite(suite: &Suite<'_>, command: &str, xml: &mut Xml) -> io::Result<()> {
    let name = if suite.name.is_empty() { "memplan" } else { suite.name };
    xml.create_element("testsuite")
        .with_attribute(("name", line(name).as_str()))
        .with_attribute(("tests", suite.tests().to_string().as_str()))
        .with_attribute(("failures", suite.count(Outcome::Rejected).to_string().as_str()))
        .with_attribute(("errors", suite.errors().to_string().as_str()))
        .with_attribute(("skipped", suite.count(Outcome::Undecided).to_string().as_str()))
        .write_inner_content(|xml| {
            if suite.broken() {
                let errors = suite.general.iter().filter(|r| r.severity == Severity::Error);
                let errors: Vec<&Remark> = errors.copied().collect();
                test(command, name, xml, |xml| {
                    errors.iter().try_for_each(|r| problem("error", r, xml))
                })?;
            }
            suite.cases.iter().try_for_each(|c| case(c, command, xml))?;
            // Errors that are a test of their own are told there.
            let told =
                suite.general.iter().filter(|r| !suite.broken() || r.severity < Severity::Error);
            let told: Vec<&Remark> = told.copied().collect();
            output(None, &told, xml)
        })?;
    Ok(())
}

fn test(
    name: &str,
    class: &str,
    xml: &mut Xml,
    inner: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    xml.create_element("testcase")
        .with_attribute(("name", line(name).as_str()))
        .with_attribute(("classname", line(class).as_str()))
        .write_inner_content(inner)?;
    Ok(())
}

fn case(case: &Case, command: &str, xml: &mut Xml) -> io::Result<()> {
    test(case.name(command), &case.input, xml, |xml| {
        let (refused, told) = split(case);
        let element = match case.outcome {
            Outcome::Accepted => None,
            Outcome::Undecided => Some("skipped"),
            Outcome::Rejected => Some("failure"),
            Outcome::Broken => Some("error"),
        };
        if let Some(element) = element {
            // One is enough of `skipped`, and at least one says that it did not pass.
            match (element, refused.first()) {
                ("skipped", first) => skipped(first.copied(), xml)?,
                (_, None) => bare(element, xml)?,
                _ => refused.iter().try_for_each(|r| problem(element, r, xml))?,
            }
        }
        let rest: &[&Remark] = if element == Some("skipped") { &refused } else { &[] };
        let told: Vec<&Remark> = rest.iter().skip(1).chain(&told).copied().collect();
        output(case.summary.as_deref(), &told, xml)
    })
}

/// What the case was refused for, and the rest. Without errors it was for the worst that there is:
/// warnings may be denied.
fn split(case: &Case) -> (Vec<&Remark>, Vec<&Remark>) {
    if case.outcome == Outcome::Accepted {
        return (Vec::new(), case.remarks.iter().collect());
    }
    let worst = case.remarks.iter().map(|r| r.severity).max();
    case.remarks.iter().partition(|r| Some(r.severity) == worst)
}

fn problem(element: &str, remark: &Remark, xml: &mut Xml) -> io::Result<()> {
    xml.create_element(element)
        .with_attribute(("message", line(&remark.message).as_str()))
        .with_attribute(("type", remark.code.name()))
        .write_text_content(BytesText::new(&body(remark)))?;
    Ok(())
}

fn skipped(remark: Option<&Remark>, xml: &mut Xml) -> io::Result<()> {
    let message = remark.map_or("undecided", |r| r.message.as_str());
    xml.create_element("skipped")
        .with_attribute(("message", line(message).as_str()))
        .write_empty()?;
    Ok(())
}

fn bare(element: &str, xml: &mut Xml) -> io::Result<()> {
    let message = if element == "error" { "broken" } else { "refused" };
    xml.create_element(element).with_attribute(("message", message)).write_empty()?;
    Ok(())
}

fn output(summary: Option<&str>, told: &[&Remark], xml: &mut Xml) -> io::Result<()> {
    let mut lines: Vec<String> = summary.map(line).into_iter().collect();
    lines.extend(told.iter().map(|r| body(r)));
    if !lines.is_empty() {
        let text = lines.join("\n");
        xml.create_element("system-out").write_text_content(BytesText::new(&text))?;
    }
    Ok(())
}

/// The remark in lines, the way compilers print them.
fn body(remark: &Remark) -> String {
    let mut out = String::new();
    match &remark.place {
        Some(place) => out.push_str(&format!("{place}: ")),
        None if !remark.input.is_empty() => out.push_str(&format!("{}: ", remark.input)),
        None => {}
    }
    let severity = words::severity(remark.severity);
    out.push_str(&format!("{severity}[{}]: {}", page::short(remark.code), remark.message));
    for (place, word) in &remark.related {
        let dash = if word.is_empty() { "" } else { ": " };
        out.push_str(&format!("\n  see {place}{dash}{word}"));
    }
    if let Some(witness) = &remark.witness {
        out.push_str(&format!("\n  see it: {witness}"));
    }
    if let Some(help) = &remark.help {
        out.push_str(&format!("\n  help: {help}"));
    }
    allowed(&out)
}

/// Text as an attribute: one line.
fn line(text: &str) -> String {
    allowed(&text.replace("\r\n", " ").replace(['\n', '\r', '\t'], " "))
}

/// Without what XML 1.0 cannot hold: control characters are escaped the way names are on terminals.
fn allowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
