//! Tables in markdown.

/// A table. Cells are markdown already ([`super::text`], [`super::code`]); line ends in them become
/// blanks, missing cells are empty. A header that ends in `:` has numbers under it, which stand right.
pub fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    };
    line(&mut headers.iter().map(|h| h.trim_end_matches(':').to_owned()));
    let rule = |header: &&str| if header.ends_with(':') { "---:" } else { "---" }.to_owned();
    line(&mut headers.iter().map(rule));
    for row in rows {
        let cell = |at| {
            row.get(at).map_or_else(String::new, |cell: &String| cell.replace(['\n', '\r'], " "))
        };
        line(&mut (0..headers.len()).map(cell));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn every_row_has_the_cells_of_the_header() {
        let rows = [vec!["a".to_owned()], vec!["b\nc".to_owned(), "2".to_owned()]];
        let expected = "| name | bytes |\n| --- | ---: |\n| a |  |\n| b c | 2 |\n";
        assert_eq!(table(&["name", "bytes:"], &rows), expected);
    }
}
