//! `halfgate image`: the memory of a launch as a file, for test benches and drivers in other
//! languages.

use super::prepare::{self, Compiled};
use crate::dram;
use crate::rtl::contents::{Contents, Labels, Piece};
use crate::rtl::memory_image::c_header;
use clap::Args;
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_engine::Label;
use halfgate_haac_model::hgp::Encoding;
use halfgate_machine::args::{LoweringArgs, MachineArgs, Roles};
use halfgate_machine::building;
use halfgate_machine::labels::OnCpu;
use halfgate_model::file;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// `halfgate image`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct ImageArgs {
    /// How the program is lowered.
    #[command(flatten)]
    pub lowering: LoweringArgs,

    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,

    /// Which party's machine: garbler or evaluator
    #[arg(long, value_enum, default_value = "garbler")]
    pub role: Roles,

    /// The file to write: .json, or .h for a C driver of a machine with one engine
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

const HELP: &str = "\
The file has the values of the registers, the contents of memory before a launch, and what the
machine must have written after it: tables and output labels, as the CPU engine computes them. Bytes
are hexadecimal, the lowest address first. Labels and delta are the same in every file and known to
everyone: an image is for tests, never for data.

A C header (.h) has the program alone, for both roles: no labels, and nothing secret. The driver of
machines/haac/driver reads it.";

/// Writes the image.
///
/// # Errors
/// If the program has several launches, the options do not fit, or the file cannot be written.
pub fn execute(args: &ImageArgs) -> Result<(), Failure> {
    let role = match args.role {
        Roles::Garbler => Party::Garbler,
        Roles::Evaluator => Party::Evaluator,
        Roles::Both => {
            let what = "an image is for one machine: give --role garbler or --role evaluator";
            return Err(Failure::new(Exit::Usage, what));
        }
    };
    let machine = prepare::machine(&args.machine)?;
    if let Some(dram) = dram::requested(args.machine.memory.as_deref())? {
        dram.check_labels()?;
    }
    let compiled = prepare::compiled(&args.lowering, &machine, false)?;
    let Compiled { program: Some(program), code, header, .. } = compiled else {
        return Err(Failure::new(Exit::Local, "the program was not compiled"));
    };
    if header.encoding != Encoding::Plain {
        let what = "hardware supports the encoding plain only: leave --encoding out";
        return Err(Failure::new(Exit::Usage, what));
    }
    let circuit = &program.circuit;
    if circuit.cycles != 1 || !circuit.flip_flops.is_empty() {
        let what = "an image is for one launch, and this circuit has flip-flops or several cycles: \
                    give a circuit without";
        return Err(Failure::new(Exit::Circuit, what));
    }
    if args.output.extension().is_some_and(|end| end == "h") {
        let header =
            c_header(&machine, &header.source, circuit, &code).map_err(building::failure)?;
        return written(&args.output, &header);
    }
    let mut cpu = OnCpu::new(&program)?;
    let outputs = cpu.outputs(role)?;
    let offset = if role == Party::Garbler { cpu.delta() } else { Label::ZERO };
    let inputs = cpu.inputs(role);
    let labels = Labels { inputs: &inputs, outputs: &outputs, tables: cpu.tables(), offset };
    let contents = Contents::new(&machine, &code, role, &labels).map_err(building::failure)?;

    let mut registers = json!({
        "program": hex(&contents.descriptor.to_le_bytes()),
        "and_base": hex(&0_u64.to_le_bytes()),
        "point": hex(&cpu.point().to_le_bytes()),
        "wire_bytes": hex(&machine.memory.wire_bytes.to_le_bytes()),
    });
    if role == Party::Garbler {
        registers["delta"] = hex(&cpu.delta().to_u128().to_le_bytes()).into();
    }
    let mut image = super::compile::json(&header);
    image["machine"] = json!(machine.name);
    image["role"] = json!(role.to_string());
    image["config"] = json!(contents.config);
    image["end"] = json!(contents.end);
    image["registers"] = registers;
    image["before"] = contents.before.iter().map(json).collect();
    image["after"] = contents.after.iter().map(json).collect();
    written(&args.output, &format!("{image}\n"))?;
    print::line(&format!(
        "{}: the {role} of {} on {}, {} pieces of memory before a launch and {} after it",
        args.output.display(),
        header.source,
        machine.name,
        contents.before.len(),
        contents.after.len()
    ))
}

fn written(path: &Path, text: &str) -> Result<(), Failure> {
    file::whole(path, None, None, |out| out.write_all(text.as_bytes()))
        .map_err(Failure::with(Exit::Local))
}

fn json(piece: &Piece) -> Value {
    json!({ "what": piece.what, "address": piece.address, "bytes": hex(&piece.bytes) })
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
