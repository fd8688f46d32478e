//! Compares FASE as a garbler with the reference: tables, outputs, and labels that the caller
//! requested. The evaluator is the CPU engine.

use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler};
use halfgate_engine::{Delta, Engine, Label, RunKey, Suite};
use halfgate_fase::engine::{FaseEngine, PAPER_SUITES, PaperEngine};
use halfgate_fase_model::Shape;
use proptest::prelude::*;

fn shapes() -> Vec<Shape> {
    let best = (1..=4).map(Shape::best);
    best.chain([1, 2].map(Shape::wide)).collect()
}

/// All machines, each with its suites.
fn garblers() -> Vec<(Box<dyn Engine>, &'static [Suite])> {
    let scheduled = shapes().into_iter().map(|shape| -> (Box<dyn Engine>, &'static [Suite]) {
        (Box::new(FaseEngine::new(shape)), &[Suite::HalfGates])
    });
    let published = (1..=4).map(|pipelines| -> (Box<dyn Engine>, &'static [Suite]) {
        (Box::new(PaperEngine::new(pipelines)), &PAPER_SUITES)
    });
    scheduled.chain(published).collect()
}

fn check(seed: u64, circuit: Circuit, cycles: u64, order: Order) {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    let evaluator = CpuEngine::new(None).expect("an engine");
    for (garbler, suites) in garblers() {
        for &suite in suites {
            let run = Run { suite, seed, cycles };
            if let Err(what) = check_pair(&*garbler, &evaluator, &program, &inputs, run) {
                let name = garbler.name();
                panic!("{name}, {suite}, {order}, {cycles} cycles, seed {seed}: {what}");
            }
        }
        let simulated = garbler.simulated().expect("it simulates");
        assert_eq!(simulated.launches, suites.len() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20) })]

    #[test]
    fn fase_garbles_random_sequential_circuits(
        seed: u64, gates in 1u32..200, flip_flops in 0u32..20, window in 1u32..300,
    ) {
        let shape = Circuits { gates, flip_flops, ..Circuits::default() };
        for order in [Order::Given, Order::Grouped { window }] {
            let circuit = random::circuit(seed, &shape);
            let cycles = circuit.cycles;
            check(seed, circuit, cycles, order);
        }
    }
}

#[test]
fn fase_garbles_small_machines() {
    for index in 0..random::machines().len() {
        for cycles in [1, 2, 20] {
            let (name, circuit) = random::machines().swap_remove(index);
            println!("{name}, {cycles} cycles");
            check(cycles, circuit, cycles, Order::default());
        }
    }
}

#[test]
fn what_fase_cannot_do_is_refused() {
    let (_, circuit) = random::machines().swap_remove(4);
    let program = compile(circuit, Order::default()).expect("compiles");
    let engine = FaseEngine::new(Shape::best(2));
    let mut prepared = engine.prepare(&program).expect("prepares");
    let key = RunKey { suite: Suite::HalfGates, point: 1 };
    let delta = || Delta::new(Label::from_u128(5));
    let label = |_: u64, _: Wire| Label::ZERO;
    let mut evaluator = MemoryEvaluator::new(label, Label::ZERO, &[]);
    let error = prepared.evaluate(key, 3, &mut evaluator).expect_err("no evaluator").to_string();
    assert!(error.contains("garbles only"), "{error}");
    let mut garble = |key: RunKey, cycles: u64, seeded: bool| {
        let io = MemoryGarbler::new(label, Label::ZERO);
        let mut io = if seeded { io.with_seed([7; 16]) } else { io };
        prepared.garble(key, &delta(), cycles, &mut io).expect_err("refused").to_string()
    };
    let fixed = RunKey { suite: Suite::HalfGatesFixedKey, point: 1 };
    for (error, part) in [
        (garble(fixed, 3, true), "half-gates-fixed-key"),
        (garble(key, 1 << 40, true), "2^31 - 1 cycles"),
        (garble(key, u64::MAX, true), "2^31 - 1 cycles"),
        (garble(key, 3, false), "from a seed"),
    ] {
        assert!(error.contains(part), "{error}");
    }
}
