//! Turns options into a machine, a program in its order, and code for it.

use super::model::failure as description;
use crate::dram::requested;
use halfgate_circuit::Party;
use halfgate_compiler::gate_engines::BestParams;
use halfgate_compiler::{Order, Program, compile};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Stage;
use halfgate_console::{mips_source, source};
use halfgate_haac_model::code::Code;
use halfgate_haac_model::description::{Description, Overrides, parse_window};
use halfgate_haac_model::hgp::{Encoding, Header};
use halfgate_haac_model::lower::choose::{ChooseError, Goal, choose};
use halfgate_haac_model::lower::{Copies, LowerError, Lowering, lower};
use halfgate_haac_model::machine::Machine;
use halfgate_machine::LongestPath;
use halfgate_machine::args::{LoweringArgs, MachineArgs, Objective};

/// A program with its code for one machine.
pub(super) struct Compiled {
    /// The program; `None` for a program file.
    pub program: Option<Program>,
    /// Its code.
    pub code: Code,
    /// The header of the program file.
    pub header: Header,
    /// The longest path of the circuit, if requested.
    pub path: Option<LongestPath>,
}

/// The machine that `args` describe.
///
/// # Errors
/// If no machine has that name, its description is invalid, or the options do not fit it.
pub(super) fn machine(args: &MachineArgs) -> Result<Machine, Failure> {
    let window = args.window.as_deref().map(parse_window).transpose();
    let dram = requested(args.memory.as_deref())?;
    let overrides = Overrides {
        engines: args.engines,
        window: window.map_err(description)?,
        memory: args.memory.clone().filter(|_| dram.is_none()),
        wire_bytes: args.wire_bytes,
        forwarding: None,
    };
    let found = Description::find(&args.machine).map_err(description)?;
    let machine = found.machine(&overrides).map_err(description)?;
    Ok(match dram {
        Some(dram) => dram.attach(machine),
        None => machine,
    })
}

/// The program that `args` name, ordered and lowered for `machine`. On request also the longest
/// path of its circuit.
///
/// # Errors
/// If circuit, order or encoding is unknown or malformed, or temporary files fail.
pub(super) fn compiled(
    args: &LoweringArgs,
    machine: &Machine,
    with_path: bool,
) -> Result<Compiled, Failure> {
    let encoding: Encoding = args
        .encoding
        .as_deref()
        .unwrap_or("plain")
        .parse()
        .map_err(Failure::with(Exit::Unknown))?;
    let mut circuit = args.circuit.clone();
    if args.objective == Objective::Latency {
        circuit.circuit = fast_form(&circuit.circuit)?;
    }
    let order = order(args, machine)?;
    let stage = Stage::begin("reading the circuit");
    let (named, cycles) = mips_source::steps_of(&circuit, args.cycles);
    let mut built = source::circuit(&named)?;
    built.cycles = source::cycles(cycles, None, &built)?;
    let path = with_path.then(|| LongestPath::of(&built));
    let gates = built.gates.len() as u64;
    stage.then(&format!("ordering {} gates ({order})", halfgate_console::print::grouped(gates)));
    let program = compile(built, order).map_err(Failure::with(Exit::Local))?;
    stage.then("lowering");
    let code = lowered(&program, args, machine, encoding)?;
    let mut header =
        Header::of(&program, &circuit.circuit, &machine.name, machine.shape, code.stats);
    header.encoding = encoding;
    Ok(Compiled { program: Some(program), code, header, path })
}

/// The requested code: the paper's, code without copies, or the fastest of several by the model.
fn lowered(
    program: &Program,
    args: &LoweringArgs,
    machine: &Machine,
    encoding: Encoding,
) -> Result<Code, Failure> {
    let failed = |error: LowerError| match error {
        LowerError::Spool(_) => Failure::new(Exit::Local, error),
        LowerError::Inverted { .. } if args.paper => {
            Failure::new(Exit::Usage, format!("--paper: {error}"))
        }
        _ => Failure::new(Exit::Circuit, error),
    };
    if args.paper {
        return lower(program, machine.shape, Lowering::PAPER).map_err(failed);
    }
    if args.no_copies {
        let how = Lowering { copies: Copies::Never, ..Lowering::BEST };
        return lower(program, machine.shape, how).map_err(failed);
    }
    // ANDs of the two roles differ by three cycles only, so one lowering is the fastest for both.
    let goal = Goal { machine, role: Party::Evaluator, encoding };
    choose(program, goal, Lowering::BEST).map(|choice| choice.code).map_err(|error| match error {
        ChooseError::Lower(error) => failed(error),
        ChooseError::Model(error) => Failure::new(Exit::Circuit, error),
    })
}

/// The requested order. Its parameters are by default those of the machine.
fn order(args: &LoweringArgs, machine: &Machine) -> Result<Order, Failure> {
    let half = machine.shape.half();
    match args.circuit.order.as_deref() {
        _ if args.circuit.as_given => source::order(&args.circuit),
        None | Some("haac:best") => Ok(Order::HaacBest(best_params(machine))),
        Some("haac:segment") => Ok(Order::HaacSegment { gates: half }),
        Some(text) => text.parse().map_err(Failure::with(Exit::Unknown)),
    }
}

/// Parameters of `haac:best` for `machine`.
pub(super) fn best_params(machine: &Machine) -> BestParams {
    let (bytes, cycles) = machine.memory.bytes_per_cycle;
    BestParams {
        engines: machine.shape.engines,
        window: machine.shape.window,
        and_latency: machine.latency.and(Party::Garbler),
        memory: (u64::from(bytes) * 10 / u64::from(cycles)) as u32,
    }
}

/// The built-in program that computes the same function with a shorter path: `adder-fast:16` for
/// `adder:16`.
fn fast_form(spec: &str) -> Result<String, Failure> {
    let (name, parameters) = match spec.split_once(':') {
        Some((name, parameters)) => (name, format!(":{parameters}")),
        None => (spec, String::new()),
    };
    let fast = format!("{name}-fast{parameters}");
    if name.ends_with("-fast") || halfgate_programs::find(&fast).is_none() {
        let what = format!(
            "--objective latency: {spec} has no form with a shorter path; programs NAME-fast have (see `halfgate programs`)"
        );
        return Err(Failure::new(Exit::Unknown, what));
    }
    Ok(fast)
}
