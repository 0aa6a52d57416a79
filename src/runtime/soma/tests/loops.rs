//! Programs that allocate in a loop.

use super::world::{GIB, MIB, World, stream};
use crate::diag::Code;
use crate::model::machine::SomaPolicy;
use crate::model::trace::PoolAttribute;
use crate::runtime::status::Status;

#[test]
fn a_loop_that_frees_what_it_takes_does_not_grow() {
    for policy in [SomaPolicy::Documented, SomaPolicy::Source0184] {
        let mut world = World::policy(policy, 16 * GIB);
        let pool = world.create(10 * GIB, &[]).expect("a pool");
        for _ in 0..60 {
            let given = world.alloc(pool, 64 * MIB, stream(0)).expect("room");
            world.free(&given, stream(0)).expect("it is live");
        }
        assert_eq!(world.counts(pool), (0, 64 * MIB));
        let c = &world.counters;
        assert_eq!((c.pool_allocs, c.pool_reused, c.pool_frees), (60, 59, 60));
        assert_eq!(world.get(pool, PoolAttribute::ReservedHigh), Ok(64 * MIB));
    }
}

#[test]
fn a_loop_gets_the_same_addresses_in_every_iteration() {
    for policy in [SomaPolicy::Documented, SomaPolicy::Source0184] {
        let mut world = World::policy(policy, GIB);
        let pool = world.create(64 * MIB, &[]).expect("a pool");
        world.set(pool, PoolAttribute::Threshold, 64 * MIB).expect("it fits");
        let mut rounds = Vec::new();
        for _ in 0..20 {
            let given = [0; 3].map(|_| world.alloc(pool, 4 * MIB, stream(0)).expect("room"));
            for block in &given {
                world.free(block, stream(0)).expect("it is live");
            }
            world.stream_sync(stream(0));
            rounds.push(given.map(|g| g.block.address));
        }
        assert_eq!(rounds.windows(2).filter(|two| two[0] == two[1]).count(), 19);
        assert_eq!(world.counts(pool), (0, 12 * MIB));
    }
}

#[test]
fn at_the_head_of_the_source_the_same_loop_runs_dry() {
    let mut world = World::policy(SomaPolicy::Head, GIB);
    let pool = world.create(64 * MIB, &[]).expect("a pool");
    world.set(pool, PoolAttribute::Threshold, 64 * MIB).expect("it fits");
    for _ in 0..16 {
        let given = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        world.free(&given, stream(0)).expect("it is live");
        world.stream_sync(stream(0));
    }
    let dry = world.alloc(pool, 4 * MIB, stream(0)).expect_err("all is cached");
    assert_eq!((dry.status, dry.finding), (Status::PoolAlloc, Some(Code::ReplayOomPool)));
    assert!(dry.why.contains("67108864 more are cached"), "{}", dry.why);
    assert_eq!(world.trim(pool, 0), Ok(64 * MIB), "only a trim helps");
    world.alloc(pool, 4 * MIB, stream(0)).expect("room");
}

#[test]
fn holes_that_are_too_small_are_fragmentation_with_numbers() {
    for cached in [false, true] {
        let mut world = World::policy(SomaPolicy::Documented, GIB);
        let pool = world.create(48 * MIB, &[]).expect("a pool");
        let mut blocks = Vec::new();
        for n in 0..16 {
            let size = if n % 2 == 0 { 2 } else { 4 };
            blocks.push(world.alloc(pool, size * MIB, stream(0)).expect("room"));
        }
        for given in blocks.iter().skip(1).step_by(2) {
            if cached {
                world.free(given, stream(0)).expect("it is live");
            } else {
                world.free_now(given.block.address, given.block.generation).expect("it is live");
            }
        }
        // 8 holes of 4 MiB.
        let torn = world.alloc(pool, 6 * MIB, stream(0)).expect_err("no hole is large enough");
        assert_eq!(
            (torn.status, torn.finding),
            (Status::PoolAlloc, Some(Code::ReplayFragmentation))
        );
        for number in ["6291456", "33554432", "4194304", "87%"] {
            assert!(torn.why.contains(number), "{number}: {}", torn.why);
        }
        let dry = world.alloc(pool, 34 * MIB, stream(0)).expect_err("there is not so much");
        assert_eq!(dry.finding, Some(Code::ReplayOomPool));
    }
}
