//! Where in the user's program an instruction comes from.

use super::{DEPTH, InstructionId, Module, Tables};

/// What the metadata of an instruction says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `op_name`: the path of the op in the program.
    pub op_name: Option<String>,
    /// `source_file`, or the file of the innermost stack frame.
    pub file: Option<String>,
    /// `source_line`, or the line of that frame.
    pub line: Option<u32>,
}

impl Module {
    /// Where an instruction comes from; `None` when its metadata says nothing of it.
    pub fn place(&self, instruction: InstructionId) -> Option<Place> {
        let text = self.instructions.get(instruction)?.raw("metadata")?;
        let mut place = Place::default();
        let mut frame = None;
        for (key, value) in pairs(text) {
            match key {
                "op_name" => place.op_name = Some(unquoted(value)),
                "source_file" => place.file = Some(unquoted(value)),
                "source_line" => place.line = value.parse().ok(),
                "stack_frame_id" => frame = value.parse().ok(),
                _ => {}
            }
        }
        if place.file.is_none() {
            let found = frame.and_then(|frame| self.tables.frame(frame));
            (place.file, place.line) = found.unwrap_or((None, place.line));
        }
        let says = place.op_name.is_some() || place.file.is_some() || place.line.is_some();
        says.then_some(place)
    }
}

impl Tables {
    /// File and line of a stack frame; those of the next outer frame that has a file where it has none
    /// itself. Frames may name themselves as their parents: the way out has an end.
    fn frame(&self, id: u32) -> Option<(Option<String>, Option<u32>)> {
        let mut at = id;
        for _ in 0..DEPTH {
            let frame = row(&self.frames, at)?;
            let location =
                number(frame, "file_location_id").and_then(|id| row(&self.locations, id));
            let file = location
                .and_then(|location| number(location, "file_name_id"))
                .and_then(|id| row(&self.files, id));
            if let Some(file) = file {
                let line = location.and_then(|location| number(location, "line"));
                return Some((Some(escaped(file)), line));
            }
            let parent = number(frame, "parent_frame_id").filter(|&parent| parent != at);
            at = parent?;
        }
        None
    }
}

/// The row of an id; rows are ordered by id, and their ids usually have no holes.
fn row(rows: &[(u32, String)], id: u32) -> Option<&str> {
    let at = rows.binary_search_by_key(&id, |row| row.0).ok()?;
    rows.get(at).map(|row| row.1.as_str())
}

/// The number of a key.
fn number(text: &str, key: &str) -> Option<u32> {
    pairs(text).find(|pair| pair.0 == key)?.1.parse().ok()
}

/// `key=value` pairs of `{key=value key="value"}`, braces or not: separated by blanks, values as written.
/// What stands in braces of its own is one value.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let (key, after) = rest.split_once('=')?;
        let value = after.get(..value_length(after))?;
        rest =
            after.get(value.len()..)?.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        Some((key.trim(), value))
    })
}

/// How many bytes a value has: it ends at a blank or comma outside of strings and braces.
fn value_length(text: &str) -> usize {
    let (mut depth, mut string, mut escape) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escape => escape = false,
            b'\\' if string => escape = true,
            b'"' => string = !string,
            _ if string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b',' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn unquoted(value: &str) -> String {
    let value = value.strip_prefix('"').unwrap_or(value);
    escaped(value.strip_suffix('"').unwrap_or(value))
}

/// Text with its escapes resolved; bytes that are no UTF-8 are replaced.
fn escaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let digits = rest.iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
        if let (1.., Some(octal)) = (digits, rest.get(..digits)) {
            let value =
                octal.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            bytes.push((value & 0xFF) as u8);
            rest = rest.get(digits..).unwrap_or_default();
        } else if let Some((&escape, after)) = rest.split_first() {
            rest = after;
            bytes.push(match escape {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                other => other,
            });
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::ir::hlo::tests::module;
    use crate::ir::hlo::{Module, Place};

    const TABLES: &str = "HloModule m

FileNames
1 \"dir/a \\\"b\\\".py\"

FunctionNames
1 \"f\"

FileLocations
1 {file_name_id=1 function_name_id=1 line=14 end_line=15 column=2 end_column=3}
2 {function_name_id=1 line=99}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}
3 {file_location_id=2 parent_frame_id=4}
4 {file_location_id=2 parent_frame_id=3}

ENTRY e {
  ROOT a = f32[] constant(1), metadata={META}
}
";

    fn place(metadata: &str) -> Option<Place> {
        let m: Module = module(&TABLES.replace("META", metadata));
        m.place(m.root(m.entry))
    }

    fn at(op_name: Option<&str>, file: &str, line: u32) -> Option<Place> {
        let owned = |text: &str| text.to_owned();
        Some(Place { op_name: op_name.map(owned), file: Some(owned(file)), line: Some(line) })
    }

    #[test]
    fn the_frame_gives_file_and_line() {
        let found = place("op_name=\"jit(f)/a{b}(c);\\\"x\\\"\" stack_frame_id=1");
        assert_eq!(found, at(Some("jit(f)/a{b}(c);\"x\""), "dir/a \"b\".py", 14));
    }

    #[test]
    fn a_frame_without_a_file_takes_its_parents() {
        assert_eq!(place("stack_frame_id=2"), at(None, "dir/a \"b\".py", 14));
    }

    #[test]
    fn file_and_line_of_the_instruction_itself_come_first() {
        let found = place("op_type=\"x\" source_file=\"y z.py\" source_line=7 stack_frame_id=1");
        assert_eq!(found, at(None, "y z.py", 7));
    }

    #[test]
    fn frames_that_name_each_other_end() {
        assert_eq!(place("stack_frame_id=3"), None);
        assert_eq!(place("stack_frame_id=9"), None);
        assert_eq!(place("stack_frame_id=0"), None);
        assert_eq!(place(""), None);
    }

    #[test]
    fn octal_escapes_are_bytes() {
        let found = place("op_name=\"\\303\\251\\n\"");
        assert_eq!(found.and_then(|place| place.op_name).as_deref(), Some("é\n"));
    }
}
