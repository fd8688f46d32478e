//! FASE in SystemVerilog against the model, clock by clock, and against the reference.

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_machines::fase::check::Symbols;
use halfgate_machines::fase::code::Size;
use halfgate_machines::fase::model::{Machine, Seen};
use halfgate_machines::fase::{Code, Shape};
use halfgate_rtl::fase::{Options, RtlFase};
use halfgate_rtl::{Aes, Toolchain};
use std::sync::{Arc, Mutex};

/// Whether machines can be built here; says so if not.
fn can_build() -> bool {
    match Toolchain::from_environment().version() {
        Ok(_) => true,
        Err(why) => {
            println!("not run: {why}");
            false
        }
    }
}

/// Garbles on the machine, compares with the reference, and every clock with the model.
fn check(seed: u64, circuit: Circuit, cycles: u64, shape: Shape, options: &Options) {
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
    checked.unwrap_or_else(|why| panic!("{what}: {why}"));

    let mut code = Code::of(&program.circuit, shape, program.circuit.cycles).expect("a schedule");
    if (program.circuit.cycles > 1) != (cycles > 1) {
        code = Code::of(&program.circuit, shape, cycles).expect("a schedule");
    }
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    let mut symbols = Symbols::new(&code, cycles);
    let mut model = Machine::new(&code, cycles);
    let mut clock = 0;
    while model.clock(&mut symbols).expect("right code") {
        let Some(rtl) = seen.get(clock) else {
            panic!("{what}: the machine stops after {clock} clocks, the model goes on");
        };
        assert_eq!(rtl, model.seen(), "{what}: clock {clock}: the machine and the model");
        clock += 1;
    }
    // A last clock in which the machine sees that it is done.
    assert_eq!(seen.len(), clock + 1, "{what}: the model stops after {clock} clocks");
    let measured = garbler.measured().expect("it ran");
    assert!(measured.agrees(&model.report()), "{what}: {measured:?}, {:?}", model.report());
    assert_eq!(measured.stalls > 0, options.stalls.is_some() && measured.ands > 8, "{what}");
}

fn machines() -> impl Iterator<Item = (u64, Circuit)> {
    let count = random::machines().len();
    (0..count).flat_map(|index| {
        [1, 2, 20].map(|cycles| (cycles, random::machines().swap_remove(index).1))
    })
}

fn all_on(shape: Shape, cases: u64) {
    if !can_build() {
        return;
    }
    let options = Options::default();
    for (cycles, circuit) in machines() {
        check(cycles, circuit, cycles, shape, &options);
    }
    for seed in 0..cases {
        let (gates, flip_flops) = (1 + 37 * seed as u32 % 300, seed as u32 % 23);
        let circuits = Circuits { gates, flip_flops, ..Circuits::default() };
        let circuit = random::circuit(seed, &circuits);
        let cycles = circuit.cycles;
        let options = Options { stalls: (seed % 3 == 1).then_some(seed + 1), ..Options::default() };
        check(seed, circuit, cycles, shape, &options);
    }
}

#[test]
fn two_pipelines_equal_the_model() {
    all_on(Shape::best(2), 24);
}

#[test]
fn wide_slots_equal_the_model() {
    all_on(Shape::wide(1), 12);
}

#[test]
#[ignore = "builds a machine"]
fn one_pipeline_equals_the_model() {
    all_on(Shape::best(1), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn three_pipelines_equal_the_model() {
    all_on(Shape::best(3), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn four_pipelines_equal_the_model() {
    all_on(Shape::best(4), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn two_wide_pipelines_equal_the_model() {
    all_on(Shape::wide(2), 12);
}

#[test]
#[ignore = "builds a large machine"]
fn four_wide_pipelines_equal_the_model() {
    all_on(Shape::wide(4), 6);
}

/// Real functions, on AES as a call and as it is synthesised.
#[test]
#[ignore = "builds two machines"]
fn programs_equal_the_model() {
    if !can_build() {
        return;
    }
    for (spec, aes) in
        [("aes128-chained:2", Aes::Dpi), ("millionaires:16", Aes::Composite), ("psi:3x5", Aes::Dpi)]
    {
        let size = Size { kernel: 1 << 15, bank: 1 << 12, ..Options::default().size };
        let options = Options { aes, size, stalls: Some(7), ..Options::default() };
        let circuit = halfgate_programs::build(spec).expect("builds");
        let cycles = circuit.cycles;
        check(1, circuit, cycles, Shape::best(2), &options);
    }
}
