//! The rows of section 7 about pools, each in both modes.

use super::world::{GIB, MIB, World, stream};
use crate::diag::Code;
use crate::model::machine::{Mode, SomaPolicy};
use crate::model::trace::PoolAttribute;
use crate::model::trace::ReusePolicy::{self, Event, Opportunistic};
use crate::runtime::quirks::Quirk;
use crate::runtime::soma::PoolId;
use crate::runtime::status::Status;

const BOTH: [Mode; 2] = [Mode::Spec, Mode::Source];

fn start(mode: Mode, reuse: &[ReusePolicy]) -> (World, PoolId) {
    let mut world = World::new(mode, GIB);
    // How pools reuse blocks is asked for by name, and the same in both modes (section 12).
    world.machine.soma_policy = (mode == Mode::Source).then_some(SomaPolicy::Source0184);
    let pool = world.create(64 * MIB, reuse).expect("a pool");
    (world, pool)
}

#[test]
fn soma_1_blocks_left_in_a_destroyed_pool_are_a_leak_whoever_looks() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[]);
        world.alloc(pool, MIB, stream(0)).expect("room");
        assert_eq!(world.destroy(pool).map(|live| live.len()), Ok(1));
        assert_eq!(world.notes.remarks.first().map(|r| r.code), Some(Code::ReplayLeak));
    }
}

#[test]
fn soma_2_no_bytes_are_refused_or_a_granule() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[]);
        let answer = world.alloc(pool, 0, stream(0));
        assert_eq!(world.notes.quirks, [Quirk::Soma2]);
        match mode {
            Mode::Spec => assert_eq!(answer.map_err(|r| r.status), Err(Status::InvalidValue)),
            Mode::Source => {
                let block = answer.expect("allowed").block;
                assert_eq!((block.requested, block.len), (0, 2 * MIB));
            }
        }
    }
}

#[test]
fn soma_3_the_stream_that_allocated_stands_for_the_one_that_freed() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[Event]);
        let a = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        world.free(&a, stream(1)).expect("it is live");
        world.record(0, stream(0));
        world.wait(0, stream(2));
        let c = world.alloc(pool, 4 * MIB, stream(2)).expect("room");
        assert_eq!(c.block.address == a.block.address, mode == Mode::Source);
    }
}

#[test]
fn soma_4_the_rest_of_a_block_has_the_new_stream_and_the_old_number() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[Event]);
        let x = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        world.record(1, stream(1));
        world.wait(1, stream(2));
        world.free(&x, stream(0)).expect("it is live");
        world.record(0, stream(0));
        world.wait(0, stream(1));
        world.alloc(pool, 2 * MIB, stream(1)).expect("room");
        let rest = world.alloc(pool, 2 * MIB, stream(2)).expect("room");
        assert_eq!(rest.block.address == x.block.address + 2 * MIB, mode == Mode::Source);
    }
}

#[test]
fn soma_5_opportunists_take_what_is_complete_or_anything() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[Opportunistic]);
        let x = world.alloc(pool, 4 * MIB, stream(0)).expect("room");
        world.free(&x, stream(0)).expect("it is live");
        let y = world.alloc(pool, 4 * MIB, stream(1)).expect("room");
        assert_eq!(y.block.address == x.block.address, mode == Mode::Source);
    }
}

#[test]
fn soma_6_only_the_head_never_reuses() {
    for (mode, policy, reused) in [
        (Mode::Spec, None, true),
        (Mode::Source, None, true),
        (Mode::Spec, Some(SomaPolicy::Head), false),
        (Mode::Source, Some(SomaPolicy::Head), false),
    ] {
        let mut world = World::new(mode, GIB);
        world.machine.soma_policy = policy;
        let pool = world.create(64 * MIB, &[]).expect("a pool");
        let x = world.alloc(pool, MIB, stream(0)).expect("room");
        world.free(&x, stream(0)).expect("it is live");
        let y = world.alloc(pool, MIB, stream(0)).expect("room");
        assert_eq!(y.block.address == x.block.address, reused);
        assert_eq!(
            world.notes.quirks,
            [],
            "a policy that was asked for does not depend on the mode"
        );
    }
}

#[test]
fn soma_7_high_water_marks_go_to_zero() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[]);
        world.alloc(pool, MIB, stream(0)).expect("room");
        world.set(pool, PoolAttribute::UsedHigh, 0).expect("allowed");
        assert_eq!(world.get(pool, PoolAttribute::UsedHigh), Ok(0));
        world.alloc(pool, MIB, stream(0)).expect("room");
        assert_eq!(world.get(pool, PoolAttribute::UsedHigh), Ok(4 * MIB));
    }
}

#[test]
fn soma_8_trimming_below_what_is_used_is_refused() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[]);
        world.alloc(pool, MIB, stream(0)).expect("room");
        let answer = world.trim(pool, 0).map_err(|r| r.status);
        assert_eq!(answer, Err(Status::PoolOpInvalid));
        assert_eq!(world.notes.quirks, []);
    }
}

#[test]
fn soma_9_to_11_are_switches_of_the_machine_in_both_modes() {
    for mode in BOTH {
        for on in [false, true] {
            let (mut world, pool) = start(mode, &[]);
            world.machine.capabilities.soma_attributes = on;
            assert_eq!(world.get(pool, PoolAttribute::Internal).is_ok(), on);
            world.machine.capabilities.soma_trim = on;
            assert_eq!(world.trim(pool, 0).is_ok(), on);
            world.machine.capabilities.soma_hal = on;
            assert_eq!(world.with(|_, cx| crate::runtime::soma::Pools::hal(cx)).is_ok(), on);
            world.machine.capabilities.soma = on;
            assert_eq!(world.create(MIB, &[]).is_ok(), on);
        }
    }
}

#[test]
fn both_modes_agree_on_a_program_that_frees_where_it_allocates() {
    for mode in BOTH {
        let (mut world, pool) = start(mode, &[Event]);
        for n in 0..8 {
            let x = world.alloc(pool, 4 * MIB, stream(n % 2)).expect("room");
            assert_eq!(world.notes.quirks, []);
            world.free(&x, stream(n % 2)).expect("it is live");
            world.record(n % 2, stream(n % 2));
            world.wait(n % 2, stream(1 - n % 2));
        }
    }
}
