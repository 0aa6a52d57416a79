//! Steps counted in tests, so that growth is measured in what is done and not in seconds.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts a step; nothing outside of tests.
#[inline(always)]
pub(crate) fn step() {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// How many steps the work takes.
#[cfg(test)]
pub(crate) fn steps(work: impl FnOnce()) -> u64 {
    let before = STEPS.with(std::cell::Cell::get);
    work();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests {
    use memplan_packing::random::SplitMix64;
    use memplan_packing::{Budget, Instance, Item};

    use super::steps;
    use crate::lowest::LowestFirst;
    use crate::online::by_start;
    use crate::order::{BY_AREA, ranks};
    use crate::problem::Problem;

    /// Lives and sizes over many powers of two; `crowd` alive at the same time on average.
    fn instance(n: u64, crowd: u64) -> Instance {
        let mut random = SplitMix64::new(n);
        let mut instance = Instance::default();
        for _ in 0..n {
            let start = random.below(n);
            let (shorter, larger) = (random.below(6), random.below(14));
            let life = 1 + (random.below(4 * crowd) >> shorter);
            let size = 64 * (1 + random.below(1 << larger));
            instance.items.push(Item::new(size, 64, start, start + life));
        }
        instance
    }

    /// By which factor the steps grow when there are eight times as many items, in percent.
    fn growth(crowd: impl Fn(u64) -> u64, work: impl Fn(&Problem<'_>)) -> u64 {
        let count = |n: u64| {
            let instance = instance(n, crowd(n));
            let problem = Problem::new(&instance);
            steps(|| work(&problem))
        };
        100 * count(1 << 15) / count(1 << 12)
    }

    fn lowest_first(problem: &Problem<'_>, careful: bool) {
        let lowest = LowestFirst::new(problem);
        let priority = ranks(problem, BY_AREA);
        let budget = Budget::default();
        let packed = if careful {
            lowest.careful(&priority, &budget)
        } else {
            lowest.pack(&priority, &budget)
        };
        assert!(packed.is_ok());
    }

    #[test]
    fn lowest_first_grows_nearly_as_the_items_do() {
        let growth = growth(|_| 100, |problem| lowest_first(problem, false));
        assert!((700..1400).contains(&growth), "{growth} %");
    }

    #[test]
    fn a_careful_run_grows_nearly_as_the_items_do() {
        let growth = growth(|_| 100, |problem| lowest_first(problem, true));
        assert!((700..1400).contains(&growth), "{growth} %");
    }

    #[test]
    fn crowds_of_thousands_do_not_make_lowest_first_quadratic() {
        // Eight times as many items, eight times as many alive: quadratic would be 6400 %.
        let growth = growth(|n| n / 16, |problem| lowest_first(problem, false));
        assert!((700..2400).contains(&growth), "{growth} %");
    }

    #[test]
    fn packing_by_start_grows_nearly_as_the_items_do() {
        for best in [false, true] {
            let run = |problem: &Problem<'_>| {
                assert!(by_start(problem, best, &Budget::default()).is_ok());
            };
            let growth = growth(|_| 100, run);
            assert!((700..1400).contains(&growth), "{growth} %");
        }
    }
}
