//! SCD, TinyGarble's netlists ("simple circuit description"), and HSCD, the same contents as words
//! of a machine's memory. Both formats can have flip-flops, so a circuit runs for several cycles.
//!
//! **SCD** is seven lines of integers, with spaces between them:
//!
//! | line | numbers |
//! |---|---|
//! | 1 | sizes: g_init, e_init, g_input, e_input, flip-flops, outputs, gates |
//! | 2, 3 | first and second input of each gate; -1 is the second input of a NOT |
//! | 4 | type of each gate |
//! | 5 | outputs |
//! | 6 | data wire of each flip-flop, which gives its value in the next cycle |
//! | 7 | initial wire of each flip-flop |
//!
//! Wires are numbered in the order of the sizes: g_init, e_init, g_input, e_input, flip-flops,
//! gates. In place of a wire that is read, -2 is the constant 0 and -3 the constant 1. The position
//! of a line determines its meaning, so an empty list is a blank line. At the end of the file,
//! blank lines may be missing or added.
//!
//! **HSCD** has one hexadecimal word of 32 bits per line, with these fields, highest bits first:
//!
//! | word | fields (bits) |
//! |---|---|
//! | 1 | 0 (4), e_init (14), g_init (14) |
//! | 2 | 0 (4), e_input (14), g_input (14) |
//! | 3 | 0 (4), flip-flops (14), outputs (14) |
//! | 4 | 0 (4), free gates (14), gates (14) |
//! | each flip-flop | data wire (13), initial wire (14), -1 (4), is an output (1) |
//! | each gate | first input (13), second input (14), type (4), is an output (1) |
//!
//! Header words have eight digits. The other words have nine digits, of which the first is 0. Files
//! in which all words have eight digits are accepted too. Free gates are XOR, XNOR and NOT. Outputs
//! are in the order of their wires. The highest values of 14 bits are -1, -2 and -3; a field of 13
//! bits cannot hold a constant.
//!
//! **Types**: AND 8, ANDN 4 (`a & !b`), NAND 7, NANDN 11 (`!(a & !b)`), OR 14, ORN 13 (`a | !b`),
//! NOR 1, NORN 2 (`!(a | !b)`), XOR 6, XNOR 9, NOT 12. Each type becomes one gate. The types before
//! XOR in this list become an AND.
//!
//! **The circuit of a file.** Ports are named `g_init`, `e_init`, `g_input`, `e_input` and `o`,
//! where `g` is the garbler. The init ports are per-run inputs; TinyGarble uses them only as
//! initial values of flip-flops. The other inputs are per-cycle inputs. Outputs are per-cycle
//! outputs too, as in TinyGarble, unless [`Options::outputs`] selects only the last cycle. If a
//! file has no flip-flops, and its inputs are all init ports or all other ports, it is a
//! combinational circuit, and its ports are per-run ports (unless [`Outputs::EveryCycle`] is set).
//! Files do not contain the number of cycles of a run.
//!
//! **The file of a circuit.** Ports of one party and kind are joined in order. The file does not
//! contain the names of ports, the number of cycles, or whether outputs are per-cycle or per-run. A
//! reader of the file must know these. Inputs of a combinational circuit go to `g_input` and
//! `e_input`. A copy is an XOR with -2. For an inverted output or next state, a NOT is added after
//! the last gate, which all uses of that inverse share. A constant output or next state is -2 or
//! -3. In an HSCD file, a constant is an XOR or XNOR of wire 0 with itself. In an HSCD file,
//! outputs must be in the order of their wires, and must not be inputs or duplicates. From the
//! first output on that violates this, outputs are copied by XORs with -2 after the last gate. All
//! of these gates are free. A number that is too large for its HSCD field is an error.
//!
//! Modules: `gate_type`, `netlist` (checks of both readers, and the conversion to a circuit),
//! `read` and `hex` (the readers), `write`; `error` is shared.

mod error;
mod gate_type;
mod hex;
mod netlist;
mod read;
#[cfg(test)]
mod streaming_tests;
mod write;
mod write_hex;

pub use crate::error::ReadError;
pub use error::{Place, Problem, WriteError};
pub use hex::read_hex;
pub use read::read;
pub use write::write;
pub use write_hex::write_hex;

/// Options for reading a file. By default, the outputs of every cycle are revealed, and inverters
/// and constants are folded away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The cycles whose outputs are revealed. `None` means every cycle, or the single run of a
    /// combinational circuit.
    pub outputs: Option<Outputs>,
    /// Keep `NOT` as gates, and keep inversions in the gates that have them. So gates and wires are
    /// numbered as in the file. Only gates with a constant input change: they become copies, or are
    /// left out if their value is constant, because a circuit's gates cannot read constants.
    pub as_given: bool,
}

/// The cycles whose outputs a run reveals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outputs {
    /// The outputs of every cycle.
    EveryCycle,
    /// The outputs of the last cycle only.
    Last,
}
