//! Remarks as results.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{index, plain, uri};
use crate::diag::{Code, Place};
use crate::format::sarif::{
    Location, LogicalLocation, PhysicalLocation, Properties, Region, SarifResult,
};
use crate::model::Remark;
use crate::report::words;

/// The name of our fingerprints.
const FINGERPRINT: &str = "memplan/v1";

/// The results, in order.
pub(super) fn results(remarks: &[&Remark], codes: &[Code]) -> Vec<SarifResult> {
    let mut seen = BTreeMap::new();
    remarks.iter().map(|remark| result(remark, codes, &mut seen)).collect()
}

fn result(remark: &Remark, codes: &[Code], seen: &mut BTreeMap<String, u32>) -> SarifResult {
    let related = remark.related.iter().enumerate().map(|(at, (place, word))| Location {
        id: Some(at + 1),
        physical_location: physical(place),
        logical_locations: Vec::new(),
        message: (!word.is_empty()).then(|| plain(word)),
    });
    SarifResult {
        rule_id: remark.code.name(),
        rule_index: index(remark.code, codes),
        level: words::severity(remark.severity),
        message: plain(&message(remark)),
        locations: vec![location(remark)],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint(remark, seen))]),
        properties: Properties {
            scope: remark.scope.clone(),
            buffers: remark.buffers.clone(),
            witness: remark.witness.clone(),
        },
    }
}

/// The message with what to do. A bracket before a parenthesis would begin a link.
pub(super) fn message(remark: &Remark) -> String {
    let help = remark.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    format!("{}{help}", remark.message).replace("](", "] (")
}

/// Where it is. Code scanning refuses results without a region: what has none is shown at the head of
/// its input.
fn location(remark: &Remark) -> Location {
    let physical_location = match &remark.place {
        Some(place) => physical(place),
        None => PhysicalLocation {
            artifact_location: uri::location(&remark.input),
            region: Region { start_line: 1, start_column: None, end_line: None, end_column: None },
        },
    };
    let function =
        |name: &String| LogicalLocation { fully_qualified_name: name.clone(), kind: "function" };
    let logical_locations = remark.function.iter().map(function).collect();
    Location { id: None, physical_location, logical_locations, message: None }
}

fn physical(place: &Place) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: uri::location(&place.file),
        region: Region {
            start_line: place.line.max(1),
            start_column: Some(place.column.max(1)),
            end_line: Some(place.end_line.max(place.line).max(1)),
            end_column: Some(place.end_column.max(1)),
        },
    }
}

/// What stays when lines and numbers move: code, input, function, scope and buffers. What names none of
/// the last three is known by its words. Repeats are counted, so that each result is one alert.
fn fingerprint(remark: &Remark, seen: &mut BTreeMap<String, u32>) -> String {
    let named = remark.function.is_some() || remark.scope.is_some() || !remark.buffers.is_empty();
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part(remark.code.name());
    part(&remark.input);
    part(remark.function.as_deref().unwrap_or_default());
    part(remark.scope.as_deref().unwrap_or_default());
    remark.buffers.iter().for_each(|buffer| part(buffer));
    if !named {
        part(&remark.message);
    }
    let hex: String = hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect();
    let count = seen.entry(hex.clone()).or_insert(0);
    *count += 1;
    format!("{hex}:{count}")
}
