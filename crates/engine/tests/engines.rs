//! The suite that every engine passes: random circuits, sequential ones too, in every order and
//! suite, against the reference and the clear.

use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_engine::{Engine, Suite};
use proptest::prelude::*;

/// Every engine there is on this machine, small windows and chunks among them.
fn engines() -> Vec<(String, Box<dyn Engine>)> {
    let mut engines: Vec<(String, Box<dyn Engine>)> = Vec::new();
    for kernel in ["vaes512", "vaes256", "aesni", "portable"] {
        match CpuEngine::new(Some(kernel)) {
            Err(why) => println!("not run: {why}"),
            Ok(engine) => {
                engines.push((engine.name(), Box::new(engine)));
                for (window, chunk) in [(8, 5), (64, 33)] {
                    let small = engine.with_lowering(Lowering { window, chunk });
                    let name = format!("{}, window {window}, chunk {chunk}", engine.name());
                    engines.push((name, Box::new(small)));
                }
            }
        }
    }
    engines
}

fn check_all(seed: u64, shape: &Shape, order: Order) {
    let circuit = random::circuit(seed, shape);
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    for (name, engine) in engines() {
        for suite in Suite::ALL {
            let run = Run { suite, seed, cycles };
            if let Err(what) = check(&*engine, &program, &inputs, run) {
                panic!("{name}, {suite}, {order}, seed {seed}: {what}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

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

#[test]
fn a_forced_kernel_that_does_not_exist_is_an_error() {
    let error = CpuEngine::new(Some("quantum")).expect_err("no such kernel").to_string();
    assert!(error.contains("unknown kernel \"quantum\""), "{error}");
}
