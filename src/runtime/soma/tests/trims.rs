//! What pools give up, and when.

use super::world::{GIB, MIB, World, stream};
use crate::diag::Code;
use crate::model::machine::{Mode, Product, SomaPolicy};
use crate::model::trace::PoolAttribute;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::soma::{Given, PoolId};
use crate::runtime::status::{Refused, Status};

const POLICIES: [SomaPolicy; 3] =
    [SomaPolicy::Documented, SomaPolicy::Source0184, SomaPolicy::Head];

/// A pool with granules of one unit, and blocks in it.
fn pool_of(policy: SomaPolicy, unit: u64, max: u64, sizes: &[u64]) -> (World, PoolId, Vec<Given>) {
    let mut world = World::policy(policy, 16 * GIB);
    world.machine.soma_page = unit;
    let pool = world.create(max * unit, &[]).expect("a pool");
    let given = sizes.iter().map(|n| world.alloc(pool, n * unit, stream(0)).expect("room"));
    let given = given.collect();
    (world, pool, given)
}

/// The free, and the host knows that it is complete.
fn free_and_learn(world: &mut World, given: &Given) {
    world.free(given, stream(0)).expect("it is live");
    world.learn(stream(0));
}

fn status<T: std::fmt::Debug>(answer: Result<T, Refused>) -> Status {
    answer.expect_err("a refusal").status
}

#[test]
fn trimming_to_part_splits_a_block() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, 1, 1000, &[200, 300]);
        assert_eq!(status(world.trim(pool, 400)), Status::PoolOpInvalid);
        free_and_learn(&mut world, &given[1]);
        assert_eq!(world.trim(pool, 400), Ok(100));
        assert_eq!(world.counts(pool), (200, 400));
        assert_eq!(world.counters.pool_trimmed, 100);
        assert_eq!(world.memory.used_for(Bank::Device(0), Purpose::Soma), 400);
    }
}

#[test]
fn trimming_to_what_is_reserved_or_more_changes_nothing() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, MIB, 10, &[2, 3]);
        free_and_learn(&mut world, &given[1]);
        for keep in [5, 6, 10] {
            assert_eq!(world.trim(pool, keep * MIB), Ok(0));
            assert_eq!(world.counts(pool), (2 * MIB, 5 * MIB));
        }
        assert_eq!(status(world.trim(pool, 12 * MIB)), Status::PoolOpInvalid);
        assert_eq!(status(world.trim(pool, 10 * MIB + 1)), Status::PoolOpInvalid);
    }
}

#[test]
fn trimming_to_less_than_is_used_is_refused() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, 1 << 10, 100, &[20, 30]);
        free_and_learn(&mut world, &given[1]);
        assert_eq!(status(world.trim(pool, 0)), Status::PoolOpInvalid);
        assert_eq!(world.trim(pool, 20 << 10), Ok(30 << 10));
        assert_eq!(world.counts(pool), (20 << 10, 20 << 10));
    }
}

#[test]
fn a_sequence_of_trims_takes_the_smallest_first_and_splits_exactly() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, 1, 100, &[10, 5, 20, 5, 30, 5, 8]);
        // Cached: 10 at 0, 20 at 15, 30 at 40.
        for n in [0, 2, 4] {
            free_and_learn(&mut world, &given[n]);
        }
        assert_eq!(world.counts(pool), (23, 83));
        assert_eq!(world.trim(pool, 80), Ok(3), "7 of the smallest stay");
        assert_eq!(world.trim(pool, 75), Ok(5), "2 of them");
        assert_eq!(world.trim(pool, 60), Ok(15), "the 2, and 13 of the next");
        assert_eq!(world.counts(pool), (23, 60));
        assert_eq!(world.trim(pool, 23), Ok(37));
        assert_eq!(world.counts(pool), (23, 23));
        assert_eq!(world.trim(pool, 23), Ok(0));
        let next = world.alloc(pool, 30, stream(1)).expect("the third hole");
        assert_eq!((next.block.offset, next.fresh), (40, 30));
    }
}

#[test]
fn a_granule_that_has_to_stay_in_part_stays() {
    let (mut world, pool, given) = pool_of(SomaPolicy::Documented, 100, 10, &[4]);
    free_and_learn(&mut world, &given[0]);
    assert_eq!(world.trim(pool, 101), Ok(200));
    assert_eq!(world.counts(pool), (0, 200));
}

#[test]
fn memory_whose_free_is_pending_stays_as_documented_and_goes_in_the_source() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, MIB, 16, &[4]);
        world.free(&given[0], stream(0)).expect("it is live");
        let released = world.trim(pool, 0).expect("allowed");
        if policy != SomaPolicy::Documented {
            assert_eq!(released, 4 * MIB);
            continue;
        }
        assert_eq!((released, world.counts(pool)), (0, (0, 4 * MIB)));
        assert_eq!(world.stream_sync(stream(1)), 0, "another stream says nothing about it");
        world.learn(stream(0));
        assert_eq!(world.trim(pool, 0), Ok(4 * MIB));
    }
}

#[test]
fn pages_are_never_taken_from_under_a_live_block() {
    for policy in POLICIES {
        let (mut world, pool, given) = pool_of(policy, MIB, 16, &[4, 4]);
        free_and_learn(&mut world, &given[0]);
        let again = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        assert_eq!(world.stream_sync(stream(0)), 0);
        world.pressure(0);
        for block in [&again.block, &given[1].block] {
            assert!(world.pools.find(block.address).expect("it is live").block.mapped);
        }
    }
}

#[test]
fn synchronising_trims_to_the_threshold() {
    for policy in POLICIES {
        for (threshold, left) in [(0, 2), (1, 2), (3, 3)] {
            for how in 0..3 {
                let (mut world, pool, given) = pool_of(policy, GIB, 8, &[2, 3]);
                world.set(pool, PoolAttribute::Threshold, threshold * GIB).expect("it fits");
                world.free(&given[1], stream(0)).expect("it is live");
                world.record(0, stream(0));
                let released = match how {
                    0 => world.stream_sync(stream(0)),
                    1 => world.event_sync(0),
                    _ => world.device_sync(2),
                };
                let left = if policy == SomaPolicy::Head { 5 } else { left };
                assert_eq!(
                    world.counts(pool),
                    (2 * GIB, left * GIB),
                    "{policy:?} {threshold} {how}"
                );
                assert_eq!(released, (5 - left) * GIB);
            }
        }
    }
}

#[test]
fn an_event_before_the_free_says_nothing_about_it() {
    let (mut world, pool, given) = pool_of(SomaPolicy::Documented, MIB, 8, &[2]);
    world.record(0, stream(0));
    world.free(&given[0], stream(0)).expect("it is live");
    assert_eq!(world.event_sync(0), 0);
    assert_eq!(world.counts(pool), (0, 2 * MIB));
}

#[test]
fn an_allocation_without_pools_finds_memory_that_pools_cache() {
    for policy in POLICIES {
        let mut world = World::policy(policy, 8 * MIB);
        let pool = world.create(8 * MIB, &[]).expect("a pool");
        world.set(pool, PoolAttribute::Threshold, 8 * MIB).expect("it fits");
        let given = world.alloc(pool, 8 * MIB, stream(0)).expect("room");
        free_and_learn(&mut world, &given);
        let device = Bank::Device(0);
        assert!(world.memory.take(device, Purpose::Svm, 2 * MIB).is_err());
        assert_eq!(world.pressure(1), 0, "other devices are left alone");
        let released = world.pressure(0);
        assert_eq!(released, if policy == SomaPolicy::Head { 0 } else { 8 * MIB });
        let retry = world.memory.take(device, Purpose::Svm, 2 * MIB);
        assert_eq!(retry.is_ok(), policy != SomaPolicy::Head);
    }
}

#[test]
fn threshold_zero_is_remarked_once_when_it_costs() {
    for (threshold, remarks) in [(0, 1), (4 * MIB, 0)] {
        let mut world = World::new(Mode::Spec, GIB);
        let pool = world.create(64 * MIB, &[]).expect("a pool");
        world.set(pool, PoolAttribute::Threshold, threshold).expect("it fits");
        let mut seen = 0;
        for _ in 0..5 {
            let given = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
            let lints = world.notes.remarks.iter().filter(|r| r.code == Code::ReplayThresholdZero);
            seen += lints.count();
            world.free(&given, stream(0)).expect("it is live");
            world.stream_sync(stream(0));
        }
        assert_eq!(seen, remarks);
    }
}

#[test]
fn thresholds_of_the_950_are_whole_granules() {
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(64 * MIB, &[]).expect("a pool");
    world.set(pool, PoolAttribute::Threshold, 3 * MIB).expect("fine here");
    world.machine.product = Product::P950;
    assert_eq!(status(world.set(pool, PoolAttribute::Threshold, 3 * MIB)), Status::PoolPropInvalid);
    world.set(pool, PoolAttribute::Threshold, 4 * MIB).expect("two granules");
}
