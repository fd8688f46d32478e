//! The whole path from a circuit to a program, read top to bottom.

use crate::order::Order;
use crate::program::Program;
use halfgate_circuit::Circuit;

/// Why a circuit could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A temporary file could not be written.
    #[error("cannot write a temporary file for the program's gates: {0}")]
    Spool(#[from] std::io::Error),
}

/// Compiles `circuit` into a program whose gates stand in `order`.
///
/// # Errors
/// If the circuit is longer than memory and the temporary file for it cannot be written.
pub fn compile(circuit: Circuit, order: Order) -> Result<Program, CompileError> {
    let _ = (circuit, order);
    todo!("order pass, hash")
}
