//! Limits of simulated machines, and checks of options that a machine does not support.

use crate::args::{Build, Model, Objective, Pace, Roles, SimulateArgs};
use halfgate_circuit::Circuit;
use halfgate_console::error::{Exit, Failure};
use halfgate_verilated::Aes;

/// Most netlist cycles of a run: hardware counts them in 32 bits, of which it uses 31.
pub const MAX_CYCLES: u64 = (1 << 31) - 1;

/// Most gates over all netlist cycles that the models simulate: they process each one, and more
/// takes hours.
const GATE_CYCLES: u64 = 10_000_000_000;

/// Refuses a circuit whose simulation would take hours.
///
/// # Errors
/// If it has too many gates over all its netlist cycles.
pub fn check_size(circuit: &Circuit) -> Result<(), Failure> {
    let (gates, cycles) = (circuit.gates.len().max(1) as u64, circuit.cycles);
    match gates.checked_mul(cycles) {
        Some(..=GATE_CYCLES) => Ok(()),
        _ => {
            let what = format!(
                "--cycles {cycles} would take hours: the models simulate every netlist cycle. For \
                 {gates} gates, use at most {} cycles; all netlist cycles take equally long",
                GATE_CYCLES / gates
            );
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// Refuses options for building hardware without `--model rtl`.
///
/// # Errors
/// If one of these options is given without `--model rtl`.
pub fn check_rtl_options(args: &SimulateArgs) -> Result<(), Failure> {
    let options = [
        ("--aes", args.aes != Aes::default()),
        ("--build fast", args.build == Build::Fast),
        ("--pace", args.pace != Pace::default()),
    ];
    match options.iter().find(|(_, is_given)| *is_given && args.model != Model::Rtl) {
        None => Ok(()),
        Some((option, _)) => {
            let what = format!("{option} is an option of the simulated hardware: add --model rtl");
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// Refuses options for machines of gate engines on a machine that has one role and one model. `not`
/// is the role that the machine lacks; `why` is the reason in the message.
///
/// # Errors
/// If one of these options is given.
pub fn check_options(args: &SimulateArgs, not: Roles, why: &str) -> Result<(), Failure> {
    let (machine, lowering) = (&args.machine, &args.lowering);
    let role = if not == Roles::Evaluator { "--role evaluator" } else { "--role garbler" };
    let options = [
        ("--engines", machine.engines.is_some()),
        ("--window", machine.window.is_some()),
        ("--memory", machine.memory.is_some()),
        ("--wire-bytes", machine.wire_bytes.is_some()),
        ("--encoding", lowering.encoding.is_some()),
        ("--paper", lowering.paper),
        ("--no-copies", lowering.no_copies),
        ("--objective", lowering.objective == Objective::Latency),
        (role, args.role == not),
        ("--model exact", args.model == Model::Exact),
        ("--preloaded", args.preloaded),
        ("--pace", args.pace != Pace::default()),
    ];
    if args.trace.is_some() && args.model != Model::Rtl {
        return Err(Failure::new(Exit::Usage, "--trace writes waveforms: add --model rtl"));
    }
    check_rtl_options(args)?;
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::new(
            Exit::Usage,
            format!("{option} is not for machine {}: {why}", machine.machine),
        )),
    }
}
