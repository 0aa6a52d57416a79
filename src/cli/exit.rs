//! Exit codes: part of the command line contract.

use std::process::ExitCode;

use crate::model::Verdict;

/// What the exit code says, in the order of precedence of several inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: yes. Planned and verified; the plan is right.
    #[default]
    Yes,
    /// 3: do not know. The budget ended with neither plan nor refutation.
    Unknown,
    /// 1: no. It does not fit, none was found, the plan is wrong.
    No,
    /// 2: the question is broken. Input, command line, or a defect of memplan.
    Broken,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Broken => 2,
            Self::Unknown => 3,
        }
    }

    /// The exit of several inputs: any 2, else any 1, else any 3, else 0.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Optimal | Verdict::Feasible => Self::Yes,
            Verdict::Undecided => Self::Unknown,
            Verdict::NotFound | Verdict::Infeasible => Self::No,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn two_beats_one_beats_three_beats_zero() {
        let all = [Exit::Yes, Exit::Unknown, Exit::No, Exit::Broken];
        let worst = |n: usize| all[..n].iter().fold(Exit::Yes, |a, b| a.and(*b)).code();
        assert_eq!([worst(0), worst(1), worst(2), worst(3), worst(4)], [0, 0, 3, 1, 2]);
    }
}
