//! From the file's wire numbers to the circuit's.
//!
//! A file may number its wires in any way, and a circuit numbers them in order, so a map
//! between the two is needed. It holds the wires alive, not all of them: a pass backwards over
//! the spooled steps marks where each wire is read last, and a pass forwards forgets it there.
//! `INV`, `EQW` and constants become [`Bit`]s on the way, which are no gates.

use super::error::ReadError;
use crate::spool::{Record, Spool};
use halfgate_circuit::{Bit, Gate, Gates, Wire};
use std::collections::{HashMap, HashSet};

/// What a step computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// `a ^ b`.
    Xor,
    /// `a & b`.
    And,
    /// `!a`.
    Inv,
    /// `a`.
    Copy,
    /// The constant 0.
    Zero,
    /// The constant 1.
    One,
}

const OPS: [Op; 6] = [Op::Xor, Op::And, Op::Inv, Op::Copy, Op::Zero, Op::One];

/// One gate of the file, in the file's wire numbers (one AND of a `MAND`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    op: Op,
    /// [`LAST_A`], [`LAST_B`] and [`UNREAD`]: set by [`mark_last_reads`].
    marks: u8,
    /// The operands; 0 where the step has none.
    a: u32,
    b: u32,
    out: u32,
}

/// Nothing after this step reads `a`.
const LAST_A: u8 = 1 << 3;
/// Nothing after this step reads `b`.
const LAST_B: u8 = 1 << 4;
/// Nothing reads `out`.
const UNREAD: u8 = 1 << 5;

impl Step {
    pub(super) fn new(op: Op, a: u32, b: u32, out: u32) -> Step {
        Step { op, marks: 0, a, b, out }
    }

    fn reads_a(&self) -> bool {
        !matches!(self.op, Op::Zero | Op::One)
    }

    fn reads_b(&self) -> bool {
        matches!(self.op, Op::Xor | Op::And)
    }
}

/// Three words and a byte of operation (three bits) and marks.
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
        let op = OPS[usize::from(tag & 7)];
        Step { op, marks: tag & !7, a: word(0), b: word(1), out: word(2) }
    }
}

/// Which wires need no looking after: inputs have the same number on both sides, and outputs
/// are alive to the end.
pub(super) struct Layout {
    /// Wires below are inputs.
    pub(super) inputs: u32,
    /// Wires from here on are outputs.
    pub(super) first_output: u32,
    /// Number of wires.
    pub(super) wires: u32,
}

/// The circuit's side of the file's steps.
pub(super) struct Renumbered {
    pub(super) gates: Gates,
    /// The bits of the wires from [`Layout::first_output`] on.
    pub(super) outputs: Vec<Bit>,
    /// The most wires that were in the map at once: what memory went with.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) most_alive: usize,
}

/// Turns `steps`, each of which reads only inputs and wires assigned before, into gates.
///
/// `as_given` keeps copies and inverters as gates.
pub(super) fn renumber(
    mut steps: Spool<Step>,
    layout: &Layout,
    as_given: bool,
) -> Result<Renumbered, ReadError> {
    mark_last_reads(&mut steps, layout)?;

    let mut folder = Folder { gates: Gates::new(), next: layout.inputs, as_given };
    let mut alive: HashMap<u32, Bit> = HashMap::new();
    let mut most_alive = 0;
    let bit = |alive: &HashMap<u32, Bit>, wire: u32| {
        if wire < layout.inputs { Wire::new(wire).bit() } else { alive[&wire] }
    };
    steps.for_each(|step| {
        let a = || bit(&alive, step.a);
        let b = || bit(&alive, step.b);
        let out = match step.op {
            Op::Xor => folder.xor(a(), b())?,
            Op::And => folder.and(a(), b())?,
            Op::Inv => folder.copy(a(), true)?,
            Op::Copy => folder.copy(a(), false)?,
            Op::Zero => Bit::FALSE,
            Op::One => Bit::TRUE,
        };
        if step.marks & LAST_A != 0 {
            alive.remove(&step.a);
        }
        if step.marks & LAST_B != 0 {
            alive.remove(&step.b);
        }
        if step.marks & UNREAD == 0 {
            alive.insert(step.out, out);
            most_alive = most_alive.max(alive.len());
        }
        Ok::<(), ReadError>(())
    })?;

    let outputs = (layout.first_output..layout.wires).map(|wire| bit(&alive, wire)).collect();
    Ok(Renumbered { gates: folder.gates, outputs, most_alive })
}

/// Backwards: the first read met is the last one made.
fn mark_last_reads(steps: &mut Spool<Step>, layout: &Layout) -> Result<(), ReadError> {
    let mut read_later: HashSet<u32> = HashSet::new();
    steps.rewrite_rev(|step| {
        let forgettable = |wire: u32| wire >= layout.inputs && wire < layout.first_output;
        if forgettable(step.out) && !read_later.remove(&step.out) {
            step.marks |= UNREAD;
        }
        if step.reads_a() && forgettable(step.a) && read_later.insert(step.a) {
            step.marks |= LAST_A;
        }
        if step.reads_b() && forgettable(step.b) && read_later.insert(step.b) {
            step.marks |= LAST_B;
        }
    })?;
    Ok(())
}

/// Makes gates in the builder's normal form (inversions move to the bit that a XOR gives), or as
/// given; folds what needs no gate.
struct Folder {
    gates: Gates,
    /// The wire that the next gate drives.
    next: u32,
    as_given: bool,
}

impl Folder {
    fn xor(&mut self, a: Bit, b: Bit) -> Result<Bit, ReadError> {
        if let Some(value) = a.as_constant() {
            return self.copy(b, value);
        }
        if let Some(value) = b.as_constant() {
            return self.copy(a, value);
        }
        if self.as_given {
            return self.push(Gate::xor(a, b, false));
        }
        let invert = a.is_inverted() ^ b.is_inverted();
        if a.wire() == b.wire() {
            return Ok(Bit::constant(invert));
        }
        let (a, b) = (a.invert_if(a.is_inverted()), b.invert_if(b.is_inverted()));
        Ok(self.push(Gate::xor(a, b, false))?.invert_if(invert))
    }

    fn and(&mut self, a: Bit, b: Bit) -> Result<Bit, ReadError> {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) | (_, Some(false)) => return Ok(Bit::FALSE),
            (Some(true), _) => return self.copy(b, false),
            (_, Some(true)) => return self.copy(a, false),
            (None, None) => {}
        }
        if !self.as_given && a.wire() == b.wire() {
            return Ok(if a == b { a } else { Bit::FALSE });
        }
        self.push(Gate::and(a, b, false))
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
