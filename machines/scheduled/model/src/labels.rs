//! Labels as a machine sees them: what is done to them, and which mistakes that shows.

use thiserror::Error;

/// What labels are, and what is done to them.
pub trait Labels {
    /// A label.
    type Label: Clone;

    /// The label of the input bit of this number in the order in which they are asked for.
    fn input(&mut self, sequence: u64) -> Self::Label;

    /// The label of the constant 0.
    fn constant(&mut self) -> Self::Label;

    /// The label of a free gate's output: the XOR of two, or a copy of one, inverted if `invert`.
    fn free(&mut self, a: Self::Label, b: Option<Self::Label>, invert: bool) -> Self::Label;

    /// The label of an AND's output, whose inputs and output are inverted as `inverts` says. Its
    /// table is made.
    fn and(&mut self, inputs: [Self::Label; 2], inverts: [bool; 3], and: And) -> Self::Label;

    /// A gate's label is made.
    ///
    /// # Errors
    /// If it is not the label that it should be.
    fn made(&mut self, made: Made, label: &Self::Label) -> Result<(), Fault>;
}

/// Which AND it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct And {
    /// Its number in the run.
    pub number: u64,
    /// Its netlist cycle.
    pub cycle: u64,
    /// Its place among the gates of the program's body.
    pub position: u32,
}

/// Which gate it is whose label is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// Its place among the gates of the body.
    pub gate: u32,
    /// Its netlist cycle.
    pub cycle: u64,
    /// Under which tag the host gets its label.
    pub keep: Option<u32>,
}

/// A mistake in code.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A gate was made of wrong labels, or a word was read that nothing was written to.
    #[error("gate {gate} of netlist cycle {cycle} is made of wrong labels")]
    Label {
        /// The gate.
        gate: u32,
        /// Its netlist cycle.
        cycle: u64,
    },
    /// A port is used twice in a clock.
    #[error("{what} {number}: used twice in clock {clock}")]
    Port {
        /// Of what.
        what: &'static str,
        /// Which one.
        number: u32,
        /// The clock, from the start.
        clock: u64,
    },
}
