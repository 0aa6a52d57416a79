//! Small programs of host threads, streams, events and pools, as plain lists, and their traces.

use memplan::model::trace::{Call, ReusePolicy, Span, Sym, Trace, TraceOp, Val};

/// Cells of an object, and the bytes of one.
pub(crate) const CELLS: usize = 6;
pub(crate) const CELL: u64 = 32;
const BLOCK: u64 = 2 << 20;

/// What bytes belong to: the buffer that was there before, or a pointer of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Buffer,
    Pointer(usize),
}

/// Some cells in a row, and the cells of a value in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) object: Object,
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) value: u16,
    pub(crate) from: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Kernel {
        stream: usize,
        reads: Vec<Cells>,
        writes: Vec<Cells>,
    },
    HostRead(Cells),
    HostWrite(Cells),
    Record {
        event: usize,
        stream: usize,
    },
    Wait {
        event: usize,
        stream: usize,
    },
    /// A notify is set, and taken, by tasks; used only without pools.
    Notify {
        notify: usize,
        stream: usize,
    },
    Await {
        notify: usize,
        stream: usize,
    },
    StreamSync(usize),
    EventSync(usize),
    DeviceSync,
    /// The one block of a pool; each pointer is allocated once.
    Alloc {
        pointer: usize,
        pool: usize,
        stream: usize,
    },
    /// In the order of a stream, or at once.
    Free {
        pointer: usize,
        stream: Option<usize>,
    },
    /// All threads meet.
    Meet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) thread: usize,
    pub(crate) act: Act,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) threads: usize,
    pub(crate) streams: usize,
    pub(crate) pools: usize,
    /// Pools follow events: policy `event`.
    pub(crate) events: bool,
    pub(crate) lines: Vec<Line>,
}

impl Act {
    pub(crate) fn stream(&self) -> Option<usize> {
        match self {
            Self::Kernel { stream, .. }
            | Self::Record { stream, .. }
            | Self::Wait { stream, .. }
            | Self::Notify { stream, .. }
            | Self::Await { stream, .. }
            | Self::Alloc { stream, .. } => Some(*stream),
            Self::Free { stream, .. } => *stream,
            _ => None,
        }
    }

    pub(crate) fn reads(&self) -> &[Cells] {
        match self {
            Self::Kernel { reads, .. } => reads,
            Self::HostRead(cells) => std::slice::from_ref(cells),
            _ => &[],
        }
    }

    pub(crate) fn writes(&self) -> &[Cells] {
        match self {
            Self::Kernel { writes, .. } => writes,
            Self::HostWrite(cells) => std::slice::from_ref(cells),
            _ => &[],
        }
    }

    pub(crate) fn is_sync(&self) -> bool {
        !matches!(
            self,
            Self::Kernel { .. }
                | Self::HostRead(_)
                | Self::HostWrite(_)
                | Self::Alloc { .. }
                | Self::Free { .. }
        )
    }
}

impl Program {
    /// The pool that a pointer comes from.
    pub(crate) fn pool_of(&self, pointer: usize) -> Option<usize> {
        self.lines.iter().find_map(|line| match line.act {
            Act::Alloc { pointer: p, pool, .. } if p == pointer => Some(pool),
            _ => None,
        })
    }

    /// True when every pointer is made before it is used, in the order written, and no thread waits
    /// for one that never comes to a meeting.
    pub(crate) fn makes_sense(&self) -> bool {
        let meetings =
            |t: usize| self.lines.iter().filter(|l| l.thread == t && l.act == Act::Meet).count();
        if (1..self.threads).any(|t| meetings(t) != meetings(0)) {
            return false;
        }
        // A notify that nobody takes orders nothing.
        let count = |act: &dyn Fn(&Act) -> bool| self.lines.iter().filter(|l| act(&l.act)).count();
        for n in 0..2 {
            let set = count(&|a| matches!(a, Act::Notify { notify, .. } if *notify == n));
            if count(&|a| matches!(a, Act::Await { notify, .. } if *notify == n)) < set {
                return false;
            }
        }
        let mut made = Vec::new();
        self.lines.iter().all(|line| {
            let used = line.act.reads().iter().chain(line.act.writes());
            let known = |object| match object {
                Object::Buffer => true,
                Object::Pointer(p) => made.contains(&p),
            };
            let fine = used.map(|c| c.object).all(known)
                && !matches!(line.act, Act::Free { pointer, .. } if !made.contains(&pointer));
            if let Act::Alloc { pointer, .. } = line.act {
                made.push(pointer);
            }
            fine
        })
    }

    pub(crate) fn trace(&self) -> Trace {
        let mut trace = Trace { devices: 1, ..Trace::default() };
        let mut sym = |text: String| trace.names.intern(&text);
        let process = sym("p0".into());
        let mut ops = Vec::new();
        let mut add = |label: String, thread: Sym, call: Call| {
            ops.push(TraceOp { label, thread: (process, thread), call, expect: None, loc: None });
        };
        let first = sym("h0".into());
        for pool in 0..self.pools {
            let reuse = if self.events { vec![ReusePolicy::Event] } else { Vec::new() };
            let out = Some(sym(format!("pool{pool}")));
            let (max, threshold) = (BLOCK, BLOCK);
            let call =
                Call::PoolCreate { out, device: 0, max, threshold, reuse, ipc: false, hal: false };
            add(format!("pool{pool}"), first, call);
        }
        for (n, line) in self.lines.iter().enumerate() {
            let threads = (0..self.threads).map(|t| sym(format!("h{t}"))).collect();
            let call = call(&line.act, threads, &mut sym);
            add(format!("l{n}"), sym(format!("h{}", line.thread)), call);
        }
        trace.ops = ops;
        trace
    }
}

fn call(act: &Act, threads: Vec<Sym>, sym: &mut impl FnMut(String) -> Sym) -> Call {
    let spans = |cells: &[Cells], sym: &mut dyn FnMut(String) -> Sym| -> Vec<Span> {
        let span = |c: &Cells| {
            let p = match c.object {
                Object::Buffer => "x".to_owned(),
                Object::Pointer(p) => format!("p{p}"),
            };
            Span {
                p: sym(p),
                off: c.at as u64 * CELL,
                len: Some(c.len as u64 * CELL),
                val: Some(Val { name: sym(format!("v{}", c.value)), version: 1 }),
                voff: c.from as u64 * CELL,
            }
        };
        cells.iter().map(span).collect()
    };
    match act {
        Act::Kernel { stream, reads, writes } => Call::Kernel {
            stream: Some(sym(format!("s{stream}"))),
            name: None,
            r: spans(reads, sym),
            w: spans(writes, sym),
            rw: Vec::new(),
            cost: None,
            body: None,
            device: None,
        },
        Act::HostRead(cells) => Call::HostRead { span: spans(&[*cells], sym)[0] },
        Act::HostWrite(cells) => Call::HostWrite { span: spans(&[*cells], sym)[0] },
        Act::Record { event, stream } => Call::EventRecord {
            event: Some(sym(format!("e{event}"))),
            stream: Some(sym(format!("s{stream}"))),
        },
        Act::Wait { event, stream } => Call::EventWait {
            event: Some(sym(format!("e{event}"))),
            stream: Some(sym(format!("s{stream}"))),
        },
        Act::Notify { notify, stream } => Call::NotifyRecord {
            notify: sym(format!("n{notify}")),
            stream: Some(sym(format!("s{stream}"))),
        },
        Act::Await { notify, stream } => Call::NotifyWait {
            notify: sym(format!("n{notify}")),
            stream: Some(sym(format!("s{stream}"))),
        },
        Act::StreamSync(stream) => Call::StreamSync { stream: Some(sym(format!("s{stream}"))) },
        Act::EventSync(event) => Call::EventSync { event: Some(sym(format!("e{event}"))) },
        Act::DeviceSync => Call::DeviceSync { device: 0 },
        Act::Alloc { pointer, pool, stream } => Call::PoolAlloc {
            out: Some(sym(format!("p{pointer}"))),
            size: CELLS as u64 * CELL,
            pool: Some(sym(format!("pool{pool}"))),
            stream: Some(sym(format!("s{stream}"))),
            hal: false,
        },
        Act::Free { pointer, stream } => Call::PoolFree {
            p: Some(sym(format!("p{pointer}"))),
            off: 0,
            stream: stream.map(|s| sym(format!("s{s}"))),
            hal: false,
        },
        Act::Meet => Call::Barrier { threads },
    }
}
