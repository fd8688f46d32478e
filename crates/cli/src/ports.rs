//! Properties of a circuit's ports that the circuit does not declare itself, but a built-in program
//! or a program for the garbled processor does.

use crate::session_args::CommonArgs;
use halfgate_circuit::{Bits, Input, Output, Party};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::mips_source::{image, is_one, steps_of};
use halfgate_console::print;
use halfgate_mips::bind::STATUS;
use halfgate_mips::privacy::{Privacy, PrivacyError};
use halfgate_protocol::session::Learn;

/// Sets the number of steps in `common` for programs of the garbled processor; other circuits are
/// unchanged.
///
/// # Errors
/// If neither --cycles nor the program sets the number of steps.
pub fn with_steps(common: &CommonArgs) -> Result<CommonArgs, Failure> {
    let mut common = common.clone();
    let spec = &common.circuit.circuit;
    if !is_one(spec) {
        return Ok(common);
    }
    if common.cycles.is_none() && image(spec)?.steps.is_none() {
        return Err(Failure::new(Exit::Usage, format!("{spec}: {}", PrivacyError::NoSteps)));
    }
    (common.circuit, common.cycles) = steps_of(&common.circuit, common.cycles);
    Ok(common)
}

/// Refuses options by which a party learns an output of a program without its status. That party
/// could take the output of an unfinished program for a result.
///
/// # Errors
/// If `circuit` names a program and `learn` has that effect; an empty `learn` means that both
/// parties learn all outputs.
pub fn check_learn(
    circuit: &CircuitArgs,
    outputs: &[Output],
    learn: &[Learn],
) -> Result<(), Failure> {
    let status = outputs.iter().position(|output| output.name == STATUS);
    let Some(status) = status.and_then(|at| learn.get(at)) else { return Ok(()) };
    if !is_one(&circuit.circuit) {
        return Ok(());
    }
    for party in [Party::Garbler, Party::Evaluator] {
        if !status.by(party) && learn.iter().any(|learn| learn.by(party)) {
            let what = format!(
                "--learn: the {party} learns an output but not {STATUS:?}, which shows whether the \
                 program finished: let it learn both"
            );
            return Err(Failure::new(Exit::Usage, what));
        }
    }
    Ok(())
}

/// Refuses a list of `party` that the built-in program `spec` takes in ascending order only, and
/// that is not: the outputs would be wrong.
///
/// # Errors
/// If the value `bits` of the input `name` is such a list.
pub fn check_ascending(spec: &str, party: Party, name: &str, bits: &Bits) -> Result<(), Failure> {
    let Some((program, text)) = halfgate_programs::find(spec) else { return Ok(()) };
    let Some(port) = program.port_type(name).filter(|port| port.is_ascending) else {
        return Ok(());
    };
    let width = port.element_width(text, bits.len()).filter(|&width| width > 0);
    let width = width.unwrap_or(bits.len());
    let bit = |element: usize, at: usize| bits.get(element * width + at);
    let is_above = |element: usize| {
        let differs = (0..width).rev().find(|&at| bit(element, at) != bit(element - 1, at));
        differs.is_some_and(|at| bit(element, at))
    };
    match (1..bits.len() / width).find(|&element| !is_above(element)) {
        None => Ok(()),
        Some(element) => {
            let what = format!(
                "the {party}'s values: input {name:?}, element {} is not above the one before: \
                 {spec} takes distinct keys in ascending order, so sort the rows by key",
                element + 1
            );
            Err(Failure::new(Exit::Value, what))
        }
    }
}

/// Refuses the outputs of a program that did not finish within its steps: its variables then have
/// arbitrary values.
///
/// # Errors
/// If `spec` names a program, and this party learned a status that shows it unfinished.
pub fn check_finished(
    circuit: &CircuitArgs,
    outputs: &[Output],
    values: &[Option<Bits>],
) -> Result<(), Failure> {
    let spec = &circuit.circuit;
    if !is_one(spec) {
        return Ok(());
    }
    let status = outputs.iter().position(|output| output.name == STATUS);
    let ended = status.and_then(|at| values.get(at)?.as_ref()).is_none_or(|bits| bits.get(0));
    if ended {
        return Ok(());
    }
    let steps = circuit.steps.or(image(spec)?.steps).unwrap_or_default();
    let what = format!(
        "{spec}: the program did not finish in {} steps, so it has no outputs yet: give more steps with \
         --steps (both parties the same), or build the program with more (`halfgate mips run` shows how many it \
         takes)",
        print::grouped(steps)
    );
    Err(Failure::new(Exit::Unfinished, what))
}

/// The parts of the program itself that are garbler's inputs, if the circuit's `inputs` have them.
///
/// # Errors
/// If the program's file cannot be read, or has the interface only.
pub fn implied(spec: &str, inputs: &[Input]) -> Result<Vec<(String, Bits)>, Failure> {
    if !is_one(spec) {
        return Ok(Vec::new());
    }
    let image = image(spec)?;
    let mut implied = Vec::new();
    for (name, bits) in Privacy::Private.secrets(&image) {
        if inputs.iter().any(|input| input.name == name) {
            if image.instructions.is_empty() {
                let what =
                    format!("{spec} is a program's interface: the garbler needs the program");
                return Err(Failure::new(Exit::Usage, what));
            }
            implied.push((name.to_owned(), bits));
        }
    }
    Ok(implied)
}
