//! Maps the wire numbers of a file to those of a circuit.
//!
//! A file may number its wires in any way, but a circuit numbers them in order. The map between the
//! two holds only the wires alive: a backward pass over the spooled steps marks the last read of
//! each wire, and a forward pass removes the wire from the map at that read. The forward pass also
//! turns copies, inverters and constants into [`Bit`]s, which are not gates.

use crate::error::ReadError;
use crate::spool::{Record, Spool};
use halfgate_circuit::{Bit, Gate, Gates, Wire};
use std::collections::{HashMap, HashSet};

/// The operation of a step, without inversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// `a ^ b`.
    Xor,
    /// `a & b`.
    And,
    /// `a`.
    Copy,
}

const OPS: [Op; 3] = [Op::Xor, Op::And, Op::Copy];

/// An operand that is the constant 0.
pub(crate) const ZERO: u32 = u32::MAX - 1;
/// An operand that is the constant 1.
pub(crate) const ONE: u32 = u32::MAX;

/// One gate of the file, in the file's wire numbers. A `MAND` is one step per AND.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    op: Op,
    /// Flags: [`INVERT_A`], [`INVERT_B`] and [`INVERT`]. [`mark_last_reads`] adds [`LAST_A`],
    /// [`LAST_B`] and [`UNREAD`].
    marks: u8,
    /// The operands, which are wires or constants. A copy reads only `a`.
    a: u32,
    b: u32,
    out: u32,
}

/// The first operand is inverted.
pub(crate) const INVERT_A: u8 = 1 << 2;
/// The second operand is inverted.
pub(crate) const INVERT_B: u8 = 1 << 3;
/// The output is inverted.
pub(crate) const INVERT: u8 = 1 << 4;
/// No later step reads `a`.
const LAST_A: u8 = 1 << 5;
/// No later step reads `b`.
const LAST_B: u8 = 1 << 6;
/// No step reads `out`.
const UNREAD: u8 = 1 << 7;

impl Step {
    /// Creates a step with the given inversions.
    pub(crate) fn new(op: Op, inversions: u8, a: u32, b: u32, out: u32) -> Step {
        Step { op, marks: inversions, a, b, out }
    }

    fn reads_b(&self) -> bool {
        self.op != Op::Copy
    }

    fn has(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }
}

/// Encoded as three words and a byte that holds the operation (two bits) and the marks.
impl Record for Step {
    const BYTES: usize = 13;

    fn store(&self, out: &mut Vec<u8>) {
        for word in [self.a, self.b, self.out] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.push(self.op as u8 | self.marks);
    }

    fn load(bytes: &[u8]) -> Step {
        let word = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four"));
        let tag = bytes[12];
        let op = OPS[usize::from(tag & 3)];
        Step { op, marks: tag & !3, a: word(0), b: word(1), out: word(2) }
    }
}

/// The circuit's bits for wires of the file.
pub(crate) struct Renumbered {
    pub(crate) gates: Gates,
    /// Wires with lower numbers are inputs and flip-flops, which have the same numbers in the file
    /// and the circuit.
    fixed: u32,
    /// The bits of the wires for which `is_kept` was true.
    alive: HashMap<u32, Bit>,
    /// The largest number of wires that were in the map at once, which determines the memory.
    pub(crate) most_alive: usize,
}

impl Renumbered {
    /// Returns the bit of a kept wire, an input or a constant.
    pub(crate) fn bit(&self, operand: u32) -> Bit {
        bit(&self.alive, self.fixed, operand)
    }
}

fn bit(alive: &HashMap<u32, Bit>, fixed: u32, operand: u32) -> Bit {
    match operand {
        ZERO => Bit::FALSE,
        ONE => Bit::TRUE,
        wire if wire < fixed => Wire::new(wire).bit(),
        wire => alive[&wire],
    }
}

/// Turns `steps` into gates. Each step may read only constants, wires below `fixed`, and wires that
/// an earlier step drives. Wires for which `is_kept` is true stay in the map to the end. With
/// `as_given`, copies and inverters stay gates.
pub(crate) fn renumber(
    mut steps: Spool<Step>,
    fixed: u32,
    is_kept: impl Fn(u32) -> bool,
    as_given: bool,
) -> Result<Renumbered, ReadError> {
    mark_last_reads(&mut steps, |wire| wire >= fixed && wire < ZERO && !is_kept(wire))?;

    let mut folder = Folder { gates: Gates::new(), next: fixed, as_given };
    let mut alive: HashMap<u32, Bit> = HashMap::new();
    let mut most_alive = 0;
    steps.for_each(|step| {
        let a = bit(&alive, fixed, step.a).invert_if(step.has(INVERT_A));
        let b = || bit(&alive, fixed, step.b).invert_if(step.has(INVERT_B));
        let out = match step.op {
            Op::Xor => folder.xor(a, b(), step.has(INVERT))?,
            Op::And => folder.and(a, b(), step.has(INVERT))?,
            Op::Copy => folder.copy(a, step.has(INVERT))?,
        };
        if step.has(LAST_A) {
            alive.remove(&step.a);
        }
        if step.has(LAST_B) {
            alive.remove(&step.b);
        }
        if !step.has(UNREAD) {
            alive.insert(step.out, out);
            most_alive = most_alive.max(alive.len());
        }
        Ok::<(), ReadError>(())
    })?;
    Ok(Renumbered { gates: folder.gates, fixed, alive, most_alive })
}

/// Marks the last read of each wire. The pass goes backwards, so it is the first read that the pass
/// finds.
fn mark_last_reads(
    steps: &mut Spool<Step>,
    is_forgettable: impl Fn(u32) -> bool,
) -> Result<(), ReadError> {
    let mut read_later: HashSet<u32> = HashSet::new();
    steps.rewrite_rev(|step| {
        if is_forgettable(step.out) && !read_later.remove(&step.out) {
            step.marks |= UNREAD;
        }
        if is_forgettable(step.a) && read_later.insert(step.a) {
            step.marks |= LAST_A;
        }
        if step.reads_b() && is_forgettable(step.b) && read_later.insert(step.b) {
            step.marks |= LAST_B;
        }
    })?;
    Ok(())
}

/// Makes gates as given, or in the normal form of [`Builder`](halfgate_circuit::Builder), in which
/// inversions move to the bit that is returned for a gate. Folds operations that need no gate.
struct Folder {
    gates: Gates,
    /// The wire that the next gate will drive.
    next: u32,
    as_given: bool,
}

impl Folder {
    fn xor(&mut self, a: Bit, b: Bit, invert: bool) -> Result<Bit, ReadError> {
        if let Some(value) = a.as_constant() {
            return self.copy(b, value ^ invert);
        }
        if let Some(value) = b.as_constant() {
            return self.copy(a, value ^ invert);
        }
        if self.as_given {
            return self.push(Gate::xor(a, b, invert));
        }
        let invert = invert ^ a.is_inverted() ^ b.is_inverted();
        if a.wire() == b.wire() {
            return Ok(Bit::constant(invert));
        }
        let (a, b) = (a.invert_if(a.is_inverted()), b.invert_if(b.is_inverted()));
        Ok(self.push(Gate::xor(a, b, false))?.invert_if(invert))
    }

    fn and(&mut self, a: Bit, b: Bit, invert: bool) -> Result<Bit, ReadError> {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) | (_, Some(false)) => return Ok(Bit::constant(invert)),
            (Some(true), _) => return self.copy(b, invert),
            (_, Some(true)) => return self.copy(a, invert),
            (None, None) => {}
        }
        if self.as_given {
            return self.push(Gate::and(a, b, invert));
        }
        if a.wire() == b.wire() {
            return Ok(if a == b { a } else { Bit::FALSE }.invert_if(invert));
        }
        Ok(self.push(Gate::and(a, b, false))?.invert_if(invert))
    }

    fn copy(&mut self, a: Bit, invert: bool) -> Result<Bit, ReadError> {
        if self.as_given && a.as_constant().is_none() {
            return self.push(Gate::copy(a, invert));
        }
        Ok(a.invert_if(invert))
    }

    fn push(&mut self, gate: Gate) -> Result<Bit, ReadError> {
        self.gates.push(gate)?;
        let wire = Wire::new(self.next);
        self.next += 1;
        Ok(wire.bit())
    }
}
