//! The fuzz targets on mutations of the examples, in a few seconds. `MEMPLAN_CASES=N` runs N
//! mutations of each instead.

#[expect(unreachable_pub, reason = "the fuzz crate uses the same file")]
#[path = "fuzz/checks.rs"]
mod checks;

use std::env;
use std::fs;
use std::path::Path;

/// splitmix64: the same inputs in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Words that matter to some reader.
const TOKENS: &[&str] = &[
    "-1",
    "0",
    "1",
    "3",
    "64",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775808",
    "true",
    "\"64 KiB\"",
    "\"\"",
    "[]",
    "[[0, 3], [5, 7]]",
    "[3, 0]",
    "{}",
    "inf",
    "1e9",
    "'''",
    "#",
    "\"rows\"",
    "\"tail.then\"",
    "\"tail.else\"",
    "\"a\"",
    "[\"a\", \"b\"]",
    "\"lifetime\"",
    "\"x\"",
    "[[buffer]]\nname = \"a\"\nsize = 64\n",
    "[[op]]\n",
    "[[loop]]\nname = \"rows\"\n",
    "[[alias]]\n",
    "[[relation]]\n",
    "[[branch]]\nname = \"tail\"\n",
    "in = \"rows\"\n",
    "reads = [\"a\"]\n",
    "writes = [\"a\"]\n",
    "temps = [\"a\"]\n",
    "slots = 2\n",
    "live = [0, 3]\n",
    "unknown = true\n",
    "carries = [{ name = \"x\", init = \"a\", next = \"b\", result = \"y\" }]\n",
    "trips = 0\n",
    "results = [{ name = \"r\", then = \"a\", else = \"b\" }]\n",
    "range = [0, 32]\n",
    ",",
    "\"",
    "\n",
    "\r\n",
    "\u{0}",
    "\u{feff}",
    "é",
    "id,lower,upper,size\n",
    "a,0,3,64\n",
    "gaps",
    "alignment",
    "class = \"donated\"\n",
    "class = \"output\"\n",
    "inplace = \"any\"\n",
    "preload = true\n",
    "func.func @f(%a: index) {\n",
    "scf.for %i = %a to %a step %a {\n",
    "%0 = memref.alloc() : memref<4xf32, #hivm.address_space<ub>>\n",
    "hivm.hir.vadd ins(%a, %a : index, index) outs(%a : index)\n",
    "\"foo.bar\"(%a) ({\n",
    "}) : (i32) -> ()\n",
    "^bb1(%x: index):\n",
    "// -----\n",
    "loc(#loc1)",
    "->",
    "<{",
    "(",
    "}\n",
    "null",
    "{\"first\": 0, \"second\": 1, \"cost\": 2},",
    "\"capacity\": null,",
    "{\"op\": \"loop\", \"n\": 3, \"body\": [",
    "]}",
    "trace = 1\n",
    "op = \"kernel\"\n",
    "th = \"p1.h1\"\n",
    "\"x@3\"",
    "{ ub = 0, len = 64 }",
    "[costs.pipes.V]\nlatency = 3\n",
    "\"reuse_cost\",",
    "\\ud800",
    "HloModule m, is_scheduled=true\n",
    "ENTRY %e (p: f32[]) -> f32[] {\n",
    "  ROOT %r = (f32[4]{0:S(5)}, s4[2]{0:E(4)}) tuple(%p, %p)\n",
    ", calls=%f, control-predecessors={%p}",
    "/*index=5*/",
    "get-tuple-element(%r), index=0",
];

/// One to six changes of bytes, lines or tokens; half of the time something of another input.
fn mutate(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.pick(corpus).clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 | 4 => {
                let token = random.pick(TOKENS).as_bytes().to_vec();
                bytes.splice(at..at, token);
            }
            5 => lines(random, &mut bytes, corpus),
            6 => {
                // A value for another one.
                let token = random.pick(TOKENS).trim_end().as_bytes().to_vec();
                let value = |w: &[u8]| w == b"= " || w == b": ";
                if let Some(equals) = bytes[at..].windows(2).position(value) {
                    let start = at + equals + 2;
                    let rest = bytes[start..].iter().position(|b| *b == b'\n');
                    let end = rest.map_or(bytes.len(), |n| start + n);
                    bytes.splice(start..end, token);
                }
            }
            _ => lines(random, &mut bytes, corpus),
        }
    }
    bytes
}

/// Moves, doubles, drops or borrows a line.
fn lines(random: &mut Random, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let mut all: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let at = random.below(all.len());
    match random.below(4) {
        0 => {
            all.remove(at);
        }
        1 => all.insert(at, all[at].clone()),
        2 => {
            let other = random.below(all.len());
            all.swap(at, other);
        }
        _ => {
            let other: Vec<&[u8]> = random.pick(corpus).split(|b| *b == b'\n').collect();
            let from = random.below(other.len());
            let to = (from + random.below(8)).min(other.len());
            all.splice(at..at, other[from..to].iter().map(|l| l.to_vec()));
        }
    }
    *bytes = all.join(&b'\n');
}

/// All files with that ending below some folders.
fn corpus(folders: &[&str], ending: &str) -> Vec<Vec<u8>> {
    let mut todo: Vec<_> =
        folders.iter().map(|f| Path::new(env!("CARGO_MANIFEST_DIR")).join(f)).collect();
    let mut out = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
            entries.sort();
            todo.extend(entries);
        } else if path.to_string_lossy().ends_with(ending) {
            out.push(fs::read(&path).expect("a file"));
        }
    }
    out
}

fn run(name: &str, corpus: &[Vec<u8>], check: fn(&[u8])) {
    assert!(!corpus.is_empty());
    let count = env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut random = Random(0);
    corpus.iter().for_each(|bytes| check(bytes));
    for case in 0..count {
        let bytes = mutate(&mut random, corpus);
        let result = std::panic::catch_unwind(|| check(&bytes));
        assert!(result.is_ok(), "{name} case {case}:\n{}", String::from_utf8_lossy(&bytes));
    }
    eprintln!("{name}: {} inputs and {count} mutations", corpus.len());
}

#[test]
fn spec() {
    run("spec", &corpus(&["specs", "tests/files"], ".toml"), checks::spec);
}

#[test]
fn csv() {
    let mut all = corpus(&["tests"], ".csv");
    all.push(
        b"id,lower,upper,size,alignment,offset,gaps\na,0,9,64,32,0,3-5\nb,1,4,32,1,64,\n".to_vec(),
    );
    run("csv", &all, checks::csv);
}

#[test]
fn dsa() {
    run("dsa", &corpus(&["specs/examples", "tests/files/dsa"], ".json"), checks::dsa);
}

#[test]
fn trace() {
    let mut all = corpus(&["specs/traces", "tests/files/replay"], ".jsonl");
    let folders = ["specs/traces", "specs/machines", "tests/files/replay"];
    all.extend(corpus(&folders, ".toml"));
    run("trace", &all, checks::trace);
}

#[test]
fn mlir() {
    let mut all = corpus(&["tests/files"], ".mlir");
    all.push(
        b"\"builtin.module\"() ({\n\"func.func\"() <{function_type = (i32) -> (), sym_name = \"f\"}> ({\n\
          ^bb0(%a: i32):\n  \"foo.bar\"(%a)[^bb1] <{x = [1, -2]}> : (i32) -> ()\n^bb1:\n  return\n}) : () -> \
          ()\n}) {a = #b} : () -> ()\n#b = #c.d<1>\n"
            .to_vec(),
    );
    run("mlir", &all, checks::mlir);
}

#[test]
fn hlo() {
    let all = corpus(&["src/ir/hlo/tests", "tests/files"], ".hlo");
    run("hlo", &all, checks::hlo);
}

#[test]
fn plan_file() {
    let mut all = corpus(&["tests/files"], ".plan.toml");
    all.push(
        b"version = 1\n[[function]]\nname = \"main\"\nfingerprint = \"00\"\n[[buffer]]\n\
          function = \"main\"\nname = \"a\"\nid = 0\nscope = \"ub\"\noffsets = [0, 64]\n\
          [[buffer]]\nname = \"b\"\noffset = 128\n"
            .to_vec(),
    );
    run("plan_file", &all, checks::plan_file);
}
