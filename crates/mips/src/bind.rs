//! Combines the processor and a program into the circuit that two parties run.
//!
//! The processor's circuit is copied gate by gate. Data memory starts with the parties' inputs and
//! with constants. Instructions are an input or constants. The program's outputs become the
//! circuit's outputs. Gates with constant inputs are folded.

use crate::image::{Image, Owner, Port};
use crate::word::Word;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{
    Bit, Bits, Builder, Circuit, Element, ElementType, FlipFlop, GateKind, Init, Party,
};

/// If the garbler alone knows the program: the input that holds its instructions.
pub const INSTRUCTIONS: &str = "instructions";

/// If the garbler alone knows the program: the input that holds all bits of data memory that belong
/// to no input port of the program.
pub const CONSTANTS: &str = "constants";

/// The output with a program's status. Bit 0 is set if the program has ended, bit 1 if it ended by
/// a trap.
pub const STATUS: &str = "status";

/// The parties that know the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knows {
    /// Both parties. Instructions and the initial data are constants of the circuit.
    Both,
    /// The garbler alone. Instructions and the initial data are the garbler's inputs.
    Garbler,
}

/// Returns the circuit of `steps` steps of the processor whose circuit is `core`, for programs
/// with the ports and memories of `image`. If the garbler alone knows the program, the
/// instructions and data in `image` have no effect.
///
/// Inputs are the program's input ports, those of the garbler and of the evaluator, with the lowest
/// bit of each element first. If the garbler alone knows the program, [`INSTRUCTIONS`] and
/// [`CONSTANTS`] are inputs too, and [`secrets`] returns their values. Outputs are [`STATUS`] and
/// then the program's output ports, after the last step.
///
/// # Errors
/// If the circuit has more wires than there are wire numbers.
///
/// # Panics
/// If the memories of `core` differ in size from those of `image`.
pub fn bind(
    core: &Circuit,
    image: &Image,
    knows: Knows,
    steps: u64,
) -> Result<Circuit, BuildError> {
    let mut b = Builder::new();
    let mut data = inputs(&mut b, image);
    let instructions = match knows {
        Knows::Both => memory(image.instruction_memory().into_iter().map(|word| word.0)),
        Knows::Garbler => {
            let instructions = b.input(INSTRUCTIONS, Party::Garbler, 32 * image.size.instructions);
            let free = free_bits(image);
            if !free.is_empty() {
                let constants = b.input(CONSTANTS, Party::Garbler, free.len() as u32);
                free.into_iter().zip(constants).for_each(|(place, bit)| data[place] = bit);
            }
            instructions
        }
    };
    // The processor's inputs are the instructions and the initial data.
    let mut wires: Vec<Bit> = [instructions, data].concat();
    assert_eq!(wires.len(), core.input_bits(), "a core for the image's memories");
    let starts = starts(core, &wires);
    wires.extend(starts.iter().map(|&start| b.flip_flop(init(start))));
    gates(&mut b, core, &mut wires);
    let first = core.first_flip_flop_wire();
    for (at, flip_flop) in core.flip_flops.iter().enumerate() {
        let (q, next) = (wires[first + at], value(&wires, flip_flop.next));
        b.set_next(q, next);
    }
    outputs(&mut b, core, image, &wires);
    b.set_cycles(steps);
    b.finish()
}

/// Declares the parties' inputs. Returns data memory with the inputs in it.
pub(crate) fn inputs(b: &mut Builder, image: &Image) -> Vec<Bit> {
    let mut data = memory(image.data.iter().copied());
    for port in &image.ports {
        if let Owner::Input(party) = port.owner {
            let bits = b.input(&port.name, party, port.bits());
            b.describe_input(port.elements());
            for (at, bit) in bits.into_iter().enumerate() {
                data[place(port, at as u32)] = bit;
            }
        }
    }
    data
}

/// Returns words as constant bits.
pub(crate) fn memory(words: impl IntoIterator<Item = u32>) -> Vec<Bit> {
    let bits = words.into_iter().flat_map(|word| (0..32).map(move |bit| word >> bit & 1 == 1));
    bits.map(Bit::constant).collect()
}

/// Returns the initial value of each flip-flop of `core`, whose inputs are `wires`.
pub(crate) fn starts(core: &Circuit, wires: &[Bit]) -> Vec<Bit> {
    let start = |flip_flop: &FlipFlop| match flip_flop.init {
        Init::Constant(value) => Bit::constant(value),
        Init::Input(wire) => wires[wire.index()],
    };
    core.flip_flops.iter().map(start).collect()
}

fn init(start: Bit) -> Init {
    match (start.as_constant(), start.wire()) {
        (Some(value), _) => Init::Constant(value),
        (None, Some(wire)) => Init::Input(wire),
        (None, None) => unreachable!("a bit is a constant or a wire"),
    }
}

/// Copies the gates of `core`, and appends their outputs to `wires`. At the call, `wires` has the
/// inputs and the flip-flops of `core`.
pub(crate) fn gates(b: &mut Builder, core: &Circuit, wires: &mut Vec<Bit>) {
    for gate in core.gates.iter() {
        let output = match gate.kind() {
            GateKind::And { a, b: second, invert } => {
                let (x, y) = (value(wires, a), value(wires, second));
                b.and(x, y).invert_if(invert)
            }
            GateKind::Xor { a, b: second, invert } => {
                b.xor(wires[a.index()], wires[second.index()]).invert_if(invert)
            }
            GateKind::Copy { a, invert } => wires[a.index()].invert_if(invert),
        };
        wires.push(output);
    }
}

/// Declares the outputs: the status and the program's ports.
pub(crate) fn outputs(b: &mut Builder, core: &Circuit, image: &Image, wires: &[Bit]) {
    let (halted, trapped) = (output(core, wires, "halted")[0], output(core, wires, "trapped")[0]);
    let ended = b.xor(halted, trapped);
    b.output(STATUS, &[ended, trapped]);
    b.describe_output(ElementType { element: Element::Unsigned, width: 2 });
    let data = output(core, wires, "data");
    for port in image.ports_of(Owner::Output) {
        let bits: Vec<Bit> = (0..port.bits()).map(|at| data[place(port, at)]).collect();
        b.output(&port.name, &bits);
        b.describe_output(port.elements());
    }
}

/// Returns the output `name` of `core`.
pub(crate) fn output(core: &Circuit, wires: &[Bit], name: &str) -> Vec<Bit> {
    let found = core.outputs.iter().find(|output| output.name == name).expect("a port of mips");
    found.bits.iter().map(|bit| value(wires, bit)).collect()
}

/// Returns the values of the inputs [`INSTRUCTIONS`] and [`CONSTANTS`] for `image`.
pub fn secrets(image: &Image) -> [Bits; 2] {
    let bit = |word: u32, bit: usize| word >> (bit % 32) & 1 == 1;
    let mut instructions = Bits::with_len(32 * image.size.instructions as usize);
    for (index, &Word(word)) in image.instructions.iter().enumerate() {
        (0..32).for_each(|at| instructions.set(32 * index + at, bit(word, at)));
    }
    let free = free_bits(image);
    let mut constants = Bits::with_len(free.len());
    for (at, place) in free.into_iter().enumerate() {
        constants.set(at, bit(image.data[place / 32], place));
    }
    [instructions, constants]
}

/// Bits of data memory that belong to no input, in order.
fn free_bits(image: &Image) -> Vec<usize> {
    let mut taken = vec![false; 32 * image.data.len()];
    for port in image.inputs() {
        (0..port.bits()).for_each(|at| taken[place(port, at)] = true);
    }
    (0..taken.len()).filter(|&at| !taken[at]).collect()
}

/// Returns the bit of data memory that holds bit `at` of a port.
fn place(port: &Port, at: u32) -> usize {
    let (word, bit) = port.bit(at / (8 * port.bytes), at % (8 * port.bytes));
    32 * word + bit as usize
}

pub(crate) fn value(wires: &[Bit], bit: Bit) -> Bit {
    match bit.wire() {
        Some(wire) => wires[wire.index()].invert_if(bit.is_inverted()),
        None => bit,
    }
}
