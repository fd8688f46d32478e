//! Errors that a host finds in the output of a scheduled machine.

/// Missing or unexpected output of a machine. Netlist cycles count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The machine stopped before all outputs were complete.
    #[error(
        "it stopped in netlist cycle {cycle} of {cycles}, with {tables} of {all} tables in order"
    )]
    Ended {
        /// The netlist cycle whose outputs are next.
        cycle: u64,
        /// Netlist cycles of the run.
        cycles: u64,
        /// Tables that were received in order.
        tables: u64,
        /// Tables of the run.
        all: u64,
    },
    /// A label with an unknown tag or netlist cycle, or a repeated one.
    #[error("it sent an unexpected or repeated label: tag {tag} of netlist cycle {cycle}")]
    Label {
        /// The label's tag.
        tag: u32,
        /// The label's netlist cycle.
        cycle: u64,
    },
    /// The label of an output bit is missing.
    #[error("the label of output bit {bit} is missing")]
    Output {
        /// The bit's index among the bits of all outputs.
        bit: u32,
    },
    /// A table with an unknown number, or a repeated one.
    #[error("it made an unexpected or repeated table: number {number}")]
    Table {
        /// The AND's number.
        number: u64,
    },
}
