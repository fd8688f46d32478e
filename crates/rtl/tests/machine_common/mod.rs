//! What the tests of the whole machine have in common.
#![allow(dead_code)] // Each test binary uses a part of it.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bits, Circuit};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check};
use halfgate_engine::haac::host::lowered;
use halfgate_engine::haac::{Description, Lowering, Machine, Overrides};
use halfgate_engine::{Engine, EngineError, Suite};
use halfgate_machines::haac::issue::NoSink;
use halfgate_machines::haac::machine::Role;
use halfgate_machines::haac::model::exact;
use halfgate_machines::haac::model::rows::Plain;
use halfgate_machines::haac::report::Report;
use halfgate_rtl::haac::{Aes, Options, RtlEngine};
use std::sync::Mutex;

/// A built-in machine.
pub fn built_in(name: &str) -> Machine {
    let description = Description::built_in(name).expect("built in");
    description.machine(&Overrides::default()).expect("possible")
}

/// Two engines and a window so small that programs spill, with the queues of the paper's machine.
pub fn small() -> Machine {
    let mut machine = built_in("haac-4ge");
    machine.name = "small".to_owned();
    machine.shape.engines = 2;
    machine.shape.window = 64;
    machine.rtl.ports = 2;
    machine
}

/// AES outside the RTL, and compiled quickly: what tests of everything else want.
pub fn quick() -> Options {
    Options { aes: Aes::Dpi, ..Options::default() }
}

pub fn program(circuit: Circuit, order: &str) -> Program {
    compile(circuit, order.parse::<Order>().expect("an order")).expect("compiles")
}

pub fn random_program(seed: u64, gates: u32) -> Program {
    let shape = Shape { gates, flip_flops: 0, ..Shape::default() };
    program(random::circuit(seed, &shape), "haac:full")
}

/// Holds an engine to the reference: tables, false and active labels, order of what it asks for.
pub fn conform(engine: &RtlEngine, program: &Program, seed: u64, cycles: u64) {
    let inputs: Vec<Bits> = random::inputs_for(&program.circuit, seed, cycles);
    let run = Run { suite: Suite::HalfGates, seed, cycles };
    if let Err(error) = check(engine, program, &inputs, run) {
        panic!("{}, seed {seed}: {error}", engine.name());
    }
}

/// The program on the exact model.
pub fn modelled(machine: &Machine, program: &Program, role: Role) -> Report {
    use halfgate_machines::haac::model::Options;
    let code = lowered(machine, program, Lowering::BEST).expect("lowers");
    let mut sizes = Plain::new(code.shape);
    exact::run(&code, machine, &Options::new(role), &mut sizes, &mut NoSink).expect("runs")
}

/// The reports of the launches of both roles, in the order in which they end.
pub fn conform_and_measure(machine: &Machine, options: &Options, program: &Program, seed: u64) {
    let engine = RtlEngine::new(machine.clone(), options.clone());
    // `check` garbles, then evaluates: counters are those of the evaluator.
    conform(&engine, program, seed, 1);
    equal(machine, &engine, program, Role::Evaluator);
    garble(&engine, program).expect("garbles");
    equal(machine, &engine, program, Role::Garbler);
}

/// Counters of the last launch are the model's, and nothing was late.
pub fn equal(machine: &Machine, engine: &RtlEngine, program: &Program, role: Role) {
    let found = engine.measured().expect("it ran");
    assert_eq!(found.late, 0, "{}, {role:?}: memory was late", engine.name());
    let wanted = modelled(machine, program, role);
    assert_eq!(found.report, wanted, "{}, {role:?}", engine.name());
}

/// Garbles with labels of nobody; what came out.
pub fn garble(
    engine: &RtlEngine,
    program: &Program,
) -> Result<(Vec<u8>, usize), (EngineError, usize)> {
    use halfgate_engine::testing::{MemoryGarbler, seeded_labels};
    use halfgate_engine::{Delta, Label, RunKey};
    let mut io = MemoryGarbler::new(seeded_labels(3), Label::from_u128(77));
    let delta = Delta::new(Label::from_u128(12345));
    let key = RunKey { suite: Suite::HalfGates, point: 99 };
    let mut prepared = engine.prepare(program).expect("prepares");
    let garbled = prepared.garble(key, &delta, program.circuit.cycles, &mut io);
    match garbled {
        Ok(_) => Ok((io.tables().to_vec(), io.outputs().len())),
        Err(error) => Err((error, io.outputs().len())),
    }
}

/// Tests build one library at a time: two cores are all that there may be.
pub fn one_at_a_time() -> std::sync::MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
