//! What every machine asks of a run before it begins.

use crate::{EngineError, RunKey, Suite};
use halfgate_compiler::Program;

/// The most ANDs of a run: each takes two numbers of 64 bits.
pub(crate) const MAX_ANDS: u64 = (1 << 63) - 1;

/// Whether a machine that has these suites can run `cycles` cycles of a program, `most` at a time, with `key`.
///
/// # Errors
/// Another suite, a program that skips, cycles that the circuit does not have, or more cycles or ANDs than can be counted.
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

/// Whether a machine can count what `cycles` cycles of a program have.
///
/// # Errors
/// Cycles that the circuit does not have, or more cycles or ANDs than can be counted.
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

/// Whether a machine that counts so many cycles and ANDs at most can count those of a run of
/// `cycles` cycles of so many ANDs each.
///
/// # Errors
/// More cycles or ANDs.
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
