//! Runs the FASE models on a circuit to count clock cycles and stalls.

use super::engine::Machine;
use halfgate_compiler::Program;
use halfgate_console::error::{Exit, Failure};
use halfgate_fase_model::{Code, Netlist, model, paper};
use halfgate_scheduled::Found;
use serde_json::json;

/// The counts of a model.
pub(super) enum Report {
    /// The counts of a published machine.
    Paper(paper::Report),
    /// The counts of a scheduled machine.
    Scheduled(model::Report),
}

/// Runs the model, and prints its counts.
pub(super) fn run(
    name: &str,
    machine: Machine,
    netlist: &Netlist,
    program: &Program,
) -> Result<(Found, Report), Failure> {
    let mut found = Found::begin(name, netlist, program);
    let report = match machine {
        Machine::Paper(pipelines) => Report::Paper(published(&mut found, program, pipelines)?),
        Machine::Scheduled(shape) => {
            let code = Code::of(&program.circuit, shape, program.circuit.cycles);
            let code = code.map_err(Failure::with(Exit::Circuit))?;
            Report::Scheduled(found.scheduled(&code, program.circuit.cycles)?)
        }
    };
    Ok((found, report))
}

fn published(
    found: &mut Found,
    program: &Program,
    pipelines: usize,
) -> Result<paper::Report, Failure> {
    let cycles = program.circuit.cycles;
    let code = paper::Code::of(&program.circuit, pipelines);
    let report = paper::run(&code, cycles).map_err(Failure::with(Exit::Local))?;
    found.clocks(report.clocks, code.body.netlist.gates.len() as u64 * cycles);
    for (name, value) in [
        ("slots", json!(report.slots)),
        ("port_stalls", json!(report.port_stalls)),
        ("dependency_stalls", json!(report.dependency_stalls)),
        ("input_labels", json!(report.input_labels)),
    ] {
        found.add(name, value, "");
    }
    let waits = report.port_stalls + report.dependency_stalls;
    let causes = [
        ("work", report.clocks - waits),
        ("ports", report.port_stalls),
        ("operands", report.dependency_stalls),
    ];
    found.went("clocks_went", "clocks went", &causes);
    Ok(report)
}
