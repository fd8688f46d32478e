//! Shared code of the tests of GarbledCPU's evaluator in SystemVerilog: runs a machine, and
//! compares it with the reference, and with the model clock by clock.

use halfgate_circuit::{Builder, Circuit, Party, random};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_garbledcpu::rtl::{Options, RtlGarbledCpu};
use halfgate_garbledcpu_model::encode::Size;
use halfgate_garbledcpu_model::{Form, Machine};
use halfgate_scheduled::assumed_cycles;
use halfgate_scheduled::testing::same_clocks;
use halfgate_scheduled_model::model::Seen;
use std::sync::{Arc, Mutex};

/// Options with small memories, enough for random circuits.
pub fn small() -> Options {
    let size = Size { gates: 1 << 13, bank: 1 << 9, inputs: 1 << 10 };
    Options { size: Some(size), ..Options::default() }
}

/// Returns the circuit without inputs or outputs between the first netlist cycle and the last, so
/// that netlist cycles can overlap.
pub fn at_the_ends(mut circuit: Circuit) -> Circuit {
    circuit.inputs.iter_mut().for_each(|input| input.per_cycle = false);
    circuit.outputs.iter_mut().for_each(|output| output.per_cycle = false);
    circuit
}

/// A circuit that takes an AND in every clock cycle, so that it needs tables at least as fast as a
/// host sends them.
pub fn dense() -> Circuit {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 20);
    let y = b.input("y", Party::Evaluator, 20);
    let pairs = x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y)));
    let all: Vec<_> = pairs.map(|(x, y)| b.and(x, y)).collect();
    b.output("all", &all);
    b.finish().expect("a circuit")
}

/// Evaluates on the machine, and compares the output with the reference and every clock cycle with
/// the model.
///
/// # Errors
/// With the first difference.
pub fn equal(
    seed: u64,
    circuit: Circuit,
    cycles: u64,
    machine: Machine,
    options: &Options,
) -> Result<(), String> {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let watcher = seen.clone();
    let watcher = move |now: &Seen| watcher.lock().unwrap().push(now.clone());
    let evaluator =
        RtlGarbledCpu::new(machine, options.clone()).with_watcher(Arc::new(Mutex::new(watcher)));
    let what = format!("{}, {cycles} cycles, seed {seed}", evaluator.name());
    let garbler = CpuEngine::new(None).expect("an engine");
    let suite = match machine.form {
        Form::Paper => Suite::HalfGatesFixedKey,
        _ => Suite::HalfGates,
    };
    let run = Run { suite, seed, cycles };
    let checked = check_pair(&garbler, &evaluator, &program, &inputs, run);

    // Clock cycles are compared first, because they show where a fault starts.
    let assumed = assumed_cycles(&program.circuit);
    let assumed = if (assumed > 1) == (cycles > 1) { assumed } else { cycles };
    let code = machine.code(&program.circuit, assumed).expect("a schedule");
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    if let Some(measured) = evaluator.measured() {
        same_clocks(&code, cycles, &seen, measured).map_err(|why| format!("{what}: {why}"))?;
        let stalls = (measured.stalls, options.stalls.is_some());
        if (measured.ands > 20 && stalls == (0, true)) || (stalls.0 > 0 && !stalls.1) {
            return Err(format!("{what}: {} stalls", measured.stalls));
        }
    }
    checked.map_err(|why| format!("{what}: {why}"))
}
