//! Parts of a JSON report by path: `functions[0].scopes[ub].peak`.
//!
//! `[3]` is the fourth element, `[ub]` the one whose `name` is `ub`, `[*]` all of them (the result
//! is a list), `.#` the number of elements.

use serde_json::Value;

/// The part of a report at a path; null where there is none.
pub(crate) fn at(report: &Value, path: &str) -> Result<Value, String> {
    let (head, rest) = step(path);
    if head.is_empty() {
        return Ok(report.clone());
    }
    if head == "#" {
        let count = report.as_array().map(Vec::len).ok_or(format!("`{path}`: not a list"))?;
        return Ok(count.into());
    }
    let Some(inside) = head.strip_prefix('[') else {
        let next = report.get(head).ok_or(format!("there is no `{head}`"))?;
        return at(next, rest);
    };
    let items = report.as_array().ok_or(format!("`{path}`: not a list"))?;
    let key = inside.trim_end_matches(']');
    if key == "*" {
        return items
            .iter()
            .map(|item| at(item, rest))
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array);
    }
    let found = match key.parse::<usize>() {
        Ok(n) => items.get(n),
        Err(_) => items.iter().find(|item| item.get("name").is_some_and(|name| name == key)),
    };
    at(found.ok_or(format!("there is no `[{key}]`"))?, rest)
}

/// The first step of a path and the rest.
fn step(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('.').unwrap_or(path);
    let end = if path.starts_with('[') {
        path.find(']').map_or(path.len(), |at| at + 1)
    } else {
        path.find(['.', '[']).unwrap_or(path.len())
    };
    path.split_at(end)
}

/// What is worth saying about a report, where the author left the choice to us.
pub(crate) fn usual(report: &Value) -> Vec<String> {
    let mut paths = vec!["verdict".to_owned()];
    if report.get("findings").is_some() {
        let each = ["code", "severity", "buffers"];
        paths.extend(each.map(|key| format!("findings[*].{key}")));
    }
    let functions = report.get("functions").and_then(Value::as_array);
    for (f, function) in functions.into_iter().flatten().enumerate() {
        let scopes = function.get("scopes").and_then(Value::as_array);
        for scope in scopes.into_iter().flatten() {
            let name = scope.get("name").and_then(Value::as_str).unwrap_or_default();
            let keys = ["verdict", "peak", "max_load", "lower_bound", "mode", "level", "message"];
            paths.extend(keys.map(|key| format!("functions[{f}].scopes[{name}].{key}")));
        }
    }
    paths
}
