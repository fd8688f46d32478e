//! What is known about a circuit's ports beyond their widths: what a built-in program or a program
//! for the garbled processor says.

use crate::session_args::CommonArgs;
use halfgate_circuit::Element;
use halfgate_circuit::{Bits, Input, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::mips_source::{image, is_one, steps_of};
use halfgate_mips::bind::STATUS;
use halfgate_mips::image::Port as ImagePort;
use halfgate_mips::privacy::{Privacy, PrivacyError};
use halfgate_values::{Elements, Port};

/// The ports of `party`, with what a built-in program says about them.
pub fn of_party(spec: &str, inputs: &[Input], party: Party) -> Vec<Port> {
    let mut ports = Port::of_party(inputs, party);
    for port in &mut ports {
        port.elements = elements(spec, &port.name, port.width, party);
    }
    ports
}

/// What the program that `spec` names, if there is one, says about its port `name` of `width`
/// bits, an input of `party` (or an output, whose order nobody needs to keep).
pub fn elements(spec: &str, name: &str, width: usize, party: Party) -> Elements {
    if let Some(elements) = of_program(spec, name) {
        return elements;
    }
    let known = halfgate_programs::find(spec).and_then(|(program, parameters)| {
        let port_type = program.port_type(name)?;
        let element_width = port_type.element_width(parameters, width).filter(|&bits| bits > 0)?;
        Some(match port_type.is_set {
            true => Elements::Set {
                width: element_width as u32,
                count: (width / element_width) as u32,
                party,
            },
            false => Elements::List { element: port_type.element, width: element_width },
        })
    });
    known.unwrap_or(Elements::Unknown)
}

/// `common` with the number of steps where programs want it: of other circuits it is as it was.
///
/// # Errors
/// If neither --cycles nor the program says how many steps a run takes.
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

/// What the program that `spec` names says about its port `name`; `None` if it is no program or has
/// no such port.
fn of_program(spec: &str, name: &str) -> Option<Elements> {
    if !is_one(spec) {
        return None;
    }
    if name == STATUS {
        return Some(Elements::List { element: Element::Unsigned, width: 2 });
    }
    let image = image(spec).ok()?;
    let port = image.ports.iter().find(|port| port.name == name)?;
    Some(of_port(port))
}

/// What a value is to `port`.
pub fn of_port(port: &ImagePort) -> Elements {
    let element = if port.signed { Element::Signed } else { Element::Unsigned };
    Elements::List { element, width: 8 * port.bytes as usize }
}

/// The garbler's inputs that the program itself is, if `inputs`, those of the circuit, have them.
///
/// # Errors
/// If the program's file cannot be read, or says the interface only.
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
