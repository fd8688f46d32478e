//! What the host finds wrong with what an overlay makes or asks for.

/// Something that an overlay did or did not do. Places are labels in DDR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The plan has no place for an input or output.
    #[error("input or output wire {wire} is not in DDR")]
    NotInDdr {
        /// The wire.
        wire: usize,
    },
    /// A table that there is not, or that was made before.
    #[error("it made table {number} out of turn")]
    OutOfTurn {
        /// The AND's number in the run.
        number: u64,
    },
    /// A table that was not made.
    #[error("it never made table {number}")]
    NeverMade {
        /// The AND's number in the cycle.
        number: u64,
    },
    /// It reads or writes where there is nothing.
    #[error("it names label {place} of DDR, which holds {held}")]
    Address {
        /// The place.
        place: usize,
        /// Labels in DDR.
        held: usize,
    },
}
