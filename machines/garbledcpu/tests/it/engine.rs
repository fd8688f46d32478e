//! Compares the models of GarbledCPU's evaluators with the reference: output labels, and labels
//! that the caller requested. The garbler is the CPU engine.

use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::MemoryGarbler;
use halfgate_engine::{Delta, Engine, Label, RunKey, Suite};
use halfgate_garbledcpu::engine::{GarbledCpuEngine, SUITES};
use halfgate_garbledcpu_model::Machine;
use proptest::prelude::*;

const NAMES: [&str; 6] = [
    "garbledcpu-1",
    "garbledcpu-2",
    "garbledcpu-4",
    "garbledcpu-short-3",
    "garbledcpu-paper",
    "garbledcpu-folded",
];

fn check(seed: u64, circuit: Circuit, cycles: u64, order: Order) {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    for name in NAMES {
        let machine = Machine::named(name).expect("a machine");
        let evaluator = GarbledCpuEngine::new(machine);
        for suite in SUITES {
            let run = Run { suite, seed, cycles };
            if let Err(what) = check_pair(&garbler, &evaluator, &program, &inputs, run) {
                panic!("{name}, {suite}, {order}, {cycles} cycles, seed {seed}: {what}");
            }
        }
        assert_eq!(evaluator.simulated().expect("it simulates").launches, SUITES.len() as u64);
    }
}

/// Returns the circuit without inputs or outputs between the first netlist cycle and the last.
fn at_the_ends(mut circuit: Circuit) -> Circuit {
    circuit.inputs.iter_mut().for_each(|input| input.per_cycle = false);
    circuit.outputs.iter_mut().for_each(|output| output.per_cycle = false);
    circuit
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn random_sequential_circuits_are_evaluated(
        seed: u64, gates in 1u32..200, flip_flops in 0u32..20, window in 1u32..300,
    ) {
        let shape = Circuits { gates, flip_flops, ..Circuits::default() };
        for order in [Order::Given, Order::Grouped { window }] {
            let circuit = random::circuit(seed, &shape);
            let cycles = circuit.cycles;
            check(seed, circuit, cycles, order);
            check(seed, at_the_ends(random::circuit(seed, &shape)), cycles, order);
        }
    }
}

#[test]
fn small_machines_are_evaluated() {
    for index in 0..random::machines().len() {
        for cycles in [1, 2, 20] {
            let (name, circuit) = random::machines().swap_remove(index);
            println!("{name}, {cycles} cycles");
            check(cycles, circuit, cycles, Order::default());
            let (_, circuit) = random::machines().swap_remove(index);
            check(cycles, at_the_ends(circuit), cycles, Order::default());
        }
    }
}

#[test]
fn what_it_cannot_do_is_refused() {
    let (_, circuit) = random::machines().swap_remove(4);
    let program = compile(circuit, Order::default()).expect("compiles");
    let engine = GarbledCpuEngine::new(Machine::named("garbledcpu-1").expect("a machine"));
    let mut prepared = engine.prepare(&program).expect("prepares");
    let key = RunKey { suite: Suite::HalfGates, point: 1 };
    let delta = Delta::new(Label::from_u128(5));
    let mut io = MemoryGarbler::new(|_: u64, _: Wire| Label::ZERO, Label::ZERO);
    let error = prepared.garble(key, &delta, 3, &mut io).expect_err("no garbler").to_string();
    assert!(error.contains("evaluates only"), "{error}");
}
