use super::code::Step;
use crate::conformance::{Run, check};
use crate::cpu::{CpuEngine, Threads};
use crate::testing::{MemoryGarbler, Outputs, seeded_labels};
use crate::{Delta, Engine, EngineError, Label, Prepared, RunKey, Suite};
use halfgate_circuit::builder::{Arg, Array};
use halfgate_circuit::structured::{StructuredCircuit, random};
use halfgate_circuit::{Bit, Builder, Party, aes, int};
use halfgate_compiler::{Program, StructuredProgram};
use halfgate_kernels::choose;
use std::num::NonZeroUsize;

/// Compares a run of `circuit` with the reference on its flattening: tables, labels, outputs, and
/// the order of inputs.
fn check_circuit(circuit: StructuredCircuit, suite: Suite, kernel: &str, seed: u64) {
    check_program(StructuredProgram::new(circuit).unwrap(), suite, kernel, seed);
}

/// The same for a program in any order, on one and on several threads.
fn check_program(program: StructuredProgram, suite: Suite, kernel: &str, seed: u64) {
    let program = program.into_program().unwrap();
    let inputs = halfgate_circuit::random::inputs_for(&program.circuit, seed, 1);
    let several = NonZeroUsize::new([2, 3, 8][seed as usize % 3]).unwrap();
    // Each map runs in tasks, of one or more blocks.
    let task_ands = 1 << (seed % 14);
    let several = Threads { count: several, task_ands, labels_an_and: u64::MAX };
    for threads in [Threads::default(), several] {
        let engine = CpuEngine::new(Some(kernel)).unwrap().with_threads(threads);
        check(&engine, &program, &inputs, Run { suite, seed, cycles: 1 }).unwrap_or_else(|error| {
            panic!("seed {seed}, {kernel}, {}, {threads:?}: {error}", suite.name())
        });
    }
}

fn kernels() -> impl Iterator<Item = &'static str> {
    choose::KERNELS.iter().filter(|kernel| kernel.is_available()).map(|kernel| kernel.name)
}

#[test]
fn random_circuits_run_like_their_flattenings() {
    let shapes = [
        random::Shape::default(),
        random::Shape { functions: 8, calls: 2, ..Default::default() },
        random::Shape { gates: 40, calls: 4, ..Default::default() },
        random::Shape { gates: 3, calls: 4, most_gates: 8_000, ..Default::default() },
    ];
    let suites = Suite::ALL;
    let kernels: Vec<&str> = kernels().collect();
    for seed in 0..160 {
        let circuit = random::circuit(seed, &shapes[seed as usize % shapes.len()]);
        if circuit.body.calls.is_empty() {
            continue;
        }
        let (suite, kernel) = (suites[seed as usize % 5], kernels[seed as usize % kernels.len()]);
        // Half of them are grouped.
        let program = match seed % 8 {
            0..4 => StructuredProgram::new(circuit),
            window => StructuredProgram::grouped(circuit, 1 << (2 * window - 6)),
        };
        check_program(program.unwrap(), suite, kernel, seed);
    }
}

/// Encrypts each block of the evaluator under the garbler's key.
fn aes_batch(blocks: u32) -> StructuredCircuit {
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let data = b.input_array("data", Party::Evaluator, 128, blocks);
    let keys = aes::Schedule::new(&key).all_round_keys(&mut b);
    let arguments = [Arg::Shared(&keys[..]), Arg::Array(data)];
    let encrypted = b.map("aes128", blocks.into(), &arguments, |b, x| {
        aes::encrypt_with(b, &mut aes::Schedule::of_round_keys(&x[0]), &x[1])
    });
    b.output_array("encrypted", encrypted);
    b.finish_structured().unwrap()
}

#[test]
fn blocks_are_fetched_run_and_given_one_after_the_other() {
    for (blocks, kernel) in [(18, choose::best().name), (17, "portable"), (1, "portable")] {
        check_circuit(aes_batch(blocks), Suite::HalfGates, kernel, 1);
    }
}

/// A map that reads another map's results in place, and a fold that takes its results in slices.
fn chained(lanes: u32) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 16, lanes);
    let y = b.input_array("y", Party::Evaluator, 16, lanes);
    let sums: Array = b.map("add", lanes.into(), &[Arg::Array(x), Arg::Array(y)], |b, x| {
        int::add(b, &x[0], &x[1])
    });
    let products = b.map("mul", lanes.into(), &[Arg::Array(sums), Arg::Array(y)], |b, x| {
        int::mul(b, &x[0], &x[1])
    });
    let zero = int::constant(16, 0);
    let arguments = [Arg::Array(products), Arg::Array(x)];
    let sum = b.fold("sum", lanes.into(), &zero, &arguments, |b, sum, x| {
        let sum = int::add(b, sum, &x[0]);
        let differ = int::sub(b, &sum, &x[1]);
        (sum, differ)
    });
    b.output("sum", &sum.state);
    b.output_array("steps", sum.outputs);
    b.output("last", &products.element(lanes as usize - 1));
    b.finish_structured().unwrap()
}

#[test]
fn maps_and_folds_use_arguments_in_place() {
    for lanes in [1, 2, 15, 16, 17, 40] {
        check_circuit(chained(lanes), Suite::HalfGates, choose::best().name, lanes.into());
    }
}

/// Maps that follow each other and do not depend on each other run side by side; the others wait.
#[test]
fn independent_maps_run_together() {
    let circuit = |lanes: u32| {
        let mut b = Builder::new();
        let x = b.input_array("x", Party::Garbler, 8, lanes);
        let y = b.input_array("y", Party::Evaluator, 8, lanes);
        let map = |b: &mut Builder, of: [Array; 2]| {
            let arguments = of.map(Arg::Array);
            b.map("multiply", lanes.into(), &arguments, |b, x| int::mul(b, &x[0], &x[1]))
        };
        let first = map(&mut b, [x, y]);
        // Reads what the first map writes.
        let second = map(&mut b, [first, y]);
        let third = map(&mut b, [first, x]);
        let fourth = map(&mut b, [x, y]);
        // From here on, slots of earlier results are written again.
        let fifth = map(&mut b, [second, third]);
        let sixth = map(&mut b, [fourth, fourth]);
        let last = map(&mut b, [fifth, sixth]);
        b.output_array("last", last);
        b.output_array("sixth", sixth);
        b.finish_structured().unwrap()
    };
    let program = StructuredProgram::new(circuit(40)).unwrap();
    let code = super::lower::lower(&program, program.plan().unwrap()).unwrap();
    let together: Vec<u32> = (code.outermost.steps.iter())
        .filter_map(|step| match step {
            Step::Call(call) => Some(call.together),
            Step::Gates(_) => None,
        })
        .collect();
    assert_eq!(together, [0, 2, 1, 0, 1, 0, 0]);
    for lanes in [1, 2, 16, 17, 40, 130] {
        check_circuit(circuit(lanes), Suite::HalfGates, choose::best().name, lanes.into());
    }
}

/// A gate that nothing reads is left out, but the inputs that it reads are still requested first.
#[test]
fn inputs_that_only_left_out_gates_read_are_requested_in_order() {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 8, 3);
    let y = b.input("y", Party::Evaluator, 8);
    let _ = (b.xor(y[1], x.element(2)[4]), b.xor(y[1], y[5]));
    let sums = b.map("add", 3, &[Arg::Array(x), Arg::Shared(&y)], |b, x| int::add(b, &x[0], &x[1]));
    let _ = b.xor(sums.element(1)[0], y[0]);
    let twice = b.map("twice", 3, &[Arg::Array(sums)], |b, x| int::add(b, &x[0], &x[0]));
    b.output_array("twice", twice);
    check_circuit(b.finish_structured().unwrap(), Suite::HalfGates, choose::best().name, 3);
}

/// Functions with more wires alive than 16 bits can number: operations name slots chunk by chunk.
#[test]
fn large_frames_run() {
    const BITS: usize = 370;
    let mut b = Builder::new();
    let x = b.input("x", Party::Evaluator, BITS as u32);
    let pairs = |b: &mut Builder, x: &[Bit]| {
        let pairs = (0..x.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let pairs: Vec<Bit> = pairs.map(|(i, j)| b.xor(x[i], x[j])).collect();
        let ands: Vec<Bit> = (0..20).map(|i| b.and(pairs[i], pairs[pairs.len() - 1 - i])).collect();
        [pairs, ands].concat()
    };
    let all = b.function("pairs", BITS, pairs);
    let y = b.call(&all, &x);
    let z = b.map("pairs of lanes", 3, &[Arg::Shared(&x[2..]), Arg::Sliced(&x[..6])], |b, x| {
        pairs(b, &x.concat())
    });
    b.output("y", &y);
    b.output_array("z", z);
    let circuit = b.finish_structured().unwrap();
    check_circuit(circuit, Suite::HalfGates, choose::best().name, 3);
}

/// An engine that runs no functions.
struct Flat(CpuEngine);

impl Engine for Flat {
    fn name(&self) -> String {
        self.0.name()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        assert!(program.structure.is_none(), "a flat program");
        self.0.prepare_flat(program)
    }
}

/// The garbler's tables and output labels on an engine.
fn garbled(engine: &dyn Engine, program: &Program) -> (Vec<u8>, Outputs) {
    let key = RunKey { suite: Suite::HalfGates, point: 5 };
    let delta = Delta::new(Label::from_u128(0x1234_5679));
    let mut io = MemoryGarbler::new(seeded_labels(3), Label::ZERO);
    engine.prepare(program).unwrap().garble(key, &delta, 1, &mut io).unwrap();
    (io.tables().to_vec(), io.outputs().clone())
}

#[test]
fn engines_without_functions_make_the_same_tables() {
    for seed in 0..20 {
        let circuit = random::circuit(seed, &random::Shape::default());
        let program = StructuredProgram::new(circuit).unwrap().into_program().unwrap();
        let cpu = CpuEngine::new(None).unwrap();
        assert_eq!(garbled(&cpu, &program), garbled(&Flat(cpu), &program), "seed {seed}");
    }
}

#[test]
fn a_flattening_that_is_too_large_is_refused() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 64);
    let many = b.fold("steps", 1 << 30, &x, &[], |b, x, _| (int::mul(b, x, x), Vec::new()));
    b.output("y", &many.state);
    let program = StructuredProgram::new(b.finish_structured().unwrap()).unwrap();
    let program = program.into_program().unwrap();
    let cpu = CpuEngine::new(None).unwrap();
    assert!(cpu.prepare(&program).is_ok());
    let refused = Flat(cpu).prepare(&program).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("run it on an engine that runs functions"), "{refused}");
}

/// Preparing takes the time of the text, not of the calls: each function calls the one before it
/// twice.
#[test]
fn calls_of_calls_are_prepared_once() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 2);
    let mut last = b.function("0", 2, |b, x| vec![b.and(x[0], x[1]), b.xor(x[0], x[1])]);
    for level in 1..=30 {
        let inner = last;
        last = b.function(&level.to_string(), 2, |b, x| {
            let y = b.call(&inner, x);
            b.call(&inner, &y)
        });
    }
    let y = b.call(&last, &x);
    b.output("y", &y);
    let program = StructuredProgram::new(b.finish_structured().unwrap()).unwrap();
    assert_eq!(program.size().ands, 1 << 30);
    assert!(CpuEngine::new(None).unwrap().prepare_structured(&program).is_ok());
}
