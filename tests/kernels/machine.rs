//! A machine that executes the syntax tree of a kernel on the addresses of a plan. It knows nothing of
//! the planner's analysis, of the judge or of the program that they are given: what an op reads must
//! still be what was written there under the same name.
//!
//! Whether a result may take the bytes of an operand of its own op is not asked: reads come first.

use std::collections::BTreeMap;
use std::ops::Range;

use memplan::ir::hivm::is_view_like;
use memplan::ir::mlir::{
    Attr, BlockId, Chunk, Function, Layout, MemRef, Op, OpId, RegionId, Role, Scalar, Type, ValueId,
};

/// Trips of every loop.
const TRIPS: u32 = 3;

/// One execution of an alloc.
struct Made {
    name: String,
    scope: u32,
    start: u64,
    /// Bytes that were written under this name.
    written: Vec<bool>,
}

/// What a value is at run time: some bytes of something made.
#[derive(Clone)]
struct Name {
    made: usize,
    bytes: Range<u64>,
    /// True while the offsets of types count from its first byte.
    exact: bool,
}

/// Where an alloc puts its bytes: scope, size, addresses in turn.
pub(crate) struct Place {
    pub(crate) scope: u32,
    pub(crate) size: u64,
    pub(crate) offsets: Vec<u64>,
}

/// Why a run ended early.
pub(crate) enum Stop {
    /// Something that the machine does not know.
    Unknown,
    /// An op reads what is not there any more.
    Lost(String),
}

/// A run; `choice` decides the branches, bit by bit.
pub(crate) struct Machine<'a> {
    chunk: &'a Chunk,
    function: &'a Function,
    places: &'a BTreeMap<OpId, Place>,
    choice: u32,
    names: BTreeMap<ValueId, Name>,
    made: Vec<Made>,
    /// Executions of each alloc.
    count: BTreeMap<OpId, usize>,
    /// Who has written a byte last, by scope and address.
    owner: BTreeMap<u32, Vec<usize>>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        chunk: &'a Chunk,
        function: &'a Function,
        places: &'a BTreeMap<OpId, Place>,
        choice: u32,
    ) -> Self {
        let (names, made, count, owner) =
            (BTreeMap::new(), Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { chunk, function, places, choice, names, made, count, owner }
    }

    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        match self.function.body {
            Some(body) => self.region(body).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The next decision.
    fn choose(&mut self) -> bool {
        let bit = self.choice & 1 == 1;
        self.choice = self.choice.rotate_right(1);
        bit
    }

    fn block(&self, region: RegionId) -> Result<BlockId, Stop> {
        match self.function.regions[region].blocks.as_slice() {
            [one] => Ok(*one),
            _ => Err(Stop::Unknown),
        }
    }

    /// Executes a region; what its terminator names.
    fn region(&mut self, region: RegionId) -> Result<Vec<Option<Name>>, Stop> {
        let function = self.function;
        let block = self.block(region)?;
        let mut yielded = Vec::new();
        for &op in &function.blocks[block].ops {
            let ir = &function.ops[op];
            match ir.name.as_str() {
                "scf.yield" | "scope.return" | "scf.condition" => yielded = self.operands(ir),
                _ => self.op(op, ir)?,
            }
        }
        Ok(yielded)
    }

    fn operands(&self, op: &Op) -> Vec<Option<Name>> {
        op.operands.iter().map(|o| self.names.get(&o.value).cloned()).collect()
    }

    fn bind(&mut self, values: &[ValueId], names: Vec<Option<Name>>) {
        for (value, name) in values.iter().zip(names) {
            match name {
                Some(name) => self.names.insert(*value, name),
                None => self.names.remove(value),
            };
        }
    }

    fn op(&mut self, id: OpId, op: &Op) -> Result<(), Stop> {
        match op.name.as_str() {
            "memref.alloc" => self.alloc(id, op),
            "memref.dim" => Ok(()),
            "annotation.mark" => match op.attrs.has("hivm.tightly_coupled_buffer") {
                // The other core writes it.
                true => self.touch(&[], &[], &self.operands(op)),
                false => Ok(()),
            },
            "arith.select" => {
                let pick = if self.choose() { 1 } else { 2 };
                let name = self.operands(op).get(pick).cloned().flatten();
                self.bind(&op.results, vec![name]);
                Ok(())
            }
            "scf.for" => self.for_loop(op),
            "scf.while" => self.while_loop(op),
            "scf.forall" => (0..TRIPS).try_for_each(|_| self.region(op.regions[0]).map(|_| ())),
            "scf.if" => {
                let side = usize::from(self.choose());
                let Some(&region) = op.regions.get(side) else { return Ok(()) };
                let names = self.region(region)?;
                self.bind(&op.results, names);
                Ok(())
            }
            "scope.scope" => {
                let names = self.region(op.regions[0])?;
                self.bind(&op.results, names);
                Ok(())
            }
            "memref.load" | "vector.transfer_read" => self.touch(&self.operands(op)[..1], &[], &[]),
            "memref.store" | "vector.transfer_write" => {
                self.touch(&[], &[], &self.operands(op)[1..2])
            }
            "func.return" | "hivm.hir.debug" => self.touch(&self.operands(op), &[], &[]),
            "func.call" => self.call(op),
            name if is_view_like(name) => {
                self.view(op);
                Ok(())
            }
            _ if op.operands.iter().any(|o| o.role == Role::Out) => self.structured(op),
            _ if self.operands(op).iter().any(Option::is_some) => Err(Stop::Unknown),
            _ => Ok(()),
        }
    }

    fn alloc(&mut self, id: OpId, op: &Op) -> Result<(), Stop> {
        let Some(place) = self.places.get(&id) else {
            return Err(Stop::Unknown);
        };
        let count = self.count.entry(id).or_default();
        let start = place.offsets[*count % place.offsets.len()];
        *count += 1;
        let result = op.results[0];
        let name = self.function.values[result].name.clone();
        let size = usize::try_from(place.size).unwrap_or(0);
        self.made.push(Made { name, scope: place.scope, start, written: vec![false; size] });
        let made = self.made.len() - 1;
        self.names.insert(result, Name { made, bytes: 0..place.size, exact: true });
        Ok(())
    }

    fn view(&mut self, op: &Op) {
        let Some(from) = op.operands.first().and_then(|o| self.names.get(&o.value)).cloned() else {
            return;
        };
        let whole = self.made[from.made].written.len() as u64;
        let exact = from.exact && op.name != "memref.view";
        let seen = match self.function.ty(op.results[0]) {
            Type::MemRef(memref) if exact => window(memref),
            _ => None,
        };
        let bytes = seen.filter(|r| r.end <= whole).unwrap_or(0..whole);
        self.names.insert(op.results[0], Name { made: from.made, bytes, exact });
    }

    fn for_loop(&mut self, op: &Op) -> Result<(), Stop> {
        let block = self.block(op.regions[0])?;
        let args = self.function.blocks[block].args[1..].to_vec();
        let mut names = self.operands(op).split_off(3);
        for _ in 0..TRIPS {
            self.bind(&args, names);
            names = self.region(op.regions[0])?;
        }
        self.bind(&op.results, names);
        Ok(())
    }

    fn while_loop(&mut self, op: &Op) -> Result<(), Stop> {
        let [before, after] = [self.block(op.regions[0])?, self.block(op.regions[1])?];
        let head = self.function.blocks[before].args.clone();
        let tail = self.function.blocks[after].args.clone();
        let mut names = self.operands(op);
        for trip in 0..=TRIPS {
            self.bind(&head, names);
            // The first operand of `scf.condition` is the condition.
            let passed = self.region(op.regions[0])?.split_off(1);
            if trip == TRIPS {
                self.bind(&op.results, passed);
                return Ok(());
            }
            self.bind(&tail, passed);
            names = self.region(op.regions[1])?;
        }
        Ok(())
    }

    /// A call reads its arguments and writes those that its body writes; all of them without a body.
    fn call(&mut self, op: &Op) -> Result<(), Stop> {
        let names = self.operands(op);
        let callee = op.attrs.get("callee").and_then(|a| a.word());
        let callee = self.chunk.functions.iter().find(|f| Some(f.name.as_str()) == callee);
        let Some((callee, body)) = callee.and_then(|f| Some((f, f.body?))) else {
            return self.touch(&names, &[], &names);
        };
        let entry = callee.regions[body].blocks[0];
        let writes = |op: &Op, value: ValueId| match op.name.as_str() {
            "memref.store" | "vector.transfer_write" => op.operands[1].value == value,
            _ => op.operands.iter().any(|o| o.role == Role::Out && o.value == value),
        };
        let written: Vec<Option<Name>> = callee.blocks[entry]
            .args
            .iter()
            .zip(&names)
            .map(|(arg, name)| {
                let mut names = views(callee, *arg).into_iter();
                let any = names.any(|v| callee.ops.iter().any(|op| writes(op, v)));
                name.clone().filter(|_| any)
            })
            .collect();
        self.touch(&names, &[], &written)
    }

    fn structured(&mut self, op: &Op) -> Result<(), Stop> {
        let with = |role: Role| -> Vec<Option<Name>> {
            op.with_role(role).map(|v| self.names.get(&v).cloned()).collect()
        };
        let (mut reads, temps, writes) = (with(Role::In), with(Role::Temp), with(Role::Out));
        let first = op.operands.iter().find(|o| {
            matches!(self.function.ty(o.value), Type::Scalar(Scalar::Int(1))) && o.role == Role::In
        });
        // A matrix op that does not begin anew adds to what is there.
        if op.name.starts_with("hivm.hir.mmad") && first.is_some_and(|o| !self.is_true(o.value)) {
            reads.extend(writes.clone());
        }
        self.touch(&reads, &temps, &writes)
    }

    fn is_true(&self, value: ValueId) -> bool {
        let constant = self.function.def_op(value).map(|op| &self.function.ops[op]);
        let value = constant.and_then(|op| op.attrs.get("value"));
        matches!(value, Some(Attr::Bool(true) | Attr::Int(1 | -1)))
    }

    /// Reads, with temporaries in use all the while, then writes; results do not harm each other.
    fn touch(
        &mut self,
        reads: &[Option<Name>],
        temps: &[Option<Name>],
        writes: &[Option<Name>],
    ) -> Result<(), Stop> {
        let given = |list: &[Option<Name>]| list.iter().flatten().cloned().collect::<Vec<Name>>();
        let (reads, temps, writes) = (given(reads), given(temps), given(writes));
        reads.iter().try_for_each(|name| self.read(name))?;
        temps.iter().for_each(|name| self.write(name));
        reads.iter().chain(&temps).try_for_each(|name| self.read(name))?;
        writes.iter().for_each(|name| self.write(name));
        writes.iter().chain(&temps).try_for_each(|name| self.read(name))
    }

    fn read(&self, name: &Name) -> Result<(), Stop> {
        let made = &self.made[name.made];
        let owner = self.owner.get(&made.scope).map_or(&[][..], Vec::as_slice);
        for byte in name.bytes.clone() {
            let at = usize::try_from(made.start + byte).unwrap_or(usize::MAX);
            let holder = owner.get(at).copied().unwrap_or(usize::MAX);
            if made.written[byte as usize] && holder != name.made {
                let by = self.made.get(holder).map_or("nobody", |m| m.name.as_str());
                return Err(Stop::Lost(format!("byte {byte} of `{}` is `{by}`'s", made.name)));
            }
        }
        Ok(())
    }

    fn write(&mut self, name: &Name) {
        let made = &mut self.made[name.made];
        let owner = self.owner.entry(made.scope).or_default();
        let (start, end) = (made.start + name.bytes.start, made.start + name.bytes.end);
        let (start, end) = (start as usize, end as usize);
        if owner.len() < end {
            owner.resize(end, usize::MAX);
        }
        owner[start..end].fill(name.made);
        made.written[name.bytes.start as usize..name.bytes.end as usize].fill(true);
    }
}

/// A value and all views of it.
fn views(function: &Function, value: ValueId) -> Vec<ValueId> {
    let mut all = vec![value];
    for op in function.ops.iter().filter(|op| is_view_like(&op.name)) {
        if op.operands.first().is_some_and(|o| all.contains(&o.value)) {
            all.extend(&op.results);
        }
    }
    all
}

/// The bytes from the first to the last element of a memref.
fn window(memref: &MemRef) -> Option<Range<u64>> {
    let bits = u64::from(memref.element.bits()?);
    let sizes = memref.dims.as_ref()?.iter().copied().collect::<Option<Vec<u64>>>()?;
    let (start, span) = match &memref.layout {
        Layout::Identity => (0, sizes.iter().product()),
        Layout::Strided { strides, offset } => {
            let mut last = 0;
            for (size, stride) in sizes.iter().zip(strides) {
                last += size.checked_sub(1)? * u64::try_from((*stride)?).ok()?;
            }
            (u64::try_from((*offset)?).ok()?, last + 1)
        }
        Layout::Other(_) => return None,
    };
    Some(start * bits / 8..((start + span) * bits).div_ceil(8))
}
