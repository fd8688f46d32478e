//! Errors that the host finds in the machine's requests.

/// An invalid request of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SupplyError {
    /// The input label does not exist.
    #[error("it requests input label {sequence}, which does not exist")]
    NoInput {
        /// The label's number in the run.
        sequence: u64,
    },
    /// The input label is from an earlier or a later netlist cycle than the machine may request.
    #[error("it requests input label {sequence} too early or too late")]
    Input {
        /// The label's number in the run.
        sequence: u64,
    },
    /// The table was taken before, or does not exist.
    #[error("it requests table {number}, which does not exist or was taken before")]
    Table {
        /// The AND's number in the run.
        number: u64,
    },
    /// The machine stopped before it had used all tables.
    #[error("it stopped before it had used all tables")]
    TablesLeft,
    /// The garbler sends the requested data only after outputs of an earlier netlist cycle, which
    /// the machine has not made yet.
    #[error("it requests {what} before it has made the outputs that must come first")]
    BeforeOutputs {
        /// The requested item.
        what: &'static str,
    },
}
