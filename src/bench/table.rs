//! Blocks as rows of the public packing benchmarks, as planners of any make read them.

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// First step at which the block is alive.
    pub lower: u64,
    /// First step at which it no longer is.
    pub upper: u64,
    /// Bytes.
    pub size: u64,
    /// Its offset is a multiple of this.
    pub alignment: u64,
    /// Steps in between at which it is not alive, half-open.
    pub gaps: Vec<(u64, u64)>,
    /// The only offset allowed.
    pub offset: Option<u64>,
}

impl Line {
    /// A block without gaps that may lie anywhere.
    pub fn new(lower: u64, upper: u64, size: u64, alignment: u64) -> Self {
        Self { lower, upper, size, alignment, gaps: Vec::new(), offset: None }
    }
}

/// The rows as text: `id,lower,upper,size`, and the columns `alignment`, `gaps` and `offset` where a
/// row needs them. Ids are ordinals from 0.
pub(super) fn table(lines: &[Line]) -> String {
    let optional = [
        ("alignment", lines.iter().any(|l| l.alignment != 1)),
        ("gaps", lines.iter().any(|l| !l.gaps.is_empty())),
        ("offset", lines.iter().any(|l| l.offset.is_some())),
    ];
    let shown = |name: &str| optional.contains(&(name, true));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let used = optional.iter().filter(|(_, used)| *used).map(|(name, _)| *name);
    // Memory does not fail.
    let _ = writer.write_record(["id", "lower", "upper", "size"].into_iter().chain(used));
    for (id, line) in lines.iter().enumerate() {
        let mut fields = vec![id as u64, line.lower, line.upper, line.size];
        if shown("alignment") {
            fields.push(line.alignment);
        }
        let mut fields: Vec<String> = fields.iter().map(u64::to_string).collect();
        if shown("gaps") {
            let gaps: Vec<String> = line.gaps.iter().map(|(a, b)| format!("{a}-{b}")).collect();
            fields.push(gaps.join(" "));
        }
        if shown("offset") {
            fields.push(line.offset.map(|o| o.to_string()).unwrap_or_default());
        }
        let _ = writer.write_record(fields);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_no_row_needs_are_left_out() {
        let plain = [Line::new(0, 3, 64, 1), Line::new(2, 5, 32, 1)];
        assert_eq!(table(&plain), "id,lower,upper,size\n0,0,3,64\n1,2,5,32\n");
        let mut rich = plain.to_vec();
        rich[0].alignment = 32;
        rich[1].gaps = vec![(3, 4)];
        rich[1].offset = Some(96);
        let text = "id,lower,upper,size,alignment,gaps,offset\n0,0,3,64,32,,\n1,2,5,32,1,3-4,96\n";
        assert_eq!(table(&rich), text);
    }
}
