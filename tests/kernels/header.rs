//! What a kernel says of itself in its head.

use std::fs;
use std::path::{Path, PathBuf};

use memplan::front::hivm;
use memplan::ir::hivm::{PassKind, PassOptions};

/// The folder of the kernels.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/kernels");

/// One kernel.
pub(crate) struct Kernel {
    /// The file name without its ending.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// `// target:`; none where the module brings its own (`module`).
    pub(crate) target: Option<String>,
    /// `// pass:` and `// options:`.
    pub(crate) options: PassOptions,
    /// `// expect hivm:`.
    pub(crate) hivm: Expect,
    /// The numbers of `W1 with T = .. bits` in `// how:` lines, in order.
    pub(crate) w1: Vec<u64>,
    /// `// expect auto:` lines, without their key.
    pub(crate) auto: Vec<String>,
}

/// What the compiler's pass makes of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    /// Byte offsets, by alloc and slot.
    Plan(Vec<Vec<u64>>),
    /// The same, of a plan that is wrong.
    Unsound(Vec<Vec<u64>>),
    /// A part of the message.
    Error(String),
}

/// All kernels by name.
pub(crate) fn all() -> Vec<Kernel> {
    let entries = fs::read_dir(FOLDER).expect("the folder of the kernels");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    let mlir = |p: &&PathBuf| p.extension().is_some_and(|e| e == "mlir");
    paths.iter().filter(mlir).map(|path| kernel(path)).collect()
}

/// The kernel of a file.
fn kernel(path: &Path) -> Kernel {
    let text = fs::read_to_string(path).expect("a kernel");
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let values = |key: &str| -> Vec<String> {
        let lines = text.lines().take_while(|l| l.starts_with("//"));
        lines.filter_map(|l| l.strip_prefix(&format!("// {key}: "))).map(str::to_owned).collect()
    };
    let one = |key: &str| -> String {
        let all = values(key);
        assert_eq!(all.len(), 1, "{name}: one `// {key}:` line");
        all[0].clone()
    };
    let pass = match one("pass").as_str() {
        "base" => PassKind::Base,
        "regbase" => PassKind::Regbase,
        other => panic!("{name}: no pass `{other}`"),
    };
    let mut options = PassOptions { pass, ..PassOptions::default() };
    for given in values("options") {
        hivm::parse_options(&given, &mut options).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    }
    let target = Some(one("target")).filter(|t| t != "module");
    let hivm = expect(&one("expect hivm"));
    let w1 = values("how").iter().flat_map(|line| w1(line)).collect();
    let auto = values("expect auto");
    Kernel { name, path: path.to_owned(), target, options, hivm, w1, auto, text }
}

fn expect(line: &str) -> Expect {
    match (line.strip_prefix("error: "), line.strip_prefix("unsound ")) {
        (Some(text), _) => Expect::Error(text.to_owned()),
        (_, Some(list)) => Expect::Unsound(offsets(list)),
        _ => Expect::Plan(offsets(line)),
    }
}

/// `[0] [8192,40960]`.
fn offsets(list: &str) -> Vec<Vec<u64>> {
    let bracket = |word: &str| {
        let inside = word.strip_prefix('[').and_then(|w| w.strip_suffix(']')).expect("a bracket");
        inside.split(',').map(|n| n.parse().expect("an offset")).collect()
    };
    list.split_whitespace().map(bracket).collect()
}

/// The bits of `W1 with T = 1000 B = 8000 bits`.
fn w1(line: &str) -> Vec<u64> {
    let after = line.split("W1 with T = ").skip(1);
    let bits = after.map(|rest| {
        let words: Vec<&str> = rest.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let at = words.iter().position(|w| *w == "bits").expect("a number of bits");
        words[at - 1].parse().expect("a number of bits")
    });
    bits.collect()
}
