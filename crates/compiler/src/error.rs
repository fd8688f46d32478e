//! Why a circuit could not be compiled.

/// Why a circuit could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A temporary file could not be written or read.
    #[error("cannot use a temporary file (in TMPDIR) for the program's gates: {0}")]
    Spool(#[from] std::io::Error),
    /// Rewriting inversions makes more wires than there are numbers for.
    #[error(
        "without inversions the circuit has more than {max} wires: repeat a smaller body over \
         cycles, or use another order",
        max = halfgate_circuit::Wire::MAX
    )]
    TooManyWires,
}
