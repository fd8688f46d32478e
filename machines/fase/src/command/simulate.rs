//! `halfgate simulate --machine fase-…`: a circuit on the models of the FASE machines.

use super::engine::Machine;
use super::{counts, labels};
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_fase_model::Netlist;
use halfgate_machine::args::{Model, Roles, SimulateArgs};
use halfgate_machine::{Named, check_options, program};

/// Simulates the circuit and the machine that `args` name.
///
/// # Errors
/// If there is no such machine, if an option does not apply to it, or if the circuit cannot be
/// read.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    let machine = Machine::named(name)?;
    check_options(args, Roles::Evaluator, "FASE is a garbler, and has one model and its RTL")?;
    let stage = Stage::begin("reading the circuit");
    let Named { program, path } = program(args)?;
    let netlist = Netlist::of(&program.circuit);
    stage.then(&format!("scheduling {} gates", print::grouped(netlist.gates.len() as u64)));
    let (mut found, report) = counts::run(name, machine, &netlist, &program)?;
    drop(stage);
    let compared = if args.model == Model::Rtl {
        Some(labels::rtl(args, &program, machine, &report)?)
    } else if args.labels {
        Some(labels::model(&program, machine)?)
    } else {
        None
    };
    if let Some(compared) = compared {
        for (name, value) in compared.facts {
            found.add(name, value, "");
        }
        found.add_text(&compared.text);
    }
    if let Some(path) = path {
        found.add("path", path.json(), &format!("\n{}", path.text()));
    }
    print::line(&if args.json { found.json().to_string() } else { found.text() })
}
