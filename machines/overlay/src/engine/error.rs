//! Errors that the host finds in an overlay's results and requests.

/// An overlay's violation of its contract. Places are labels in DDR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The plan has no place for an input or output.
    #[error("input or output wire {wire} is not in DDR")]
    NotInDdr {
        /// The wire.
        wire: usize,
    },
    /// A table of an unknown AND, or a second table of one.
    #[error("it made table {number} out of turn")]
    OutOfTurn {
        /// The AND's number in the run.
        number: u64,
    },
    /// A missing table.
    #[error("it never made table {number}")]
    NeverMade {
        /// The AND's number in the cycle.
        number: u64,
    },
    /// An access beyond DDR.
    #[error("it uses label {place} of DDR, which holds {held} labels")]
    Address {
        /// The place.
        place: usize,
        /// Capacity of DDR in labels.
        held: usize,
    },
}
