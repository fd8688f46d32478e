//! The engine passes the conformance test of all engines, and each fault in the model fails it.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Circuit, Gate, Gates, Input, Output, Party, Wire};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, EngineError, Suite, kernels};
use halfgate_toy::ToyEngine;
use halfgate_toy_model::{Fault, clock_cycles};

fn toy() -> ToyEngine {
    ToyEngine::new(kernels::best())
}

/// Names of conformance circuits, the circuits, and the cycles to run: each use of a flip-flop by
/// itself, inputs that are first read late, random circuits, and built-in programs.
fn circuits() -> Vec<(String, Circuit, u64)> {
    let mut all = Vec::new();
    for cycles in [1, 2, 20] {
        let small = random::machines().into_iter();
        all.extend(small.map(|(name, circuit)| (name.to_owned(), circuit, cycles)));
    }
    all.push(("late inputs".to_owned(), random::late_inputs(), 1));
    all.push(("gated shift register".to_owned(), random::gated_shift_register(), 9));
    for seed in 0..12 {
        let flip_flops = [0, 3, 40][seed as usize % 3];
        let gates = 60 + 30 * seed as u32;
        let circuit = random::circuit(seed, &Shape { gates, flip_flops, ..Shape::default() });
        let cycles = circuit.cycles;
        all.push((format!("random {seed}"), circuit, cycles));
    }
    for name in ["adder:8", "millionaires:8", "divide:6", "hamming:60", "aes128"] {
        let circuit = halfgate_programs::build(name).expect("a built-in program");
        let cycles = circuit.cycles.min(3);
        all.push((name.to_owned(), circuit, cycles));
    }
    all
}

/// The first difference on any conformance circuit, with `engine` as both parties.
fn first_difference(engine: &ToyEngine) -> Option<String> {
    for (seed, (name, circuit, cycles)) in (0..).zip(circuits()) {
        let inputs = random::inputs_for(&circuit, seed, cycles);
        let program = compile(circuit, Order::Given).expect("compiles");
        let run = Run { suite: Suite::HalfGates, seed, cycles };
        if let Err(what) = check(engine, &program, &inputs, run) {
            return Some(format!("{name}, {cycles} cycles: {what}"));
        }
    }
    None
}

#[test]
fn the_toy_conforms() {
    assert_eq!(first_difference(&toy()), None);
}

#[test]
fn the_toy_and_the_cpu_are_two_parties() {
    let cpu = CpuEngine::new(None).expect("an engine");
    for (seed, (name, circuit, cycles)) in (0..).zip(circuits()) {
        let inputs = random::inputs_for(&circuit, seed, cycles);
        let program = compile(circuit, Order::default()).expect("compiles");
        let run = Run { suite: Suite::HalfGates, seed, cycles };
        let pairs: [[&dyn Engine; 2]; 2] = [[&toy(), &cpu], [&cpu, &toy()]];
        for [garbler, evaluator] in pairs {
            if let Err(what) = check_pair(garbler, evaluator, &program, &inputs, run) {
                panic!("{name}, {} garbles, {cycles} cycles: {what}", garbler.name());
            }
        }
    }
}

/// A wrong model must fail the conformance test: otherwise that test proves nothing.
#[test]
fn faults_are_found() {
    for fault in Fault::ALL {
        let found = first_difference(&toy().with_fault(fault));
        println!("{fault:?}: {}", found.as_deref().unwrap_or("NOT FOUND"));
        assert!(found.is_some(), "{fault:?} is not found");
    }
}

#[test]
fn the_engine_counts_the_models_clock_cycles() {
    let circuit = random::circuit(1, &Shape { flip_flops: 3, ..Shape::default() });
    let (cycles, inputs) = (circuit.cycles, random::inputs_for(&circuit, 1, circuit.cycles));
    let program = compile(circuit, Order::Given).expect("compiles");
    let engine = toy();
    let run = Run { suite: Suite::HalfGates, seed: 1, cycles };
    check(&engine, &program, &inputs, run).expect("conforms");
    let simulated = engine.simulated().expect("a simulated machine");
    // Once for the garbler and once for the evaluator.
    assert_eq!(simulated.clock_cycles, 2 * clock_cycles(&program.circuit, cycles));
    assert_eq!(simulated.launches, 2 * cycles);
}

#[test]
fn a_program_that_does_not_fit_is_refused() {
    let xor = |wire: u32| Gate::xor(Wire::new(wire).bit(), Wire::new(0).bit(), false);
    let program = |gates: u32| {
        let circuit = Circuit {
            inputs: vec![Input {
                name: "x".into(),
                party: Party::Garbler,
                width: 1,
                per_cycle: false,
                elements: None,
                is_set: false,
            }],
            flip_flops: Vec::new(),
            gates: (0..gates).map(xor).collect::<Gates>(),
            outputs: vec![Output {
                name: "y".into(),
                bits: vec![Wire::new(gates).bit()].into(),
                per_cycle: false,
                elements: None,
            }],
            cycles: 1,
        };
        compile(circuit, Order::Given).expect("compiles")
    };
    assert!(toy().prepare(&program(65_535)).is_ok());
    let error = toy().prepare(&program(65_536)).err().expect("refused");
    let EngineError::Limit { exceeded, .. } = &error else { panic!("{error}") };
    assert_eq!((exceeded.needed, exceeded.available), (65_537, 65_536), "{error}");
}
