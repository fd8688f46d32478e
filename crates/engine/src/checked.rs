//! What every machine asks of a run before it begins.

use crate::{EngineError, RunKey, Suite};
use halfgate_compiler::Program;

/// One more than the most ANDs of a run: each takes two numbers of 64 bits.
const MAX_ANDS: u64 = 1 << 63;

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
    let unsupported = |what: String| Err(EngineError::Unsupported(what));
    if !suites.contains(&key.suite) {
        let names: Vec<&str> = suites.iter().map(|suite| suite.name()).collect();
        return unsupported(format!(
            "engine {name} runs the suite {} only, not {}",
            names.join(" or "),
            key.suite
        ));
    }
    if program.skips.is_some() {
        return unsupported(skips_not(name));
    }
    counted(name, program, cycles, most)
}

/// What is said of a program that skips to an engine that does not.
pub fn skips_not(name: &str) -> String {
    format!(
        "engine {name} runs every gate of every cycle: a program that skips runs on the engine cpu"
    )
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
    let unsupported = |what: String| Err(EngineError::Unsupported(what));
    let circuit = &program.circuit;
    let combinational = !circuit.is_sequential()
        && circuit.inputs.iter().all(|input| !input.per_cycle)
        && circuit.outputs.iter().all(|output| !output.per_cycle);
    if cycles != 1 && combinational {
        return unsupported(format!(
            "a circuit without flip-flops and without per-cycle inputs or outputs runs for one cycle, not {cycles}"
        ));
    }
    let ands = program.ands_per_cycle();
    match ands.checked_mul(cycles) {
        Some(all) if all < MAX_ANDS && cycles <= most => Ok(()),
        _ => unsupported(format!(
            "engine {name} counts fewer than 2^{} cycles and 2^63 ANDs, not {cycles} cycles of {ands} ANDs",
            64 - most.leading_zeros()
        )),
    }
}
