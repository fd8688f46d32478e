//! `halfgate simulate --machine toy`.

use crate::ToyEngine;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_engine::{Engine, kernels};
use halfgate_machine::args::{Model, Roles, SimulateArgs};
use halfgate_machine::labels::OnCpu;
use halfgate_machine::{Machine, Named, check_options, program};
use halfgate_toy_model::{MHZ, clock_cycles};
use serde_json::json;

/// Prints the clock cycles that the toy takes for the circuit named in `args`.
///
/// # Errors
/// If an option is not for the toy, the circuit cannot be read or does not fit, or a label differs.
pub(crate) fn simulate(toy: &dyn Machine, args: &SimulateArgs) -> Result<(), Failure> {
    if args.model == Model::Rtl {
        return Err(toy.lacks("RTL: leave out --model rtl"));
    }
    for role in [Roles::Garbler, Roles::Evaluator] {
        check_options(args, role, "both roles take the same time on its one gate engine")?;
    }
    let Named { program, path } = program(args)?;
    let engine = ToyEngine::new(kernels::best());
    let refused = |error| Failure::new(Exit::Unknown, error);
    let mut prepared = engine.prepare(&program).map_err(refused)?;
    if args.labels {
        let mut cpu = OnCpu::new(&program)?;
        cpu.garbling(&mut *prepared)?;
        cpu.evaluating(&mut *prepared)?;
    }
    let (gates, ands) = (program.gates_per_cycle(), program.ands_per_cycle());
    let cycles = program.circuit.cycles;
    let clocks = clock_cycles(&program.circuit, cycles);
    let microseconds = clocks as f64 / MHZ;
    if args.json {
        let mut found = json!({
            "machine": toy.name(),
            "hash": program.hash.to_string(),
            "gates": gates,
            "and_gates": ands,
            "netlist_cycles": cycles,
            "clock_cycles": clocks,
            "microseconds": microseconds,
            "labels_equal": args.labels,
        });
        if let Some(path) = path {
            found["path"] = path.json();
        }
        return print::line(&found.to_string());
    }
    let number = print::grouped;
    print::line(&format!("gates         {} ({} AND)", number(gates), number(ands)))?;
    print::line(&format!("runs of body  {}", number(cycles)))?;
    print::line(&format!("clock cycles  {} ({microseconds} µs at {MHZ} MHz)", number(clocks)))?;
    if args.labels {
        print::line("labels        tables and outputs equal the CPU engine's, both roles")?;
    }
    path.map_or(Ok(()), |path| print::line(&path.text()))
}
