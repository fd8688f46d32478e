//! Errors in compiling a circuit.

use halfgate_circuit::structured::{FlattenError, StructureError};

/// Errors in compiling a circuit.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A temporary file could not be written or read.
    #[error("cannot use a temporary file (in TMPDIR) for the program's gates: {0}")]
    Spool(#[from] std::io::Error),
    /// Rewriting inversions makes more wires than [`Wire::MAX`](halfgate_circuit::Wire::MAX).
    #[error(
        "without inversions the circuit has more than {max} wires: repeat a smaller body over \
         cycles, or use another order",
        max = halfgate_circuit::Wire::MAX
    )]
    TooManyWires,
    /// A structured circuit is not valid.
    #[error(transparent)]
    Structure(#[from] StructureError),
    /// A structured circuit cannot be flattened.
    #[error(transparent)]
    Flatten(#[from] FlattenError),
}
