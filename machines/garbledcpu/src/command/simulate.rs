//! `halfgate simulate --machine garbledcpu-…`: a circuit on the models of GarbledCPU's evaluators.

use super::engine::named;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_machine::args::{Model, Roles, SimulateArgs};
use halfgate_machine::{Named, check_options, program};
use halfgate_scheduled::Found;
use halfgate_scheduled_model::Netlist;
use serde_json::json;

/// Simulates the circuit and the machine that `args` name.
///
/// # Errors
/// If there is no such machine, if an option does not apply to it, or if the circuit cannot be
/// read.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    let machine = named(name)?;
    check_options(args, Roles::Garbler, "GarbledCPU's machine is an evaluator, and has one model")?;
    if args.labels || args.model == Model::Rtl {
        let what = format!(
            "with labels it runs in a session: halfgate run CIRCUIT --evaluator-engine model:{name}, or rtl:{name}"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    let stage = Stage::begin("reading the circuit");
    let Named { program, path } = program(args)?;
    let netlist = Netlist::of(&program.circuit);
    stage.then(&format!("scheduling {} gates", print::grouped(netlist.gates.len() as u64)));
    let cycles = program.circuit.cycles;
    let code = machine.code(&program.circuit, cycles).map_err(Failure::with(Exit::Circuit))?;
    let mut found = Found::begin(name, &netlist, &program);
    let ands = code.body.ands;
    let entries = code.body.netlist.gates.len() as u64;
    let fused = code.body.netlist.gates.iter().filter(|gate| gate.operands[2].is_some()).count();
    let text = format!(
        "entries      {}: {} ANDs, of which {} have XORs within, and {} XORs\n",
        print::grouped(entries),
        print::grouped(ands),
        print::grouped(fused as u64),
        print::grouped(entries - ands)
    );
    found.add("entries", json!(entries), &text);
    found.add("fused", json!(fused), "");
    found.scheduled(&code, cycles)?;
    let a_gate = code.interval() as f64 / ands.max(1) as f64;
    let text = format!("\na gate       {a_gate:.3} clocks for each AND of a netlist cycle");
    found.add("clocks_per_and", json!(a_gate), &text);
    if let Some(path) = path {
        found.add("path", path.json(), &format!("\n{}", path.text()));
    }
    drop(stage);
    print::line(&if args.json { found.json().to_string() } else { found.text() })
}
