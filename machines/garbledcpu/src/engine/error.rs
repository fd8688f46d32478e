//! What the host finds wrong with what the machine asks for.

/// Something that the machine wants and cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SupplyError {
    /// There is no such input label.
    #[error("it wants input label {sequence}")]
    NoInput {
        /// The label's number in the run.
        sequence: u64,
    },
    /// An input label that was due earlier, or is due later.
    #[error("it wants input label {sequence} out of turn")]
    Input {
        /// The label's number in the run.
        sequence: u64,
    },
    /// A table that was taken, or that there is not.
    #[error("it wants table {number} out of turn")]
    Table {
        /// The AND's number in the run.
        number: u64,
    },
    /// It stopped before it had used all tables.
    #[error("it came to its end without all tables")]
    TablesLeft,
    /// What it asks for comes after outputs that it has not made.
    #[error("it wants {what} before it makes outputs")]
    BeforeOutputs {
        /// What it wants.
        what: &'static str,
    },
}
