//! Overlays as garblers: tables, outputs and decoding data from the model, against the reference.
//! The evaluator is the CPU engine.

use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler};
use halfgate_engine::{Delta, Engine, EngineError, Label, RunKey, Suite};
use halfgate_overlay::engine::{OverlayEngine, suites};
use halfgate_overlay_model::{Form, Overlay, Policy, description};
use halfgate_programs::published;
use proptest::prelude::*;

fn named(name: &str) -> Overlay {
    Overlay::named(name).expect("an overlay")
}

/// All described overlays, and each also with the other policies.
fn overlays() -> impl Iterator<Item = Overlay> {
    let policies = [Policy::LiveRange, Policy::DirectlyUsed, Policy::MostFrequentlyUsed];
    let with = move |name| policies.map(|policy| Overlay { policy, window: None, ..named(name) });
    description::names()
        .into_iter()
        .map(named)
        .chain(description::names().into_iter().flat_map(with))
}

fn check(overlay: Overlay, seed: u64, circuit: Circuit, order: Order) {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    let evaluator = CpuEngine::new(None).expect("an engine");
    for &suite in suites(&overlay) {
        let garbler = OverlayEngine::new(overlay.clone());
        let run = Run { suite, seed, cycles };
        if let Err(what) = check_pair(&garbler, &evaluator, &program, &inputs, run) {
            let (name, policy) = (garbler.name(), overlay.policy);
            panic!("{name}, {policy:?}, {suite}, {order}, {cycles} cycles, seed {seed}: {what}");
        }
        let simulated = garbler.simulated().expect("it simulates");
        assert_eq!(simulated.launches, cycles);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10) })]

    #[test]
    fn overlays_garble_random_sequential_circuits(
        seed: u64, gates in 1u32..200, flip_flops in 0u32..20,
    ) {
        let shape = Circuits { gates, flip_flops, ..Circuits::default() };
        // The published forms cannot invert.
        for overlay in overlays().filter(|overlay| overlay.form == Form::Inverting) {
            check(overlay, seed, random::circuit(seed, &shape), Order::default());
        }
    }
}

#[test]
fn overlays_garble_small_problems() {
    for (seed, spec) in (0..).zip(["adder:6", "hamming:10", "multiplier-full:8"]) {
        for overlay in overlays() {
            // Commands without AND numbers need the ANDs in the program's order.
            if !overlay.form.numbers() && overlay.policy != Policy::DirectlyUsed {
                continue;
            }
            let circuit = published::build(spec).expect("a circuit");
            check(overlay, seed, circuit, Order::HaacFull);
        }
    }
}

#[test]
fn circuits_and_suites_that_an_overlay_cannot_garble_are_refused() {
    let program = |spec: &str, order| {
        let circuit = published::build(spec).expect("a circuit");
        compile(circuit, order).expect("compiles")
    };
    let layers = program("hamming:10", Order::HaacFull);
    let refused = |overlay: Overlay, program: &halfgate_compiler::Program| {
        let engine = OverlayEngine::new(overlay);
        engine.prepare(program).err().expect("refused")
    };
    let error = refused(named("overlay-paper"), &program("multiplier-full:8", Order::Given));
    let wanted = Some(Order::HaacFull);
    assert!(matches!(&error, EngineError::Order { wanted: w, .. } if *w == wanted), "{error}");
    assert!(error.to_string().contains("report their numbers"), "{error}");
    let shape = Circuits { gates: 100, ..Circuits::default() };
    let inverting = random::circuit(1, &shape);
    let inverting = compile(inverting, Order::Given).expect("compiles");
    let error = refused(named("overlay-paper"), &inverting).to_string();
    assert!(error.contains("cannot invert"), "{error}");
    let none = Overlay { block_ram: 2, ddr_labels: 20, ..named("overlay") };
    let error = refused(none, &layers).to_string();
    assert!(error.contains("DDR") && error.contains("20"), "{error}");

    let engine = OverlayEngine::new(named("overlay-paper"));
    let mut prepared = engine.prepare(&layers).expect("prepares");
    let label = |_: u64, _: Wire| Label::ZERO;
    let key = |suite| RunKey { suite, point: 1 };
    let mut evaluator = MemoryEvaluator::new(label, Label::ZERO, &[]);
    let evaluated = prepared.evaluate(key(Suite::Grr3Sha1), 1, &mut evaluator);
    let error = evaluated.expect_err("no evaluator").to_string();
    assert!(error.contains("garbles only"), "{error}");
    let mut io = MemoryGarbler::new(label, Label::ZERO);
    let delta = Delta::new(Label::from_u128(5));
    let garbled = prepared.garble(key(Suite::HalfGates), &delta, 1, &mut io);
    let error = garbled.expect_err("another suite").to_string();
    assert!(error.contains("half-gates"), "{error}");
}
