//! Walks of authenticated runs: a trusted dealer in the test gives shares, and what the evaluator
//! gets is compared with evaluation in the clear.

mod dealer;

use dealer::{Run, check};
use halfgate_circuit::builder::{Arg, Array};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::structured::random as structured;
use halfgate_circuit::{Bit, Builder, Circuit, FlipFlop, Gates, Init, Output, Party, Wire, int};
use halfgate_compiler::{Order, Program, Skips, compile, compile_structured};
use halfgate_engine::authenticated::{AuthenticatedIo, Step};
use halfgate_engine::cpu::lower::Lowering;
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_engine::{Delta, Engine, EngineError, IoError, Label, RunKey, Suite, kernels};
use std::num::NonZeroUsize;

/// Rows of a window; the last is more than any of these programs has.
const WINDOWS: [usize; 5] = [1, 2, 7, 100, 1 << 15];

fn engine(kernel: &str) -> CpuEngine {
    CpuEngine::new(Some(kernel)).expect("an available kernel")
}

/// The kernels of this computer.
fn available() -> impl Iterator<Item = &'static str> + Clone {
    kernels::KERNELS.iter().filter(|kernel| kernel.is_available()).map(|kernel| kernel.name)
}

fn check_windows(engine: &CpuEngine, program: &Program, seed: u64, cycles: u64) {
    for window in WINDOWS {
        check(engine, program, Run { seed, cycles, window });
    }
}

/// A flat program on an engine with these slots and chunks, as it is and skipping.
fn check_flat(engine: CpuEngine, circuit: Circuit, order: Order, seed: u64, cycles: u64) {
    let program = compile(circuit, order).expect("compiles");
    check_windows(&engine, &program, seed, cycles);
    check_windows(&engine, &program.skipping(Skips::default()), seed, cycles);
}

#[test]
fn combinational_circuits() {
    let shape = Shape { flip_flops: 0, gates: 300, ..Default::default() };
    for (seed, kernel) in (0..).zip(available()) {
        let circuit = || random::circuit(seed, &shape);
        check_flat(engine(kernel), circuit(), Order::Given, seed, 1);
        let small = engine(kernel).with_lowering(Lowering { window: 8, chunk: 5 });
        check_flat(small, circuit(), Order::Grouped { window: 50 }, seed, 1);
    }
}

/// Chunks with thousands of ANDs, in segments with many.
#[test]
fn a_large_circuit() {
    let shape = Shape { flip_flops: 0, gates: 12_000, and_percent: 60, ..Default::default() };
    let program = compile(random::circuit(3, &shape), Order::default()).expect("compiles");
    for kernel in available() {
        for window in [500, 1 << 15] {
            check(&engine(kernel), &program, Run { seed: 3, cycles: 1, window });
        }
    }
}

#[test]
fn sequential_circuits() {
    let shape = Shape { flip_flops: 12, gates: 120, ..Default::default() };
    for (seed, kernel) in (10..).zip(available()) {
        let circuit = || random::circuit(seed, &shape);
        check_flat(engine(kernel), circuit(), Order::default(), seed, 3);
        let small = engine(kernel).with_lowering(Lowering { window: 64, chunk: 33 });
        check_flat(small, circuit(), Order::Given, seed, 2);
    }
}

/// Small circuits, each with one way to use flip-flops: constants, inversions, swaps.
#[test]
fn small_machines() {
    let kernel = kernels::best().name;
    for index in 0..random::machines().len() {
        for cycles in [1, 2, 5] {
            let (name, circuit) = random::machines().swap_remove(index);
            println!("{name}, {cycles} cycles");
            check_flat(engine(kernel), circuit, Order::default(), cycles, cycles);
        }
    }
}

#[test]
fn random_structured_circuits() {
    let kernels: Vec<&str> = available().collect();
    let shapes = [
        structured::Shape::default(),
        structured::Shape { functions: 8, calls: 2, ..Default::default() },
        structured::Shape { gates: 40, calls: 4, ..Default::default() },
    ];
    for seed in 0..24 {
        let circuit = structured::circuit(seed, &shapes[seed as usize % shapes.len()]);
        let program = compile_structured(circuit, Order::default()).expect("compiles");
        // A team garbles such programs, and walks go without it.
        let count = NonZeroUsize::new(3).expect("not zero");
        let team = Threads { count, task_ands: 1, labels_an_and: u64::MAX };
        let engine = engine(kernels[seed as usize % kernels.len()]).with_threads(team);
        let window = WINDOWS[seed as usize % WINDOWS.len()];
        check(&engine, &program, Run { seed, cycles: 1, window });
    }
}

/// A map that reads another map's results in place, with a call in each of its runs, and a fold
/// that takes its results in slices.
fn chained(lanes: u32) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 4, lanes);
    let y = b.input_array("y", Party::Evaluator, 4, lanes);
    let nand = b.function("nand", 4, |b, x| {
        let all = [b.and(x[0], !x[1]), b.and(!x[2], !x[3])];
        vec![!all[0], all[1], !x[0], b.xor(all[0], x[3])]
    });
    let sums: Array = b.map("add", lanes.into(), &[Arg::Array(x), Arg::Array(y)], |b, x| {
        let sum = int::add(b, &x[0], &x[1]);
        b.call(&nand, &sum)
    });
    let products = b.map("mul", lanes.into(), &[Arg::Array(sums), Arg::Array(y)], |b, x| {
        int::mul(b, &x[0], &x[1])
    });
    let zero = int::constant(4, 0);
    let arguments = [Arg::Array(products), Arg::Array(x)];
    let sum = b.fold("sum", lanes.into(), &zero, &arguments, |b, sum, x| {
        let sum = int::add(b, sum, &x[0]);
        let differ = int::sub(b, &sum, &x[1]);
        (sum, differ)
    });
    b.output("sum", &sum.state);
    b.output_array("steps", sum.outputs);
    b.output_array("products", products);
    b.finish_structured().expect("a valid circuit")
}

/// Windows end inside the lanes of an AND, and of a map's block.
#[test]
fn maps_folds_and_calls() {
    for (lanes, kernel) in [1, 2, 15, 16, 17, 40].into_iter().zip(available().cycle()) {
        let program = compile_structured(chained(lanes), Order::default()).expect("compiles");
        check_windows(&engine(kernel), &program, lanes.into(), 1);
    }
}

/// A caller that gives this many rows each time, and keeps the labels of outputs.
struct Rows {
    rows: Vec<[Label; 3]>,
    outputs: Vec<Label>,
}

impl Rows {
    fn new(count: usize) -> Rows {
        Rows { rows: vec![[Label::ZERO; 3]; count], outputs: Vec::new() }
    }
}

impl AuthenticatedIo for Rows {
    fn inputs(&mut self, _: u64, _: &[Wire], _: &mut [Label]) -> Result<(), IoError> {
        Ok(())
    }

    fn rows(&mut self, _: usize) -> Result<&mut [[Label; 3]], IoError> {
        Ok(&mut self.rows)
    }

    fn rows_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, _: u64, _: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.outputs.extend(labels);
        Ok(())
    }
}

/// The label of the constant is zero, and only shares of its inverse have the offset.
#[test]
fn constants() {
    let flip_flop = |value, place| FlipFlop {
        init: Init::Constant(value),
        next: Bit::new(Wire::new(place), false),
    };
    let circuit = || Circuit {
        inputs: vec![],
        flip_flops: vec![flip_flop(true, 0), flip_flop(false, 1)],
        gates: Gates::new(),
        outputs: vec![Output {
            name: "constants".into(),
            bits: vec![Wire::new(0).bit(), Wire::new(1).bit()].into(),
            per_cycle: true,
            elements: None,
        }],
        cycles: 2,
    };
    let compiled = || compile(circuit(), Order::Given).expect("compiles");
    let offset = Label::from_u128(7);
    let delta = Delta::new(offset);
    for program in [compiled(), compiled().skipping(Skips::default())] {
        let engine = engine("portable");
        let prepared = engine.prepare(&program).expect("prepares");
        let walks = prepared.authenticated().expect("the CPU engine has walks");
        let outputs = |step| {
            let mut io = Rows::new(0);
            let key = RunKey { suite: Suite::HalfGates, point: 1 };
            walks.walk(key, step, 2, &mut io).expect("walks");
            io.outputs
        };
        let share = outputs(Step::Shares { offset });
        assert!(share == [offset, Label::ZERO, offset, Label::ZERO]);
        for step in [Step::Shares { offset: Label::ZERO }, Step::Garble { delta: &delta }] {
            assert!(outputs(step) == [Label::ZERO; 4]);
        }
        assert!(outputs(Step::Evaluate) == [Label::ZERO; 4]);
    }
}

#[test]
fn wrong_calls_are_errors() {
    let shape = Shape { flip_flops: 0, gates: 50, ..Default::default() };
    let compiled = || compile(random::circuit(1, &shape), Order::Given).expect("compiles");
    let (program, skipping) = (compiled(), compiled().skipping(Skips::default()));
    let delta = Delta::new(Label::from_u128(6));
    for program in [&program, &skipping] {
        let engine = engine("portable");
        let prepared = engine.prepare(program).expect("prepares");
        let walks = prepared.authenticated().expect("the CPU engine has walks");
        let walk = |suite, cycles, rows| {
            let mut io = Rows::new(rows);
            let step = Step::Garble { delta: &delta };
            walks.walk(RunKey { suite, point: 1 }, step, cycles, &mut io).expect_err("wrong")
        };
        let error = walk(Suite::Grr3, 1, 1);
        assert!(matches!(error, EngineError::Suite { suite: Suite::Grr3, .. }), "{error}");
        let error = walk(Suite::HalfGates, 2, 1);
        assert!(matches!(error, EngineError::OneCycleOnly { cycles: 2 }), "{error}");
        for rows in [0, 51] {
            let error = walk(Suite::HalfGates, 1, rows).to_string();
            assert!(error.contains(&format!("gave {rows} rows")), "{error}");
        }
    }
}
