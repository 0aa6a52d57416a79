//! Which sides of branches a run takes (13.2).

/// Choices between two sides, in the order met: those of a path, then the first side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    wanted: Vec<bool>,
    taken: Vec<bool>,
    /// What is taken when the path is at its end.
    rest: Rest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Rest {
    #[default]
    Then,
    Otherwise,
    Noise(u64),
}

/// Choices of one run that are kept apart; later ones take the first side.
const MAX_CHOICES: usize = 64;

impl Path {
    /// The first sides only.
    pub fn then() -> Self {
        Self::default()
    }

    /// The second sides only.
    pub fn otherwise() -> Self {
        Self { rest: Rest::Otherwise, ..Self::default() }
    }

    /// Sides by chance.
    pub fn noise(seed: u64) -> Self {
        Self { rest: Rest::Noise(seed | 1), ..Self::default() }
    }

    /// The side of the next branch: true for the first.
    pub fn choose(&mut self) -> bool {
        let side = self.wanted.get(self.taken.len()).copied().unwrap_or(match &mut self.rest {
            Rest::Then => true,
            Rest::Otherwise => false,
            Rest::Noise(noise) => {
                // xorshift: what matters is that it repeats.
                *noise ^= *noise << 13;
                *noise ^= *noise >> 7;
                *noise ^= *noise << 17;
                *noise & 1 == 0
            }
        });
        if self.taken.len() < MAX_CHOICES {
            self.taken.push(side);
        }
        side
    }

    /// How many choices were met.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// True when none was met.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// The path to take next, so that all are taken one after the other; `None` after the last.
    pub fn next(mut self) -> Option<Self> {
        // The last choice that went to the first side goes to the second.
        while let Some(side) = self.taken.pop() {
            if side {
                self.taken.push(false);
                return Some(Self { wanted: self.taken, ..Self::default() });
            }
        }
        None
    }
}
