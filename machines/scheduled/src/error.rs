//! What hosts find wrong with what a scheduled machine makes.

/// Something that the machine made or did not make. Netlist cycles count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// It stopped before all outputs were there.
    #[error(
        "it came to its end in netlist cycle {cycle} of {cycles}, {tables} tables of {all} in order"
    )]
    Ended {
        /// The netlist cycle whose outputs are next.
        cycle: u64,
        /// Netlist cycles of the run.
        cycles: u64,
        /// Tables in order.
        tables: u64,
        /// Tables of the run.
        all: u64,
    },
    /// A label that there is not, or that was given before.
    #[error("it gave label {tag} of netlist cycle {cycle} out of turn")]
    Label {
        /// The label's tag.
        tag: u32,
        /// Its netlist cycle.
        cycle: u64,
    },
    /// An output's label that was never made.
    #[error("the label of output bit {bit} is not there")]
    Output {
        /// The bit's number, through all outputs.
        bit: u32,
    },
    /// A table that there is not, or that was made before.
    #[error("it made table {number} out of turn")]
    Table {
        /// The AND's number.
        number: u64,
    },
}
