//! Pools of many blocks, used by correct programs: whatever a pool reuses, splits, joins or gives
//! back, by whichever of its policies, nobody is disturbed.

use memplan::model::machine::Machine;
use memplan::model::trace::{Call, ReusePolicy, Span, Sym, Trace, TraceOp, Val};
use memplan::verify::trace::{Options, Schedule, trace as check};

use super::classes::{self, Class};
use super::cores::number;
use super::dice::Dice;

const GRANULE: u64 = 2 << 20;
const STREAMS: usize = 3;

/// A block that is out: its name, its bytes, the stream that knows all that was done with it, and
/// the value in it.
struct Block {
    name: Sym,
    bytes: u64,
    stream: usize,
    value: u64,
}

struct Make {
    trace: Trace,
    thread: (Sym, Sym),
    dice: Dice,
    out: Vec<Block>,
    names: u64,
    events: u64,
}

impl Make {
    fn sym(&mut self, text: &str) -> Sym {
        self.trace.names.intern(text)
    }

    fn stream(&mut self, s: usize) -> Option<Sym> {
        Some(self.sym(&format!("s{s}")))
    }

    fn add(&mut self, call: Call) {
        let label = format!("l{}", self.trace.ops.len());
        self.trace.ops.push(TraceOp { label, thread: self.thread, call, expect: None, loc: None });
    }

    fn kernel(&mut self, b: usize, write: bool) {
        let block = &mut self.out[b];
        block.value += u64::from(write);
        let val = Some(Val { name: block.name, version: block.value });
        let span = Span { p: block.name, off: 0, len: Some(block.bytes), val, voff: 0 };
        let stream = block.stream;
        let stream = self.stream(stream);
        let (r, w) = if write { (vec![], vec![span]) } else { (vec![span], vec![]) };
        let (name, rw, cost, body, device) = (None, vec![], None, None, None);
        self.add(Call::Kernel { stream, name, r, w, rw, cost, body, device });
    }

    /// Another stream goes on with a block.
    fn hand_over(&mut self, b: usize, to: usize) {
        let (from, event) = (self.out[b].stream, self.events);
        if from == to {
            return;
        }
        self.events += 1;
        let event = Some(self.sym(&format!("e{event}")));
        let stream = self.stream(from);
        self.add(Call::EventRecord { event, stream });
        let stream = self.stream(to);
        self.add(Call::EventWait { event, stream });
        self.out[b].stream = to;
    }

    fn step(&mut self, pool: Sym) {
        let b = self.dice.below(self.out.len().max(1));
        match self.dice.below(10) {
            0..=3 if self.out.len() < 5 => {
                self.names += 1;
                let name = self.sym(&format!("p{}", self.names));
                let bytes =
                    GRANULE * (1 + self.dice.below(3) as u64) - self.dice.below(2) as u64 * 64;
                let stream = self.dice.below(STREAMS);
                self.out.push(Block { name, bytes, stream, value: 0 });
                let stream = self.stream(stream);
                let (out, pool) = (Some(name), Some(pool));
                self.add(Call::PoolAlloc { out, size: bytes, pool, stream, hal: false });
                self.kernel(self.out.len() - 1, true);
            }
            4 | 5 if !self.out.is_empty() => {
                let to = self.dice.below(STREAMS);
                self.hand_over(b, to);
                let write = self.dice.percent(50);
                self.kernel(b, write);
            }
            6 | 7 if !self.out.is_empty() => {
                let to = self.dice.below(STREAMS);
                self.hand_over(b, to);
                let mut stream = self.stream(to);
                if self.dice.percent(25) {
                    self.add(Call::StreamSync { stream });
                    stream = None;
                }
                let p = Some(self.out.remove(b).name);
                self.add(Call::PoolFree { p, off: 0, stream, hal: false });
            }
            8 => {
                let s = self.dice.below(STREAMS);
                let stream = self.stream(s);
                self.add(Call::StreamSync { stream });
            }
            _ if self.dice.percent(40) => {
                let keep = self.out.iter().map(|b| b.bytes.next_multiple_of(GRANULE)).sum();
                self.add(Call::PoolTrim { pool: Some(pool), keep });
            }
            _ => {}
        }
    }
}

fn random(seed: u64) -> Trace {
    let mut trace = Trace { devices: 1, ..Trace::default() };
    let thread = (trace.names.intern("p0"), trace.names.intern("h0"));
    let dice = Dice::new(seed ^ 0x7777);
    let mut make = Make { trace, thread, dice, out: Vec::new(), names: 0, events: 0 };
    let pool = make.sym("pool");
    let mut reuse = vec![ReusePolicy::Event, ReusePolicy::Opportunistic, ReusePolicy::Internal];
    reuse.retain(|_| make.dice.percent(50));
    let max = GRANULE * (5 + make.dice.below(9) as u64);
    let threshold = if make.dice.percent(50) { max } else { 0 };
    let out = Some(pool);
    make.add(Call::PoolCreate { out, device: 0, max, threshold, reuse, ipc: false, hal: false });
    for _ in 0..25 {
        make.step(pool);
    }
    make.trace
}

#[test]
fn a_documented_pool_never_hands_out_bytes_that_somebody_still_uses() {
    let machine = Machine::named("910B3").expect("a known chip");
    let (mut runs, mut reused, mut full) = (0, 0, 0);
    let cases = number("MEMPLAN_CASES", 1_500);
    for n in 0..cases {
        let trace = random(n);
        for schedule in [Schedule::Canonical, Schedule::Random { runs: 2 }] {
            let said =
                check(&trace, &machine, &Options { schedule, seed: n, ..Options::default() });
            let mut found = classes::of(&said);
            // A pool may be full; what was to be in the block is then nowhere.
            full += u64::from(found.remove(&Class::Refused));
            let messages: Vec<_> = said.findings.iter().map(|f| &f.message).collect();
            assert!(found.is_empty(), "{n}: {found:?} {messages:#?}");
            runs += 1;
            reused += said.counters.pool_reused;
        }
    }
    println!("{cases} pools: {runs} runs, {reused} blocks used again, {full} full");
    assert!(reused > cases / 2 && full < runs);
}
