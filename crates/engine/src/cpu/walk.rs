//! Walks through a code, chunk by chunk and cycle by cycle, for one run or several side by side.

use crate::EngineError;
use crate::cpu::chunk::{Gives, Loads};
use crate::cpu::code::Code;
use halfgate_kernels::ops::{Move, Ops, Segment};

/// What runs the steps of a code.
pub(super) trait Steps {
    /// Fetches the label of the constant into its address.
    fn constant(&mut self, address: u32) -> Result<(), EngineError>;
    /// Fetches input labels into their addresses; there are some.
    fn load(&mut self, cycle: u64, loads: &Loads) -> Result<(), EngineError>;
    /// Runs operations.
    fn ops(&mut self, ops: &Ops<'_>) -> Result<(), EngineError>;
    /// Gives output labels from their addresses to the caller; there are some.
    fn give(&mut self, cycle: u64, gives: &Gives) -> Result<(), EngineError>;
    /// Reports progress.
    fn progress(&mut self, cycle: u64) -> Result<(), EngineError>;
    /// Ends a cycle.
    fn next_cycle(&mut self);
}

/// Operations between progress reports: some ten microseconds.
const PROGRESS_INTERVAL_GATES: usize = 1 << 14;

/// Takes all steps of `code`.
pub(super) fn walk(code: &Code, cycles: u64, steps: &mut impl Steps) -> Result<(), EngineError> {
    if let Some(address) = code.start.constant {
        steps.constant(address)?;
    }
    load(steps, 0, &code.start.inputs)?;
    moves(steps, &code.start.moves)?;
    let mut chunks = code.chunks();
    // Operations since progress was last reported. A cycle counts as at least one, because the body
    // may be short or empty.
    let mut unreported = 0;
    for cycle in 0..cycles {
        chunks.rewind();
        while let Some(chunk) = chunks.next()? {
            load(steps, cycle, chunk.inputs(cycle))?;
            steps.ops(&chunk.ops())?;
            give(steps, cycle, &chunk.outputs_each)?;
            if cycle + 1 == cycles {
                give(steps, cycle, &chunk.outputs_last)?;
            }
            let operations = chunk.moves.len() + chunk.xors.len() + chunk.ands.len();
            report(steps, cycle, &mut unreported, operations)?;
        }
        if cycle + 1 < cycles {
            moves(steps, &code.latch)?;
        }
        report(steps, cycle, &mut unreported, 1 + code.latch.len())?;
        steps.next_cycle();
    }
    Ok(())
}

fn load(steps: &mut impl Steps, cycle: u64, loads: &Loads) -> Result<(), EngineError> {
    if loads.wires.is_empty() { Ok(()) } else { steps.load(cycle, loads) }
}

fn give(steps: &mut impl Steps, cycle: u64, gives: &Gives) -> Result<(), EngineError> {
    if gives.bits.is_empty() { Ok(()) } else { steps.give(cycle, gives) }
}

/// Runs moves only.
fn moves(steps: &mut impl Steps, moves: &[Move]) -> Result<(), EngineError> {
    if moves.is_empty() {
        return Ok(());
    }
    let segments = [Segment { moves: moves.len() as u32, xors: 0, ands: 0 }];
    steps.ops(&Ops { segments: &segments, moves, xors: &[], ands: &[], positions: &[] })
}

/// Counts `operations`, and reports progress if there is much to report.
fn report(
    steps: &mut impl Steps,
    cycle: u64,
    unreported: &mut usize,
    operations: usize,
) -> Result<(), EngineError> {
    *unreported += operations;
    if *unreported < PROGRESS_INTERVAL_GATES {
        return Ok(());
    }
    *unreported = 0;
    steps.progress(cycle)
}
