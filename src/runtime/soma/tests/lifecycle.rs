//! Pools come and go; blocks are found, given back once, and never by another address.

use super::world::{GIB, MIB, World, stream};
use crate::diag::Code;
use crate::model::machine::{Mode, SomaPolicy};
use crate::model::trace::{Fault, Injection, PoolAttribute, ReusePolicy};
use crate::runtime::injected::Injected;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::soma::{PoolId, Pools, Wanted};
use crate::runtime::status::{Refused, Status};

const BOTH: [Mode; 2] = [Mode::Spec, Mode::Source];

fn refused<T>(answer: Result<T, Refused>) -> (Status, Option<Code>) {
    let refused = answer.err().expect("a refusal");
    (refused.status, refused.finding)
}

#[test]
fn two_pools_may_together_promise_less_than_the_device_has() {
    for mode in BOTH {
        let mut world = World::new(mode, 16 * GIB);
        let first = world.create(10 * GIB, &[]).expect("a pool");
        let second = world.create(5 * GIB, &[]).expect("a pool");
        assert_ne!(world.pools.object(first), world.pools.object(second));
        assert_eq!(refused(world.create(3 << 39, &[])).0, Status::InvalidValue);
        assert_eq!(refused(world.create(u64::MAX, &[])).0, Status::InvalidValue);
        assert_eq!(world.memory.used(Bank::Device(0)), 0, "a pool takes no memory when made");
        world.destroy(first).expect("it is there");
        assert_eq!(
            refused(world.destroy(first)),
            (Status::PoolNull, Some(Code::ReplayStaleHandle))
        );
        let third = world.create(10 * GIB, &[]).expect("a pool");
        let block = world.alloc(third, MIB, stream(0)).expect("room").block;
        assert_eq!(block.address, 12 << 40, "addresses of a destroyed pool are free again");
        assert_eq!(refused(world.destroy(PoolId(99))), (Status::PoolNull, None));
    }
}

#[test]
fn a_pool_is_rounded_up_and_all_of_a_device_is_rounded_down() {
    let mut world = World::new(Mode::Spec, 16 * MIB + 5);
    let small = world.create(2 * MIB - 1, &[]).expect("a pool");
    world.alloc(small, 2 * MIB, stream(0)).expect("2 MiB are there");
    assert_eq!(refused(world.alloc(small, 1, stream(0))).0, Status::PoolAlloc);
    let all = world.create(0, &[]).expect("a pool");
    assert_eq!(world.get(all, PoolAttribute::Threshold), Ok(0));
    assert!(world.set(all, PoolAttribute::Threshold, 16 * MIB).is_ok());
    assert!(world.set(all, PoolAttribute::Threshold, 16 * MIB + 1).is_err());
}

#[test]
fn pools_run_out_of_addresses_before_they_overlap() {
    let mut world = World::new(Mode::Spec, 1 << 40);
    let first = world.create(1 << 40, &[]).expect("half of the addresses");
    world.create(1 << 40, &[]).expect("the other half");
    assert_eq!(refused(world.create(1, &[])).0, Status::MemoryAllocation);
    world.destroy(first).expect("it is there");
    world.create(1, &[]).expect("room again");
}

#[test]
fn every_attribute_can_be_read_and_the_ones_that_may_be_set() {
    use PoolAttribute::{FollowEvent, Internal, Opportunistic, ReservedCurrent, ReservedHigh};
    use PoolAttribute::{Threshold, Unknown, UsedCurrent, UsedHigh};
    for mode in BOTH {
        let mut world = World::new(mode, GIB);
        let pool = world.create(64 * MIB, &[ReusePolicy::Event]).expect("a pool");
        assert_eq!(world.get(pool, FollowEvent), Ok(1));
        for attribute in [FollowEvent, Opportunistic, Internal] {
            world.set(pool, attribute, 7).expect("anything but 0 is 1");
            assert_eq!(world.get(pool, attribute), Ok(1));
            world.set(pool, attribute, 0).expect("0");
            assert_eq!(world.get(pool, attribute), Ok(0));
        }
        world.set(pool, Threshold, 64 * MIB).expect("up to the pool");
        assert_eq!(world.get(pool, Threshold), Ok(64 * MIB));
        assert!(world.set(pool, Threshold, 64 * MIB + 1).is_err());
        for attribute in [ReservedCurrent, UsedCurrent, Unknown(9), Unknown(0)] {
            let refused = refused(world.set(pool, attribute, 0));
            assert_eq!(refused, (Status::PoolPropInvalid, None), "{attribute:?}");
        }
        assert_eq!(refused(world.get(pool, Unknown(9))).0, Status::PoolPropInvalid);
        let given = world.alloc(pool, 3 * MIB, stream(0)).expect("room");
        for attribute in [ReservedCurrent, ReservedHigh, UsedCurrent, UsedHigh] {
            assert_eq!(world.get(pool, attribute), Ok(4 * MIB), "{attribute:?}");
        }
        world.free(&given, stream(0)).expect("it is live");
        assert_eq!(world.counts(pool), (0, 4 * MIB));
        for attribute in [ReservedHigh, UsedHigh] {
            assert_eq!(refused(world.set(pool, attribute, 1)).0, Status::PoolPropInvalid);
            assert_eq!(world.get(pool, attribute), Ok(4 * MIB));
            world.set(pool, attribute, 0).expect("0");
            assert_eq!(world.get(pool, attribute), Ok(0), "reset to 0, not to what is current");
        }
        world.destroy(pool).expect("it is there");
        let stale = (Status::PoolNull, Some(Code::ReplayStaleHandle));
        assert_eq!(refused(world.get(pool, Threshold)), stale);
        assert_eq!(refused(world.set(pool, Threshold, 0)), stale);
        assert_eq!(refused(world.trim(pool, 0)), stale);
        assert_eq!(refused(world.alloc(pool, 1, stream(0))), stale);
    }
}

#[test]
fn a_shared_pool_has_no_attributes_and_a_shared_pool_with_some_is_refused() {
    let mut world = World::new(Mode::Spec, GIB);
    let plain = Wanted {
        name: "P",
        device: 0,
        max: MIB,
        threshold: 0,
        reuse: &[ReusePolicy::Single],
        ipc: true,
        hal: false,
    };
    let pool = world.with(|pools, cx| pools.create(cx, &plain)).expect("a pool");
    let get = world.get(pool, PoolAttribute::UsedCurrent);
    assert_eq!(refused(get), (Status::PoolUnsupported, None));
    assert_eq!(refused(world.set(pool, PoolAttribute::Internal, 1)).0, Status::PoolUnsupported);
    let wanted = Wanted { reuse: &[ReusePolicy::Event], ..plain };
    let answer = world.with(|pools, cx| pools.create(cx, &wanted));
    assert_eq!(refused(answer).0, Status::PoolUnsupported);
    let answer = world.with(|pools, cx| pools.create(cx, &Wanted { device: 2, ..plain }));
    assert_eq!(refused(answer).0, Status::InvalidDevice);
}

#[test]
fn a_pool_hands_out_what_it_has_and_not_more() {
    for mode in BOTH {
        let mut world = World::new(mode, 16 * GIB);
        let pool = world.create(10 * GIB, &[]).expect("a pool");
        let s = stream(0);
        let a = world.alloc(pool, 2 * MIB, s).expect("room");
        let b = world.alloc(pool, 16 * MIB, s).expect("room");
        let c = world.alloc(pool, 10 * GIB - 18 * MIB, s).expect("the rest");
        assert_eq!((a.fresh, b.fresh), (2 * MIB, 16 * MIB));
        assert_eq!((a.block.offset, b.block.offset, c.block.offset), (0, 2 * MIB, 18 * MIB));
        let full = refused(world.alloc(pool, 2 * MIB, s));
        assert_eq!(full, (Status::PoolAlloc, Some(Code::ReplayOomPool)));
        assert_eq!(refused(world.alloc(pool, u64::MAX, s)).0, Status::InvalidValue);
        let other = world.alloc_choosing(pool, MIB, s, 1, &mut |_| 0);
        assert_eq!(refused(other).0, Status::StreamContext);

        let (p, generation) = (b.block.address, b.block.generation);
        let inner = refused(world.free_at(p + 1, generation, s));
        assert_eq!(inner, (Status::InvalidValue, Some(Code::ReplayBadFree)));
        world.free(&b, s).expect("it is live");
        let twice = (Status::InvalidValue, Some(Code::ReplayDoubleFree));
        assert_eq!(refused(world.free_at(p, generation, s)), twice);
        assert_eq!(refused(world.free_now(p, generation)), twice);
        for foreign in [0, 1, 14 << 40, u64::MAX] {
            let refused = refused(world.free_at(foreign, 0, s));
            assert_eq!(refused, (Status::InvalidValue, Some(Code::ReplayBadFree)), "{foreign}");
        }
        let again = world.alloc(pool, 16 * MIB, s).expect("room");
        assert_eq!(again.block.address, p);
        assert_eq!(refused(world.free_at(p, generation, s)), twice, "an old pointer stays old");
        world.free(&again, s).expect("the new one is live");
    }
}

#[test]
fn a_block_is_found_by_each_of_its_addresses() {
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(16 * MIB, &[]).expect("a pool");
    let block = world.alloc(pool, 4 * MIB, stream(1)).expect("room").block;
    let find = |world: &World, p| world.pools.find(p).map(|found| found.block);
    assert_eq!(find(&world, block.address).as_ref(), Some(&block));
    assert_eq!(find(&world, block.address + 4 * MIB - 1).as_ref(), Some(&block));
    assert_eq!(find(&world, block.address + 4 * MIB), None);
    assert_eq!(find(&world, block.address - 1), None);
    assert!(world.pools.owns(block.address + 16 * MIB - 1));
    assert!(!world.pools.owns(block.address + 16 * MIB));
    assert_eq!((block.stream, block.requested, block.len), (stream(1), 4 * MIB, 4 * MIB));
    world.free_at(block.address, block.generation, stream(1)).expect("it is live");
    assert_eq!(find(&world, block.address), None, "cached memory is nobody's");
}

#[test]
fn a_synchronous_free_gives_the_memory_back_at_once() {
    for mode in BOTH {
        let mut world = World::new(mode, GIB);
        let pool = world.create(16 * MIB, &[]).expect("a pool");
        let block = world.alloc(pool, 4 * MIB, stream(0)).expect("room").block;
        assert_eq!(world.memory.used_for(Bank::Device(0), Purpose::Soma), 4 * MIB);
        world.free_now(block.address, block.generation).expect("accepted, pending work or not");
        assert_eq!(world.memory.used_for(Bank::Device(0), Purpose::Soma), 0);
        assert_eq!(world.counts(pool), (0, 0));
        let next = world.alloc(pool, 2 * MIB, stream(1)).expect("room");
        assert_eq!((next.block.address, next.policy, next.fresh), (block.address, None, 2 * MIB));
    }
}

#[test]
fn a_pool_that_is_destroyed_gives_its_memory_back_and_names_what_is_still_out() {
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(16 * MIB, &[]).expect("a pool");
    let kept = world.alloc(pool, 4 * MIB, stream(0)).expect("room").block;
    let freed = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
    world.free(&freed, stream(0)).expect("it is live");
    assert_eq!(world.destroy(pool).expect("it is there"), std::slice::from_ref(&kept));
    assert_eq!(world.notes.remarks.len(), 1);
    assert_eq!(world.notes.remarks[0].code, Code::ReplayLeak);
    assert_eq!(world.memory.used(Bank::Device(0)), 0);
    let late = refused(world.free_at(kept.address, kept.generation, stream(0)));
    assert_eq!(late, (Status::InvalidValue, Some(Code::ReplayStaleHandle)));
}

#[test]
fn closing_a_device_destroys_its_pools_and_no_others() {
    let mut world = World::new(Mode::Spec, GIB);
    let here = world.create(16 * MIB, &[]).expect("a pool");
    let wanted =
        Wanted { name: "Q", device: 1, max: MIB, threshold: 0, reuse: &[], ipc: false, hal: false };
    let there = world.with(|pools, cx| pools.create(cx, &wanted)).expect("a pool");
    let block = world.alloc(here, MIB, stream(0)).expect("room").block;
    assert_eq!(world.with(|pools, cx| pools.close(cx, Some(0))), [block]);
    assert!(world.get(here, PoolAttribute::Internal).is_err());
    assert!(world.get(there, PoolAttribute::Internal).is_ok());
    assert_eq!(world.with(|pools, cx| pools.close(cx, None)), []);
    assert!(world.get(there, PoolAttribute::Internal).is_err());
}

#[test]
fn a_block_without_memory_stays_out_and_its_memory_can_be_found_later() {
    let mut world = World::new(Mode::Spec, 8 * MIB);
    let (p, q) = (world.create(8 * MIB, &[]), world.create(8 * MIB, &[]));
    let (p, q) = (p.expect("a pool"), q.expect("a pool"));
    let s = stream(0);
    let a = world.alloc(p, 6 * MIB, s).expect("room");
    let b = world.alloc(q, 4 * MIB, s).expect("the host sees no difference");
    let failed = b.failed.clone().expect("the device has only 2 MiB");
    assert_eq!((failed.status, failed.finding), (Status::OutOfMemory, Some(Code::ReplayOomDevice)));
    assert!(!b.block.mapped);
    assert_eq!(world.counts(q), (4 * MIB, 4 * MIB));
    let at = |block: &crate::runtime::soma::Block| Pointer {
        process: 0,
        address: block.address,
        generation: block.generation,
    };
    let reach = world.pools.reach(at(&b.block), 1, Who::Device(0), true);
    assert_eq!(reach.pieces, []);
    assert_eq!(reach.wrong[0].code, Code::ReplayUnmappedAccess);
    world.free(&b, s).expect("it is live");
    world.free_now(a.block.address, a.block.generation).expect("it is live");
    let c = world.alloc(q, 4 * MIB, s).expect("room");
    assert_eq!((c.block.address, c.fresh, c.failed), (b.block.address, 4 * MIB, None));
    let gone =
        world.with(|pools, cx| pools.populate_failed(cx, c.block.address, c.block.generation));
    assert!(!gone.expect("it is live").mapped);
    assert_eq!(world.memory.used(Bank::Device(0)), 0);
    assert_eq!(world.counts(q), (4 * MIB, 4 * MIB));
}

#[test]
fn an_injected_failure_hits_the_allocation_that_it_counts() {
    let mut world = World::new(Mode::Spec, GIB);
    let (fault, loc) = (Fault::FailAlloc(2), None);
    world.injected = Injected::new(&[Injection { fault, loc }]);
    let pool = world.create(GIB, &[]).expect("a pool");
    let failed = [0; 3].map(|_| world.alloc(pool, MIB, stream(0)).expect("room").failed.is_some());
    assert_eq!(failed, [false, true, false]);
}

#[test]
fn an_access_meets_the_bytes_asked_for_of_its_own_block_only() {
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(16 * MIB, &[]).expect("a pool");
    world.alloc(pool, MIB, stream(0)).expect("room");
    let given = world.alloc(pool, 100, stream(0)).expect("room");
    let block = &given.block;
    let p = Pointer { process: 0, address: block.address, generation: block.generation };
    let codes = |reach: &crate::runtime::pointer::Reach| -> Vec<Code> {
        reach.wrong.iter().map(|w| w.code).collect()
    };
    let object = world.pools.object(pool).expect("its memory");
    let fine = world.pools.reach(p.offset(10), 90, Who::Device(0), true);
    assert_eq!(codes(&fine), []);
    let piece = fine.pieces[0];
    assert_eq!((piece.object, piece.start, piece.len), (object, 2 * MIB + 10, 90));
    assert_eq!(codes(&world.pools.reach(p, 101, Who::Device(0), true)), [Code::ReplayOob]);
    let next = p.offset(2 * MIB);
    assert_eq!(codes(&world.pools.reach(next, 1, Who::Device(0), true)), [Code::ReplayOob]);
    assert_eq!(codes(&world.pools.reach(p, 1, Who::Host, true)), [Code::ReplayPerm]);
    assert_eq!(codes(&world.pools.reach(p, 1, Who::Host, false)), []);
    world.free(&given, stream(0)).expect("it is live");
    assert_eq!(codes(&world.pools.reach(p, 1, Who::Device(0), true)), [Code::ReplayUaf]);
}

#[test]
fn a_machine_without_something_says_so() {
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(GIB, &[]).expect("a pool");
    let block = world.alloc(pool, MIB, stream(0)).expect("room").block;
    let unsupported = (Status::FeatureNotSupport, None);

    world.machine.capabilities.soma_attributes = false;
    assert_eq!(refused(world.set(pool, PoolAttribute::Internal, 1)), unsupported);
    assert_eq!(refused(world.get(pool, PoolAttribute::Internal)), unsupported);
    assert_eq!(refused(world.create(MIB, &[ReusePolicy::Event])), unsupported);
    world.create(MIB, &[ReusePolicy::Single]).expect("this is how every pool is");
    world.machine.capabilities.soma_trim = false;
    assert_eq!(refused(world.trim(pool, MIB)), unsupported);
    world.machine.capabilities.soma_trim = true;
    assert_eq!(refused(world.trim(pool, 2 * GIB)).0, Status::PoolOpInvalid);

    world.machine.capabilities.soma = false;
    assert_eq!(refused(world.create(MIB, &[])), unsupported);
    assert_eq!(refused(world.destroy(pool)), unsupported);
    assert_eq!(refused(world.alloc(pool, MIB, stream(0))), unsupported);
    assert_eq!(refused(world.free_at(block.address, block.generation, stream(0))), unsupported);
    assert_eq!(refused(world.trim(pool, 0)), unsupported);
}

#[test]
fn the_hal_is_for_those_who_have_it() {
    let wanted =
        Wanted { name: "P", device: 0, max: MIB, threshold: 0, reuse: &[], ipc: false, hal: true };
    for mode in BOTH {
        let mut world = World::new(mode, GIB);
        let answer = world.with(|pools, cx| pools.create(cx, &wanted));
        assert_eq!(refused(answer), (Status::NotSupport, None));
        assert!(world.with(|_, cx| Pools::hal(cx)).is_err());
        world.machine.capabilities.soma_hal = true;
        assert!(world.with(|_, cx| Pools::hal(cx)).is_ok());
        world.with(|pools, cx| pools.create(cx, &wanted)).expect("a pool");
    }
}

#[test]
fn the_number_of_blocks_is_counted() {
    let mut world = World::policy(SomaPolicy::Documented, GIB);
    let pool = world.create(64 * MIB, &[]).expect("a pool");
    let a = world.alloc(pool, MIB, stream(0)).expect("room");
    world.free(&a, stream(0)).expect("it is live");
    world.alloc(pool, MIB, stream(0)).expect("room");
    let c = &world.counters;
    assert_eq!((c.pool_allocs, c.pool_reused, c.pool_frees), (2, 1, 1));
}

#[test]
fn a_full_pool_says_what_rounding_takes() {
    for mode in BOTH {
        let mut world = World::new(mode, 16 * GIB);
        let pool = world.create(4 * MIB, &[]).expect("a pool");
        world.alloc(pool, 3 * MIB, stream(0)).expect("room");
        let why = world.alloc(pool, 2 * MIB, stream(0)).expect_err("full").why;
        let all = "; blocks are whole granules of 2097152, so 3145728 bytes hold 4194304";
        assert!(why.ends_with(all), "{why}");
        // Nothing is lost where sizes are whole.
        let pool = world.create(4 * MIB, &[]).expect("a pool");
        world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        let why = world.alloc(pool, 2 * MIB, stream(0)).expect_err("full").why;
        assert!(why.ends_with("0 are free"), "{why}");
    }
}
