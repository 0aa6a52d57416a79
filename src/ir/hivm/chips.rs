//! Chips and their memories (HIVM spec, section 1.5). All numbers are bits.

/// A family of chips with the same memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `Ascend910B*`.
    A910B,
    /// `Ascend910_93*`.
    A910_93,
    /// `Ascend310B*`.
    A310B,
    /// `Ascend950*`, `Ascend910_95*`.
    A950,
}

/// Capacities and alignments in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetNumbers {
    /// Capacity of UB.
    pub ub: u64,
    /// Capacity of L1.
    pub l1: u64,
    /// Capacity of L0C.
    pub l0c: u64,
    /// Alignment in UB.
    pub ub_align: u64,
    /// Alignment in L1.
    pub l1_align: u64,
    /// Alignment in L0C.
    pub l0c_align: u64,
    /// Smallest data cache that UB gives memory to.
    pub min_dcache: u64,
    /// Largest data cache.
    pub max_dcache: u64,
    /// True for chips with register-based vector units.
    pub reg_based: bool,
}

/// Every target name of section 1.5.
pub const CHIPS: &[&str] = &[
    "Ascend910B1",
    "Ascend910B2",
    "Ascend910B3",
    "Ascend910B4",
    "Ascend910B4_1",
    "Ascend910B2C",
    "Ascend310B1",
    "Ascend310B2",
    "Ascend310B3",
    "Ascend310B4",
    "Ascend910_9362",
    "Ascend910_9363",
    "Ascend910_9372",
    "Ascend910_9381",
    "Ascend910_9382",
    "Ascend910_9391",
    "Ascend910_9392",
    "Ascend910_950z",
    "Ascend910_9579",
    "Ascend910_957b",
    "Ascend910_957d",
    "Ascend910_9581",
    "Ascend910_9589",
    "Ascend910_958a",
    "Ascend910_958b",
    "Ascend910_9599",
    "Ascend950PR_950z",
    "Ascend950PR_9579",
    "Ascend950PR_957a",
    "Ascend950PR_957b",
    "Ascend950PR_957c",
    "Ascend950PR_957d",
    "Ascend950PR_9589",
    "Ascend950PR_958a",
    "Ascend950PR_958b",
    "Ascend950PR_958c",
    "Ascend950PR_958d",
    "Ascend950PR_9599",
    "Ascend950PR_959a",
    "Ascend950PR_959b",
    "Ascend950DT_950x",
    "Ascend950DT_950y",
    "Ascend950DT_9571",
    "Ascend950DT_9572",
    "Ascend950DT_9573",
    "Ascend950DT_9574",
    "Ascend950DT_9575",
    "Ascend950DT_9576",
    "Ascend950DT_9577",
    "Ascend950DT_9578",
    "Ascend950DT_9581",
    "Ascend950DT_9582",
    "Ascend950DT_9583",
    "Ascend950DT_9584",
    "Ascend950DT_9585",
    "Ascend950DT_9586",
    "Ascend950DT_9587",
    "Ascend950DT_9588",
    "Ascend950DT_9591",
    "Ascend950DT_9592",
    "Ascend950DT_9595",
    "Ascend950DT_9596",
    "Ascend950DT_95A1",
    "Ascend950DT_95A2",
];

impl Family {
    /// The family of a target name, by its beginning.
    pub fn of(name: &str) -> Option<Self> {
        const PREFIXES: [(&str, Family); 5] = [
            ("Ascend910B", Family::A910B),
            ("Ascend910_93", Family::A910_93),
            ("Ascend310B", Family::A310B),
            ("Ascend910_95", Family::A950),
            ("Ascend950", Family::A950),
        ];
        PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, family)| family)
    }

    /// True for 310B and 950.
    pub fn reg_based(self) -> bool {
        matches!(self, Self::A310B | Self::A950)
    }

    /// The numbers of the family.
    pub fn numbers(self) -> TargetNumbers {
        let base = TargetNumbers {
            ub: 1_572_864,
            l1: 4_194_304,
            l0c: 1_048_576,
            ub_align: 256,
            l1_align: 256,
            l0c_align: 4096,
            min_dcache: 0,
            max_dcache: 0,
            reg_based: self.reg_based(),
        };
        match self {
            Self::A910B | Self::A910_93 => base,
            Self::A310B => TargetNumbers { ub: 2_097_152, l1: 8_388_608, ..base },
            Self::A950 => TargetNumbers {
                ub: 2_031_616,
                l0c: 2_097_152,
                min_dcache: 262_144,
                max_dcache: 983_040,
                ..base
            },
        }
    }
}

impl TargetNumbers {
    /// The UB capacity of a SIMT or MIX function on a reg-based chip for `kib` KiB; otherwise the
    /// message of the pass.
    pub fn simt_ub(&self, kib: u64) -> Result<u64, String> {
        const KIB: u64 = 8 * 1024;
        let low = self.ub.saturating_sub(self.max_dcache);
        let high = self.ub.saturating_sub(self.min_dcache);
        match kib.checked_mul(KIB) {
            Some(bits) if (low..=high).contains(&bits) => Ok(bits),
            _ => Err(format!(
                "PlanMemory Fail : SimtVFDynamicSize have to in range [{}, {}], but got {kib}!",
                low / KIB,
                high / KIB,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_chip_has_a_family() {
        assert!(CHIPS.iter().all(|chip| Family::of(chip).is_some()));
        assert_eq!(Family::of("Ascend910_957b"), Some(Family::A950));
        assert_eq!(Family::of("Ascend910A"), None);
    }

    #[test]
    fn simt_functions_get_the_ub_that_the_option_names() {
        let chip = Family::A950.numbers();
        assert_eq!(chip.simt_ub(216), Ok(1_769_472));
        assert_eq!(chip.simt_ub(128), Ok(1_048_576));
        let message =
            "PlanMemory Fail : SimtVFDynamicSize have to in range [128, 216], but got 217!";
        assert_eq!(chip.simt_ub(217), Err(message.to_owned()));
        assert!(chip.simt_ub(127).is_err() && chip.simt_ub(u64::MAX).is_err());
        let small = Family::A310B.numbers();
        assert_eq!(small.simt_ub(256), Ok(2_097_152));
        assert!(small.simt_ub(216).is_err());
    }
}
