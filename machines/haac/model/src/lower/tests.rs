use super::choose::{Goal, choose};
use super::*;
use crate::encoding::Encoding;
use crate::interpret;
use crate::issue::NoSink;
use crate::model::{Options, fast, packed::Packed};
use crate::verify::verify;
use crate::{Description, Overrides};
use halfgate_circuit::clear::evaluate_lanes;
use halfgate_circuit::random::{self, Shape as CircuitShape};
use halfgate_circuit::{Builder, Circuit, Gate, Input, Output, Party, Wire};
use halfgate_compiler::{Order, compile};

pub(crate) const LATENCIES: Timing =
    Timing { xor: 1, and: 21, queue: 4, bytes_per_cycle: (512, 1), wire_bytes: 16 };

/// Every kind of lowering, for machines whose windows are too small for the programs.
fn ways() -> impl Iterator<Item = (Shape, Lowering)> {
    let shapes = [(1, 16), (2, 16), (5, 32), (16, 64), (3, 4096)];
    let shapes = shapes.map(|(engines, window)| Shape { engines, window });
    shapes.into_iter().flat_map(|shape| {
        [InputLayout::Ports, InputLayout::FirstUse].into_iter().flat_map(move |inputs| {
            [Copies::Never, Copies::Auto, Copies::Keep { halves: 3 }].into_iter().flat_map(
                move |copies| {
                    [Assignment::RoundRobin, Assignment::Simulated(LATENCIES)].into_iter().map(
                        move |assignment| {
                            let inversions = Inversions::Insert;
                            (shape, Lowering { inputs, copies, inversions, assignment })
                        },
                    )
                },
            )
        })
    })
}

/// 64 random values for each input bit of each cycle.
fn values(circuit: &Circuit, seed: u64, cycles: u64) -> Vec<Vec<u64>> {
    let times = |input: &Input| if input.per_cycle { cycles as usize } else { 1 };
    let value = |(port, input): (usize, &Input)| {
        let bits = random::bits(seed + port as u64, 64 * input.width as usize * times(input));
        bits.words().to_vec()
    };
    circuit.inputs.iter().enumerate().map(value).collect()
}

fn check(circuit: Circuit, seed: u64) {
    let cycles = circuit.cycles;
    for order in [Order::Given, Order::default()] {
        let copy = Circuit {
            inputs: circuit.inputs.clone(),
            flip_flops: circuit.flip_flops.clone(),
            gates: circuit.gates.iter().collect(),
            outputs: circuit.outputs.clone(),
            cycles,
        };
        let program = compile(copy, order).unwrap();
        let inputs = values(&program.circuit, seed, cycles);
        let lanes: Vec<Vec<[u64; 1]>> =
            inputs.iter().map(|v| v.iter().map(|&word| [word]).collect()).collect();
        let expected = evaluate_lanes(&program.circuit, &lanes, cycles).unwrap();
        let expected: Vec<Vec<u64>> =
            expected.into_iter().map(|v| v.into_iter().map(|[word]| word).collect()).collect();
        for (shape, how) in ways() {
            let code = lower(&program, shape, how).unwrap();
            verify(&code, &program).unwrap_or_else(|e| panic!("{seed} {order} {how:?}: {e}"));
            let found = interpret::run(&code, &program.circuit, &inputs, cycles);
            let found = found.unwrap_or_else(|e| panic!("{seed} {order} {shape:?} {how:?}: {e}"));
            assert_eq!(found, expected, "{seed} {order} {shape:?} {how:?}");
            assert_eq!(code.stats, statistics(&program, shape, how).unwrap());
        }
    }
}

#[test]
fn code_of_random_circuits_computes_what_they_do() {
    for seed in 0..14 {
        let gates = 20 + 37 * seed as u32;
        let shape = CircuitShape { input_bits: 1 + gates / 9, gates, ..CircuitShape::default() };
        check(random::circuit(seed, &shape), seed);
        let shape = CircuitShape { flip_flops: 1 + gates / 40, and_percent: 60, ..shape };
        check(random::circuit(seed, &shape), seed);
    }
}

#[test]
fn code_of_small_machines_computes_what_they_do() {
    for (seed, (_, circuit)) in (0..).zip(random::machines()) {
        check(circuit, seed);
    }
}

/// An inverting copy gate of the program becomes the INV, and its readers need no other.
#[test]
fn copy_gates_that_invert_are_inv_instructions() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 3);
    let circuit = Circuit { outputs: Vec::new(), ..b.finish().unwrap() };
    let wire = |i: u32| Wire::new(i).bit();
    let gates = [
        Gate::copy(x[0], true),
        Gate::and(wire(3), x[1], false),
        Gate::and(wire(3), x[2], false),
        Gate::xor(wire(4), wire(5), false),
    ];
    let outputs = vec![Output {
        name: "y".to_owned(),
        bits: vec![wire(6), wire(3)].into(),
        per_cycle: false,
        elements: None,
    }];
    let circuit = Circuit { gates: gates.into_iter().collect(), outputs, ..circuit };
    let program = compile(circuit, Order::Given).unwrap();
    let shape = Shape { engines: 1, window: 16 };
    let code = lower(&program, shape, Lowering::BEST).unwrap();
    assert_eq!((code.stats.invs, code.stats.copies, code.stats.instructions()), (1, 0, 4));
    let code = lower(&program, shape, Lowering::PAPER);
    assert!(matches!(code, Err(LowerError::Inverted { gate: 1 })), "{code:?}");
}

/// A chain of `gates` gates, each of which reads the two wires before it, and sometimes an input.
fn chain(gates: u32) -> Circuit {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 64);
    let circuit = Circuit { outputs: Vec::new(), ..b.finish().unwrap() };
    let wire = |i: u32| Wire::new(i).bit();
    let gate = |i: u32| match i % 1000 {
        0 => Gate::xor(wire(63 + i), x[(i / 1000 % 64) as usize], false),
        odd if odd % 2 == 1 => Gate::and(wire(63 + i), wire(62 + i), false),
        _ => Gate::xor(wire(63 + i), wire(62 + i), false),
    };
    let outputs = vec![Output {
        name: "y".to_owned(),
        bits: vec![wire(63 + gates)].into(),
        per_cycle: false,
        elements: None,
    }];
    Circuit { gates: (0..gates).map(gate).collect(), outputs, ..circuit }
}

/// Memory grows with the wires alive and the window, not with the gates.
#[test]
fn memory_does_not_grow_with_the_gates() {
    let program = compile(chain(5_000_000), Order::Given).unwrap();
    let shape = Shape { engines: 4, window: 1024 };
    for copies in [Copies::Never, Copies::Auto, Copies::Keep { halves: 3 }] {
        let mut uses = Uses::of(&program.circuit).unwrap();
        let how = Lowering { copies, ..Lowering::BEST };
        let inputs = layout::inputs(&program.circuit, &uses, how.inputs);
        let (engines, streams) = (Engines::round_robin(shape, None), Streams::new(4, false));
        let mut renamer = Renamer::new(shape, how, inputs, &uses, engines, streams).unwrap();
        let mut most = 0;
        for gate in program.circuit.gates.iter() {
            renamer.gate(gate, uses.pop().unwrap().unwrap()).unwrap();
            most = most.max(renamer.held().iter().sum());
        }
        // The inputs, two wires of the chain, and the instructions of both halves.
        assert!((1024..1024 + 64 + 8).contains(&most), "{most} held with {copies:?}");
        let stats = renamer.finish(&program).unwrap().0.stats;
        // Every thousandth gate reads an input, which is out of range except for the first few.
        assert!((4990..5000).contains(&stats.oor_reads), "{stats:?}");
        assert_eq!((stats.gates, stats.live_outputs), (5_000_000, 1));
        // An input may be kept unnecessarily if the estimate of its time in the window is wrong.
        let most = if copies == (Copies::Keep { halves: 3 }) { 8 } else { 1 };
        assert!((1..=most).contains(&stats.live), "{stats:?}");
    }
}

#[test]
fn what_cannot_be_lowered_is_refused() {
    let program = compile(chain(10), Order::Given).unwrap();
    for (engines, window) in [(0, 16), (1, 0), (1, 8), (1, 24), (9, 16), (1, 1 << 29)] {
        let error = lower(&program, Shape { engines, window }, Lowering::BEST).unwrap_err();
        assert!(matches!(error, LowerError::Shape { .. }), "{error}");
    }
}

/// A product of matrices in element order: each element reads a column again after it has left the
/// window.
fn products(size: usize, bits: usize) -> Program {
    let circuit = halfgate_programs::build(&format!("matmult:{size}x{bits}")).unwrap();
    compile(circuit, Order::HaacBaseline).unwrap()
}

#[test]
fn copies_spare_most_reads_of_a_product_in_element_order() {
    // A sixteenth of the gates, in a sixteenth of the window.
    let program = products(8, 8);
    let shape = Shape { engines: 16, window: 1 << 13 };
    let count = |how| statistics(&program, shape, how).unwrap();
    let never = count(Lowering { copies: Copies::Never, ..Lowering::BEST });
    let auto = count(Lowering { copies: Copies::Auto, ..Lowering::BEST });
    let keep = count(Lowering { copies: Copies::Keep { halves: 5 }, ..Lowering::BEST });
    assert_eq!((never.copies, never.live), (0, never.live_outputs));
    assert!(never.oor_reads > 25_000, "{never:?}");
    assert!(auto.oor_reads * 6 < never.oor_reads, "{auto:?}, {never:?}");
    assert!(auto.copies * 10 < never.gates, "{auto:?}");
    assert!(keep.oor_reads * 3 < auto.oor_reads, "{keep:?}, {auto:?}");
}

/// The paper's machine and matrix: Table 3 of the paper has 495 thousand out-of-range reads.
#[test]
#[ignore = "1.5 million gates: for --release"]
fn the_papers_product_reads_495_thousand_wires_out_of_range() {
    let program = products(8, 32);
    let shape = Shape { engines: 16, window: 1 << 17 };
    let paper = statistics(&program, shape, Lowering::PAPER).unwrap();
    assert!((490_000..500_000).contains(&paper.oor_reads), "{paper:?}");
    let how = Lowering { copies: Copies::Auto, ..Lowering::BEST };
    let copies = statistics(&program, shape, how).unwrap();
    assert!(copies.oor_reads < 19_500 && copies.copies < 19_000, "{copies:?}");
    let how = Lowering { copies: Copies::Keep { halves: 3 }, ..Lowering::BEST };
    assert!(statistics(&program, shape, how).unwrap().oor_reads < 2_500);
}

/// With a slow memory copies are worth it. The choice is no slower than any lowering tried.
#[test]
fn the_fastest_lowering_is_chosen() {
    let program = products(4, 8);
    let description = Description::built_in("haac-4ge").unwrap();
    for memory in ["ddr4", "hbm2"] {
        let (window, memory) = (Some(1 << 10), Some(memory.to_owned()));
        let overrides = Overrides { window, memory, ..Overrides::default() };
        let machine = description.machine(&overrides).unwrap();
        let goal = Goal { machine: &machine, role: Party::Evaluator, encoding: Encoding::Plain };
        let best = choose(&program, goal, Lowering::BEST).unwrap();
        verify(&best.code, &program).unwrap();
        for copies in [Copies::Never, Copies::Auto, Copies::Keep { halves: 3 }] {
            let how = Lowering { copies, ..Lowering::BEST };
            let code = lower(&program, machine.shape, how).unwrap();
            let packed = Packed::of(&code, goal.encoding).unwrap();
            let options = Options::new(goal.role);
            let report =
                fast::run(&code, &machine, &options, &mut packed.sizes(), &mut NoSink).unwrap();
            assert!(best.report.cycles <= report.cycles, "{:?}, {how:?}", best.how);
            if machine.memory.name == "ddr4" && copies == Copies::Never {
                assert!(best.report.cycles < report.cycles, "{:?}", best.how);
            }
        }
    }
}
