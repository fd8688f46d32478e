//! `halfgate simulate --machine mobile`: evaluates a circuit on the coprocessor, as a model or as
//! RTL, and compares the output labels with the CPU engine's.

use super::engine::{self as named, Counting};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_engine::Engine;
use halfgate_machine::args::{Build, Model, Roles, SimulateArgs};
use halfgate_machine::labels::OnCpu;
use halfgate_machine::{Named, building, check_options, program};
use halfgate_verilated::Aes;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Evaluates the circuit of `args` on the machine of `args`, and prints the time that this took.
/// Labels are always computed, because the number of bytes on the link depends on them. Output
/// labels are compared with the CPU engine's.
///
/// # Errors
/// If the machine does not support an option, the circuit cannot be read or built, the RTL cannot
/// be built, or a label differs.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    check_options(args, Roles::Garbler, "mobile is an evaluator, and has one model and its RTL")?;
    // Clones share their counters.
    let (engine, counting) = engine(args)?;
    let stage = Stage::begin("reading the circuit");
    let Named { program, path } = program(args)?;
    stage.then("garbling on the CPU");
    let mut cpu = OnCpu::new(&program)?;
    stage.then(&format!("evaluating on {}", engine.name()));
    let mut prepared = engine.prepare(&program).map_err(building::failure)?;
    cpu.evaluating(&mut *prepared)?;
    let nothing = || Failure::new(Exit::Local, "the machine measured nothing");
    let time = engine.simulated().ok_or_else(nothing)?;
    if counting.went().iter().all(|(_, clocks)| *clocks == 0) {
        stage.then("counting clock cycles by cause, on the model");
        let model = counting.engine();
        cpu.evaluating(&mut *model.prepare(&program).map_err(building::failure)?)?;
    }
    drop(stage);
    let went = counting.went();
    let counted: u64 = went.iter().map(|(_, clocks)| clocks).sum();
    if counted != time.clock_cycles {
        let what = format!("the RTL took {} clock cycles, its model {counted}", time.clock_cycles);
        return Err(Failure::new(Exit::Mismatch, what));
    }
    let cycles = program.circuit.cycles;
    let ands = program.ands_per_cycle() * cycles;
    let mut facts: Map<String, Value> = Map::new();
    let mut fact = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    fact("machine", json!(name));
    fact("engine", json!(engine.name()));
    fact("hash", json!(program.hash.to_string()));
    fact("gates", json!(program.gates_per_cycle() * cycles));
    fact("and_gates", json!(ands));
    fact("netlist_cycles", json!(cycles));
    fact("clocks", json!(time.clock_cycles));
    fact("mhz", json!(time.mhz));
    fact("seconds", json!(time.seconds()));
    fact("output_labels_equal", json!(cpu.output_labels()));
    let n = print::grouped;
    let mut text = format!(
        "machine      {}\n\
         netlist      {} gates, {} ANDs among them, in {} netlist cycles\n\
         time         {} ({} clocks of {} MHz)\n",
        engine.name(),
        n(program.gates_per_cycle() * cycles),
        n(ands),
        n(cycles),
        print::seconds(time.seconds()),
        n(time.clock_cycles),
        time.mhz
    );
    let causes = went.iter().map(|(cause, clocks)| ((*cause).to_owned(), json!(clocks)));
    fact("clocks_went", Value::Object(causes.collect()));
    let _ = writeln!(text, "clocks went  {}", print::shares(&went));
    if let Some(link) = engine.traffic() {
        fact("to_device", json!(link.to_chip));
        fact("from_device", json!(link.from_chip));
        fact("retransmitted_frames", json!(link.again));
        let _ = writeln!(
            text,
            "link         {} bytes to the chip, {} from it, {} frames retransmitted",
            n(link.to_chip),
            n(link.from_chip),
            n(link.again)
        );
    }
    let _ = write!(
        text,
        "labels       {} output labels equal the CPU engine's",
        n(cpu.output_labels())
    );
    if let Some(path) = path {
        facts.insert("path".to_owned(), path.json());
        let _ = write!(text, "\n{}", path.text());
    }
    print::line(&if args.json { Value::Object(facts).to_string() } else { text })
}

/// Builds the engine of `args`, model or RTL. Also returns an engine that counts clock cycles by
/// cause.
fn engine(args: &SimulateArgs) -> Result<(Box<dyn Engine>, Counting), Failure> {
    let name = &args.machine.machine;
    let roles = [Party::Evaluator];
    if args.model != Model::Rtl {
        let model = named::model(name, None, &roles)?;
        return Ok((model.engine(), model));
    }
    if args.aes != Aes::default() {
        let what = format!("machine {name} has no --aes: its AES exists only in RTL");
        return Err(Failure::new(Exit::Usage, what));
    }
    let build = if args.build == Build::Fast { ",build=fast" } else { "" };
    named::rtl(&format!("{name}{build}"), &roles, args.trace.as_deref())
}
