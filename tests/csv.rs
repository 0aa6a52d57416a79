//! The CSV reader against files it has not seen: generated ones, broken ones, and the corpus.

mod shared;

use std::fmt::Write;
use std::fs;

use memplan::diag::Sources;
use memplan::front::csv::{fuzz, read};
use memplan::model::{Capacity, Live, Problem};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// A buffer as the columns say it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    id: String,
    size: u64,
    alignment: u64,
    live: Vec<(u64, u64)>,
    pin: Option<u64>,
}

/// A file: rows, and how it is written.
#[derive(Clone, Debug)]
struct File {
    rows: Vec<Row>,
    /// Columns in the order written.
    columns: Vec<&'static str>,
    line_end: &'static str,
    blank_lines: bool,
}

fn pick(g: &mut Gen, words: &[&'static str]) -> &'static str {
    words[usize::arbitrary(g) % words.len()]
}

impl Arbitrary for Row {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, n: u64| u64::arbitrary(g) % n;
        let mut at = below(g, 100);
        let mut live = Vec::new();
        for _ in 0..=below(g, 3) {
            let end = at + 1 + below(g, 50);
            live.push((at, end));
            at = end + 1 + below(g, 9);
        }
        let alignment = 1 + below(g, 64);
        let pin = bool::arbitrary(g).then(|| alignment * below(g, 1 << 20));
        Self { id: String::arbitrary(g), size: below(g, 1 << 40), alignment, live, pin }
    }
}

impl Arbitrary for File {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut rows = Vec::<Row>::arbitrary(g);
        rows.push(Row::arbitrary(g));
        for (at, row) in rows.iter_mut().enumerate() {
            // Names are any text, but not blank around, and no two alike.
            let id = row.id.trim();
            row.id = format!("{id}{at}");
        }
        let upper = pick(g, &["upper", "end"]);
        let id = pick(g, &["id", "buffer", "buffer_id"]);
        let lower = pick(g, &["lower", "begin", "start"]);
        let mut columns = vec![id, lower, upper, "size", "alignment", "gaps", "offset", "hint"];
        for at in (1..columns.len()).rev() {
            columns.swap(at, usize::arbitrary(g) % (at + 1));
        }
        let line_end = pick(g, &["\n", "\r\n"]);
        Self { rows, columns, line_end, blank_lines: bool::arbitrary(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let file = self.clone();
        let fewer = (0..self.rows.len()).filter(move |_| file.rows.len() > 1);
        let file = self.clone();
        Box::new(fewer.map(move |at| {
            let mut file = file.clone();
            file.rows.remove(at);
            file
        }))
    }
}

impl File {
    fn write(&self) -> String {
        let mut text = format!("{}{}", self.columns.join(","), self.line_end);
        for row in &self.rows {
            let (first, last) = (row.live[0].0, row.live[row.live.len() - 1].1);
            let fields = self.columns.iter().map(|column| match *column {
                "lower" | "begin" | "start" => first.to_string(),
                "upper" => last.to_string(),
                "end" => (last - 1).to_string(),
                "size" => row.size.to_string(),
                "alignment" => row.alignment.to_string(),
                "gaps" => {
                    let gaps = row.live.windows(2).map(|w| format!("{}-{}", w[0].1, w[1].0));
                    gaps.collect::<Vec<_>>().join(" ")
                }
                "offset" => row.pin.map_or_else(|| "-1".to_owned(), |pin| pin.to_string()),
                "hint" => "-1".to_owned(),
                _ => format!("\"{}\"", row.id.replace('"', "\"\"")),
            });
            let line: Vec<String> = fields.collect();
            text.push_str(&line.join(","));
            text.push_str(self.line_end);
            if self.blank_lines {
                text.push_str(self.line_end);
            }
        }
        text
    }
}

fn read_text(name: &str, text: &str) -> Problem {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    match read(&sources, file) {
        Ok(read) => read.problem,
        Err(errors) => panic!("{name}: {errors:#?}"),
    }
}

#[test]
fn what_is_written_is_read() {
    fn same(file: File) -> bool {
        let text = file.write();
        fuzz::check(text.as_bytes());
        let problem = read_text("f.csv", &text);
        let read = problem.functions[0].buffers.iter().map(|b| Row {
            id: b.name.clone(),
            size: b.size.0,
            alignment: b.alignment,
            live: b.live.iter().flatten().map(|l| (l.start.0, l.end.0)).collect(),
            pin: b.pin.as_ref().map(|pin| pin[0]),
        });
        read.eq(file.rows)
    }
    QuickCheck::new().tests(500).quickcheck(same as fn(File) -> bool);
}

#[test]
fn no_bytes_make_it_panic() {
    fn any(bytes: Vec<u8>) {
        fuzz::check(&bytes);
    }
    /// Bytes that a reader of CSV has opinions about.
    fn spiteful(picks: Vec<u8>) {
        let parts: [&[u8]; 20] = [
            b"id,lower,upper,size\n",
            b"id,lower,end,size,gaps,offset,alignment\n",
            b"\"",
            b",",
            b"\n",
            b"\r",
            b"\r\n",
            b"0",
            b"1",
            b"18446744073709551615",
            b"-1",
            b"3-5",
            b"1-2@0:1",
            b" ",
            b"\xef\xbb\xbf",
            b"\xff",
            b"\xc3\xa9",
            b"a",
            b"x,0,1,1\n",
            b"\"\"",
        ];
        let mut bytes = parts[picks.len() % 2].to_vec();
        bytes.extend(picks.iter().flat_map(|p| parts[usize::from(*p) % parts.len()]));
        fuzz::check(&bytes);
        // Without the header in front, too.
        fuzz::check(&bytes[parts[picks.len() % 2].len()..]);
    }
    QuickCheck::new().tests(2_000).quickcheck(any as fn(Vec<u8>));
    QuickCheck::new().tests(20_000).quickcheck(spiteful as fn(Vec<u8>));
}

/// Every cut and every changed byte of a file that uses all of the format.
#[test]
fn no_small_change_makes_it_panic() {
    let text = "id,lower,end,size,alignment,gaps,offset,function\n\
                \"a \"\"b\"\"\",0,9,64,32,2-4 5-6,64,f\n\nc,1,2,0,,,-1,\n";
    for cut in 0..=text.len() {
        fuzz::check(&text.as_bytes()[..cut]);
    }
    for at in 0..text.len() {
        for byte in [b'"', b',', b'\n', b'-', b'@', b'9', 0, 0xff] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            fuzz::check(&bytes);
        }
    }
}

#[test]
fn two_hundred_thousand_rows() {
    let mut text = "id,lower,upper,size\n".to_owned();
    for row in 0..200_000u64 {
        writeln!(text, "{row},{row},{},{}", row + 7, row * 32).unwrap();
    }
    let problem = read_text("large.csv", &text);
    let last = problem.functions[0].buffers.iter().last().unwrap();
    assert_eq!(last.name, "199999");
    assert_eq!(last.live, Some(vec![Live::new(199_999, 200_006)]));
}

/// File, buffers, and the largest sum alive at once; from spec/solvers.md, section 1.
const BENCHMARKS: &[(&str, usize, u64)] = &[
    ("minimalloc/A.1048576.csv", 154, 1_048_576),
    ("minimalloc/B.1048576.csv", 170, 1_048_576),
    ("minimalloc/C.1048576.csv", 203, 1_039_360),
    ("minimalloc/D.1048576.csv", 213, 986_112),
    ("minimalloc/E.1048576.csv", 215, 1_048_576),
    ("minimalloc/F.1048576.csv", 296, 1_048_576),
    ("minimalloc/G.1048576.csv", 308, 1_048_576),
    ("minimalloc/H.1048576.csv", 316, 1_048_576),
    ("minimalloc/I.1048576.csv", 374, 1_048_576),
    ("minimalloc/J.1048576.csv", 409, 989_184),
    ("minimalloc/K.1048576.csv", 454, 1_048_576),
    ("graphs/resnet50.csv", 1_042, 1_515_472_556),
    ("graphs/pangu_2.6B.csv", 18_692, 5_530_099_775),
    ("graphs/S_1.csv", 28_526, 1_498_635_932),
];

#[test]
fn the_public_benchmarks() {
    let Some(shared) = shared::folder() else { return };
    for (path, buffers, load) in BENCHMARKS {
        let text = fs::read_to_string(shared.join("corpus").join(path)).unwrap();
        let problem = read_text(path, &text);
        let [function] = &problem.functions[..] else { panic!("{path}") };
        assert_eq!(function.buffers.len(), *buffers, "{path}");
        assert!(problem.scopes.iter().all(|s| s.capacity == Capacity::Unbounded));
        let mut events = Vec::new();
        for buffer in function.buffers.iter() {
            for live in buffer.live.iter().flatten() {
                events.push((live.end, false, buffer.size.0));
                events.push((live.start, true, buffer.size.0));
            }
        }
        // Ends before starts: `[a, b)` and `[b, c)` do not meet.
        events.sort_unstable();
        let (mut now, mut most) = (0, 0);
        for (_, starts, size) in events {
            now = if starts { now + size } else { now - size };
            most = most.max(now);
        }
        assert_eq!(most, *load, "{path}");
    }
}
