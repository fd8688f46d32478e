//! The interface between a machine and its labels, and the faults that the model detects.

use thiserror::Error;

/// A representation of labels, with the operations on them.
pub trait Labels {
    /// A label.
    type Label: Clone;

    /// Returns the label of the input bit with this sequence number in the order of requests.
    fn input(&mut self, sequence: u64) -> Self::Label;

    /// Returns the label of the constant 0.
    fn constant(&mut self) -> Self::Label;

    /// Returns the label of a free gate's output: the XOR of two labels, or a copy of one,
    /// inverted if `invert`.
    fn free(&mut self, a: Self::Label, b: Option<Self::Label>, invert: bool) -> Self::Label;

    /// Returns the label of an AND's output, and makes the AND's table. `inverts`: whether the two
    /// inputs and the output are inverted.
    fn and(&mut self, inputs: [Self::Label; 2], inverts: [bool; 3], and: And) -> Self::Label;

    /// Reports that a gate's label was made.
    ///
    /// # Errors
    /// If it is the wrong label.
    fn made(&mut self, made: Made, label: &Self::Label) -> Result<(), Fault>;
}

/// Identifies an AND of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct And {
    /// The AND's number in the run.
    pub number: u64,
    /// The netlist cycle.
    pub cycle: u64,
    /// The AND's index in the program's body.
    pub position: u32,
}

/// Identifies a gate whose label was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The gate's index in the body.
    pub gate: u32,
    /// The netlist cycle.
    pub cycle: u64,
    /// The tag under which the host gets the label.
    pub keep: Option<u32>,
}

/// A fault of the code.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A gate had wrong operands, or read a word that was never written.
    #[error("gate {gate} of netlist cycle {cycle} has wrong operands")]
    Label {
        /// The gate.
        gate: u32,
        /// The netlist cycle.
        cycle: u64,
    },
    /// A port is used twice in a clock cycle.
    #[error("{what} {number}: used twice in clock {clock}")]
    Port {
        /// The kind of port.
        what: &'static str,
        /// The number of the bank or unit.
        number: u32,
        /// The clock cycle, counted from the start.
        clock: u64,
    },
}
