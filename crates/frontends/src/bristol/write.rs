//! The writer of both formats.
//!
//! In a file an inversion is a gate, and outputs are the last wires. So each wire that is read
//! inverted gets one `INV`, which all its readers share. If an output bit is a gate's wire, the
//! gate drives the output's wire in the file. If an output bit is an input, a constant, or the same
//! as an earlier output bit, a gate copies it:
//!
//! | output bit | Fashion | old |
//! |---|---|---|
//! | the same wire as before, or an input | `EQW` | `INV` of `INV` |
//! | constant 0 | `EQ` | `XOR` of wire 0 and itself |
//! | constant 1 | `EQ` | `INV` of that |
//!
//! The header contains counts, so the lines are generated twice: once to count, once to write.

use super::Format;
use super::error::WriteError;
use crate::spool::{Record, Spool};
use halfgate_circuit::{Bit, Circuit, GateKind, Party, Wire};
use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write};

/// Writes `circuit` in the old format.
///
/// Old files have two inputs and one output. If the circuit has one input, the file has a second
/// input of width 0 (which comes first if the circuit's input is the evaluator's). Two inputs stay
/// as they are. More inputs are joined, those of each party to one. Outputs are joined. The format
/// has no names and owners. Memory: see [`write_fashion`].
///
/// # Errors
/// If the circuit is sequential; if it has more than two inputs and the garbler's do not all come
/// first; if it has constant outputs and no input; or if writing fails.
pub fn write_old(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    refuse_sequential(circuit)?;
    let (a, b) = old_inputs(circuit)?;
    if circuit.input_bits() == 0 && circuit.output_bits() > 0 {
        return Err(WriteError::NoInput);
    }
    write(circuit, Format::Old, to, |to| writeln!(to, "{a} {b}   {}", circuit.output_bits()))
}

/// Writes `circuit` in Bristol Fashion. The format has no names and owners.
///
/// Memory: about 30 bytes for each wire whose inversion is still to be read, and for each output
/// bit; one byte for each gate, up to 32 MiB. Further bytes are in a temporary file.
///
/// # Errors
/// If the circuit is sequential, or if writing fails.
pub fn write_fashion(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    refuse_sequential(circuit)?;
    let inputs: Vec<usize> = circuit.inputs.iter().map(|input| input.width as usize).collect();
    let outputs: Vec<usize> = circuit.outputs.iter().map(|output| output.bits.len()).collect();
    write(circuit, Format::Fashion, to, |to| {
        for widths in [&inputs, &outputs] {
            write!(to, "{}", widths.len())?;
            widths.iter().try_for_each(|width| write!(to, " {width}"))?;
            writeln!(to)?;
        }
        Ok(())
    })
}

fn refuse_sequential(circuit: &Circuit) -> Result<(), WriteError> {
    let per_cycle = circuit.inputs.iter().any(|input| input.per_cycle)
        || circuit.outputs.iter().any(|output| output.per_cycle);
    if circuit.is_sequential() {
        Err(WriteError::Sequential("it has flip-flops"))
    } else if per_cycle {
        Err(WriteError::Sequential("it has values per cycle"))
    } else if circuit.cycles != 1 {
        Err(WriteError::Sequential("its body runs more than once"))
    } else {
        Ok(())
    }
}

/// Returns the widths of an old file's two inputs.
fn old_inputs(circuit: &Circuit) -> Result<(u32, u32), WriteError> {
    let inputs = &circuit.inputs;
    match &inputs[..] {
        [] => Ok((0, 0)),
        [one] if one.party == Party::Garbler => Ok((one.width, 0)),
        [one] => Ok((0, one.width)),
        [a, b] => Ok((a.width, b.width)),
        _ if inputs.is_sorted_by_key(|input| input.party == Party::Evaluator) => {
            let bits = |party| {
                inputs.iter().filter(|input| input.party == party).map(|input| input.width).sum()
            };
            Ok((bits(Party::Garbler), bits(Party::Evaluator)))
        }
        _ => Err(WriteError::Inputs(inputs.len())),
    }
}

fn write<W: Write>(
    circuit: &Circuit,
    format: Format,
    to: &mut W,
    widths: impl FnOnce(&mut BufWriter<&mut W>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let plan = Plan::new(circuit, format)?;
    let counted = Lines::make(&plan, Numbering::default(), |_| Ok(()))?;
    let gates = counted.lines;
    let wires = circuit.input_bits() as u64 + gates;
    if wires > Wire::MAX.into() {
        return Err(WriteError::TooLarge { wires, format });
    }

    let mut to = BufWriter::new(to);
    writeln!(to, "{gates} {wires}")?;
    widths(&mut to)?;
    writeln!(to)?;
    let numbering = Numbering {
        first_extra: wires - circuit.output_bits() as u64 - counted.extras,
        first_output: wires - circuit.output_bits() as u64,
    };
    Lines::make(&plan, numbering, |line| match line {
        Line::Xor(a, b, out) => writeln!(to, "2 1 {a} {b} {out} XOR"),
        Line::And(a, b, out) => writeln!(to, "2 1 {a} {b} {out} AND"),
        Line::Inv(a, out) => writeln!(to, "1 1 {a} {out} INV"),
        Line::Copy(a, out) => writeln!(to, "1 1 {a} {out} EQW"),
        Line::Constant(value, out) => writeln!(to, "1 1 {} {out} EQ", u8::from(value)),
    })?;
    to.flush()?;
    Ok(())
}

/// A gate of the file. Its numbers are wires of the file: the operands, then the driven wire.
enum Line {
    Xor(u64, u64, u64),
    And(u64, u64, u64),
    Inv(u64, u64),
    Copy(u64, u64),
    Constant(bool, u64),
}

/// Facts about the circuit that are needed before its lines are generated.
struct Plan<'a> {
    circuit: &'a Circuit,
    format: Format,
    /// Gate wires that are outputs. The value is the index of the first output bit that is this
    /// wire.
    outputs: HashMap<Wire, u64>,
    /// The wires of `outputs` in ascending order. They are left out when the other gate wires are
    /// numbered.
    output_wires: Vec<Wire>,
    /// Wires whose inversion is an output. The value is the index of the first such output bit.
    inverted_outputs: HashMap<Wire, u64>,
    /// Inputs whose inversion is read by a gate or is an output, in order.
    inverted_inputs: Vec<Wire>,
    /// A mark for each gate, the last gate first.
    marks: Spool<Mark>,
}

/// Flags of a gate: whether inversions of its wires are needed later.
#[derive(Clone, Copy)]
struct Mark(u8);

/// A later gate reads the inversion of the wire that this gate drives.
const INVERSE_READ: u8 = 1;
/// No later gate reads the inversion of this gate's first operand.
const LAST_A: u8 = 2;
/// No later gate reads the inversion of this gate's second operand.
const LAST_B: u8 = 4;

impl Record for Mark {
    const BYTES: usize = 1;
    fn store(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
    fn load(bytes: &[u8]) -> Mark {
        Mark(bytes[0])
    }
}

impl Plan<'_> {
    fn new(circuit: &Circuit, format: Format) -> Result<Plan<'_>, WriteError> {
        let first_gate = circuit.first_gate_wire();
        let (mut outputs, mut inverted_outputs) = (HashMap::new(), HashMap::new());
        for (place, bit) in (0..).zip(output_bits(circuit)) {
            match bit.wire() {
                Some(wire) if bit.is_inverted() => {
                    inverted_outputs.entry(wire).or_insert(place);
                }
                Some(wire) if wire.index() >= first_gate => {
                    outputs.entry(wire).or_insert(place);
                }
                _ => {}
            }
        }
        let mut output_wires: Vec<Wire> = outputs.keys().copied().collect();
        output_wires.sort_unstable();

        let mut marks = Spool::new();
        let mut read_later: HashSet<Wire> = HashSet::new();
        for (index, gate) in (0..circuit.gates.len()).rev().zip(circuit.gates.iter_rev()) {
            let mut mark = 0;
            if read_later.remove(&Wire::new((first_gate + index) as u32)) {
                mark |= INVERSE_READ;
            }
            if let GateKind::And { a, b, .. } = gate.kind() {
                for (bit, last) in [(a, LAST_A), (b, LAST_B)] {
                    if bit.is_inverted() && bit.wire().is_some_and(|w| read_later.insert(w)) {
                        mark |= last;
                    }
                }
            }
            marks.push(Mark(mark))?;
        }
        let of_outputs = inverted_outputs.keys().filter(|wire| wire.index() < first_gate);
        read_later.extend(of_outputs);
        let mut inverted_inputs: Vec<Wire> = read_later.into_iter().collect();
        inverted_inputs.sort_unstable();

        Ok(Plan {
            circuit,
            format,
            outputs,
            output_wires,
            inverted_outputs,
            inverted_inputs,
            marks,
        })
    }
}

fn output_bits(circuit: &Circuit) -> impl Iterator<Item = Bit> {
    circuit.outputs.iter().flat_map(|output| output.bits.iter())
}

/// The numbering of the file's wires. First come the inputs and then the gate wires that are not
/// outputs, both in the circuit's order. Extra wires in the order of use follow, and then the
/// outputs.
#[derive(Clone, Copy, Default)]
struct Numbering {
    first_extra: u64,
    first_output: u64,
}

/// Generates the lines of a file.
struct Lines<'a, F> {
    plan: &'a Plan<'a>,
    numbering: Numbering,
    sink: F,
    /// Number of lines generated so far.
    lines: u64,
    /// Number of extra wires so far.
    extras: u64,
    /// The extra wires that are inversions and that later gates still read, by the inverted wire.
    inverses: HashMap<Wire, u64>,
}

/// The counts of [`Lines`].
struct Counted {
    lines: u64,
    extras: u64,
}

impl<'a, F: FnMut(Line) -> io::Result<()>> Lines<'a, F> {
    /// Passes every line of the circuit to `sink`, in order.
    fn make(plan: &'a Plan<'a>, numbering: Numbering, sink: F) -> io::Result<Counted> {
        let inverses = HashMap::new();
        let mut lines = Lines { plan, numbering, sink, lines: 0, extras: 0, inverses };
        for &input in &plan.inverted_inputs {
            lines.invert(input, true)?;
        }
        let mut gates = (plan.circuit.first_gate_wire() as u32..).zip(plan.circuit.gates.iter());
        plan.marks.for_each_rev(|mark| {
            let (wire, gate) = gates.next().expect("there is a mark for every gate");
            lines.gate(Wire::new(wire), gate.kind(), mark)
        })?;
        lines.outputs()?;
        Ok(Counted { lines: lines.lines, extras: lines.extras })
    }

    fn gate(&mut self, out: Wire, kind: GateKind, Mark(mark): Mark) -> io::Result<()> {
        let (invert, number) = (inverts_behind(kind), self.number(out));
        let inverse_read = mark & INVERSE_READ != 0;
        // If the gate has an inverted output, the gate of the file drives the inverse of the wire,
        // and an inverter follows.
        let target = if invert { self.name_inverse(out, inverse_read) } else { number };
        match kind {
            GateKind::Xor { a, b, .. } => {
                self.line(Line::Xor(self.number(a), self.number(b), target))?;
            }
            GateKind::And { a, b, .. } => {
                self.line(Line::And(self.operand(a), self.operand(b), target))?;
                for (bit, last) in [(a, LAST_A), (b, LAST_B)] {
                    if let (true, Some(wire)) = (mark & last != 0, bit.wire()) {
                        self.inverses.remove(&wire);
                    }
                }
            }
            GateKind::Copy { a, invert: true } => self.line(Line::Inv(self.number(a), target))?,
            GateKind::Copy { a, invert: false } => self.copy(self.number(a), target)?,
        }
        if invert {
            self.line(Line::Inv(target, number))
        } else if inverse_read || self.plan.inverted_outputs.contains_key(&out) {
            self.invert(out, inverse_read)
        } else {
            Ok(())
        }
    }

    /// Generates the lines of the output bits that no earlier line has driven.
    fn outputs(&mut self) -> io::Result<()> {
        for (place, bit) in (0..).zip(output_bits(self.plan.circuit)) {
            let out = self.numbering.first_output + place;
            match (bit.wire(), bit.is_inverted()) {
                (None, value) => self.constant(value, out)?,
                (Some(wire), true) if self.plan.inverted_outputs[&wire] == place => {}
                (Some(wire), false) if self.plan.outputs.get(&wire) == Some(&place) => {}
                (Some(_), _) => self.copy(self.operand(bit), out)?,
            }
        }
        Ok(())
    }

    fn constant(&mut self, value: bool, out: u64) -> io::Result<()> {
        match (self.plan.format, value) {
            (Format::Fashion, _) => self.line(Line::Constant(value, out)),
            (Format::Old, false) => self.line(Line::Xor(0, 0, out)),
            (Format::Old, true) => {
                let zero = self.extra();
                self.line(Line::Xor(0, 0, zero))?;
                self.line(Line::Inv(zero, out))
            }
        }
    }

    fn copy(&mut self, from: u64, out: u64) -> io::Result<()> {
        match self.plan.format {
            Format::Fashion => self.line(Line::Copy(from, out)),
            Format::Old => {
                let inverse = self.extra();
                self.line(Line::Inv(from, inverse))?;
                self.line(Line::Inv(inverse, out))
            }
        }
    }

    /// Generates the line for the inverse of `wire`. `read`: whether gates read the inverse.
    fn invert(&mut self, wire: Wire, read: bool) -> io::Result<()> {
        let inverse = self.name_inverse(wire, read);
        self.line(Line::Inv(self.number(wire), inverse))
    }

    /// Returns the number of the inverse of `wire`. If the inverse is an output, this is the
    /// output's wire.
    fn name_inverse(&mut self, wire: Wire, read: bool) -> u64 {
        if let Some(place) = self.plan.inverted_outputs.get(&wire) {
            return self.numbering.first_output + place;
        }
        let inverse = self.extra();
        if read {
            self.inverses.insert(wire, inverse);
        }
        inverse
    }

    fn extra(&mut self) -> u64 {
        self.extras += 1;
        self.numbering.first_extra + self.extras - 1
    }

    /// Returns the number of the wire with the value of `bit`. If the bit is inverted, a line for
    /// the inverse must exist.
    fn operand(&self, bit: Bit) -> u64 {
        let wire = bit.wire().expect("gates and copies do not read constants");
        if !bit.is_inverted() {
            return self.number(wire);
        }
        match self.plan.inverted_outputs.get(&wire) {
            Some(place) => self.numbering.first_output + place,
            None => self.inverses[&wire],
        }
    }

    fn number(&self, wire: Wire) -> u64 {
        if let Some(place) = self.plan.outputs.get(&wire) {
            return self.numbering.first_output + place;
        }
        let outputs_before = self.plan.output_wires.partition_point(|&output| output < wire);
        wire.index() as u64 - outputs_before as u64
    }

    fn line(&mut self, line: Line) -> io::Result<()> {
        self.lines += 1;
        (self.sink)(line)
    }
}

/// Whether the gate's output inversion needs an additional line.
fn inverts_behind(kind: GateKind) -> bool {
    match kind {
        GateKind::Xor { invert, .. } | GateKind::And { invert, .. } => invert,
        GateKind::Copy { .. } => false,
    }
}
