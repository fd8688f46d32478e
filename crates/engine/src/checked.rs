//! Checks that every machine makes before a run.

use crate::{EngineError, RunKey, Suite};
use halfgate_compiler::Program;

/// Most ANDs of a run. Each AND uses two 64-bit numbers, one for each of its inputs.
pub(crate) const MAX_ANDS: u64 = (1 << 63) - 1;

/// Checks that a machine with `suites` can run `cycles` cycles of `program` under `key`. The
/// machine counts at most `most` cycles.
///
/// # Errors
/// If the machine lacks the suite, if the program skips, if a combinational circuit is run for
/// several cycles, or if there are more cycles or ANDs than the machine counts.
pub fn checked(
    name: &str,
    suites: &[Suite],
    program: &Program,
    key: RunKey,
    cycles: u64,
    most: u64,
) -> Result<(), EngineError> {
    let engine = || name.to_owned();
    if !suites.contains(&key.suite) {
        let (suites, suite) = (suites.to_vec(), key.suite);
        return Err(EngineError::Suite { engine: engine(), suites, suite });
    }
    if program.skips.is_some() {
        return Err(EngineError::Skips { engine: engine() });
    }
    counted(name, program, cycles, most)
}

/// Checks that a machine can count the cycles and ANDs of a run of `cycles` cycles.
///
/// # Errors
/// If a combinational circuit is run for several cycles, or if there are more cycles or ANDs than
/// can be counted.
pub(crate) fn counted(
    name: &str,
    program: &Program,
    cycles: u64,
    most: u64,
) -> Result<(), EngineError> {
    let circuit = &program.circuit;
    let combinational = !circuit.is_sequential()
        && circuit.inputs.iter().all(|input| !input.per_cycle)
        && circuit.outputs.iter().all(|output| !output.per_cycle);
    if cycles != 1 && combinational {
        return Err(EngineError::OneCycleOnly { cycles });
    }
    check_length(name, (cycles, most), program.ands_per_cycle(), MAX_ANDS)
}

/// Checks a run's length: at most `most_cycles` cycles, and at most `most_ands` ANDs in all of
/// them.
///
/// # Errors
/// If the run is longer.
pub fn check_length(
    engine: &str,
    (cycles, most_cycles): (u64, u64),
    ands_per_cycle: u64,
    most_ands: u64,
) -> Result<(), EngineError> {
    let ands = ands_per_cycle.checked_mul(cycles);
    match ands.is_some_and(|all| all <= most_ands) && cycles <= most_cycles {
        true => Ok(()),
        false => {
            let engine = engine.to_owned();
            Err(EngineError::TooLong { engine, cycles, ands_per_cycle, most_cycles, most_ands })
        }
    }
}
