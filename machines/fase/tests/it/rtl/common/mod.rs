//! Shared code of the tests of FASE in SystemVerilog: runs a machine, and compares it with the
//! reference, and with the model clock by clock.

use halfgate_circuit::{Circuit, random};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_fase::rtl::paper::{self, RtlPaper};
use halfgate_fase::rtl::{Options, RtlFase};
use halfgate_fase_model::check::Symbols;
use halfgate_fase_model::model::Seen;
use halfgate_fase_model::paper as model;
use halfgate_fase_model::{Code, Shape};
use halfgate_scheduled::assumed_cycles;
pub use halfgate_scheduled::testing::machines;
use halfgate_scheduled::testing::same_clocks;
pub use halfgate_verilated::testing::can_build;
use std::sync::{Arc, Mutex};

/// Garbles on the machine, and compares the output with the reference and every clock cycle with
/// the model.
///
/// # Errors
/// With the first difference.
pub fn equal(
    seed: u64,
    circuit: Circuit,
    cycles: u64,
    shape: Shape,
    options: &Options,
) -> Result<(), String> {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let watcher = seen.clone();
    let watcher = move |now: &Seen| watcher.lock().unwrap().push(now.clone());
    let garbler = RtlFase::new(shape, options.clone()).with_watcher(Arc::new(Mutex::new(watcher)));
    let what = format!("{}, {cycles} cycles, seed {seed}", garbler.name());
    let evaluator = CpuEngine::new(None).expect("an engine");
    let run = Run { suite: Suite::HalfGates, seed, cycles };
    let checked = check_pair(&garbler, &evaluator, &program, &inputs, run);
    checked.map_err(|why| format!("{what}: {why}"))?;

    let assumed = assumed_cycles(&program.circuit);
    let assumed = if (assumed > 1) == (cycles > 1) { assumed } else { cycles };
    let code = Code::of(&program.circuit, shape, assumed).expect("a schedule");
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    let measured = garbler.measured().expect("it ran");
    same_clocks(&code, cycles, &seen, measured).map_err(|why| format!("{what}: {why}"))?;
    if (measured.stalls > 0) != (options.stalls.is_some() && measured.ands > 8) {
        return Err(format!("{what}: {} stalls", measured.stalls));
    }
    Ok(())
}

/// Like [`equal`], on a published machine.
///
/// # Errors
/// With the first difference.
pub fn equal_to_paper(
    seed: u64,
    circuit: Circuit,
    cycles: u64,
    garbler: RtlPaper,
    pipelines: usize,
    suite: Suite,
) -> Result<(), String> {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let clocks: Arc<Mutex<Vec<paper::Clock>>> = Arc::default();
    let watcher = clocks.clone();
    let watcher = move |now: &paper::Clock| watcher.lock().unwrap().push(now.clone());
    let garbler = garbler.with_watcher(Arc::new(Mutex::new(watcher)));
    let what = format!("{}, {suite}, {cycles} cycles, seed {seed}", garbler.name());
    let evaluator = CpuEngine::new(None).expect("an engine");
    let run = Run { suite, seed, cycles };
    let checked = check_pair(&garbler, &evaluator, &program, &inputs, run);
    let clocks = std::mem::take(&mut *clocks.lock().unwrap());

    // Clock cycles are compared first, because they show where a fault starts.
    let code = model::Code::of(&program.circuit, pipelines);
    let mut symbols = Symbols::new(&code.body, cycles);
    let mut machine = model::Machine::new(&code, cycles);
    for (number, clock) in clocks.iter().enumerate() {
        if !machine.clock(&mut symbols, clock.ready).expect("right code") {
            return Err(format!("{what}: the model stops after {number} clocks"));
        }
        if *machine.seen() != clock.seen {
            let (rtl, model) = (&clock.seen, machine.seen());
            return Err(format!(
                "{what}: clock {number}: the machine {rtl:?}, the model {model:?}"
            ));
        }
    }
    checked.map_err(|why| format!("{what}: {why}"))?;
    if machine.clock(&mut symbols, true).expect("right code") {
        return Err(format!("{what}: the machine stops after {} clocks", clocks.len()));
    }
    symbols.finish().map_err(|fault| format!("{what}: {fault}"))?;
    let measured = garbler.measured().expect("it ran");
    if measured != machine.report() {
        return Err(format!("{what}: {measured:?}, the model {:?}", machine.report()));
    }
    Ok(())
}
