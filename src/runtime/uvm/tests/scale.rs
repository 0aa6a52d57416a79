//! Work is by the run: a terabyte is cheap, and so is an oversubscribed sweep.

use super::super::Uvm;
use super::world::{PAGE, World};
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Location};
use crate::runtime::memory::{Bank, Memory};
use crate::runtime::pointer::{How, Who};

const PAGES: u64 = 524_288;

/// As `World::call`, without looking at every run after each call.
fn quick<R>(
    world: &mut World,
    call: impl FnOnce(&mut Uvm, &mut crate::runtime::context::Context<'_>) -> R,
) -> R {
    world.notes = Default::default();
    let mut cx = crate::runtime::context::Context {
        machine: &world.machine,
        mode: world.mode,
        memory: &mut world.memory,
        objects: &mut world.objects,
        injected: &mut world.injected,
        counters: &mut world.counters,
        notes: &mut world.notes,
        now: world.now,
    };
    call(&mut world.uvm, &mut cx)
}

fn check(world: &World) {
    let banks = [Bank::Host, Bank::Device(0), Bank::Device(1)];
    Uvm::check_all([&world.uvm], &world.memory, &banks).expect("the invariants hold");
}

#[test]
fn range_calls_on_a_terabyte_cost_by_the_run() {
    let mut world = World::sized(Mode::Spec, PAGES, 2 * PAGES);
    world.machine.oversub.enabled = false;
    let range = world.alloc(PAGES);
    let mut dice = 12_345_678_901u64;
    let mut roll = |sides: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice >> 11) % sides
    };
    let started = std::time::Instant::now();
    let calls = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
    for _ in 0..calls {
        // 700 tensors of about 1.5 GiB each.
        let first = roll(700) * 748;
        let (address, len) = (range + first * PAGE, (1 + roll(748)) * PAGE);
        let device = u32::try_from(roll(2)).expect("small");
        let _ = quick(&mut world, |uvm, cx| match roll(8) {
            0 | 1 => uvm.touch(cx, Who::Host, address, len, How::Write),
            2 | 3 => uvm.touch(cx, Who::Device(device), address, len, How::Read),
            4 => uvm.touch(cx, Who::Device(device), address, len, How::Write),
            5 => uvm.prefetch(cx, address, len, Location::Device(device), 0),
            6 => uvm.advise(cx, address, len, Some(Advice::ReadMostly), Location::Host),
            _ => uvm.prefetch(cx, address, len, Location::Host, 0),
        });
    }
    let took = started.elapsed();
    check(&world);
    let (runs, moved) = (world.uvm.run_count(), world.counters.bytes_moved >> 40);
    eprintln!("{calls} calls, {runs} runs, {moved} TiB moved: {took:?}");
    assert!(runs < 10_000, "{runs} runs of {PAGES} pages");
    assert!(took.as_secs() < 20, "{took:?}");
}

/// 1.5 times a device of 64 GiB, three rounds, page by page or in one piece.
fn sweep(page_by_page: bool) -> std::time::Duration {
    let device = 32_768;
    let mut world = World::sized(Mode::Source, device, 4 * device);
    let pages = device * 3 / 2;
    let range = world.alloc(pages);
    let started = std::time::Instant::now();
    for _ in 0..if page_by_page { 2 } else { 3 } {
        if page_by_page {
            for page in 0..pages {
                let address = range + page * PAGE;
                let how = How::Write;
                quick(&mut world, |uvm, cx| uvm.touch(cx, Who::Device(0), address, PAGE, how))
                    .expect("room is made");
                world.now += world.notes.ticks;
            }
        } else {
            let len = pages * PAGE;
            quick(&mut world, |uvm, cx| uvm.touch(cx, Who::Device(0), range, len, How::Write))
                .expect("room is made");
            world.now += world.notes.ticks;
        }
    }
    let took = started.elapsed();
    check(&world);
    assert!(world.counters.swapped > pages);
    eprintln!(
        "sweep, by page {page_by_page}: {} swaps, {} runs, {} scans: {took:?}",
        world.counters.swapped,
        world.uvm.run_count(),
        world.counters.scans
    );
    took
}

#[test]
fn an_oversubscribed_sweep_of_64_gib_takes_seconds_at_most() {
    for page_by_page in [false, true] {
        assert!(sweep(page_by_page).as_secs() < 5);
    }
}

#[test]
fn a_full_host_does_not_make_a_sweep_slow() {
    let device = 32_768;
    let mut world = World::sized(Mode::Spec, device, 4);
    world.memory = Memory::new(2, device * PAGE, 4 * PAGE);
    let range = world.alloc(2 * device);
    let started = std::time::Instant::now();
    for page in 0..2 * device {
        let address = range + page * PAGE;
        let _ =
            quick(&mut world, |uvm, cx| uvm.touch(cx, Who::Device(0), address, PAGE, How::Write));
        world.now += 50_000;
    }
    check(&world);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
