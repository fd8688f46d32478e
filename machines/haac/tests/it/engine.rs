//! HAAC as an engine: every program, order, machine and model gives the tables and outputs of the
//! reference, in both roles, even if memory responds late and engines stall.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Builder, Circuit, Party, Wire};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler, seeded_labels};
use halfgate_engine::{Delta, Engine, Label, RunKey, Suite};
use halfgate_haac::engine::{
    Description, Disturbance, HaacEngine, Lowering, Machine, Model, Overrides,
};
use halfgate_haac_model::lower::lower;

/// A machine with `engines` engines and `window` labels in the window.
fn machine(engines: u32, window: u32) -> Machine {
    let description = Description::built_in("haac-16ge").expect("built in");
    let mut machine = description.machine(&Overrides::default()).expect("possible");
    machine.shape.engines = engines;
    machine.shape.window = window;
    machine
}

/// Engines and windows. All windows are so small that programs spill.
const SHAPES: [(u32, u32); 6] = [(1, 16), (2, 32), (5, 64), (16, 32), (16, 128), (5, 16)];

fn orders() -> [Order; 6] {
    let order = |text: &str| text.parse().expect("an order");
    [
        Order::Given,
        Order::default(),
        Order::HaacBaseline,
        Order::HaacFull,
        Order::HaacSegment { gates: 32 },
        order("haac:best:engines=5,window=64"),
    ]
}

/// The machine on the fast model, on the exact one, and on the exact one with disturbances.
fn engines(machine: &Machine, seed: u64) -> [HaacEngine; 3] {
    let disturbance =
        Disturbance { seed, extra_latency: 90, refuse_percent: 30, stall_percent: 20 };
    let new = || HaacEngine::new(machine.clone());
    [new(), new().with_model(Model::Exact), new().with_disturbance(disturbance)]
}

fn check_on(engine: &dyn Engine, program: &Program, seed: u64, cycles: u64, what: &str) {
    let inputs = random::inputs_for(&program.circuit, seed, cycles);
    let run = Run { suite: Suite::HalfGates, seed, cycles };
    if let Err(error) = check(engine, program, &inputs, run) {
        panic!("{what}, {}, order {}, seed {seed}: {error}", engine.name(), program.order);
    }
}

/// Checks `circuit` in every order. Each order runs on some of the machines, and every machine runs
/// at least one order.
fn check_circuit(seed: u64, circuit: &dyn Fn() -> Circuit, cycles: u64, what: &str) {
    for (index, order) in orders().into_iter().enumerate() {
        let program = compile(circuit(), order).expect("compiles");
        for (engines_, window) in [SHAPES[index], SHAPES[(index + seed as usize) % 6]] {
            for engine in engines(&machine(engines_, window), seed) {
                check_on(&engine, &program, seed, cycles, what);
            }
        }
        check_on(&CpuEngine::new(None).expect("an engine"), &program, seed, cycles, what);
    }
}

#[test]
fn random_circuits_on_all_machines() {
    for seed in 0..6 {
        let gates = 60 + 90 * seed as u32;
        let shape = Shape { gates, flip_flops: 0, ..Shape::default() };
        check_circuit(seed, &|| random::circuit(seed, &shape), 1, "random");
    }
}

#[test]
fn random_sequential_circuits_on_all_machines() {
    for seed in 0..4 {
        let shape = Shape { gates: 150, flip_flops: 9, output_bits: 12, ..Shape::default() };
        check_circuit(seed, &|| random::circuit(seed, &shape), 1 + 2 * seed, "random");
    }
}

/// Small circuits whose flip-flops have every kind of initial and next value.
#[test]
fn small_state_machines() {
    for index in 0..random::machines().len() {
        let (name, _) = random::machines().swap_remove(index);
        for cycles in [1, 3] {
            let circuit = || random::machines().swap_remove(index).1;
            let order = orders()[index % 6];
            let program = compile(circuit(), order).expect("compiles");
            let (engines_, window) = SHAPES[(index + cycles as usize) % 6];
            for engine in engines(&machine(engines_, window), 3) {
                check_on(&engine, &program, 5, cycles, name);
            }
        }
    }
}

/// Every built-in program at a size that garbles quickly.
const PROGRAMS: [&str; 52] = [
    "millionaires:8",
    "adder:16",
    "hamming:60",
    "auction:3x4",
    "vickrey:3x4",
    "psi:3x5",
    "edit-distance:3x4",
    "decision-tree:2x3",
    "logistic:1",
    "knn:4x2x1",
    "sort:4x5",
    "sort-network:5x4",
    "pagerank:2x1",
    "aes128",
    "aes128-ecb:1",
    "aes128-chained:2",
    "aes128-rounds:1",
    "sha256:3+2",
    "sha256-block",
    "sha3:2+3",
    "multiplier:6",
    "multiplier-full:5",
    "divide:6",
    "sqrt64",
    "chain:50",
    "xors:50",
    "bubble-sort:4x4",
    "dot-product:3x6",
    "dot-product-fast:3x6",
    "mersenne:2",
    "triangle:4x5",
    "matmult:2x5",
    "matmult-fast:2x5",
    "relu:5x6",
    "gradient-descent:1x1",
    "gradient-descent-fast:1x1",
    "adder-fast:9",
    "multiplier-fast:7",
    "millionaires-fast:9",
    "aes128-batch:2",
    "sha256-chain:1",
    "join:2x3",
    "mlp:2-2-2",
    "edit-distance-rows:3x4",
    "hamming-mapped:9",
    "bubble-sort-folded:4x4",
    "dot-product-mapped:3x6",
    "mersenne-folded:2",
    "triangle-mapped:4x5",
    "matmult-mapped:2x5",
    "relu-mapped:5x6",
    "gradient-descent-folded:1x1",
];

/// The first programs run in all orders, each on several machines; the others in one or two orders.
#[test]
fn built_in_programs() {
    for (index, spec) in PROGRAMS.iter().enumerate() {
        let circuit = || halfgate_programs::build(spec).unwrap_or_else(|e| panic!("{spec}: {e}"));
        if index < 3 {
            check_circuit(index as u64, &circuit, circuit().cycles, spec);
            continue;
        }
        let seed = index as u64;
        // Long programs run in one order only.
        let long = circuit().gates.len() > 8_000;
        for turn in [index, index + 3].into_iter().take(if long { 1 } else { 2 }) {
            let program = compile(circuit(), orders()[turn % 6]).expect("compiles");
            let (engines_, window) = SHAPES[(turn / 6) % 6];
            let [fast, _, disturbed] = engines(&machine(engines_, window), seed);
            let cycles = program.circuit.cycles.min(12);
            check_on(&fast, &program, seed, cycles, spec);
            if !long {
                check_on(&disturbed, &program, seed, cycles, spec);
            }
        }
    }
}

#[test]
fn no_built_in_program_is_left_out() {
    for program in halfgate_programs::all() {
        let named = |spec: &&&str| spec.split(':').next() == Some(program.name);
        assert!(PROGRAMS.iter().find(named).is_some(), "{} is in no test of HAAC", program.name);
    }
}

/// The lowering of the paper's own orders.
#[test]
fn the_papers_lowering() {
    for seed in 0..3 {
        let shape = Shape { gates: 300, flip_flops: 3, ..Shape::default() };
        for order in [Order::HaacBaseline, Order::HaacFull, Order::HaacSegment { gates: 16 }] {
            let circuit = random::circuit(seed, &shape);
            let cycles = circuit.cycles;
            let program = compile(circuit, order).expect("compiles");
            for engine in engines(&machine(4, 32), seed) {
                let engine = engine.with_lowering(Lowering::PAPER);
                check_on(&engine, &program, seed, cycles, "paper");
            }
        }
    }
}

/// The two models have the same cycles and counters; only their speed differs.
#[test]
fn both_models_take_the_same_time() {
    let shape = Shape { gates: 800, ..Shape::default() };
    let program = compile(random::circuit(9, &shape), Order::default()).expect("compiles");
    let [fast, exact, disturbed] = engines(&machine(5, 64), 1);
    for engine in [&fast, &exact, &disturbed] {
        check_on(engine, &program, 9, program.circuit.cycles, "time");
    }
    let time = |engine: &HaacEngine| engine.simulated().expect("it simulates");
    assert_eq!(time(&fast), time(&exact));
    assert!(time(&exact).launches > 0 && time(&exact).mhz == 1000.0);
    assert!(time(&disturbed).clock_cycles > time(&exact).clock_cycles);
}

#[test]
fn suites_that_need_a_gates_position_are_refused() {
    let program =
        compile(random::circuit(1, &Shape::default()), Order::default()).expect("compiles");
    let engine = HaacEngine::new(machine(2, 32));
    for suite in [Suite::HalfGatesFixedKey, Suite::HalfGatesFase] {
        let key = RunKey { suite, point: 1 };
        let mut io = MemoryEvaluator::new(seeded_labels(1), Label::ZERO, &[]);
        let mut prepared = engine.prepare(&program).expect("prepares");
        let error = prepared.evaluate(key, 1, &mut io).expect_err("refused").to_string();
        assert!(error.contains(suite.name()) && error.contains("half-gates only"), "{error}");
    }
}

/// Code with false contents, as it may come from a file.
#[test]
fn code_that_is_not_the_programs_is_refused() {
    let program =
        compile(random::circuit(1, &Shape::default()), Order::default()).expect("compiles");
    let other = compile(random::circuit(2, &Shape::default()), Order::default()).expect("compiles");
    let engine = HaacEngine::new(machine(2, 32));
    let new = |program| lower(program, engine.machine().shape, Lowering::BEST).expect("lowers");
    let refused = |code| engine.prepare_code(&program, code).err().map(|e| e.to_string());
    assert_eq!(refused(new(&program)), None);
    assert!(refused(new(&other)).is_some_and(|text| text.contains("another program")));
    let mut code = new(&program);
    code.outputs.pop();
    assert!(refused(code).is_some_and(|text| text.contains("sources")));
    let mut code = new(&program);
    code.inputs.push(Wire::new(u32::MAX >> 2));
    assert!(refused(code).is_some_and(|text| text.contains("no input bit")));
}

/// Prints the rate with labels, in both roles:
/// `cargo test --release -p halfgate-haac --test it -- --ignored rate --nocapture`.
#[test]
#[ignore = "a measurement"]
fn rate() {
    let spec = std::env::var("SPEC").unwrap_or_else(|_| "hamming:40960".to_owned());
    let order = std::env::var("ORDER").unwrap_or_else(|_| "haac:full".to_owned());
    let circuit = halfgate_programs::build(&spec).expect("builds");
    let program = compile(circuit, order.parse().expect("an order")).expect("compiles");
    let description = Description::built_in("haac-16ge").expect("built in");
    let engine = HaacEngine::new(description.machine(&Overrides::default()).expect("possible"));
    let mut prepared = engine.prepare(&program).expect("prepares");
    let cycles = program.circuit.cycles;
    let gates = (program.gates_per_cycle() * cycles) as f64;
    let key = RunKey { suite: Suite::HalfGates, point: 77 };
    let delta = Delta::new(Label::from_u128(12345));
    let mut garbler = MemoryGarbler::new(seeded_labels(1), Label::from_u128(5));
    let start = std::time::Instant::now();
    prepared.garble(key, &delta, cycles, &mut garbler).expect("garbles");
    let time = start.elapsed().as_secs_f64();
    println!(
        "{spec} {order}: garbling {:.2} M gates/s, {:?}",
        gates / time / 1e6,
        engine.simulated()
    );
    let mut evaluator =
        MemoryEvaluator::new(seeded_labels(1), Label::from_u128(5), garbler.tables());
    let start = std::time::Instant::now();
    prepared.evaluate(key, cycles, &mut evaluator).expect("evaluates");
    let time = start.elapsed().as_secs_f64();
    println!("{spec} {order}: evaluating {:.2} M gates/s", gates / time / 1e6);
}

/// A wide and shallow program. Its engines drift apart, so that tables come far out of order.
#[test]
fn tables_come_in_program_order_from_engines_that_drift() {
    let circuit = || {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 200);
        let y = b.input("y", Party::Evaluator, 200);
        let mut all = Vec::new();
        for shift in 0..4 {
            let ands: Vec<_> = (0..200).map(|i| b.and(x[i], y[(i + shift) % 200])).collect();
            all.push((0..200).map(|i| b.xor(ands[i], ands[(i + 7) % 200])).collect::<Vec<_>>());
        }
        all.iter().enumerate().for_each(|(i, bits)| b.output(format!("o{i}"), bits));
        b.finish().expect("built")
    };
    check_circuit(4, &circuit, 1, "wide");
}
