//! Random calls about host memory pools and sections, as traces: what each call answers and what is
//! found at it is what a naive model says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use memplan::diag::{Severity, Sources};
use memplan::front::{machine, trace};
use memplan::verify::trace::{Options, trace as replay};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// By label: what is answered, and the errors found.
type Seen = BTreeMap<String, (Option<String>, BTreeSet<String>)>;

/// Lines with labels, and what has to be seen at them.
#[derive(Default)]
struct Script {
    text: String,
    wanted: Seen,
}

impl Script {
    fn new() -> Self {
        Self { text: "{\"trace\": 1}\n".to_owned(), wanted: Seen::new() }
    }

    fn line(&mut self, keys: &str, answer: Option<String>, errors: &[&str]) {
        let label = format!("l{}", self.wanted.len());
        self.text.push_str(&format!("{{\"i\": \"{label}\", {keys}}}\n"));
        let errors = errors.iter().map(|&error| error.to_owned()).collect();
        self.wanted.insert(label, (answer, errors));
    }

    fn seen(&self) -> Seen {
        let mut sources = Sources::default();
        let file = sources.add("t.jsonl", self.text.as_str());
        let trace = trace::read(&sources, file).unwrap_or_else(|e| panic!("{e:?}\n{}", self.text));
        let machine = machine::named(machine::DEFAULT, None).expect("a machine");
        let replayed = replay(&trace, &machine, &Options::default());
        let mut seen: Seen =
            self.wanted.keys().map(|label| (label.clone(), (None, BTreeSet::new()))).collect();
        for (label, answer) in replayed.answers {
            seen.entry(label).or_default().0 = Some(answer);
        }
        for finding in replayed.findings.iter().filter(|f| f.severity == Severity::Error) {
            let class = finding.code.name().rsplit("::").next().unwrap_or_default();
            let label = finding.op.clone().unwrap_or_default();
            seen.entry(label).or_default().1.insert(class.to_owned());
        }
        seen
    }

    fn holds(&self) -> bool {
        let seen = self.seen();
        if seen != self.wanted {
            for (label, wanted) in &self.wanted {
                if seen.get(label) != Some(wanted) {
                    eprintln!("{label}: {:?}, not {wanted:?}", seen.get(label));
                }
            }
            eprintln!("{}", self.text);
        }
        seen == self.wanted
    }
}

fn cases(few: u64) -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Handles that a script speaks of.
const HANDLES: usize = 6;

#[derive(Clone, Copy, Debug)]
enum Pool {
    Acquire(usize),
    Release(usize),
    Move(usize, usize),
    Write(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Hand {
    Live(u32),
    Moved,
    /// Ended; true when its address still is that of an element.
    Ended(bool),
}

#[derive(Clone, Debug)]
struct Pools(Vec<Pool>);

impl Arbitrary for Pools {
    fn arbitrary(g: &mut Gen) -> Self {
        let hand = |g: &mut Gen| usize::arbitrary(g) % HANDLES;
        let step = |g: &mut Gen| match u8::arbitrary(g) % 10 {
            0..=3 => Pool::Acquire(hand(g)),
            4 | 5 => Pool::Release(hand(g)),
            6 | 7 => Pool::Move(hand(g), hand(g)),
            _ => Pool::Write(hand(g)),
        };
        Self((0..60).map(|_| step(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let steps = self.0.clone();
        Box::new((0..steps.len()).map(move |at| {
            let mut less = steps.clone();
            less.remove(at);
            Self(less)
        }))
    }
}

/// A pool of which all but `left` elements are taken for good.
fn pools(steps: &[Pool], left: u32) -> Script {
    let mut script = Script::new();
    let create = r#""op": "host_pool_create", "out": "H", "type": "s32""#;
    script.line(create, Some("bytes 512 width 4".to_owned()), &[]);
    let taken = 128 - left;
    let keep =
        format!(r#""op": "host_pool_acquire", "out": "kept", "pool": "H", "count": {taken}"#);
    script.line(&keep, Some(format!("elements {taken} first 0 in_use {taken}")), &[]);
    let mut free: VecDeque<u32> = (taken..128).collect();
    let mut hands = [Hand::Ended(true); HANDLES];
    let first = (0..HANDLES).flat_map(|at| [Pool::Acquire(at), Pool::Release(at)]);
    for step in first.chain(steps.iter().copied()) {
        let in_use = |free: &VecDeque<u32>| format!("in_use {}", 128 - free.len());
        match step {
            Pool::Acquire(at) => {
                let line = format!(r#""op": "host_pool_acquire", "out": "h{at}", "pool": "H""#);
                let Some(element) = free.pop_front() else {
                    let answer = Some("NoResources".to_owned());
                    script.line(&line, answer, &["host_pool_exhausted"]);
                    continue;
                };
                if let Hand::Live(old) = std::mem::replace(&mut hands[at], Hand::Live(element)) {
                    free.push_back(old);
                }
                let answer = format!("element {element} {}", in_use(&free));
                script.line(&line, Some(answer), &[]);
            }
            Pool::Release(at) => {
                let line = format!(r#""op": "host_pool_release", "handle": "h{at}""#);
                let held = hands[at];
                hands[at] = Hand::Ended(matches!(held, Hand::Live(_) | Hand::Ended(true)));
                match held {
                    Hand::Live(element) => {
                        free.push_back(element);
                        script.line(&line, Some(in_use(&free)), &[]);
                    }
                    Hand::Moved => script.line(&line, None, &[]),
                    Hand::Ended(_) => {
                        script.line(&line, Some("InvalidHandle".to_owned()), &["double_free"]);
                    }
                }
            }
            Pool::Move(to, from) => {
                let line =
                    format!(r#""op": "host_pool_move", "out": "h{to}", "handle": "h{from}""#);
                if let Hand::Ended(_) = hands[from] {
                    script.line(&line, Some("InvalidHandle".to_owned()), &["stale_handle"]);
                    continue;
                }
                if to != from {
                    let held = std::mem::replace(&mut hands[from], Hand::Moved);
                    if let Hand::Live(old) = std::mem::replace(&mut hands[to], held) {
                        free.push_back(old);
                    }
                }
                script.line(&line, None, &[]);
            }
            Pool::Write(at) => {
                let errors: &[&str] = match hands[at] {
                    Hand::Live(_) => &[],
                    Hand::Ended(true) => &["uaf"],
                    Hand::Moved | Hand::Ended(false) => &["unmapped_access"],
                };
                script.line(
                    &format!(r#""op": "host_write", "p": "h{at}", "len": 4"#),
                    None,
                    errors,
                );
            }
        }
    }
    script
}

#[test]
fn handles_of_a_host_pool_answer_as_a_naive_pool_does() {
    fn holds(Pools(steps): Pools, left: u8) -> bool {
        pools(&steps, u32::from(left % 6) + 1).holds()
    }
    QuickCheck::new().tests(cases(60)).quickcheck(holds as fn(Pools, u8) -> bool);
}

/// Names that a script allocates.
const NAMES: usize = 5;

#[derive(Clone, Copy, Debug)]
enum Link {
    Allocate {
        name: usize,
        section: usize,
        size: u64,
        align: u64,
    },
    Write {
        name: usize,
        len: u64,
    },
    Finalize,
    /// The manager goes, and a new one comes.
    Again {
        twice: bool,
    },
}

#[derive(Clone, Debug)]
struct Links(Vec<Link>);

impl Arbitrary for Links {
    fn arbitrary(g: &mut Gen) -> Self {
        let number = |g: &mut Gen, below: u64| u64::arbitrary(g) % below;
        let name = |g: &mut Gen| usize::arbitrary(g) % NAMES;
        let step = |g: &mut Gen| match u8::arbitrary(g) % 16 {
            0..=6 => Link::Allocate {
                name: name(g),
                section: usize::arbitrary(g) % 3,
                size: 1 + number(g, 2000),
                align: 1 << number(g, 12),
            },
            7..=13 => Link::Write { name: name(g), len: 1 + number(g, 2000) },
            14 => Link::Finalize,
            _ => Link::Again { twice: bool::arbitrary(g) },
        };
        Self((0..50).map(|_| step(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let steps = self.0.clone();
        Box::new((0..steps.len()).map(move |at| {
            let mut less = steps.clone();
            less.remove(at);
            Self(less)
        }))
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum At {
    Null,
    Bytes { section: usize, size: u64, life: usize },
}

fn links(steps: &[Link]) -> Script {
    let words = ["code", "ro", "rw"];
    // Two pages of code, one of each data: bases and ends in the mapping.
    let (bases, ends): ([u64; 3], [u64; 3]) = ([0, 8192, 12_288], [8192, 12_288, 16_384]);
    let reserve = r#""op": "section_reserve", "sections": "jit", "code": 5000, "code_align": 16, "ro": 1, "rw": 4095"#;
    let layout = "total 28672 code offset 0 bytes 8192 padding 3192 ro offset 8192 bytes 4096 padding 4095 \
                  rw offset 12288 bytes 4096 padding 1 slack 12288 waste 19576";
    let mut script = Script::new();
    script.line(reserve, Some(layout.to_owned()), &[]);
    let (mut next, mut life, mut finalized) = (bases, 0, false);
    let mut names = [At::Null; NAMES];
    let first = (0..NAMES).map(|name| Link::Allocate { name, section: 2, size: 1, align: 1 });
    for step in first.chain(steps.iter().copied()) {
        match step {
            Link::Allocate { name, section, size, align } => {
                let line = format!(
                    r#""op": "section_allocate", "out": "n{name}", "sections": "jit", "section": "{}", "size": {size}, "align": {align}"#,
                    words[section]
                );
                let start: u64 = next[section].div_ceil(align) * align;
                if start + size > ends[section] {
                    names[name] = At::Null;
                    script.line(&line, Some("OutOfMemory".to_owned()), &["section_full"]);
                    continue;
                }
                let padding = start - next[section];
                next[section] = start + size;
                names[name] = At::Bytes { section, size, life };
                let free = ends[section] - next[section];
                let answer = format!("offset {start} padding {padding} free {free}");
                script.line(&line, Some(answer), &[]);
            }
            Link::Write { name, len } => {
                let mut errors = Vec::new();
                match names[name] {
                    At::Null => errors.push("unmapped_access"),
                    At::Bytes { life: then, .. } if then != life => errors.push("uaf"),
                    At::Bytes { section, size, .. } => {
                        if len > size {
                            errors.push("oob");
                        }
                        if finalized && section != 2 {
                            errors.push("perm");
                        }
                    }
                }
                let line = format!(r#""op": "host_write", "p": "n{name}", "len": {len}"#);
                script.line(&line, None, &errors);
            }
            Link::Finalize => {
                finalized = true;
                let answer = "code r-x ro r-- rw rw- flushed 8192".to_owned();
                script.line(r#""op": "section_finalize", "sections": "jit""#, Some(answer), &[]);
            }
            Link::Again { twice: true } => {
                script.line(reserve, Some("RepeatedInit".to_owned()), &["section_twice"]);
            }
            Link::Again { twice: false } => {
                script.line(r#""op": "section_destroy", "sections": "jit""#, None, &[]);
                script.line(reserve, Some(layout.to_owned()), &[]);
                (next, finalized) = (bases, false);
                life += 1;
            }
        }
    }
    script
}

#[test]
fn sections_answer_as_naive_sections_do() {
    fn holds(Links(steps): Links) -> bool {
        links(&steps).holds()
    }
    QuickCheck::new().tests(cases(60)).quickcheck(holds as fn(Links) -> bool);
}
