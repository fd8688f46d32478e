//! SCD, TinyGarble's netlists ("simple circuit description"), and HSCD, the same as words of a
//! machine's memory: circuits with flip-flops, run cycle by cycle.
//!
//! **SCD** is seven lines of integers, with spaces between them:
//!
//! | line | numbers |
//! |---|---|
//! | 1 | sizes: g_init, e_init, g_input, e_input, flip-flops, outputs, gates |
//! | 2, 3 | first and second input of each gate; -1 is the second input of a NOT |
//! | 4 | type of each gate |
//! | 5 | outputs |
//! | 6 | data wire of each flip-flop: what it holds in the next cycle |
//! | 7 | initial wire of each flip-flop |
//!
//! Wires are numbered in the order of the sizes: g_init, e_init, g_input, e_input, flip-flops,
//! gates. Where a wire is read, -2 is the constant 0 and -3 the constant 1. Lines are counted, so a
//! line of nothing is a blank one; at the end of the file blank ones may be missing or be more.
//!
//! **HSCD** is one hexadecimal word of 32 bits a line, with these fields, highest bits first:
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
//! Header words have eight digits, the others nine, of which the first is 0 (eight are read too,
//! where all have them). Free gates are XOR, XNOR and NOT. Outputs are in the order of their
//! wires. The highest values of 14 bits are -1, -2 and -3; 13 bits have no room for a constant.
//!
//! **Types**: AND 8, ANDN 4 (`a & !b`), NAND 7, NANDN 11 (`!(a & !b)`), OR 14, ORN 13
//! (`a | !b`), NOR 1, NORN 2 (`!(a | !b)`), XOR 6, XNOR 9, NOT 12. Each is one gate, and of those
//! before XOR each is one AND.
//!
//! **What a file becomes.** Ports are named `g_init`, `e_init`, `g_input`, `e_input` and `o`; `g`
//! is the garbler. The init ports hold for the whole run, where TinyGarble knows them as initial
//! values of flip-flops only; the others are of each cycle, and so are outputs, as in TinyGarble,
//! unless [`Options::outputs`] says that only the last cycle's count. A file without flip-flops
//! whose ports are all init ports, or all of the other kind, is a combinational circuit: its ports
//! are of the one run (unless [`Outputs::EveryCycle`] is asked for). No file says how many cycles a
//! run has.
//!
//! **What becomes of a circuit.** Ports of a party and a kind are joined in order; their names, the
//! number of cycles, and whether outputs are of every cycle or the last are lost: who reads the
//! file must know. Inputs of a combinational circuit go to `g_input` and `e_input`. A copy is an
//! XOR with -2. An output or a next state that is inverted gets a NOT behind the last gate, one for
//! all who want the same; a constant is -2 or -3. In an HSCD file, a constant is an XOR or XNOR of
//! wire 0 and itself, and outputs that are not in the order of their wires (or are inputs, or the
//! same as another) are XORs with -2 behind the last gate, from the first such one on. All of these
//! gates are free. What is too large for a field of HSCD is an error.
//!
//! In here: `gate_type`, `netlist` (both readers' common checks, and the way to a circuit), `read`
//! and `hex` (the readers), `write`; `error` serves them.

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

/// How to read a file. The default gives every cycle's outputs and folds inverters and constants
/// away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Which cycles' outputs are given out. If `None`, every cycle's, and those of the one cycle
    /// of a combinational circuit.
    pub outputs: Option<Outputs>,
    /// Keep `NOT` as gates and inversions in their gates, so that gates and wires are numbered as
    /// in the file. Only gates with a constant input change: they become copies, or, where their
    /// value is constant, are left out, as a circuit's gates cannot read constants.
    pub as_given: bool,
}

/// Which cycles' outputs a run gives out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outputs {
    /// Those of every cycle.
    EveryCycle,
    /// Those of the last cycle only.
    Last,
}
