//! Who is meant by a cross-core flag (5.17).

/// A core by its kind and number: `aic0`, `aiv1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    /// True for a cube core.
    pub cube: bool,
    /// Which of its kind. The AI core `i` is `aic<i>` with `aiv<2i>` and `aiv<2i+1>`.
    pub number: u32,
}

impl Seat {
    /// From the name of a core; a name without a number is number 0, other words than `aic` and
    /// `cube` are vector cores.
    pub(super) fn of(name: &str) -> Self {
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let lower = name.to_ascii_lowercase();
        Self {
            cube: lower.starts_with("aic") || lower.starts_with("cube"),
            number: digits.parse().unwrap_or(0),
        }
    }

    fn ai_core(self) -> u32 {
        if self.cube { self.number } else { self.number / 2 }
    }

    /// True when a flag of this mode that `self` raises is meant for `other`.
    ///
    /// Mode 0: all cores of the kind; 1: the two vector cores of an AI core; 2: a cube core and its
    /// two vector cores; 4: a cube core and one vector core, the second for ids of 16 and more.
    pub(super) fn reaches(self, other: Self, mode: u8, flag: u32) -> bool {
        let near = self.ai_core() == other.ai_core();
        match mode {
            0 => self.cube == other.cube,
            1 => !self.cube && !other.cube && near,
            2 => self.cube != other.cube && near,
            4 => {
                let vector = if self.cube { other } else { self };
                self.cube != other.cube && near && vector.number % 2 == u32::from(flag >= 16)
            }
            _ => false,
        }
    }
}
