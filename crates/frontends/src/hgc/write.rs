//! The writer, which makes one pass over the gates.

use super::error::WriteError;
use super::words::{Shown, name};
use super::{MAGIC, MAX_NAME_BYTES, VERSION, types};
use halfgate_circuit::{Circuit, ElementType, GateKind, Init, SourceMap};
use std::io::{BufWriter, Write};

/// Bits of an output per line.
const BITS_IN_A_LINE: usize = 16;

/// Writes `circuit` in HGC format. Reading the file gives an equal circuit, with the same ports,
/// types and gates. So its program hash in the order `given` is the same.
///
/// Memory: only a buffer.
///
/// # Errors
/// If a port has a type that does not fit its width, or a name that is too long; or if writing
/// fails. In the first two cases nothing is written.
pub fn write(circuit: &Circuit, to: &mut impl Write) -> Result<(), WriteError> {
    let inputs = circuit.inputs.iter().map(|input| Port {
        name: &input.name,
        width: input.width,
        per_cycle: input.per_cycle,
        elements: input.elements,
        is_set: input.is_set,
    });
    let outputs = circuit.outputs.iter().map(|output| Port {
        name: &output.name,
        width: output.bits.len() as u32,
        per_cycle: output.per_cycle,
        elements: output.elements,
        is_set: false,
    });
    let inputs: Vec<(String, String)> = inputs.map(Port::words).collect::<Result<_, _>>()?;
    let outputs: Vec<(String, String)> = outputs.map(Port::words).collect::<Result<_, _>>()?;

    let mut to = BufWriter::new(to);
    writeln!(to, "{MAGIC} {VERSION}")?;
    writeln!(to, "# gates: {}, ANDs: {}", circuit.gates.len(), circuit.gates.ands())?;
    if circuit.cycles != 1 {
        writeln!(to, "cycles {}", circuit.cycles)?;
    }
    for ((first, input), (name, rest)) in circuit.inputs_with_wires().zip(inputs) {
        let last = first.number() + input.width.saturating_sub(1);
        write!(to, "input {name} {} {rest}", input.party)?;
        writeln!(to, "  # {}", Wires(first.number(), last))?;
    }
    for (flip_flop, wire) in circuit.flip_flops.iter().zip(circuit.first_flip_flop_wire()..) {
        match flip_flop.init {
            Init::Constant(value) => writeln!(to, "flip-flop {wire} = {value}")?,
            Init::Input(input) => writeln!(to, "flip-flop {wire} = {}", input.number())?,
        }
    }
    write_gates(circuit, &mut to)?;
    for (output, (name, rest)) in circuit.outputs.iter().zip(outputs) {
        writeln!(to, "output {name} {rest}")?;
        for bits in output.bits.chunks(BITS_IN_A_LINE) {
            write!(to, "bits")?;
            bits.iter().try_for_each(|&bit| write!(to, " {}", Shown(bit)))?;
            writeln!(to)?;
        }
    }
    for (flip_flop, wire) in circuit.flip_flops.iter().zip(circuit.first_flip_flop_wire()..) {
        writeln!(to, "next {wire} = {}", Shown(flip_flop.next))?;
    }
    writeln!(to, "end")?;
    to.flush()?;
    Ok(())
}

fn write_gates(circuit: &Circuit, to: &mut impl Write) -> std::io::Result<()> {
    let either = |invert: bool, inverted: &'static str, plain: &'static str| match invert {
        true => inverted,
        false => plain,
    };
    let mut lines = circuit.gates.sources().into_iter().flat_map(SourceMap::runs).peekable();
    for (gate, own) in circuit.gates.iter().zip(circuit.first_gate_wire()..) {
        let number = (own - circuit.first_gate_wire()) as u64;
        if let Some((_, line)) = lines.next_if(|&(first, _)| first == number) {
            writeln!(to, "#line {}", source(line))?;
        }
        match gate.kind() {
            GateKind::And { a, b, invert } => {
                let gate = either(invert, "nand", "and");
                writeln!(to, "{own} = {gate} {} {}", Shown(a), Shown(b))?;
            }
            GateKind::Xor { a, b, invert } => {
                let gate = either(invert, "xnor", "xor");
                writeln!(to, "{own} = {gate} {} {}", a.number(), b.number())?;
            }
            GateKind::Copy { a, invert } => {
                writeln!(to, "{own} = {} {}", either(invert, "not", "copy"), a.number())?;
            }
        }
    }
    Ok(())
}

/// Returns a source line in the form for a comment of the file. The folder of the source is
/// removed, because it is private. Characters that would end the comment are removed too.
fn source(line: &str) -> &str {
    let name = line.rsplit(['/', '\\']).next().unwrap_or(line);
    if name.contains(char::is_control) { "" } else { name }
}

/// The common part of inputs and outputs.
struct Port<'a> {
    name: &'a str,
    width: u32,
    per_cycle: bool,
    elements: Option<ElementType>,
    is_set: bool,
}

impl Port<'_> {
    /// Returns the port's name as in a file, and the words of its line from the width on.
    fn words(self) -> Result<(String, String), WriteError> {
        let written = name(self.name);
        if written.len() > MAX_NAME_BYTES {
            return Err(WriteError::NameTooLong { bytes: written.len() });
        }
        let elements = self.elements.map(|elements| types::word(elements, self.width));
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
