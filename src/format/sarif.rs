//! SARIF 2.1.0 (OASIS): the part that memplan writes.
//!
//! The names are those of the standard; what is none or empty is left out.

use std::collections::BTreeMap;

use serde::Serialize;

/// The address of the schema.
pub const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log file.
#[derive(Debug, Serialize)]
pub struct Log {
    /// The schema of the log.
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    /// `2.1.0`.
    pub version: &'static str,
    /// One run.
    pub runs: Vec<Run>,
}

/// One run of a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Who ran.
    pub tool: Tool,
    /// What kind of run it was.
    pub automation_details: AutomationDetails,
    /// How it was started and ended.
    pub invocations: Vec<Invocation>,
    /// What relative addresses are relative to.
    pub original_uri_base_ids: BTreeMap<&'static str, Base>,
    /// In what columns count.
    pub column_kind: &'static str,
    /// What was looked at.
    pub artifacts: Vec<Artifact>,
    /// What was found.
    pub results: Vec<SarifResult>,
}

/// The tool.
#[derive(Debug, Serialize)]
pub struct Tool {
    /// Its one component.
    pub driver: Driver,
}

/// The component that ran.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub semantic_version: &'static str,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_uri: Option<&'static str>,
    /// The rules that results refer to.
    pub rules: Vec<Rule>,
}

/// One rule: a code.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The full code.
    pub id: &'static str,
    /// One sentence.
    pub short_description: Text,
    /// One paragraph.
    pub full_description: Text,
    /// What to do.
    pub help: Text,
    /// The page of the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    /// Words to filter by.
    pub properties: Tags,
}

/// Words to filter by.
#[derive(Debug, Serialize)]
pub struct Tags {
    /// The words.
    pub tags: Vec<&'static str>,
}

/// A text, as plain words and as markdown.
#[derive(Debug, Serialize)]
pub struct Text {
    /// Plain.
    pub text: String,
    /// Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

/// What kind of run it was.
#[derive(Debug, Serialize)]
pub struct AutomationDetails {
    /// `memplan/verify/`: code scanning keeps the results of each apart.
    pub id: String,
}

/// How a run was started and ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    /// False where the question was broken.
    pub execution_successful: bool,
    /// The exit code of the process.
    pub exit_code: u8,
    /// What it says.
    pub exit_code_description: &'static str,
    /// What belongs to no input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

/// What belongs to no input.
#[derive(Debug, Serialize)]
pub struct Notification {
    /// The code.
    pub descriptor: Descriptor,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// The words.
    pub message: Text,
}

/// A code by its place in the rules.
#[derive(Debug, Serialize)]
pub struct Descriptor {
    /// The full code.
    pub id: &'static str,
    /// Its place.
    pub index: usize,
}

/// What a relative address is relative to.
#[derive(Debug, Serialize)]
pub struct Base {
    /// In words: the folder itself is nobody's business.
    pub description: Text,
}

/// A file that was looked at.
#[derive(Debug, Serialize)]
pub struct Artifact {
    /// Where it is.
    pub location: ArtifactLocation,
    /// `analysisTarget`.
    pub roles: Vec<&'static str>,
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    /// The address, percent-encoded.
    pub uri: String,
    /// What it is relative to; none for absolute ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

/// One result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    /// The full code.
    pub rule_id: &'static str,
    /// Its place in the rules.
    pub rule_index: usize,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// The words.
    pub message: Text,
    /// Where it is: one place.
    pub locations: Vec<Location>,
    /// Other places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    /// What stays the same when lines move.
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    /// What is not in the standard.
    pub properties: Properties,
}

/// A place.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Its number among the related ones, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    /// The file and the region.
    pub physical_location: PhysicalLocation,
    /// The function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

/// A file and a region.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    /// The file.
    pub artifact_location: ArtifactLocation,
    /// The region.
    pub region: Region,
}

/// A region. Lines and columns count from 1; the end column is one past the last character.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// The first line.
    pub start_line: u32,
    /// Its column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    /// The last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// Its column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

/// A named part of a program.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation {
    /// Its name.
    pub fully_qualified_name: String,
    /// `function`.
    pub kind: &'static str,
}

/// What is not in the standard.
#[derive(Debug, Serialize)]
pub struct Properties {
    /// The scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The buffers at fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<String>,
    /// How to see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}
