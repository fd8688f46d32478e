//! From a program to code for the CPU engine.

use crate::cpu::code::Code;
use halfgate_compiler::Program;
use std::io;

/// How a program is lowered.
#[derive(Clone, Copy, Debug)]
pub struct Lowering {
    /// Slots of the window that are used: 8 to [`WINDOW`](halfgate_kernels::ops::WINDOW).
    pub window: usize,
    /// Gates in a chunk.
    pub chunk: usize,
}

/// Lowers `program`.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub fn lower(program: &Program, how: Lowering) -> io::Result<Code> {
    let _ = (program, how);
    todo!("lands next")
}
