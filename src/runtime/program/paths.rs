//! Which paths of a function are walked: the choices that a walk makes, and the order of walks (13.2).
//!
//! A walk asks for a choice wherever the program leaves one open: a branch, or a loop that may not
//! run at all. Option 0 is the main one: the first side, the full number of trips.

/// Where the choices of a walk come from.
#[derive(Clone, Debug)]
pub(super) enum Chooser {
    /// Every combination in turn, like an odometer whose last wheel turns fastest.
    All {
        /// What was chosen in this walk, and of how many.
        wheels: Vec<(u32, u32)>,
        /// How many were asked for in this walk.
        asked: usize,
    },
    /// The same side of every branch, and every loop runs.
    Pure(u32),
    /// Anything, from a seed.
    Sampled(u64),
}

impl Chooser {
    /// The first of all combinations: option 0 everywhere.
    pub(super) fn all() -> Self {
        Self::All { wheels: Vec::new(), asked: 0 }
    }

    /// One of `options`, of which there is at least one.
    pub(super) fn choose(&mut self, options: u32) -> u32 {
        let last = options.saturating_sub(1);
        match self {
            Self::All { wheels, asked } => {
                let at = *asked;
                *asked += 1;
                match wheels.get(at) {
                    Some(&(chosen, _)) => chosen.min(last),
                    None => {
                        wheels.push((0, options));
                        0
                    }
                }
            }
            Self::Pure(option) => (*option).min(last),
            Self::Sampled(state) => {
                // SplitMix64: good enough to choose, and the same everywhere.
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut z = *state;
                z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                z ^= z >> 31;
                u32::try_from(z % u64::from(options.max(1))).unwrap_or(0)
            }
        }
    }

    /// True when a loop that may not run at all runs.
    pub(super) fn runs(&mut self) -> bool {
        matches!(self, Self::Pure(_)) || self.choose(2) == 0
    }

    /// Which of so many numbers of trips a loop makes.
    pub(super) fn rounds(&mut self, options: u32) -> u32 {
        if matches!(self, Self::Pure(_)) { 0 } else { self.choose(options) }
    }

    /// Goes to the next combination; false when there is none.
    pub(super) fn next(&mut self) -> bool {
        let Self::All { wheels, asked } = self else { return false };
        wheels.truncate(*asked);
        *asked = 0;
        while let Some((chosen, options)) = wheels.pop() {
            if chosen + 1 < options {
                wheels.push((chosen + 1, options));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Chooser;

    #[test]
    fn every_combination_comes_once() {
        // The second choice is only there after the first option of the first.
        let mut chooser = Chooser::all();
        let mut seen = Vec::new();
        loop {
            let first = chooser.choose(2);
            let second = if first == 0 { chooser.choose(3) } else { 9 };
            seen.push((first, second));
            if !chooser.next() {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 9)]);
    }
}
