//! `memplan explain`.

use super::args::{ExplainArgs, Format, Global};
use super::exit::Exit;
use super::streams::Streams;
use crate::diag::{ALL, Code, Diagnostic, Sources};
use crate::format::json_explain::{Explain, Page};
use crate::format::read::nearest;
use crate::report::json;

/// `memplan explain`.
pub(super) fn run(args: &ExplainArgs, global: &Global, streams: &mut Streams) -> Exit {
    let asked = args.code.as_deref();
    let codes = asked.map_or_else(|| ALL.to_vec(), find);
    let error = asked.filter(|_| codes.is_empty()).map(unknown);
    if global.format == Format::Json {
        let diagnostics = error.iter().map(|e| json::diagnostic(e, &Sources::default())).collect();
        let page = |code: &Code| Page { code: code.name(), title: code.title(), page: code.page() };
        let body = Explain { codes: codes.iter().map(page).collect() };
        streams.json(&json::envelope("explain", None, diagnostics, body));
    } else if let Some(error) = &error {
        streams.diagnostic(error, &Sources::default());
    } else {
        let pages: Vec<String> =
            codes.iter().map(|c| format!("{}\n", c.page().trim_end())).collect();
        streams.answer(&pages.join("\n"));
    }
    if error.is_some() { Exit::Broken } else { Exit::Yes }
}

/// The codes that a word stands for: a full name, an area and name, or a name of several areas.
fn find(word: &str) -> Vec<Code> {
    let word = word.trim().to_lowercase().replace('-', "_");
    let word = word.strip_prefix("memplan::").unwrap_or(&word);
    let matches = |code: &&Code| {
        let name = short(**code);
        name == word || name.rsplit("::").next() == Some(word)
    };
    ALL.iter().filter(matches).copied().collect()
}

/// `plan::overflow`.
fn short(code: Code) -> &'static str {
    code.name().strip_prefix("memplan::").unwrap_or(code.name())
}

fn unknown(word: &str) -> Diagnostic {
    let error = Diagnostic::error(Code::ConfigUnknownCode, format!("there is no code `{word}`"));
    let plain = word.strip_prefix("memplan::").unwrap_or(word);
    let names = ALL.iter().map(|c| short(*c));
    let lasts = names.clone().filter_map(|n| n.rsplit("::").next());
    match nearest(plain, names.chain(lasts)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("`memplan explain --all` lists them all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_stand_for_several_codes() {
        assert_eq!(find("memplan::plan::overflow"), [Code::PlanOverflow]);
        assert_eq!(find("plan::overflow"), [Code::PlanOverflow]);
        assert_eq!(find("Not-Found"), [Code::PlanNotFound]);
        let too_large = find("too_large");
        assert_eq!(too_large.len(), 5, "one for each reader: {too_large:?}");
        assert!(find("nonsense").is_empty());
        assert_eq!(
            unknown("plan::overflw").help.as_deref(),
            Some("did you mean `plan::overflow`?")
        );
    }
}
