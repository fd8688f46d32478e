//! Errors that the host finds in an overlay's results and requests.

/// An overlay's violation of its contract. A place is the index of a label in DDR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The plan has no place for an input or output.
    #[error("input or output wire {wire} is not in DDR")]
    NotInDdr {
        /// The wire.
        wire: usize,
    },
    /// A table of an unknown AND, or a second table of the same AND.
    #[error("it made a table of AND {number}, which does not exist or has a table already")]
    OutOfTurn {
        /// The AND's number in the run.
        number: u64,
    },
    /// A missing table.
    #[error("it never made the table of AND {number} of the cycle")]
    NeverMade {
        /// The AND's number in the netlist cycle.
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
