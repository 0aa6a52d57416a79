//! Who gets a cached block.

use super::world::{GIB, MIB, World, stream};
use crate::model::machine::{Mode, SomaPolicy};
use crate::model::trace::ReusePolicy::{Event, Internal, Opportunistic, Single};
use crate::model::trace::{PoolAttribute, ReusePolicy};
use crate::runtime::soma::{Given, PoolId};

const BOTH: [SomaPolicy; 2] = [SomaPolicy::Documented, SomaPolicy::Source0184];

/// A pool of 64 MiB, and a block of 4 MiB of stream 0 in it.
fn start(policy: SomaPolicy, reuse: &[ReusePolicy]) -> (World, PoolId, Given) {
    let mut world = World::policy(policy, GIB);
    let pool = world.create(64 * MIB, reuse).expect("a pool");
    let given = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
    (world, pool, given)
}

fn ask(world: &mut World, pool: PoolId, on: u32) -> Given {
    world.alloc(pool, 4 * MIB, stream(on)).expect("room")
}

#[test]
fn a_stream_gets_its_own_block_again_and_others_do_not() {
    for policy in BOTH {
        let (mut world, pool, x) = start(policy, &[]);
        world.free(&x, stream(0)).expect("it is live");
        let other = ask(&mut world, pool, 1);
        assert_ne!(other.block.address, x.block.address);
        assert_eq!(other.policy, None);
        let same = ask(&mut world, pool, 0);
        assert_eq!((same.block.address, same.policy), (x.block.address, Some(Single)));
        assert_eq!((same.fresh, same.after.len()), (0, 0));
        assert_ne!(same.block.generation, x.block.generation);
    }
}

#[test]
fn a_stream_that_waited_for_the_free_gets_the_block() {
    for policy in BOTH {
        for allowed in [true, false] {
            let (mut world, pool, x) = start(policy, if allowed { &[Event] } else { &[] });
            world.free(&x, stream(0)).expect("it is live");
            world.record(0, stream(0));
            world.wait(0, stream(1));
            let y = ask(&mut world, pool, 1);
            assert_eq!(y.block.address == x.block.address, allowed);
            assert_eq!((y.policy, y.after.len()), (allowed.then_some(Event), 0));
        }
    }
}

#[test]
fn an_event_before_the_free_is_no_reason_to_reuse() {
    for policy in BOTH {
        let (mut world, pool, x) = start(policy, &[Event]);
        world.record(0, stream(0));
        world.wait(0, stream(1));
        world.record(0, stream(0));
        world.free(&x, stream(0)).expect("it is live");
        let y = ask(&mut world, pool, 1);
        assert_eq!((y.block.address == x.block.address, y.policy), (false, None), "{policy:?}");
    }
}

#[test]
fn a_block_whose_free_the_host_knows_to_be_complete_is_there_for_opportunists() {
    for policy in BOTH {
        for known in [true, false] {
            let (mut world, pool, x) = start(policy, &[Opportunistic]);
            world.set(pool, PoolAttribute::Threshold, 64 * MIB).expect("it fits");
            world.free(&x, stream(0)).expect("it is live");
            if known {
                world.stream_sync(stream(0));
            }
            let y = ask(&mut world, pool, 1);
            // The source does not ask whether the free has run (Q-SOMA-5).
            let reused = known || policy == SomaPolicy::Source0184;
            assert_eq!(y.policy, reused.then_some(Opportunistic));
            assert_eq!(y.block.address == x.block.address, reused);
            assert_eq!(y.after, []);
        }
    }
}

#[test]
fn whether_a_free_is_complete_by_now_is_a_choice_and_taking_it_orders() {
    let (mut world, pool, x) = start(SomaPolicy::Documented, &[Opportunistic]);
    world.free(&x, stream(0)).expect("it is live");
    let mut asked = Vec::new();
    let mut choose = |n| {
        asked.push(n);
        1
    };
    let y = world.alloc_choosing(pool, 4 * MIB, stream(1), 0, &mut choose).expect("room");
    assert_eq!(asked, [2], "complete, or not");
    assert_eq!((y.block.address, y.policy), (x.block.address, Some(Opportunistic)));
    assert_eq!(y.after.len(), 1);
    assert_eq!(y.after[0].stream, stream(0));
}

#[test]
fn a_later_free_of_a_stream_is_not_complete_without_the_earlier() {
    let (mut world, pool, x) = start(SomaPolicy::Documented, &[Opportunistic]);
    let keep = ask(&mut world, pool, 0);
    let z = world.alloc(pool, 6 * MIB, stream(0)).expect("room");
    world.free(&x, stream(0)).expect("it is live");
    world.free(&z, stream(0)).expect("it is live");
    let mut asked = Vec::new();
    let mut choose = |n| {
        asked.push(n);
        0
    };
    world.alloc_choosing(pool, 4 * MIB, stream(1), 0, &mut choose).expect("room");
    assert_eq!(asked, [2], "the larger, later one alone cannot be");
    assert!(world.pools.find(keep.block.address).is_some());
}

/// Frees of stream 0 in the order small, large, middle: the large one implies the small one though
/// not the middle one.
#[test]
fn one_earlier_free_is_enough_to_make_a_later_one_impossible_alone() {
    let mut world = World::policy(SomaPolicy::Documented, GIB);
    let pool = world.create(64 * MIB, &[Opportunistic]).expect("a pool");
    let blocks = [4, 2, 8, 2, 6, 2].map(|n| world.alloc(pool, n * MIB, stream(0)).expect("room"));
    for n in [0, 2, 4] {
        world.free(&blocks[n], stream(0)).expect("it is live");
    }
    let mut asked = Vec::new();
    let mut choose = |n| {
        asked.push(n);
        0
    };
    world.alloc_choosing(pool, 4 * MIB, stream(1), 0, &mut choose).expect("room");
    assert_eq!(asked, [2], "the small one or none");
}

#[test]
fn internal_reuse_inserts_an_edge() {
    for policy in BOTH {
        let (mut world, pool, x) = start(policy, &[Internal]);
        world.free(&x, stream(0)).expect("it is live");
        let y = ask(&mut world, pool, 1);
        assert_eq!((y.block.address, y.policy), (x.block.address, Some(Internal)));
        let after: Vec<_> = y.after.iter().map(|mark| mark.stream).collect();
        assert_eq!(after, [stream(0)]);
    }
}

#[test]
fn order_through_a_third_stream_counts_as_documented_and_is_lost_on_the_source() {
    for policy in BOTH {
        let (mut world, pool, x) = start(policy, &[Event]);
        world.free(&x, stream(0)).expect("it is live");
        world.record(0, stream(0));
        world.wait(0, stream(1));
        world.record(1, stream(1));
        world.wait(1, stream(2));
        let y = ask(&mut world, pool, 2);
        let documented = policy == SomaPolicy::Documented;
        assert_eq!(y.block.address == x.block.address, documented);
    }
}

#[test]
fn the_source_asks_who_allocated_where_the_document_asks_who_freed() {
    for policy in BOTH {
        let (mut world, pool, a) = start(policy, &[Event]);
        world.record(0, stream(0));
        world.wait(0, stream(1));
        world.free(&a, stream(1)).expect("it is live");
        world.record(1, stream(0));
        world.wait(1, stream(2));
        let c = ask(&mut world, pool, 2);
        let source = policy == SomaPolicy::Source0184;
        assert_eq!(c.block.address == a.block.address, source, "{policy:?}");
        assert_eq!(c.after, []);
    }
}

#[test]
fn the_smallest_block_that_fits_is_taken_then_the_lowest() {
    for policy in BOTH {
        let mut world = World::policy(policy, GIB);
        let pool = world.create(GIB, &[]).expect("a pool");
        let s = stream(0);
        let sizes = [16, 2, 8, 2, 8, 2];
        let blocks = sizes.map(|n| world.alloc(pool, n * MIB, s).expect("room"));
        for n in [0, 2, 4] {
            world.free(&blocks[n], s).expect("it is live");
        }
        for (size, expected) in [(6, 2), (7, 4), (8, 0)] {
            let given = world.alloc(pool, size * MIB, s).expect("room");
            assert_eq!(given.block.address, blocks[expected].block.address, "{size}");
        }
    }
}

#[test]
fn cached_and_free_bytes_are_never_joined() {
    let mut world = World::policy(SomaPolicy::Documented, GIB);
    let pool = world.create(8 * MIB, &[]).expect("a pool");
    let x = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
    world.free(&x, stream(0)).expect("it is live");
    assert!(world.alloc(pool, 6 * MIB, stream(0)).is_err());
}

#[test]
fn what_one_stream_frees_in_a_row_is_one_block() {
    for policy in BOTH {
        for recorded in [false, true] {
            let (mut world, pool, x) = start(policy, &[]);
            let y = ask(&mut world, pool, 0);
            world.free(&x, stream(0)).expect("it is live");
            if recorded {
                world.record(0, stream(0));
            }
            world.free(&y, stream(0)).expect("it is live");
            let both = world.alloc(pool, 8 * MIB, stream(0)).expect("room");
            // An event between the two frees tells them apart.
            assert_eq!(both.policy, (!recorded).then_some(Single));
        }
    }
}

/// Three streams: A frees while its work is pending; B asks for more than there is, which must not
/// cost the block its dependency; C must not get it. Then a part is reused, and the rest keeps it too.
#[test]
fn the_rest_of_a_block_and_a_failed_request_keep_the_dependency() {
    let (mut world, pool, x) = start(SomaPolicy::Documented, &[Event]);
    let (a, b, c) = (stream(0), stream(1), stream(2));
    world.record(1, b);
    world.wait(1, c);
    world.free(&x, a).expect("it is live");
    assert!(world.alloc(pool, 64 * MIB, b).is_err(), "not all of the pool is free");
    let stolen = world.alloc(pool, 4 * MIB, c).expect("room");
    assert_ne!(stolen.block.address, x.block.address);
    world.record(0, a);
    world.wait(0, b);
    let part = world.alloc(pool, 2 * MIB, b).expect("room");
    assert_eq!((part.block.address, part.policy), (x.block.address, Some(Event)));
    let rest = world.alloc(pool, 2 * MIB, c).expect("room");
    assert_ne!(rest.block.address, x.block.address + 2 * MIB, "C has not waited for A");
    let rest = world.alloc(pool, 2 * MIB, b).expect("room");
    assert_eq!(rest.block.address, x.block.address + 2 * MIB, "B has");
}

#[test]
fn the_source_gives_the_rest_of_a_block_to_who_knows_the_new_stream() {
    let (mut world, pool, x) = start(SomaPolicy::Source0184, &[Event]);
    let (a, b, c) = (stream(0), stream(1), stream(2));
    world.record(1, b);
    world.wait(1, c);
    world.free(&x, a).expect("it is live");
    world.record(0, a);
    world.wait(0, b);
    world.alloc(pool, 2 * MIB, b).expect("room");
    let rest = world.alloc(pool, 2 * MIB, c).expect("room");
    assert_eq!(rest.block.address, x.block.address + 2 * MIB, "unsafe: C has not waited for A");
}

#[test]
fn a_destroyed_event_or_stream_costs_the_source_reuse() {
    for destroy in [0, 1, 2] {
        let (mut world, pool, x) = start(SomaPolicy::Source0184, &[Event]);
        world.free(&x, stream(0)).expect("it is live");
        world.record(0, stream(0));
        world.wait(0, stream(1));
        match destroy {
            0 => {}
            1 => world.event_destroy(0),
            _ => world.pools.stream_destroyed(stream(0)),
        }
        let y = ask(&mut world, pool, 1);
        assert_eq!(y.block.address == x.block.address, destroy == 0);
    }
    let (mut world, pool, x) = start(SomaPolicy::Documented, &[Event]);
    world.free(&x, stream(0)).expect("it is live");
    world.record(0, stream(0));
    world.wait(0, stream(1));
    world.event_destroy(0);
    let y = ask(&mut world, pool, 1);
    assert_eq!(y.block.address, x.block.address, "the order is still there");
}

#[test]
fn memory_that_another_thread_gave_up_comes_with_the_order_that_let_it() {
    use crate::runtime::clock::ActorId;
    let mut world = World::new(Mode::Spec, GIB);
    let pool = world.create(4 * MIB, &[]).expect("a pool");
    let x = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
    world.free(&x, stream(0)).expect("it is live");
    world.stream_sync(stream(0));
    world.thread = ActorId(1);
    let y = ask(&mut world, pool, 1);
    assert_eq!((y.block.address, y.policy), (x.block.address, None));
    assert_eq!(y.after.iter().map(|m| m.stream).collect::<Vec<_>>(), [stream(0)]);
    world.free_now(y.block.address, y.block.generation).expect("it is live");
    world.thread = ActorId(0);
    let z = ask(&mut world, pool, 2);
    assert_eq!(z.after.iter().map(|m| m.stream).collect::<Vec<_>>(), [ActorId(1)]);
}
