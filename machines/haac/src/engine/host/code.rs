//! Code for a machine: lowered here, or loaded and verified.

use super::super::error::CodeError;
use halfgate_compiler::Program;
use halfgate_engine::EngineError;
use halfgate_haac_model::lower::{LowerError, Lowering, lower};
use halfgate_haac_model::verify::{VerifyError, verify};
use halfgate_haac_model::{Code, Machine};

/// Lowers `program` for `machine`.
///
/// # Errors
/// If the program exceeds the machine's limits, or a temporary file cannot be written.
pub fn lowered(
    machine: &Machine,
    program: &Program,
    lowering: Lowering,
) -> Result<Code, EngineError> {
    lower(program, machine.shape, lowering).map_err(|error| match error {
        LowerError::Spool(error) => EngineError::Spool(error),
        other => EngineError::program(&machine.name, other),
    })
}

/// Returns `code` if it is for `machine` and computes `program`: all of it is
/// [verified](halfgate_haac_model::verify).
///
/// # Errors
/// If it is for another shape of machine, does not compute the program, or a temporary file cannot
/// be read.
pub fn verified(machine: &Machine, program: &Program, code: Code) -> Result<Code, EngineError> {
    if code.shape != machine.shape {
        let error = CodeError::Shape { code: code.shape, machine: machine.shape };
        return Err(EngineError::program(&machine.name, error));
    }
    verify(&code, program).map_err(|error| match error {
        VerifyError::Spool(error) => EngineError::Spool(error),
        other => EngineError::program(&machine.name, CodeError::NotTheProgram(other)),
    })?;
    Ok(code)
}
