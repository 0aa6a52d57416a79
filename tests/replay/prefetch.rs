//! What prefetches of managed memory are for: fewer faults, and an earlier end (5.12).

use std::fmt::Write;

use libtest_mimic::Failed;

use crate::cases::{errors, run};

/// How the next range comes to the device.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By the faults of the kernel.
    Demand,
    /// The host prefetches it and waits.
    Waiting,
    /// A second stream prefetches it while the kernel before it runs.
    Beside,
}

const RANGES: usize = 8;

/// Kernels read one range of 16 MiB after the other.
fn trace(way: Way) -> String {
    let mut text = String::from("trace = 1\n");
    let mut op = |lines: &str| {
        let _ = write!(text, "[[op]]\n{lines}\n");
    };
    op("op = \"alloc\"\nout = \"x\"\nsize = \"128 MiB\"\nkind = \"uvm\"");
    op("op = \"host_write\"\np = \"x\"\nval = \"x@1\"");
    let place = |n: usize| format!("off = \"{} MiB\"\nlen = \"16 MiB\"", n * 16);
    let prefetch =
        |n: usize| format!("op = \"prefetch\"\np = \"x\"\n{}\nlocation = \"device 0\"", place(n));
    for n in 0..RANGES {
        match way {
            Way::Demand => {}
            Way::Waiting => op(&prefetch(n)),
            Way::Beside => {
                op(&format!("{}\nstream = \"copies\"", prefetch(n)));
                op("op = \"event_record\"\nev = \"there\"\nstream = \"copies\"");
                op("op = \"event_wait\"\nev = \"there\"\nstream = \"work\"");
            }
        }
        let (mib, bytes) = (n * 16, (n * 16) << 20);
        op(&format!(
            "op = \"kernel\"\nstream = \"work\"\ncost = 1000000\n\
             r = [{{p = \"x\", off = \"{mib} MiB\", len = \"16 MiB\", val = \"x@1\", voff = {bytes}}}]"
        ));
        if way == Way::Waiting {
            op("op = \"stream_sync\"\nstream = \"work\"");
        }
    }
    op("op = \"device_sync\"");
    op("op = \"free\"\np = \"x\"");
    text
}

pub(crate) fn faster() -> Result<(), Failed> {
    let ways = [Way::Demand, Way::Waiting, Way::Beside];
    let mut all = Vec::new();
    for way in ways {
        let replayed = run(&trace(way))?;
        assert_eq!(errors(&replayed), [""; 0]);
        all.push((replayed.counters.faults_device, replayed.timeline.makespan));
    }
    let [(faults, demand), (few, waiting), (none, beside)] = all[..] else {
        return Err("three ways".into());
    };
    assert_eq!((faults, few, none), (64, 0, 0));
    assert!(waiting < demand, "{waiting} ticks with prefetches, {demand} without");
    assert!(beside < waiting, "{beside} ticks beside the kernels, {waiting} before them");
    Ok(())
}
