//! Renaming (HAAC, section 4.2.2) with out-of-range detection, COPY and INV, in one pass over the
//! gates.

mod keep;

use crate::code::{Code, OOR_LAST, Source};
use crate::instruction::{Instruction, Op, Unary};
use crate::lower::assign::Engines;
use crate::lower::spent::Spent;
use crate::lower::streams::Streams;
use crate::lower::uses::{NEVER, Next, Use, Uses};
use crate::lower::{Inversions, LowerError, Lowering};
use crate::machine::Shape;
use halfgate_circuit::{Bit, Gate, GateKind, Wire};
use halfgate_compiler::Program;
use halfgate_compiler::wire_map::WireMap;
use keep::Keeper;

/// The highest address: together with a polarity bit it must fit a value of a [`WireMap`].
const LAST_ADDRESS: u32 = (1 << 31) - 2;

/// The address of a label, and whether the wire is the inverse of that label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Name {
    address: u32,
    inverted: bool,
}

impl Name {
    fn code(self) -> u32 {
        self.address << 1 | u32::from(self.inverted)
    }

    fn from_code(code: u32) -> Name {
        Name { address: code >> 1, inverted: code & 1 == 1 }
    }
}

/// An operand of a gate: the wire; the polarity that the gate requires, if any; the next read of
/// the wire after this gate.
#[derive(Clone, Copy)]
struct Operand {
    wire: Wire,
    inverted: Option<bool>,
    later: Use,
}

/// Gives addresses to results, and operand fields to instructions.
pub(super) struct Renamer {
    shape: Shape,
    how: Lowering,
    /// Number of the next gate.
    position: u32,
    /// Address of the next result.
    next: u32,
    /// The newest name of each wire that is still read.
    names: WireMap,
    /// For the few wires with a name in each polarity: the older name.
    others: WireMap,
    /// The first names of outputs and of flip-flops' next values. The labels at these addresses are
    /// in memory at the end.
    outputs: WireMap,
    inputs: Vec<Wire>,
    in_memory_only: usize,
    first_wire: u32,
    first_output: u32,
    engines: Engines,
    /// The half of the newest result.
    half: u32,
    keeper: Keeper,
    spent: Spent,
    streams: Streams,
}

impl Renamer {
    /// The state before the first gate, with `inputs` in address order.
    pub fn new(
        shape: Shape,
        how: Lowering,
        inputs: Vec<Wire>,
        uses: &Uses,
        engines: Engines,
        streams: Streams,
    ) -> Result<Renamer, LowerError> {
        let (mut names, mut outputs) = (WireMap::new(), WireMap::new());
        let mut next = 1;
        for &wire in &inputs {
            let name = Name { address: next, inverted: false };
            let first_use = uses.inputs[wire.index()];
            if first_use.position() != NEVER {
                names.insert(wire, name.code());
            }
            if first_use.is_output() {
                outputs.insert(wire, name.code());
            }
            next = shape.next_address(next);
        }
        let mut address = 1;
        let mut in_memory_only = 0;
        while in_memory_only < inputs.len() && !shape.in_window(address, next) {
            in_memory_only += 1;
            address = shape.next_address(address);
        }
        let mut renamer = Renamer {
            shape,
            how,
            position: 0,
            next,
            names,
            others: WireMap::new(),
            outputs,
            in_memory_only,
            first_wire: uses.inputs.len() as u32,
            first_output: next,
            engines,
            half: shape.half_of(next),
            keeper: Keeper::new(how.copies, next),
            spent: Spent::new(shape, next),
            streams,
            inputs,
        };
        renamer.streams.stats.inputs_loaded = (renamer.inputs.len() - in_memory_only) as u64;
        for &wire in &renamer.inputs {
            if let Some(code) = renamer.names.get(wire) {
                let address = Name::from_code(code).address;
                if shape.in_window(address, next) {
                    let first_use = uses.inputs[wire.index()];
                    renamer.spent.name(address, wire, first_use.position());
                }
            }
        }
        Ok(renamer)
    }

    /// Lowers the next gate.
    #[inline]
    pub fn gate(&mut self, gate: Gate, next: Next) -> Result<(), LowerError> {
        let operand =
            |index: usize, wire, inverted| Operand { wire, inverted, later: next.operands[index] };
        let wire = Wire::new(self.first_wire + self.position);
        let wire_of = |bit: Bit| bit.wire().expect("operands are wires");
        let name = match gate.kind() {
            GateKind::Xor { a, b, invert } => {
                let operands = [operand(0, a, None), operand(1, b, None)];
                let (address, inverted) = self.binary(Op::Xor, operands, (wire, next.result))?;
                Name { address, inverted: inverted ^ invert }
            }
            GateKind::And { a, b, invert } => {
                let a = operand(0, wire_of(a), Some(a.is_inverted()));
                let b = operand(1, wire_of(b), Some(b.is_inverted()));
                let (address, _) = self.binary(Op::And, [a, b], (wire, next.result))?;
                Name { address, inverted: invert }
            }
            GateKind::Copy { a, invert } => {
                let a = operand(0, a, None);
                let name = Name::from_code(self.names.get(a.wire).expect(REMEMBERED));
                let inverted = name.inverted ^ invert;
                // A copy gate takes an instruction anyway. If this instruction inverts, the gate's
                // readers need no INV of their own.
                let inverts = inverted && self.how.inversions == Inversions::Insert;
                let unary = if inverts { Unary::Inv } else { Unary::Copy };
                let address = self.unary(unary, (a.wire, name, a.later), (wire, next.result))?;
                self.settle(a, address);
                Name { address, inverted: inverted ^ inverts }
            }
        };
        if next.result.position() != NEVER {
            self.names.insert(wire, name.code());
        }
        if next.result.is_output() {
            self.outputs.insert(wire, name.code());
        }
        self.position += 1;
        self.keep(gate, next.operands)
    }

    /// Lowers an XOR or an AND. Returns the address of the result, and whether exactly one of the
    /// operands is the inverse of the label used for it.
    #[inline]
    fn binary(
        &mut self,
        op: Op,
        ab: [Operand; 2],
        result: (Wire, Use),
    ) -> Result<(u32, bool), LowerError> {
        let names = match (self.find(ab[0]), self.find(ab[1])) {
            (Some(a), Some(b)) => [a, b],
            _ => self.prepare(ab)?,
        };
        let addresses = [names[0].address, names[1].address];
        let address = self.emit(op, None, addresses, result)?;
        for (i, name) in names.into_iter().enumerate() {
            if !self.shape.in_window(name.address, address) {
                let again = i == 0 && ab[0].wire == ab[1].wire;
                let last = ab[i].later.position() == NEVER && !again;
                self.pop(ab[i].wire, name, last, ab[i].later.is_output())?;
            }
        }
        self.settle(ab[0], address);
        self.settle(ab[1], address);
        Ok((address, names[0].inverted ^ names[1].inverted))
    }

    /// The name under which the next instruction reads an operand. `None` if an INV or a COPY must
    /// be inserted first.
    #[inline]
    fn find(&self, operand: Operand) -> Option<Name> {
        let name = Name::from_code(self.names.get(operand.wire).expect(REMEMBERED));
        if operand.inverted.is_some_and(|inverted| inverted != name.inverted) {
            let other = Name::from_code(self.others.get(operand.wire)?);
            return self.shape.in_window(other.address, self.next).then_some(other);
        }
        let stay =
            self.shape.in_window(name.address, self.next) || !self.is_worth_a_copy(operand.later);
        stay.then_some(name)
    }

    /// Inserts INV and COPY instructions before a gate until both its operands are found.
    #[cold]
    fn prepare(&mut self, ab: [Operand; 2]) -> Result<[Name; 2], LowerError> {
        loop {
            // Each inserted instruction moves the window, perhaps beyond a name found before.
            let before = self.next;
            let names = [self.provide(ab[0])?, self.provide(ab[1])?];
            if self.next == before {
                return Ok(names);
            }
        }
    }

    fn provide(&mut self, operand: Operand) -> Result<Name, LowerError> {
        if let Some(name) = self.find(operand) {
            return Ok(name);
        }
        let old = Name::from_code(self.names.get(operand.wire).expect(REMEMBERED));
        let wanted = operand.inverted.unwrap_or(old.inverted);
        let unary = if wanted == old.inverted { Unary::Copy } else { Unary::Inv };
        if unary == Unary::Inv && self.how.inversions == Inversions::Refuse {
            return Err(LowerError::Inverted { gate: self.position.into() });
        }
        let address = self.rename(unary, operand.wire, old, self.position)?;
        Ok(Name { address, inverted: wanted })
    }

    /// Gives `wire`, which is read next at `next`, a newer name: the result of a COPY or INV of its
    /// newest name.
    fn rename(
        &mut self,
        unary: Unary,
        wire: Wire,
        old: Name,
        next: u32,
    ) -> Result<u32, LowerError> {
        // No gate reads the old name any more; it may still be an output.
        let later = Use::new(NEVER, true);
        let result = Use::new(next, false);
        let address = self.unary(unary, (wire, old, later), (wire, result))?;
        let inverts = unary == Unary::Inv;
        if self.shape.in_window(old.address, address) {
            self.spent.set_next_use(old.address, NEVER);
        }
        if inverts && self.shape.in_window(old.address, address) {
            self.others.insert(wire, old.code());
        } else if inverts {
            self.others.remove(wire);
        }
        let name = Name { address, inverted: old.inverted ^ inverts };
        self.names.insert(wire, name.code());
        Ok(address)
    }

    /// Emits a COPY or INV of the label at `name`, which is a name of `wire`. The result becomes a
    /// name of `new` with the uses `result`. `later` has the later uses of the label at `name`.
    fn unary(
        &mut self,
        unary: Unary,
        (wire, name, later): (Wire, Name, Use),
        (new, result): (Wire, Use),
    ) -> Result<u32, LowerError> {
        let operands = [name.address; 2];
        let address = self.emit(Op::Unary, Some(unary), operands, (new, result))?;
        if !self.shape.in_window(name.address, address) {
            self.pop(wire, name, later.position() == NEVER, later.is_output())?;
        }
        Ok(address)
    }

    /// Writes an instruction and returns the address of its result.
    #[inline]
    fn emit(
        &mut self,
        op: Op,
        unary: Option<Unary>,
        operands: [u32; 2],
        (wire, result): (Wire, Use),
    ) -> Result<u32, LowerError> {
        let (shape, address) = (self.shape, self.next);
        if address > LAST_ADDRESS {
            return Err(LowerError::TooLong);
        }
        if shape.half_of(address) != self.half {
            self.enter(shape.half_of(address))?;
        }
        self.keeper.measure(shape, address, self.position);
        let field =
            |operand| if shape.in_window(operand, address) { shape.slot(operand) } else { 0 };
        let a = field(operands[0]);
        let b = unary.map_or_else(|| field(operands[1]), |unary| unary as u32);
        let slots = [a, if unary.is_some() { a } else { b }];
        for _ in 0..self.engines.place(op, slots, shape.slot(address)) {
            self.spent.nop();
        }
        self.spent.push(Instruction::new(op, a, b, result.is_output()));
        self.spent.name(address, wire, result.position());
        self.streams.stats.live_outputs += u64::from(result.is_output());
        self.next = shape.next_address(address);
        Ok(address)
    }

    /// Moves the window on to `half`.
    #[cold]
    fn enter(&mut self, half: u32) -> Result<(), LowerError> {
        self.half = half;
        Ok(self.spent.leave(half, &mut self.streams)?)
    }

    /// Records an operand of the newest instruction that comes from its engine's queue.
    fn pop(&mut self, wire: Wire, name: Name, last: bool, output: bool) -> Result<(), LowerError> {
        let kept = output && self.outputs.get(wire) == Some(name.code());
        let word = name.address | if last && !kept { OOR_LAST } else { 0 };
        let is_input = name.address < self.first_output;
        Ok(self.streams.oor(self.engines.engine(), word, is_input)?)
    }

    /// Updates the names of `operand` after the instruction at `address` has read it for a gate.
    #[inline]
    fn settle(&mut self, operand: Operand, address: u32) {
        let later = operand.later.position();
        let newest = match later {
            NEVER => self.names.remove(operand.wire),
            _ => self.names.get(operand.wire),
        };
        // If both operands are one wire, the first call has removed it.
        let Some(newest) = newest.map(Name::from_code) else { return };
        if self.shape.in_window(newest.address, address) {
            self.spent.set_next_use(newest.address, later);
        }
        if later == NEVER && !self.others.is_empty() {
            self.others.remove(operand.wire);
        }
    }

    /// Numbers of entries that are held: wires with names, second names, waiting instructions.
    #[cfg(test)]
    pub fn held(&self) -> [usize; 3] {
        [self.names.len(), self.others.len(), self.spent.waiting()]
    }

    /// Ends the lowering after the last gate. Returns the code and the time of its assignment.
    pub fn finish(mut self, program: &Program) -> Result<(Code, Option<u64>), LowerError> {
        for _ in 0..self.engines.rest_of_row() {
            self.spent.nop();
        }
        self.spent.finish(&mut self.streams)?;
        let places = self.streams.stats.instructions() + self.streams.stats.nops;
        self.streams.stats.rows = places / u64::from(self.shape.engines);
        let circuit = &program.circuit;
        let source = |bit: Bit| match bit.wire() {
            None => Source::Constant(bit.is_inverted()),
            Some(wire) => {
                let name = self.outputs.get(wire).expect("each output was noted when it was named");
                let Name { address, inverted } = Name::from_code(name);
                Source::Wire { address, invert: inverted ^ bit.is_inverted() }
            }
        };
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits).map(source).collect();
        let nexts = circuit.flip_flops.iter().map(|f| source(f.next)).collect();
        let time = self.engines.time(&self.streams.stats);
        let code = Code {
            shape: self.shape,
            program: program.hash,
            inputs: self.inputs,
            inputs_in_memory_only: self.in_memory_only,
            outputs,
            nexts,
            first_output: self.first_output,
            rows: self.streams.rows,
            oor: self.streams.oor,
            stats: self.streams.stats,
        };
        Ok((code, time))
    }
}

const REMEMBERED: &str = "a wire is remembered up to its last use";
