//! The judge at work: what each access meets (9.3, 9.4, 13.4).

use std::collections::BTreeMap;

use super::cell::{Access, Cell, Data, Reads};
use super::found::{Found, Founds};
use super::lives::Lives;
use super::shadow::Shadow;
use crate::diag::Code;
use crate::model::trace::Val;
use crate::runtime::clock::Clock;
use crate::runtime::objects::{ObjectId, Piece};
use crate::runtime::status::Remark;
use crate::runtime::watch::{At, LineId, Touched, Watch};

/// What is known of one object.
#[derive(Clone, Debug)]
struct Book {
    shadow: Shadow,
    lives: Lives,
}

/// What has become of a value that has a name.
#[derive(Clone, Debug, Default)]
struct Fate {
    read: bool,
    /// The first time it was written over.
    lost: Option<Loss>,
}

/// Bytes of a value that were written over.
#[derive(Clone, Copy, Debug)]
struct Loss {
    write: Access,
    over: Access,
    bytes: (ObjectId, u64, u64),
}

/// Runs of bytes, counted from the start of what was read.
type Runs = Vec<(u64, u64, Data)>;

/// The shadow of a run, and what it has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Checker {
    books: Vec<Book>,
    snapshots: BTreeMap<u64, Runs>,
    fates: BTreeMap<Val, Fate>,
    /// By line: edges taken, and how many of them said nothing new.
    edges: BTreeMap<LineId, (u64, u64)>,
    /// What lines do, by line.
    roles: Vec<Role>,
    pub found: Founds,
}

/// What a line is, as far as the class of a race depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A copy that the host does not wait for.
    Copy,
    /// A kernel.
    Kernel,
    /// Anything else: what the host does.
    Other,
}

/// How an access conflicts with an earlier one.
#[derive(Clone, Copy)]
enum Conflict {
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
}

fn signed(bytes: u64) -> i128 {
    i128::from(bytes)
}

impl Checker {
    /// A judge who knows which lines are copies that nobody waits for, and which are kernels.
    pub(super) fn new(roles: Vec<Role>) -> Self {
        Self { roles, ..Self::default() }
    }

    fn book(&mut self, object: ObjectId) -> &mut Book {
        let at = object.0 as usize;
        while self.books.len() <= at {
            let shadow = Shadow::new(Data::Undefined);
            self.books.push(Book { shadow, lives: Lives::default() });
        }
        &mut self.books[at]
    }

    fn conflict(
        &mut self,
        at: &At<'_>,
        piece: Piece,
        cell: (u64, u64),
        earlier: Access,
        kind: Conflict,
    ) {
        let code = if earlier.epoch.actor == at.epoch.actor {
            Code::ReplaySamePipe
        } else {
            match kind {
                Conflict::ReadAfterWrite => Code::ReplayRaceRaw,
                Conflict::WriteAfterWrite => Code::ReplayRaceWaw,
                Conflict::WriteAfterRead if self.is_staging(earlier.line, at.line) => {
                    Code::ReplayStagingReuse
                }
                Conflict::WriteAfterRead => Code::ReplayRaceWar,
            }
        };
        let (start, end) =
            (cell.0.max(piece.start), cell.1.min(piece.start.saturating_add(piece.len)));
        self.found.add(Found::new(code, at).earlier(Some(earlier)).bytes(piece.object, start, end));
    }

    /// True when a copy that nobody waited for read what is written now by somebody else than a
    /// copy or a kernel: the host.
    fn is_staging(&self, copy: LineId, writer: LineId) -> bool {
        let role = |line: LineId| self.roles.get(line.0 as usize).copied().unwrap_or(Role::Kernel);
        role(copy) == Role::Copy && role(writer) == Role::Other
    }

    fn lives(&mut self, at: &At<'_>, bytes: &Touched) {
        if bytes.generation == 0 {
            return;
        }
        let (piece, generation) = (bytes.piece, bytes.generation);
        let (start, end) = (piece.start, piece.start.saturating_add(piece.len));
        let wrong = self.book(piece.object).lives.touch(at, start, end, generation);
        for (code, access) in wrong {
            let found = Found::new(code, at).earlier(Some(access));
            self.found.add(found.bytes(piece.object, start, end));
        }
    }

    /// What reading does to the cells; what they hold, from the first byte of the piece.
    fn look(&mut self, at: &At<'_>, bytes: &Touched, keep: bool) -> Runs {
        let piece = bytes.piece;
        let end = piece.start.saturating_add(piece.len);
        self.lives(at, bytes);
        let mut races: Vec<((u64, u64), Access)> = Vec::new();
        let mut runs = Vec::new();
        let mut bad = false;
        let wanted = bytes.val.map(|(val, voff)| (val, signed(voff) - signed(piece.start)));
        let adds = bytes.adds;
        self.book(piece.object).shadow.each(piece.start, end, |start, cell| {
            if let Some(write) = cell.write
                && write.races(at)
                && !(adds && same_range(write, at, start, cell.end, piece))
            {
                races.push(((start, cell.end), write));
            }
            cell.reads.add(at);
            bad |= match (cell.data, wanted) {
                (Data::Outside, _) | (Data::Unnamed | Data::Value { .. }, None) => false,
                (Data::Value { val, shift }, Some(w)) => (val, shift) != w,
                (Data::Undefined | Data::Poison, _) | (Data::Unnamed, Some(_)) => true,
            };
            if keep {
                runs.push((start - piece.start, cell.end - piece.start, cell.data));
            }
        });
        for (cell, write) in races {
            self.conflict(at, piece, cell, write, Conflict::ReadAfterWrite);
        }
        if bad {
            self.contents(at, bytes, wanted);
        }
        if !self.fates.is_empty() {
            self.seen(piece, end);
        }
        runs
    }

    /// Marks the values in a range as read.
    fn seen(&mut self, piece: Piece, end: u64) {
        for (_, _, data) in self.book(piece.object).shadow.data(piece.start, end) {
            if let Data::Value { val, .. } = data
                && let Some(fate) = self.fates.get_mut(&val)
            {
                fate.read = true;
            }
        }
    }

    /// Says what is wrong with what a read found.
    fn contents(&mut self, at: &At<'_>, bytes: &Touched, wanted: Option<(Val, i128)>) {
        let piece = bytes.piece;
        let end = piece.start.saturating_add(piece.len);
        let (mut good, mut wrong, mut undefined) = (0u64, None, None);
        self.book(piece.object).shadow.each(piece.start, end, |start, cell| {
            let len = cell.end - start;
            match (cell.data, wanted) {
                (Data::Undefined, _) => grow(&mut undefined, start, cell),
                (Data::Poison, _) | (Data::Unnamed, Some(_)) => grow(&mut wrong, start, cell),
                (Data::Value { val, shift }, Some(w)) if (val, shift) != w => {
                    grow(&mut wrong, start, cell);
                }
                _ => good += len,
            }
        });
        let object = piece.object;
        if let Some((start, end, cell)) = undefined {
            let mut found = Found::new(Code::ReplayUninitRead, at).bytes(object, start, end);
            found.wanted =
                bytes.val.map(|(val, voff)| (val, voff.saturating_add(start - piece.start)));
            self.found.add(found.earlier(cell.write));
        }
        if let Some((start, end, cell)) = wrong {
            let code = if good > 0 { Code::ReplayPartialValue } else { Code::ReplayWrongValue };
            let mut found = Found::new(code, at).bytes(object, start, end).earlier(cell.write);
            found.wanted =
                bytes.val.map(|(val, voff)| (val, voff.saturating_add(start - piece.start)));
            found.holds = Some(cell.data);
            self.found.add(found);
        }
    }

    /// What writing does to the cells.
    fn put(&mut self, at: &At<'_>, bytes: &Touched, data: Data) {
        let piece = bytes.piece;
        let end = piece.start.saturating_add(piece.len);
        let mut races: Vec<((u64, u64), Access, Conflict)> = Vec::new();
        let mut lost: Vec<(Val, Access, u64, u64)> = Vec::new();
        let cell = Cell { end, data, write: Some(Access::of(at)), reads: Reads::None };
        let (adds, named) = (bytes.adds, !self.fates.is_empty());
        self.book(piece.object).shadow.replace(
            piece.start,
            end,
            |start, cell| {
                if let Some(write) = cell.write {
                    if write.races(at) && !(adds && same_range(write, at, start, cell.end, piece)) {
                        races.push(((start, cell.end), write, Conflict::WriteAfterWrite));
                    }
                    if named
                        && let Data::Value { val, .. } = cell.data
                        && data != cell.data
                    {
                        lost.push((val, write, start, cell.end));
                    }
                }
                for read in cell.reads.iter() {
                    if read.races(at) && !(adds && read.epoch.actor == at.epoch.actor) {
                        races.push(((start, cell.end), *read, Conflict::WriteAfterRead));
                    }
                }
            },
            cell,
        );
        for (cell, earlier, kind) in races {
            self.conflict(at, piece, cell, earlier, kind);
        }
        for (val, write, start, end) in lost {
            if let Some(fate) = self.fates.get_mut(&val) {
                let bytes = (piece.object, start, end);
                fate.lost.get_or_insert(Loss { write, over: Access::of(at), bytes });
            }
        }
        if let Data::Value { val, .. } = data {
            self.fates.entry(val).or_default();
        }
    }

    fn put_runs(
        &mut self,
        at: &At<'_>,
        to: &Touched,
        runs: &Runs,
        asked: Option<(Val, i128)>,
        by: i128,
    ) {
        self.lives(at, to);
        for &(start, end, data) in runs {
            let piece =
                Piece { start: to.piece.start.saturating_add(start), len: end - start, ..to.piece };
            self.put(at, &Touched { piece, ..*to }, data.moved(by, asked));
        }
    }

    /// What can only be said when everything is over.
    pub(super) fn finish(&mut self) {
        let fates = std::mem::take(&mut self.fates);
        for (val, fate) in fates {
            let Some(Loss { write, over, bytes }) = fate.lost.filter(|_| !fate.read) else {
                continue;
            };
            let (object, start, end) = bytes;
            let clock = Clock::default();
            let at = At { line: over.line, epoch: over.epoch, clock: &clock };
            let mut found = Found::new(Code::ReplayLostWrite, &at).earlier(Some(write));
            found = found.bytes(object, start, end);
            found.wanted = Some((val, 0));
            self.found.add(found);
        }
    }

    /// Lines whose edges never said anything new.
    pub(super) fn redundant(&self) -> Vec<LineId> {
        let all = |(_, (taken, implied)): &(&LineId, &(u64, u64))| taken == implied;
        self.edges.iter().filter(all).map(|(line, _)| *line).collect()
    }
}

/// A product that adds to its result may follow another on the same bytes without waiting.
fn same_range(earlier: Access, at: &At<'_>, start: u64, end: u64, piece: Piece) -> bool {
    earlier.epoch.actor == at.epoch.actor
        && start == piece.start
        && end == piece.start.saturating_add(piece.len)
}

/// Adds a cell to the first run that it continues.
fn grow(run: &mut Option<(u64, u64, Cell)>, start: u64, cell: &Cell) {
    match run {
        None => *run = Some((start, cell.end, cell.clone())),
        Some((_, end, first)) if *end == start && first.write == cell.write => *end = cell.end,
        Some(_) => {}
    }
}

impl Watch for Checker {
    #[inline]
    fn read(&mut self, at: &At<'_>, bytes: &Touched) {
        self.look(at, bytes, false);
    }

    #[inline]
    fn write(&mut self, at: &At<'_>, bytes: &Touched) {
        self.lives(at, bytes);
        let data = match bytes.val {
            Some((val, voff)) => {
                Data::Value { val, shift: signed(voff) - signed(bytes.piece.start) }
            }
            None => Data::Unnamed,
        };
        self.put(at, bytes, data);
    }

    fn copy(&mut self, at: &At<'_>, from: &Touched, to: &Touched) {
        let runs = self.look(at, from, true);
        let asked = from.val.map(|(val, voff)| (val, signed(voff) - signed(from.piece.start)));
        let by = signed(to.piece.start) - signed(from.piece.start);
        self.put_runs(at, to, &runs, asked, by);
    }

    fn snapshot(&mut self, at: &At<'_>, from: &Touched, number: u64) {
        let runs = self.look(at, from, true);
        let asked = from.val.map(|(val, voff)| (val, signed(voff) - signed(from.piece.start)));
        let base = signed(from.piece.start);
        let aside = self.snapshots.entry(number).or_default();
        let behind = aside.last().map_or(0, |&(_, end, _)| end);
        let by = signed(behind) - base;
        let here = |&(s, e, data): &(u64, u64, Data)| {
            (s.saturating_add(behind), e.saturating_add(behind), data.moved(by, asked))
        };
        aside.extend(runs.iter().map(here));
    }

    fn paste(&mut self, at: &At<'_>, number: u64, from: u64, to: &Touched) {
        let len = to.piece.len;
        let aside = self.snapshots.get(&number).map_or(&[][..], |runs| runs);
        let part = |&(start, end, data): &(u64, u64, Data)| {
            let (start, end) = (start.max(from), end.min(from.saturating_add(len)));
            (start < end).then(|| (start - from, end - from, data))
        };
        let runs: Runs = aside.iter().filter_map(part).collect();
        self.put_runs(at, to, &runs, None, signed(to.piece.start) - signed(from));
    }

    fn alloc(&mut self, at: &At<'_>, piece: Piece, generation: u32) {
        let end = piece.start.saturating_add(piece.len);
        let book = self.book(piece.object);
        let wrong = book.lives.alloc(at, piece.start, end, generation);
        book.shadow.each(piece.start, end, |_, cell| cell.data = Data::Undefined);
        for (code, access) in wrong {
            let found = Found::new(code, at).earlier(Some(access));
            self.found.add(found.bytes(piece.object, piece.start, end));
        }
    }

    fn free(&mut self, at: &At<'_>, piece: Piece, generation: u32) {
        let end = piece.start.saturating_add(piece.len);
        let book = self.book(piece.object);
        let mut wrong = book.lives.free(at, piece.start, end, generation);
        // Whoever has touched the bytes must be known to be through.
        book.shadow.each(piece.start, end, |_, cell| {
            for access in cell.write.iter().chain(cell.reads.iter()) {
                if access.races(at) && !wrong.contains(&(Code::ReplayUaf, *access)) {
                    wrong.push((Code::ReplayUaf, *access));
                }
            }
        });
        for (code, access) in wrong {
            let found = Found::new(code, at).earlier(Some(access));
            self.found.add(found.bytes(piece.object, piece.start, end));
        }
    }

    fn touch(&mut self, at: &At<'_>, bytes: &Touched) {
        self.lives(at, bytes);
    }

    fn poison(&mut self, at: &At<'_>, piece: Piece) {
        let end = piece.start.saturating_add(piece.len);
        let _ = at;
        self.book(piece.object).shadow.each(piece.start, end, |_, cell| cell.data = Data::Poison);
    }

    fn begin(&mut self, object: ObjectId, defined: bool) {
        let data = if defined { Data::Outside } else { Data::Undefined };
        self.book(object).shadow = Shadow::new(data);
    }

    fn output(&mut self, at: &At<'_>, bytes: &Touched) {
        let piece = bytes.piece;
        let end = piece.start.saturating_add(piece.len);
        let wanted = bytes.val.map(|(val, voff)| (val, signed(voff) - signed(piece.start)));
        let holds = |data: Data| match (data, wanted) {
            (Data::Value { val, shift }, Some(w)) => (val, shift) == w,
            (Data::Outside, _) | (Data::Value { .. } | Data::Unnamed, None) => true,
            _ => false,
        };
        let runs = self.book(piece.object).shadow.data(piece.start, end);
        let Some(&(start, to, data)) = runs.iter().find(|(.., data)| !holds(*data)) else {
            if let Some((val, _)) = bytes.val
                && let Some(fate) = self.fates.get_mut(&val)
            {
                fate.read = true;
            }
            return;
        };
        let mut found = Found::new(Code::ReplayOutputMissing, at).bytes(piece.object, start, to);
        found.wanted = bytes.val.map(|(val, voff)| (val, voff.saturating_add(start - piece.start)));
        found.holds = Some(data);
        self.found.add(found);
    }

    #[inline]
    fn edge(&mut self, line: LineId, implied: bool) {
        let (taken, said) = self.edges.entry(line).or_default();
        *taken += 1;
        *said += u64::from(implied);
    }

    fn notice(&mut self, at: &At<'_>, remark: Remark, earlier: Option<LineId>) {
        let mut found = Found::new(remark.code, at);
        found.earlier = earlier.map(|line| (line, at.epoch.actor));
        found.words = Some(remark.message);
        self.found.add(found);
    }
}
