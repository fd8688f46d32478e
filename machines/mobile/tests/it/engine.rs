//! The mobile coprocessor's model as the evaluator. Its labels are compared with the reference. The
//! garbler is the CPU engine.

use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite, kernels};
use halfgate_mobile::engine::{Link, MobileEngine, SUITES, WideEngine};
use halfgate_programs::build;
use proptest::prelude::*;

const SPI: Link = Link { mhz: 42.0, clocks: 11.2 };
/// A link that is faster than the chip. So the host must wait for the chip.
const QUICK: Link = Link { mhz: 42.0, clocks: 1.0 };

fn check(evaluator: &dyn Engine, suite: Suite, seed: u64, circuit: Circuit) {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let run = Run { suite, seed, cycles };
    if let Err(what) = check_pair(&garbler, evaluator, &program, &inputs, run) {
        panic!("{suite}, {cycles} cycles, seed {seed}: {what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn the_chip_evaluates_random_sequential_circuits(
        seed: u64, gates in 1_u32..400, flip_flops in 0_u32..12,
    ) {
        let shape = Shape { gates, flip_flops, ..Shape::default() };
        for suite in SUITES {
            let link = if seed % 2 == 0 { SPI } else { QUICK };
            let slots = [8192, 300, 40, 5][seed as usize / 2 % 4];
            let engine = MobileEngine::new(link).with_slots(slots);
            check(&engine, suite, seed, random::circuit(seed, &shape));
            // Each clock cycle has one cause.
            let clocks = engine.simulated().expect("it simulates").clock_cycles;
            prop_assert_eq!(engine.went().sum(), clocks, "{:?}", engine.went());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn the_wide_core_evaluates_random_sequential_circuits(
        seed: u64, gates in 1_u32..400, flip_flops in 0_u32..12, units in 1_usize..9,
    ) {
        let shape = Shape { gates, flip_flops, ..Shape::default() };
        let slots = [8192, 300, 40, 5][seed as usize / 2 % 4];
        let engine = WideEngine::model(kernels::best(), units).with_slots(slots);
        check(&engine, Suite::HalfGates, seed, random::circuit(seed, &shape));
    }
}

// Some circuits have independent ANDs, and one has dependent ANDs. Each circuit has its own test,
// because it takes seconds.

#[test]
fn the_wide_core_evaluates_aes_within_its_clocks() {
    wide_takes_less_than("aes128", 11.0);
}

#[test]
fn the_wide_core_evaluates_a_hash_within_its_clocks() {
    wide_takes_less_than("sha256-block", 9.0);
}

#[test]
fn the_wide_core_evaluates_a_product_within_its_clocks() {
    wide_takes_less_than("matmult:4x32", 6.0);
}

#[test]
fn the_wide_core_evaluates_a_division_within_its_clocks() {
    wide_takes_less_than("divide:64", 23.0);
}

/// Evaluates the circuit `name` on the wide core. Each AND must take fewer than `most` clock cycles
/// on average.
fn wide_takes_less_than(name: &str, most: f64) {
    let engine = WideEngine::model(kernels::best(), 5);
    check(&engine, Suite::HalfGates, 1, build(name).unwrap());
    let (clocks, sent) = (engine.simulated().unwrap().clock_cycles, engine.sent());
    let each = clocks as f64 / sent.items[0] as f64;
    println!("{name}: {clocks} clocks, {each:.2} an AND, {sent:?}");
    assert!(each < most, "{name}: {each} clocks an AND");
}

#[test]
fn a_division_is_limited_by_the_link() {
    let circuit = build("divide:64").unwrap();
    let engine = MobileEngine::new(SPI);
    check(&engine, Suite::HalfGates, 1, circuit);
    let (clocks, sent) = (engine.simulated().unwrap().clock_cycles, engine.sent());
    let bound = sent.traffic.to_chip as f64 * 8.0 * 42.0 / 30.0;
    println!("{clocks} clocks, {sent:?}, bound {bound:.0}");
    assert!(bound / clocks as f64 > 0.9, "{clocks} clocks, {bound} for the link");
    // Most of the time the chip waits for bytes: it receives one every 11.2 clock cycles.
    let went = engine.went();
    assert!(went.link * 10 > clocks * 8, "{went:?}");
    assert!(went.bytes <= sent.traffic.to_chip && went.bytes * 10 > sent.traffic.to_chip * 6);
}

#[test]
fn labels_that_do_not_fit_go_back_and_forth() {
    let engine = MobileEngine::new(QUICK).with_slots(60);
    check(&engine, Suite::Grr3, 1, build("divide:64").unwrap());
    let sent = engine.sent();
    assert!(sent.loads[1] > 500 && sent.reads > 500, "{sent:?}");
}

#[test]
fn a_bad_link_only_slows_the_run() {
    for (seed, well) in [(1, 3000), (2, 900), (3, 1500)] {
        let engine = MobileEngine::new(QUICK).with_slots(200).with_faults(seed, well);
        let circuit =
            random::circuit(seed, &Shape { gates: 900, flip_flops: 2, ..Shape::default() });
        check(&engine, SUITES[seed as usize % 2], seed, circuit);
        assert!(engine.sent().traffic.again > 0, "{:?}", engine.sent());
    }
    // With faults this frequent, no frame arrives intact.
    let engine = MobileEngine::new(QUICK).with_faults(4, 2);
    let circuit = random::circuit(4, &Shape::default());
    let inputs = random::inputs_for(&circuit, 4, circuit.cycles);
    let (cycles, suite) = (circuit.cycles, Suite::HalfGates);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let what = check_pair(&garbler, &engine, &program, &inputs, Run { suite, seed: 4, cycles });
    assert!(what.unwrap_err().contains("no response from the port"));
}
