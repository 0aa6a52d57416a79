//! Properties of programs: run on many, and shown on the smallest that breaks them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::choose::Choose;
use super::generate::{self, Shape};
use super::shrink;
use super::tree::Program;

/// The seed of all cases, unless `MEMPLAN_SEED` says otherwise.
const SEED: u64 = 20_260_822;

/// A program whose statements follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Straight(pub(crate) Program);

/// A program with anything in it.
#[derive(Clone, Debug)]
pub(crate) struct Any(pub(crate) Program);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seed(g: &mut Gen) -> u64 {
    let bytes: [u8; 256] = std::array::from_fn(|i| i as u8);
    (0..8).fold(0, |all, _| all << 8 | u64::from(*g.choose(&bytes).expect("not empty")))
}

impl Arbitrary for Straight {
    fn arbitrary(g: &mut Gen) -> Self {
        let seed = seed(g);
        let mut choose = Choose::new(seed);
        let (steps, features) = (2 + choose.below(g.size() as u64), choose.percent(70));
        Self(generate::program(seed, Shape { steps, nested: false, features }))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(shrink::smaller(&self.0).into_iter().map(Self))
    }
}

impl Arbitrary for Any {
    fn arbitrary(g: &mut Gen) -> Self {
        let seed = seed(g);
        let mut choose = Choose::new(seed);
        let (steps, features) = (3 + choose.below(g.size() as u64), choose.percent(75));
        Self(generate::program(seed, Shape { steps, nested: true, features }))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(shrink::smaller(&self.0).into_iter().map(Self))
    }
}

/// Runs a property on `cases` programs of up to about `size` statements.
pub(crate) fn check<A: Arbitrary + std::fmt::Debug>(
    cases: u64,
    size: usize,
    property: fn(A) -> Result<(), String>,
) {
    let cases = number("MEMPLAN_CASES").unwrap_or(cases);
    let seed = number("MEMPLAN_SEED").unwrap_or(SEED);
    let rng = Gen::from_size_and_seed(size, seed);
    QuickCheck::new()
        .tests(cases)
        .max_tests(cases)
        .min_tests_passed(0)
        .rng(rng)
        .quickcheck(property);
}

/// Numbers of cases by word.
pub(crate) struct Tally(Mutex<BTreeMap<String, u64>>);

impl Tally {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn count(&self, word: impl Into<String>) {
        let mut all = self.0.lock().expect("no panic while counting");
        *all.entry(word.into()).or_default() += 1;
    }

    pub(crate) fn print(&self) {
        let all = self.0.lock().expect("no panic while counting");
        let words: Vec<String> = all.iter().map(|(word, n)| format!("{word} {n}")).collect();
        eprintln!("{}", words.join(", "));
    }
}
