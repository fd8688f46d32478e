//! A program as the contents of a machine's memory, for hosts of a machine in hardware.

use super::error::HardwareError;
use super::image::{Image, config};
use super::layout::Region;
use super::stream::{Instructions, Words};
use super::{BURST, LABEL};
use crate::engine::host::{TABLE, lowered};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::EngineError;
use halfgate_haac_model::Machine;
use halfgate_haac_model::code::Source;
use halfgate_haac_model::lower::Lowering;
use halfgate_haac_model::model::config::Config;
use halfgate_haac_model::model::rows::survey;
use std::fmt::Write;

/// Bytes of a line of the header's arrays.
const LINE: usize = 16;

/// Returns a C header with `program`, which is named `name`, for a machine with one engine, in both
/// roles: the launch descriptors, instructions and out-of-range words, and the wires of inputs and
/// outputs. `machines/haac/driver/example.c` uses it.
///
/// # Errors
/// If the machine has several engines, the program has flip-flops, or it exceeds the machine's
/// limits.
pub fn c_header(machine: &Machine, name: &str, program: &Program) -> Result<String, EngineError> {
    let unavailable = |error| EngineError::unavailable(&machine.name, error);
    if machine.shape.engines != 1 || !program.circuit.flip_flops.is_empty() {
        return Err(EngineError::program(&machine.name, HardwareError::NoHeader));
    }
    let code = lowered(machine, program, Lowering::BEST)?;
    let config_of = Config::new(machine, Party::Garbler).map_err(unavailable)?;
    let survey = survey(&code, &config_of)?
        .map_err(|error| EngineError::machine(HardwareError::Code(error)))?;
    let ands = survey.ands[0];
    let image = Image::new(&machine.name, &code, survey)?;

    let (mut instructions, mut stream) = (Vec::new(), Instructions::new(&code));
    while let Some(burst) = stream.next(&mut |_, _| ())? {
        instructions.extend(burst);
    }
    let (mut words, mut stream) = (Vec::new(), Words::new(&code, 0));
    for _ in 0..(4 * code.oor[0].len()).div_ceil(BURST as u64) {
        words.extend(stream.next()?);
    }
    let start = |region| image.layout.start(region);
    let tables = (TABLE as u64 * ands).next_multiple_of(BURST as u64);
    let garbler = image.descriptor(Party::Garbler);
    let bits = |party| config(code.shape, party);
    let mut text = format!(
        "// {name} for {}.\n\n#ifndef PROGRAM_H\n#define PROGRAM_H\n\n#include <stdint.h>\n\n",
        machine.name
    );
    for (name, value) in [
        ("DESCRIPTOR", start(Region::Descriptor)),
        ("DESCRIPTOR_BYTES", garbler.len() as u64),
        ("INSTRUCTIONS", start(Region::Instructions)),
        ("LABELS", start(Region::Labels)),
        ("WORDS", start(Region::Oor(0))),
        ("TABLES", start(Region::Tables(0))),
        ("TABLES_BYTES", tables),
        ("MEMORY", start(Region::Tables(0)) + tables + LABEL as u64),
        ("INPUTS", code.inputs.len() as u64),
        ("INPUT_BITS", program.circuit.input_bits() as u64),
        ("OUTPUT_BITS", code.outputs.len() as u64),
        ("GARBLER", bits(Party::Garbler).into()),
        ("EVALUATOR", bits(Party::Evaluator).into()),
    ] {
        let _ = writeln!(text, "#define PROGRAM_{name} {value:#x}");
    }
    text += &bytes("garbler", &garbler);
    text += &bytes("evaluator", &image.descriptor(Party::Evaluator));
    text += &bytes("instructions", &instructions);
    text += &bytes("words", &words);
    text += "\n// For each label that is loaded: the wire, and the number of the input bit.\n\
             static const struct {\n    uint32_t wire, bit;\n} program_inputs[] = {\n";
    let mut address = 1;
    for wire in &code.inputs {
        let _ = writeln!(text, "    {{{address}, {}}},", wire.number());
        address = code.shape.next_address(address);
    }
    text += "};\n\n// For each output bit: its wire, and whether it is inverted. Wire 0 is the \
             constant 0.\nstatic const struct {\n    uint32_t wire, inverted;\n} \
             program_outputs[] = {\n";
    for source in &code.outputs {
        let (wire, inverted) = match *source {
            Source::Constant(value) => (0, value),
            Source::Wire { address, invert } => (address, invert),
        };
        let _ = writeln!(text, "    {{{wire}, {}}},", u32::from(inverted));
    }
    Ok(text + "};\n\n#endif  // PROGRAM_H\n")
}

/// An array of bytes in C. An empty one has a byte, which is 0.
fn bytes(name: &str, bytes: &[u8]) -> String {
    let mut text = format!("\nstatic const uint8_t program_{name}[] = {{\n");
    let bytes = if bytes.is_empty() { &[0] } else { bytes };
    for line in bytes.chunks(LINE) {
        let line: Vec<String> = line.iter().map(|byte| format!("{byte:#04x}")).collect();
        let _ = writeln!(text, "    {},", line.join(", "));
    }
    text + "};\n"
}
