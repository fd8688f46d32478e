//! Turns the user's circuit options into a circuit, its program, and properties of its ports.

use crate::circuit_args::{CircuitArgs, FIRST_PAPER, OutputCycles};
use crate::error::{Exit, Failure};
use crate::mips_source;
use crate::progress::Reading;
use crate::verilog_args::VerilogArgs;
use halfgate_circuit::structured::{FlattenError, StructuredCircuit, verify};
use halfgate_circuit::{Circuit, Party};
use halfgate_compiler::{CompileError, Order, Program, compile, compile_structured};
use halfgate_frontends::scd::Outputs;
use halfgate_frontends::{self as frontends, ReadError, verilog};
use halfgate_mips::privacy::Privacy;
use halfgate_model::program_file::{EXTENSION, MAGIC};
use halfgate_programs::{ProgramError, published};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The circuit that `args` name: a built-in program, or else a file. A program or file that calls
/// functions is flattened.
///
/// # Errors
/// If neither exists, the file is not a circuit, or the flattening is too large.
pub fn circuit(args: &CircuitArgs) -> Result<Circuit, Failure> {
    match given(args)? {
        Given::Flat(circuit) => Ok(circuit),
        Given::Structured(circuit) => flat(circuit, &args.circuit),
    }
}

/// The circuit that `args` name, with its functions and calls.
///
/// # Errors
/// If neither a program nor a file has that name, or the file is not a circuit.
pub fn structured(args: &CircuitArgs) -> Result<StructuredCircuit, Failure> {
    Ok(match given(args)? {
        Given::Flat(circuit) => circuit.into(),
        Given::Structured(circuit) => circuit,
    })
}

/// The flat circuit of `circuit`, which is that of the program or file `name`.
///
/// # Errors
/// If it is too large, or temporary files fail.
pub fn flat(circuit: StructuredCircuit, name: &str) -> Result<Circuit, Failure> {
    circuit.into_circuit().map_err(|error| not_compiled(name, &error.into()))
}

/// Says why the circuit of the program or file `name` cannot be compiled.
fn not_compiled(name: &str, error: &CompileError) -> Failure {
    let exit = match error {
        CompileError::Spool(_)
        | CompileError::Flatten(FlattenError::Spool(_))
        | CompileError::TooManyWires => Exit::Local,
        _ => Exit::Circuit,
    };
    Failure::new(exit, format!("{name}: {error}"))
}

/// A circuit that the user names.
enum Given {
    /// Gates only.
    Flat(Circuit),
    /// May call functions: a file, or a structured program.
    Structured(StructuredCircuit),
}

fn given(args: &CircuitArgs) -> Result<Given, Failure> {
    if mips_source::is_one(&args.circuit) {
        if args.privacy == Some(Privacy::PublicSkip) {
            let what = "--privacy public-skip decides during a run which gates remain, so there is no fixed \
                        circuit: use --privacy public for the circuit with all gates";
            return Err(Failure::new(Exit::Usage, what));
        }
        return Ok(Given::Flat(mips_source::circuit(args)?.circuit));
    }
    let parties = args.parties.as_deref().map(parties).transpose()?;
    if args.match_paper.is_some() && is_file(&args.circuit) {
        let what = "--match-paper is for built-in programs, not for files";
        return Err(Failure::new(Exit::Usage, what));
    }
    if args.privacy.is_some() || args.shallow {
        let what = "--privacy and --shallow are for programs of the garbled processor: build one with \
                    `halfgate mips build`";
        return Err(Failure::new(Exit::Usage, what));
    }
    if !is_file(&args.circuit) {
        if parties.is_some() {
            let what = "--parties is for files: a built-in program has fixed owners of its inputs";
            return Err(Failure::new(Exit::Usage, what));
        }
        if args.verilog.is_used() {
            let what = "--top, --parameter and --source are for Verilog files";
            return Err(Failure::new(Exit::Usage, what));
        }
        if args.outputs.is_some() {
            let what = "--outputs is for SCD, HSCD and Verilog files: a built-in program has fixed outputs";
            return Err(Failure::new(Exit::Usage, what));
        }
        return built_in(&args.circuit, args.match_paper.as_deref());
    }
    let outputs = args.outputs.map(|outputs| match outputs {
        OutputCycles::EveryCycle => Outputs::EveryCycle,
        OutputCycles::Last => Outputs::Last,
    });
    // The order `given` promises to keep the file's own gates.
    let as_given = order(args)? == Order::Given;
    let VerilogArgs { top, parameter: parameters, source: files } = args.verilog.clone();
    let options = frontends::Options { parties, outputs, as_given, top, parameters, files };
    file(Path::new(&args.circuit), &options).map(Given::Structured)
}

/// A built-in program's circuit, or the version of it that a paper counts.
fn built_in(spec: &str, paper: Option<&str>) -> Result<Given, Failure> {
    let is_structured =
        || halfgate_programs::find(spec).is_some_and(|(program, _)| program.is_structured());
    let built = match paper {
        None if is_structured() => halfgate_programs::build_structured(spec).map(Given::Structured),
        None => halfgate_programs::build(spec).map(Given::Flat),
        Some(FIRST_PAPER) => published::build(spec).map(Given::Flat),
        Some(paper) => published::build_as(paper, spec).map(Given::Flat),
    };
    built.map_err(|error| match error {
        ProgramError::Unknown { .. } => {
            let hint = "(and there is no file of that name)";
            Failure::new(Exit::Unknown, format!("{error} {hint}"))
        }
        ProgramError::Parameters { .. } | ProgramError::NotPublished { .. } => {
            Failure::new(Exit::Unknown, error)
        }
        ProgramError::Flatten { .. } => Failure::new(Exit::Circuit, error),
        ProgramError::Build { .. } => Failure::new(Exit::Local, error),
    })
}

/// Reads and verifies a circuit file.
///
/// # Errors
/// If the file cannot be read or is not a valid circuit, or an option does not suit its format.
fn file(path: &Path, options: &frontends::Options) -> Result<StructuredCircuit, Failure> {
    let name = path.display().to_string();
    let (store, mut shown) = (verilog::store(), Reading::start(&name));
    let progress = &mut |stage| shown.begins(stage);
    let reading = &mut verilog::Reading { store: store.as_ref(), progress };
    let circuit = frontends::open_structured_with(path, options, reading);
    let circuit = circuit.map_err(|error| match error {
        ReadError::Spool(_) => Failure::new(Exit::Local, error),
        ReadError::Verilog(verilog::Error::Parties { .. }) => {
            Failure::new(Exit::Usage, format!("--parties: {error}"))
        }
        ReadError::Verilog(
            verilog::Error::Argument { .. }
            | verilog::Error::FileName(_)
            | verilog::Error::SeveralTops { .. }
            | verilog::Error::UnclearTop { .. }
            | verilog::Error::EmptyFolder(_),
        ) => Failure::new(Exit::Usage, error),
        ReadError::Verilog(
            verilog::Error::NoYosys { .. }
            | verilog::Error::Local(_)
            | verilog::Error::Blank(_)
            | verilog::Error::Failed { .. }
            | verilog::Error::Netlist(_)
            | verilog::Error::Build(_),
        ) => Failure::new(Exit::Local, error),
        ReadError::Parties { .. } => Failure::new(Exit::Usage, format!("--parties: {error}")),
        ReadError::Option { option, .. } if option.starts_with("a top") => {
            Failure::new(Exit::Usage, format!("--top, --parameter, --source: {error}"))
        }
        ReadError::Option { .. } if options.parties.is_some() => {
            Failure::new(Exit::Usage, format!("--parties: {error}"))
        }
        ReadError::Option { .. } => Failure::new(Exit::Usage, format!("--outputs: {error}")),
        _ if is_program_file(&name) => {
            let what = "is a compiled program, not a circuit; `halfgate inspect` shows what it was compiled from";
            Failure::new(Exit::Circuit, format!("{} {what}", path.display()))
        }
        _ => Failure::new(Exit::Circuit, error),
    })?;
    verify(&circuit)
        .map_err(|error| Failure::new(Exit::Circuit, format!("{}: {error}", path.display())))?;
    Ok(circuit)
}

/// Whether `name` is a compiled program (.hgp), by its first bytes or its extension.
pub fn is_program_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == EXTENSION)
        || begins_as_one(name).unwrap_or(false)
}

/// Checks the first bytes. Pipes are not checked: a later reader would miss the bytes.
fn begins_as_one(name: &str) -> io::Result<bool> {
    if !fs::metadata(name)?.is_file() {
        return Ok(false);
    }
    let mut start = [0; 4];
    File::open(name)?.read_exact(&mut start)?;
    Ok(start == MAGIC[..4])
}

/// The program that `args` name: its circuit, compiled in the requested order. A circuit that calls
/// functions keeps them in the orders `given` and `grouped`.
///
/// # Errors
/// As for [`circuit`], or if the order is unknown, or temporary files fail.
pub fn program(args: &CircuitArgs) -> Result<Program, Failure> {
    let requested = order(args)?;
    if mips_source::is_one(&args.circuit) {
        let bound = mips_source::circuit(args)?;
        let program = compile(bound.circuit, requested).map_err(Failure::with(Exit::Local))?;
        return Ok(match bound.skips {
            Some(skips) => program.skipping(skips),
            None => program,
        });
    }
    let circuit = match given(args)? {
        Given::Structured(circuit) => return compiled(circuit, requested, &args.circuit),
        Given::Flat(circuit) => circuit,
    };
    compile(circuit, requested).map_err(Failure::with(Exit::Local))
}

/// Compiles `circuit`, which is that of the program or file `name`, in `order`.
///
/// # Errors
/// If the circuit is not valid or too large, or temporary files fail.
pub fn compiled(circuit: StructuredCircuit, order: Order, name: &str) -> Result<Program, Failure> {
    compile_structured(circuit, order).map_err(|error| not_compiled(name, &error))
}

/// Whether `args` leave the order of gates to the garbler.
pub fn leaves_order(args: &CircuitArgs) -> bool {
    args.order.is_none() && !args.as_given
}

/// The order that `args` name.
///
/// # Errors
/// If the order is unknown, or contradicts `--as-given`.
pub fn order(args: &CircuitArgs) -> Result<Order, Failure> {
    let requested = args.order.as_deref().map(str::parse).transpose();
    match requested.map_err(Failure::with(Exit::Unknown))? {
        Some(order) if args.as_given && order != Order::Given => {
            let what = format!("--as-given keeps the file's order, but --order {order} changes it");
            Err(Failure::new(Exit::Usage, what))
        }
        Some(order) => Ok(order),
        None if args.as_given => Ok(Order::Given),
        None => Ok(Order::default()),
    }
}

/// Whether `spec` means a file: it does not name a program, and the file exists or `spec` is
/// written as a path.
pub fn is_file(spec: &str) -> bool {
    let like_a_path = || spec.contains(['/', '\\', '.']);
    halfgate_programs::find(spec).is_none() && (Path::new(spec).exists() || like_a_path())
}

/// Parses `g,e,…`, the owner of each input.
fn parties(text: &str) -> Result<Vec<Party>, Failure> {
    let party = |name: &str| match name.trim() {
        "g" | "garbler" => Ok(Party::Garbler),
        "e" | "evaluator" => Ok(Party::Evaluator),
        other => Err(Failure::new(
            Exit::Usage,
            format!(
                "--parties: {other:?} is not a party; write g or e for each input, as in g,e,g"
            ),
        )),
    };
    text.split(',').map(party).collect()
}

/// The number of cycles of a run: the requested number, else the number of values, else the
/// circuit's own.
///
/// # Errors
/// If no cycle is requested, or several cycles of a circuit without state and per-cycle ports.
pub fn cycles(
    requested: Option<u64>,
    given: Option<u64>,
    circuit: &Circuit,
) -> Result<u64, Failure> {
    checked_cycles(requested.or(given).unwrap_or(circuit.cycles), circuit.has_cycles())
}

/// The number of cycles of a run, if it can have so many. `has_cycles` says whether the circuit has
/// state or per-cycle ports.
///
/// # Errors
/// As for [`cycles`].
pub fn checked_cycles(cycles: u64, has_cycles: bool) -> Result<u64, Failure> {
    if cycles == 0 {
        return Err(Failure::new(Exit::Value, "a run of 0 cycles computes nothing"));
    }
    if !has_cycles && cycles != 1 {
        let what = format!(
            "--cycles {cycles}: this circuit has neither state nor per-cycle values, so each cycle would be the same"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(cycles)
}
