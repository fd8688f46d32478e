//! The writer, which makes one pass over the gates: the order of a file, and its ports.

use super::error::WriteError;
use super::words::{Shown, name};
use super::write_body::{self, Items};
use super::{FLAT_VERSION, MAGIC, MAX_REPEATED, VERSION, types};
use halfgate_circuit::structured::{Function, Sizes, StructuredCircuit, verify};
use halfgate_circuit::{BitRuns, Circuit, ElementType, FlipFlop, Init, Input, Output};
use std::io::{self, BufWriter, Write};

/// Writes `circuit` in HGC format, version 1. Reading the file gives an equal circuit, with the
/// same ports, types and gates. So its program hash in the order `given` is the same.
///
/// Memory: only a buffer.
///
/// # Errors
/// If a port has a type that does not fit its width, or a name that is too long; or if writing
/// fails. In the first two cases nothing is written.
pub fn write(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    let parts = Parts {
        inputs: &circuit.inputs,
        flip_flops: &circuit.flip_flops,
        functions: &[],
        items: Items { gates: &circuit.gates, calls: &[] },
        outputs: &circuit.outputs,
        cycles: circuit.cycles,
        ranges: false,
    };
    parts.write(to)
}

/// Writes `circuit` in HGC format. Reading the file gives an equal circuit, with the same ports,
/// types, functions, gates and calls. A circuit whose outermost body has no calls is written in
/// version 1, without its functions.
///
/// Memory: a buffer, and the names of functions.
///
/// # Errors
/// As for [`write()`]. Also if the circuit has calls and is not valid; then too nothing is written.
pub fn write_structured(
    circuit: &StructuredCircuit,
    to: &mut impl Write,
) -> Result<(), WriteError> {
    let has_calls = !circuit.body.calls.is_empty();
    if has_calls {
        verify(circuit)?;
    }
    let parts = Parts {
        inputs: &circuit.inputs,
        flip_flops: &circuit.flip_flops,
        functions: if has_calls { &circuit.functions } else { &[] },
        items: Items { gates: &circuit.body.gates, calls: &circuit.body.calls },
        outputs: &circuit.outputs,
        cycles: circuit.cycles,
        // A reader limits the bits of outputs, but not of those that are written one by one.
        ranges: has_calls && {
            let bits = circuit.outputs.iter().map(|output| output.bits.len() as u64);
            bits.sum::<u64>() <= MAX_REPEATED + circuit.body.wires(&circuit.functions) as u64
        },
    };
    parts.write(to)
}

/// What a file has.
struct Parts<'a> {
    inputs: &'a [Input],
    flip_flops: &'a [FlipFlop],
    /// None in version 1.
    functions: &'a [Function],
    items: Items<'a>,
    outputs: &'a [Output],
    cycles: u64,
    /// Whether outputs have ranges of wires.
    ranges: bool,
}

impl Parts<'_> {
    fn write(&self, to: &mut impl Write) -> Result<(), WriteError> {
        let words = |input: &Input| {
            let port = Port {
                name: &input.name,
                width: input.width as usize,
                per_cycle: input.per_cycle,
                elements: input.elements,
                is_set: input.is_set,
            };
            port.words()
        };
        let inputs: Vec<_> = self.inputs.iter().map(words).collect::<Result<_, _>>()?;
        let words = |output: &Output| {
            let port = Port {
                name: &output.name,
                width: output.bits.len(),
                per_cycle: output.per_cycle,
                elements: output.elements,
                is_set: false,
            };
            port.words()
        };
        let outputs: Vec<_> = self.outputs.iter().map(words).collect::<Result<_, _>>()?;
        let names = write_body::names(self.functions)?;

        let mut to = BufWriter::new(to);
        self.write_head(&mut to)?;
        for (number, function) in self.functions.iter().enumerate() {
            write_body::function(number, function, self.functions, &names, &mut to)?;
        }
        if self.cycles != 1 {
            writeln!(to, "cycles {}", self.cycles)?;
        }
        let mut wire: u32 = 0;
        for (input, (name, rest)) in self.inputs.iter().zip(inputs) {
            let last = wire + input.width.saturating_sub(1);
            write!(to, "input {name} {} {rest}", input.party)?;
            writeln!(to, "  # {}", Wires(wire, last))?;
            wire += input.width;
        }
        let first_flip_flop = wire;
        for (flip_flop, wire) in self.flip_flops.iter().zip(first_flip_flop..) {
            match flip_flop.init {
                Init::Constant(value) => writeln!(to, "flip-flop {wire} = {value}")?,
                Init::Input(input) => writeln!(to, "flip-flop {wire} = {}", input.number())?,
            }
        }
        let first = u64::from(first_flip_flop) + self.flip_flops.len() as u64;
        self.items.write(first, self.functions, &names, &mut to)?;
        for (output, (name, rest)) in self.outputs.iter().zip(outputs) {
            writeln!(to, "output {name} {rest}")?;
            self.write_bits(&output.bits, &mut to)?;
        }
        for (flip_flop, wire) in self.flip_flops.iter().zip(first_flip_flop..) {
            writeln!(to, "next {wire} = {}", Shown(flip_flop.next))?;
        }
        writeln!(to, "end")?;
        to.flush()?;
        Ok(())
    }

    fn write_head(&self, to: &mut impl Write) -> io::Result<()> {
        let Items { gates, calls } = self.items;
        if calls.is_empty() {
            writeln!(to, "{MAGIC} {FLAT_VERSION}")?;
            return writeln!(to, "# gates: {}, ANDs: {}", gates.len(), gates.ands());
        }
        writeln!(to, "{MAGIC} {VERSION}")?;
        let sizes = Sizes::of(self.functions).expect("a valid circuit's gates can be counted");
        let size = sizes.of_items(gates, calls).expect("as above");
        write!(to, "# functions: {}; with all written out, ", self.functions.len())?;
        writeln!(to, "gates: {}, ANDs: {}", size.gates, size.ands)
    }

    fn write_bits(&self, bits: &BitRuns, to: &mut impl Write) -> io::Result<()> {
        match self.ranges {
            true => write_body::list("bits", bits.runs(), to),
            false => write_body::list("bits", bits.iter().map(|bit| (bit, 1)), to),
        }
    }
}

/// The common part of inputs and outputs.
struct Port<'a> {
    name: &'a str,
    width: usize,
    per_cycle: bool,
    elements: Option<ElementType>,
    is_set: bool,
}

impl Port<'_> {
    /// Returns the port's name as in a file, and the words of its line from the width on.
    fn words(&self) -> Result<(String, String), WriteError> {
        let written = write_body::short(name(self.name))?;
        let elements = self.elements.map(|elements| types::word(elements, self.width as u32));
        let elements = elements
            .transpose()
            .map_err(|problem| WriteError::Type { name: self.name.to_owned(), problem })?;
        let mut rest = self.width.to_string();
        if self.per_cycle {
            rest.push_str(" per-cycle");
        }
        if let Some(elements) = elements {
            rest.push(' ');
            rest.push_str(&elements);
            rest.push_str(if self.is_set { " set" } else { "" });
        }
        Ok((written.into_owned(), rest))
    }
}

/// Formats the wires from the first number to the second, for a comment.
struct Wires(u32, u32);

impl std::fmt::Display for Wires {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Wires(first, last) if first == last => write!(f, "wire {first}"),
            Wires(first, last) => write!(f, "wires {first} to {last}"),
        }
    }
}
