//! What is ordered: `KIND,N,SEED`.

use std::str::FromStr;

use memplan_packing::random::SplitMix64;

/// Blocks of an instance, at most.
pub const MOST: u32 = 2_000_000;

/// Percent of the blocks that `near` leaves out unless it says.
const NEAR: u32 = 5;

/// A kind of instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rectangles that fill a rectangle: the optimum is its height.
    Perfect,
    /// The same instance with some percent of the rectangles left out.
    Near {
        /// How many, rounded down.
        percent: u32,
    },
    /// Loops of a kernel with multi-buffers.
    Loops,
    /// A graph: a chain with skips.
    Chain,
    /// Odd sizes, coarse alignments.
    Aligned,
    /// Many equal sizes.
    Equal,
    /// Long-lived and short-lived.
    Mixed,
}

/// An instance that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its kind.
    pub kind: Kind,
    /// How many blocks; for `near` before some are left out.
    pub count: u32,
    /// Which of them.
    pub seed: u64,
}

impl Kind {
    const NAMES: &[(&str, Self)] = &[
        ("perfect", Self::Perfect),
        ("near", Self::Near { percent: NEAR }),
        ("loops", Self::Loops),
        ("chain", Self::Chain),
        ("aligned", Self::Aligned),
        ("equal", Self::Equal),
        ("mixed", Self::Mixed),
    ];

    /// All names; `near:P` leaves out P percent.
    pub fn names() -> Vec<&'static str> {
        Self::NAMES.iter().map(|(name, _)| *name).collect()
    }

    fn find(text: &str) -> Result<Self, String> {
        let (name, percent) = match text.split_once(':') {
            Some((name, percent)) => (name, Some(percent)),
            None => (text, None),
        };
        let kind = Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, kind)| *kind);
        match (kind, percent) {
            (Some(Self::Near { .. }), Some(percent)) => {
                let percent = percent.parse().ok().filter(|p| *p <= 90);
                let percent = percent.ok_or("`near:P` leaves out P percent, 0 to 90")?;
                Ok(Self::Near { percent })
            }
            (Some(kind), None) => Ok(kind),
            (Some(_), Some(_)) => Err(format!("`{name}` takes no percentage, `near:P` does")),
            (None, _) => Err(format!("no kind `{name}`; there are {}", Self::names().join(", "))),
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let [kind, count, seed] = parts[..] else {
            return Err("write KIND,N,SEED, such as `perfect,60,1`".to_owned());
        };
        let kind = Kind::find(kind)?;
        let count: Option<u32> = count.parse().ok().filter(|n| (1..=MOST).contains(n));
        let count = count.ok_or_else(|| format!("N is a number of buffers, 1 to {MOST}"))?;
        let seed = seed.parse().map_err(|_| "SEED is a number of 64 bits".to_owned())?;
        Ok(Self { kind, count, seed })
    }
}

impl Order {
    /// `near5-60-1`.
    pub fn name(&self) -> String {
        let (count, seed) = (self.count, self.seed);
        let named = Kind::NAMES.iter().find(|(_, k)| *k == self.kind).map(|(name, _)| *name);
        match (self.kind, named) {
            (Kind::Near { percent }, _) => format!("near{percent}-{count}-{seed}"),
            (_, name) => format!("{}-{count}-{seed}", name.unwrap_or_default()),
        }
    }

    /// How many rectangles are left out.
    pub(super) fn dropped(&self) -> usize {
        match self.kind {
            Kind::Near { percent } => (self.count as usize).saturating_mul(percent as usize) / 100,
            _ => 0,
        }
    }

    /// Numbers of its own; those of `near` are those of `perfect`.
    pub(super) fn random(&self) -> SplitMix64 {
        let kind = match self.kind {
            Kind::Perfect | Kind::Near { .. } => 0,
            Kind::Loops => 1,
            Kind::Chain => 2,
            Kind::Aligned => 3,
            Kind::Equal => 4,
            Kind::Mixed => 5,
        };
        let seed = SplitMix64::new(self.seed).bits();
        SplitMix64::new(seed ^ (kind << 32) ^ u64::from(self.count))
    }
}
