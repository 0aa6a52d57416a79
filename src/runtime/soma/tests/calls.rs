//! Random calls, valid and not.

use quickcheck::{Arbitrary, Gen};

use crate::model::trace::{PoolAttribute, ReusePolicy};

/// A call; pools and blocks by their position among all that were ever made, modulo their number.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Create { device: u32, max: u64, reuse: Vec<ReusePolicy>, threshold: u64, ipc: bool },
    Destroy(usize),
    Close(u32),
    Alloc { pool: usize, size: u64, stream: u32, other_device: bool, choice: usize },
    Free { block: usize, off: u64, stream: u32 },
    FreeNow { block: usize, off: u64 },
    FreeWild { address: u64, stream: u32 },
    PopulateFailed(usize),
    Record { event: u32, stream: u32 },
    Wait { event: u32, stream: u32 },
    EventGone(u32),
    StreamGone(u32),
    Sync(u32),
    Learn(u32),
    Trim { pool: usize, keep: u64 },
    Pressure(u32),
    Set { pool: usize, attribute: PoolAttribute, value: u64 },
    Thread(u32),
}

/// Bytes of a granule here.
pub(super) const PAGE: u64 = 16;
pub(super) const STREAMS: u32 = 4;
pub(super) const EVENTS: u32 = 3;

fn below(g: &mut Gen, n: u64) -> u64 {
    u64::arbitrary(g) % n
}

fn bytes(g: &mut Gen, granules: u64) -> u64 {
    let whole = below(g, granules + 1) * PAGE;
    match below(g, 40) {
        0 => u64::MAX - below(g, 20),
        1..=8 => whole + below(g, PAGE),
        _ => whole,
    }
}

fn attribute(g: &mut Gen) -> PoolAttribute {
    use PoolAttribute as A;
    let all = [
        A::FollowEvent,
        A::Opportunistic,
        A::Internal,
        A::Threshold,
        A::ReservedCurrent,
        A::ReservedHigh,
        A::UsedCurrent,
        A::UsedHigh,
        A::Unknown(0),
    ];
    all[below(g, all.len() as u64) as usize]
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        let stream = below(g, u64::from(STREAMS)) as u32;
        let event = below(g, u64::from(EVENTS)) as u32;
        let pool = usize::from(u8::arbitrary(g));
        // Mostly one of the last, so that it is likely to be live.
        let block = usize::from(u8::arbitrary(g)) % 6;
        let off = if below(g, 12) == 0 { below(g, 40) } else { 0 };
        match below(g, 100) {
            0..6 => Self::Create {
                device: if below(g, 30) == 0 { 2 } else { below(g, 2) as u32 },
                max: bytes(g, 13),
                reuse: [ReusePolicy::Event, ReusePolicy::Opportunistic, ReusePolicy::Internal]
                    .into_iter()
                    .filter(|_| bool::arbitrary(g))
                    .collect(),
                threshold: if bool::arbitrary(g) { 0 } else { bytes(g, 8) },
                ipc: below(g, 15) == 0,
            },
            6 => Self::Destroy(pool),
            7 if below(g, 4) == 0 => Self::Close(below(g, 2) as u32),
            7..40 => Self::Alloc {
                pool,
                size: bytes(g, 5),
                stream,
                other_device: below(g, 30) == 0,
                choice: usize::from(u8::arbitrary(g)),
            },
            40..58 => Self::Free { block, off, stream },
            58..60 => Self::FreeNow { block, off },
            60 => Self::FreeWild { address: (12 << 40) + below(g, 400), stream },
            61 => Self::PopulateFailed(block),
            62..70 => Self::Record { event, stream },
            70..78 => Self::Wait { event, stream },
            78 => Self::EventGone(event),
            79 if below(g, 3) == 0 => Self::StreamGone(stream),
            79..84 => Self::Sync(stream),
            84..88 => Self::Learn(stream),
            88..92 => Self::Trim { pool, keep: bytes(g, 10) },
            92 => Self::Pressure(below(g, 2) as u32),
            93..97 => Self::Set {
                pool,
                attribute: attribute(g),
                value: if bool::arbitrary(g) { 0 } else { bytes(g, 8) },
            },
            _ => Self::Thread(below(g, 2) as u32),
        }
    }
}
