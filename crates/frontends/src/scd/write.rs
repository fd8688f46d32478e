//! The SCD writer, and the rows of gates that both writers use.
//!
//! Flip-flops and gates have the same wires in the file as in the circuit, because the number of
//! input bits before them is the same. Only the order of input bits changes. So the writer stores
//! nothing about gates: it goes through them once for each line that lists them.

use super::error::WriteError;
use super::gate_type::{GateType, NOT, XNOR, XOR, of_gate};
use super::netlist::{CONST_ONE, CONST_ZERO, NONE};
use halfgate_circuit::{Bit, Circuit, Init, Input, Party, Wire};
use std::collections::HashMap;
use std::io::{BufWriter, Write};

/// Writes `circuit` in SCD format; [the module](super) describes what happens to its ports.
///
/// Memory: about 40 bytes for each output bit and each flip-flop.
///
/// # Errors
/// If the gates for inverted outputs and next states make too many wires, or if writing fails.
pub fn write(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    let mut rows = Rows::new(circuit);
    let outputs: Vec<i64> = output_bits(circuit).map(|bit| rows.place(bit)).collect();
    let data: Vec<i64> = circuit.flip_flops.iter().map(|f| rows.place(f.next)).collect();
    let wires = circuit.first_gate_wire() as u64 + rows.len();
    if wires > Wire::MAX.into() {
        return Err(WriteError::TooLarge { wires });
    }

    let mut to = BufWriter::new(to);
    for size in rows.ports.sizes {
        write!(to, "{size} ")?;
    }
    writeln!(to, "{} {} {}", data.len(), outputs.len(), rows.len())?;
    line(&mut to, rows.iter().map(|row| row.a))?;
    line(&mut to, rows.iter().map(|row| row.b))?;
    line(&mut to, rows.iter().map(|row| row.gate_type.code.into()))?;
    line(&mut to, outputs.into_iter())?;
    line(&mut to, data.into_iter())?;
    line(&mut to, circuit.flip_flops.iter().map(|f| rows.init(f.init)))?;
    to.flush()?;
    Ok(())
}

/// Writes numbers as TinyGarble does, with a space after each.
fn line(to: &mut impl Write, mut numbers: impl Iterator<Item = i64>) -> std::io::Result<()> {
    numbers.try_for_each(|number| write!(to, "{number} "))?;
    writeln!(to)
}

/// Returns the output bits of `circuit`, ports in order.
pub(super) fn output_bits(circuit: &Circuit) -> impl Iterator<Item = Bit> {
    circuit.outputs.iter().flat_map(|output| output.bits.iter())
}

/// The wires of input bits in the file.
pub(super) struct Ports {
    /// Bits of g_init, e_init, g_input and e_input.
    pub(super) sizes: [u64; 4],
    /// For each input its first wire in the circuit, in ascending order, and its first wire in the
    /// file.
    places: Vec<(u32, u32)>,
}

impl Ports {
    fn new(circuit: &Circuit) -> Ports {
        let combinational =
            !circuit.is_sequential() && circuit.inputs.iter().all(|input| !input.per_cycle);
        let kind = |input: &Input| {
            let of_cycle = input.per_cycle || combinational;
            2 * usize::from(of_cycle) + usize::from(input.party == Party::Evaluator)
        };
        let mut sizes = [0; 4];
        for input in &circuit.inputs {
            sizes[kind(input)] += u64::from(input.width);
        }
        let mut next: [u32; 4] = std::array::from_fn(|i| sizes[..i].iter().sum::<u64>() as u32);
        let place = |(first, input): (Wire, &Input)| {
            let place = next[kind(input)];
            next[kind(input)] += input.width;
            (first.number(), place)
        };
        let places = circuit.inputs_with_wires().map(place).collect();
        Ports { sizes, places }
    }

    /// Returns the file's number of an input wire.
    fn wire(&self, wire: u32) -> u32 {
        let after = self.places.partition_point(|&(first, _)| first <= wire);
        let (first, place) = self.places[after - 1];
        place + (wire - first)
    }
}

/// A gate of the file.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) gate_type: GateType,
    pub(super) a: i64,
    pub(super) b: i64,
}

/// The gates of the file: the circuit's gates, and extra gates after them.
pub(super) struct Rows<'a> {
    circuit: &'a Circuit,
    pub(super) ports: Ports,
    extra: Vec<Row>,
    /// For bits that `extra` gates compute (inversions and constants), the file's wire.
    made: HashMap<Bit, i64>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(circuit: &'a Circuit) -> Rows<'a> {
        Rows { circuit, ports: Ports::new(circuit), extra: Vec::new(), made: HashMap::new() }
    }

    /// Number of gates.
    pub(super) fn len(&self) -> u64 {
        (self.circuit.gates.len() + self.extra.len()) as u64
    }

    /// The gates in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row> {
        let row = |gate: halfgate_circuit::Gate| {
            let (gate_type, a, b) = of_gate(gate.kind());
            let b = match b {
                Some(b) => self.wire(b),
                None if gate_type == NOT => NONE,
                None => CONST_ZERO,
            };
            Row { gate_type, a: self.wire(a), b }
        };
        self.circuit.gates.iter().map(row).chain(self.extra.iter().copied())
    }

    /// Returns the file's number of a wire.
    pub(super) fn wire(&self, wire: Wire) -> i64 {
        match wire.index() < self.circuit.first_flip_flop_wire() {
            true => self.ports.wire(wire.number()).into(),
            false => wire.number().into(),
        }
    }

    /// Returns an initial value as written in the file.
    pub(super) fn init(&self, init: Init) -> i64 {
        match init {
            Init::Constant(value) => constant(value),
            Init::Input(wire) => self.wire(wire),
        }
    }

    /// Returns a wire or a constant with the value of `bit`. For an inverted bit, this is the wire
    /// of a NOT, which is made only once.
    fn place(&mut self, bit: Bit) -> i64 {
        match bit.wire() {
            None => constant(bit.is_inverted()),
            Some(_) => self.wire_of(bit),
        }
    }

    /// Returns a wire with the value of `bit`. A constant is made from wire 0, which must exist.
    pub(super) fn wire_of(&mut self, bit: Bit) -> i64 {
        match (bit.wire(), self.made.get(&bit)) {
            (Some(wire), _) if !bit.is_inverted() => self.wire(wire),
            (_, Some(&made)) => made,
            (_, None) => {
                let made = self.gate_for(bit);
                self.made.insert(bit, made);
                made
            }
        }
    }

    /// Adds a gate with the value of `bit`, and returns its wire.
    pub(super) fn gate_for(&mut self, bit: Bit) -> i64 {
        let row = match (bit.wire(), bit.is_inverted()) {
            (Some(wire), true) => Row { gate_type: NOT, a: self.wire(wire), b: NONE },
            (Some(wire), false) => Row { gate_type: XOR, a: self.wire(wire), b: CONST_ZERO },
            (None, false) => Row { gate_type: XOR, a: 0, b: 0 },
            (None, true) => Row { gate_type: XNOR, a: 0, b: 0 },
        };
        let wire = self.circuit.first_gate_wire() as u64 + self.len();
        self.extra.push(row);
        wire as i64
    }
}

fn constant(value: bool) -> i64 {
    if value { CONST_ONE } else { CONST_ZERO }
}
