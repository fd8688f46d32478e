//! The tests that every engine passes: random combinational and sequential circuits, in every order
//! and suite, against the reference and evaluation in the clear.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Circuit, FlipFlop, Gates, Init, Output, Wire};
use halfgate_compiler::{Order, Skips, compile};
use halfgate_engine::conformance::{ByReference, Run, check};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_engine::testing::MemoryEvaluator;
use halfgate_engine::{Delta, Engine, EngineError, GarblerIo, IoError, Label, RunKey, Suite};
use proptest::prelude::*;

/// Every engine on this computer, including some with small windows and chunks.
fn engines() -> Vec<(String, Box<dyn Engine>)> {
    let mut engines: Vec<(String, Box<dyn Engine>)> = Vec::new();
    for engine in kernels() {
        engines.push((engine.name(), Box::new(engine)));
        for (window, chunk) in [(8, 5), (64, 33)] {
            let small = engine.with_lowering(Lowering { window, chunk });
            let name = format!("{}, window {window}, chunk {chunk}", engine.name());
            engines.push((name, Box::new(small)));
        }
    }
    engines
}

/// The CPU engine with each kernel of this computer.
fn kernels() -> Vec<CpuEngine> {
    let mut engines = Vec::new();
    for kernel in ["vaes512", "vaes256", "aesni", "portable"] {
        match CpuEngine::new(Some(kernel)) {
            Err(why) => println!("not run: {why}"),
            Ok(engine) => engines.push(engine),
        }
    }
    engines
}

fn check_all(seed: u64, shape: &Shape, order: Order) {
    let circuit = random::circuit(seed, shape);
    let cycles = circuit.cycles;
    check_circuit(seed, circuit, cycles, order);
}

fn check_circuit(seed: u64, circuit: Circuit, cycles: u64, order: Order) {
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    for (name, engine) in engines() {
        for suite in Suite::ALL {
            let run = Run { suite, seed, cycles };
            if let Err(what) = check(&*engine, &program, &inputs, run) {
                panic!("{name}, {suite}, {order}, {cycles} cycles, seed {seed}: {what}");
            }
        }
    }
    let program = program.skipping(Skips::default());
    for kernel in kernels() {
        for suite in Suite::ALL {
            let run = Run { suite, seed, cycles };
            if let Err(what) = check(&kernel, &program, &inputs, run) {
                let name = kernel.name();
                panic!("{name}, {suite}, {order}, skipping, {cycles} cycles, seed {seed}: {what}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn engines_agree_on_random_circuits(seed: u64, gates in 1u32..400, window in 1u32..300) {
        let shape = Shape { gates, flip_flops: 0, ..Shape::default() };
        check_all(seed, &shape, Order::Given);
        check_all(seed, &shape, Order::Grouped { window });
    }

    #[test]
    fn engines_agree_on_random_sequential_circuits(
        seed: u64, gates in 1u32..200, flip_flops in 1u32..20, window in 1u32..300,
    ) {
        let shape = Shape { gates, flip_flops, ..Shape::default() };
        check_all(seed, &shape, Order::Given);
        check_all(seed, &shape, Order::Grouped { window });
    }
}

/// Small circuits, each with one way to use flip-flops, over 1, 2 and 20 cycles.
#[test]
fn engines_agree_on_small_machines() {
    let count = random::machines().len();
    for index in 0..count {
        for cycles in [1, 2, 20] {
            let (name, circuit) = random::machines().swap_remove(index);
            println!("{name}, {cycles} cycles");
            let order = if cycles % 2 == 0 { Order::Given } else { Order::default() };
            check_circuit(cycles, circuit, cycles, order);
        }
    }
}

/// Many flip-flops: their fixed addresses (homes, see `lower.rs`) are outside small windows and
/// inside large ones.
#[test]
fn engines_agree_on_random_circuits_over_many_cycles() {
    for (seed, cycles) in [(1, 1), (3, 20)] {
        let shape = Shape { gates: 150, flip_flops: 40, output_bits: 30, ..Shape::default() };
        check_circuit(seed, random::circuit(seed, &shape), cycles, Order::default());
    }
}

/// The program needs more live labels than label memory has slots at the start, so label memory
/// must grow.
#[test]
fn label_memory_grows_for_a_program_that_skips() {
    let shape = Shape { input_bits: 70_000, gates: 2000, ..Shape::default() };
    check_circuit(1, random::circuit(1, &shape), 1, Order::Given);
}

#[test]
fn more_ands_than_can_be_numbered_are_refused() {
    let (_, circuit) = random::machines().swap_remove(4);
    let program = compile(circuit, Order::default()).expect("compiles");
    assert!(program.ands_per_cycle() > 0);
    let engine = CpuEngine::new(None).expect("an engine");
    let key = RunKey { suite: Suite::HalfGates, point: 1 };
    for cycles in [1 << 62, u64::MAX] {
        let mut io = MemoryEvaluator::new(|_, _| Label::ZERO, Label::ZERO, &[]);
        let mut prepared = engine.prepare(&program).expect("prepares");
        let error = prepared.evaluate(key, cycles, &mut io).expect_err("too many");
        let ands = program.ands_per_cycle();
        match &error {
            EngineError::TooLong { cycles: requested, ands_per_cycle, most_ands, .. } => {
                assert_eq!(
                    (*requested, *ands_per_cycle, *most_ands),
                    (cycles, ands, (1 << 63) - 1)
                );
            }
            error => panic!("another error: {error}"),
        }
        let printed = error.to_string();
        assert!(printed.contains(&format!("not {cycles} cycles of {ands} ANDs")), "{printed}");
    }
}

#[test]
fn a_forced_kernel_that_does_not_exist_is_an_error() {
    let error = CpuEngine::new(Some("quantum")).expect_err("no such kernel").to_string();
    assert!(error.contains("unknown kernel \"quantum\""), "{error}");
}

/// A caller that ends the run on the first progress report.
struct Impatient;

impl GarblerIo for Impatient {
    fn false_labels(&mut self, _: u64, _: &[Wire], _: &mut [Label]) -> Result<(), IoError> {
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(Label::from_u128(3))
    }

    fn table_space(&mut self, _: usize) -> Result<&mut [u8], IoError> {
        Err(std::io::Error::other("there are no ANDs").into())
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, _: u64, _: &[u32], _: &[Label]) -> Result<(), IoError> {
        Ok(())
    }

    fn progress(&mut self, cycles: u64, _: u64) -> Result<(), IoError> {
        Err(std::io::Error::other(format!("progress in cycle {cycles}")).into())
    }
}

/// Sessions send heartbeats and check the cancel flag when progress is reported.
#[test]
fn progress_is_reported_for_cycles_without_gates() {
    let bit = |i: u32| Wire::new(i).bit();
    let flip_flop = |next| FlipFlop { init: Init::Constant(false), next };
    for flip_flops in [1, 2, 5000] {
        let circuit = Circuit {
            inputs: vec![],
            flip_flops: (0..flip_flops).map(|i| flip_flop(!bit((i + 1) % flip_flops))).collect(),
            gates: Gates::new(),
            outputs: vec![Output {
                name: "last".into(),
                bits: vec![bit(0)].into(),
                per_cycle: false,
                elements: None,
            }],
            cycles: 1,
        };
        let program = compile(circuit, Order::Given).unwrap();
        let engine = CpuEngine::new(None).unwrap();
        let key = RunKey { suite: Suite::HalfGates, point: 1 };
        let delta = Delta::new(Label::from_u128(5));
        let result = engine.prepare(&program).unwrap().garble(key, &delta, 100_000, &mut Impatient);
        let text = result.expect_err("100,000 cycles without a progress report").to_string();
        assert!(text.contains("progress in cycle"), "{text}");
    }
}

#[test]
fn the_reference_garbles_a_circuit_for_comparison() {
    let circuit = halfgate_programs::build("adder:8").expect("a built-in program");
    let ands = circuit.gates.iter().filter(|gate| gate.is_and()).count();
    for suite in [Suite::HalfGates, Suite::Grr3Sha1] {
        assert_eq!(ByReference::new(&circuit, suite).garble(), ands);
    }
}
