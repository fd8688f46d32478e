//! The HSCD writer: the rows of SCD in fields of fixed width.

use super::error::WriteError;
use super::write::{Rows, output_bits};
use halfgate_circuit::{Bit, Circuit};
use std::io::{BufWriter, Write};

/// Writes `circuit` in HSCD format; [the module](super) describes what happens to its ports and
/// outputs.
///
/// Memory: about 40 bytes for each output bit and each flip-flop.
///
/// # Errors
/// If a count or a wire does not fit its field (then nothing is written), if there are constant
/// outputs or next states but no wire, or if writing fails.
pub fn write_hex(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    let mut file = File::new(circuit)?;
    file.words(|_| Ok(()))?;
    let mut to = BufWriter::new(to);
    let mut line = 0;
    file.words(|word| {
        line += 1;
        match line {
            ..=4 => writeln!(to, "{word:08X}"),
            _ => writeln!(to, "{word:09X}"),
        }
    })?;
    to.flush()?;
    Ok(())
}

/// The data from which the words of a file are made.
struct File<'a> {
    circuit: &'a Circuit,
    rows: Rows<'a>,
    /// The data wire of each flip-flop.
    data: Vec<i64>,
    /// The wires that are outputs, ascending.
    outputs: Vec<i64>,
}

impl File<'_> {
    fn new(circuit: &Circuit) -> Result<File<'_>, WriteError> {
        let next = circuit.flip_flops.iter().map(|flip_flop| flip_flop.next);
        let is_constant = |bit: Bit| bit.wire().is_none();
        if circuit.wires() == 0 && output_bits(circuit).chain(next.clone()).any(is_constant) {
            return Err(WriteError::NoWire);
        }
        let mut rows = Rows::new(circuit);
        let data = next.map(|bit| rows.wire_of(bit)).collect();
        let outputs = outputs(circuit, &mut rows);
        Ok(File { circuit, rows, data, outputs })
    }

    /// Passes every word to `sink`, in order.
    fn words(
        &mut self,
        mut sink: impl FnMut(u32) -> std::io::Result<()>,
    ) -> Result<(), WriteError> {
        let (circuit, rows) = (self.circuit, &self.rows);
        let [g_init, e_init, g_input, e_input] = rows.ports.sizes;
        let (flip_flops, outputs) = (self.data.len() as u64, self.outputs.len() as u64);
        let free = rows.len() - circuit.gates.ands();
        for [(high, high_is), (low, low_is)] in [
            [(e_init, "e_init bits"), (g_init, "g_init bits")],
            [(e_input, "e_input bits"), (g_input, "g_input bits")],
            [(flip_flops, "flip-flops"), (outputs, "outputs")],
            [(free, "free gates"), (rows.len(), "gates")],
        ] {
            let count = |value, what| field(value, COUNT, || format!("the number of {what}"));
            sink(count(high, high_is)? << 14 | count(low, low_is)?)?;
        }

        let mut outputs = self.outputs.iter().copied().peekable();
        let mut wires = circuit.first_flip_flop_wire() as i64..;
        let mut record = |first: u32, second: u32, code: u32| {
            let is_output = outputs.next_if_eq(&wires.next().expect("endless")).is_some();
            sink(first << 19 | second << 5 | code << 1 | u32::from(is_output))
        };
        for (index, (&data, flip_flop)) in self.data.iter().zip(&circuit.flip_flops).enumerate() {
            let place = |what| format!("the {what} wire of flip-flop {index}");
            let data = wire(data, FIRST, || place("data"))?;
            let init = wire(rows.init(flip_flop.init), SECOND, || place("initial"))?;
            record(data, init, 15)?;
        }
        for (index, row) in rows.iter().enumerate() {
            let place = |what| format!("the {what} input of gate {index}");
            let first = wire(row.a, FIRST, || place("first"))?;
            let second = wire(row.b, SECOND, || place("second"))?;
            record(first, second, row.gate_type.code.into())?;
        }
        Ok(())
    }
}

/// Returns the outputs' wires in ascending order. As long as the outputs are wires of flip-flops
/// and gates in ascending order, these are returned. For the remaining outputs, gates are added.
fn outputs(circuit: &Circuit, rows: &mut Rows) -> Vec<i64> {
    let mut outputs: Vec<i64> = Vec::new();
    let mut in_order = true;
    for bit in output_bits(circuit) {
        let own = bit.wire().filter(|wire| {
            let has_record = wire.index() >= circuit.first_flip_flop_wire();
            has_record && !bit.is_inverted()
        });
        let own = own
            .map(|wire| rows.wire(wire))
            .filter(|&wire| in_order && outputs.last().is_none_or(|&last| wire > last));
        in_order = own.is_some();
        outputs.push(own.unwrap_or_else(|| rows.gate_for(bit)));
    }
    outputs
}

/// A field: its width in bits, and the highest value of a count or a wire in it.
struct Field {
    bits: u32,
    max: u64,
}

const COUNT: Field = Field { bits: 14, max: (1 << 14) - 1 };
const FIRST: Field = Field { bits: 13, max: (1 << 13) - 1 };
/// In fields of 14 bits, the three highest values are -1, -2 and -3.
const SECOND: Field = Field { bits: 14, max: (1 << 14) - 4 };

fn field(value: u64, field: Field, what: impl Fn() -> String) -> Result<u32, WriteError> {
    let Field { bits, max } = field;
    if value > max {
        return Err(WriteError::Field { what: what(), value, bits, max });
    }
    Ok(value as u32)
}

/// Encodes a wire. A field of 14 bits may also hold a negative number in place of a wire.
fn wire(wire: i64, to: Field, what: impl Fn() -> String) -> Result<u32, WriteError> {
    match u64::try_from(wire) {
        Ok(wire) => field(wire, to, what),
        Err(_) => Ok((wire as u32) & ((1 << to.bits) - 1)),
    }
}
