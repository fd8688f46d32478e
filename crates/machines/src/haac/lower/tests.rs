use super::*;
use crate::haac::interpret;
use crate::haac::verify::verify;
use halfgate_circuit::clear::evaluate_lanes;
use halfgate_circuit::random::{self, Shape as CircuitShape};
use halfgate_circuit::{Builder, Circuit, Gate, Input, Output, Party, Wire};
use halfgate_compiler::{Order, compile};

pub(crate) const LATENCIES: Timing =
    Timing { xor: 1, and: 21, queue: 4, bytes_per_cycle: (512, 1), wire_bytes: 16 };

/// Every way of lowering, for machines that spill.
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
    for seed in 0..40 {
        let gates = 20 + 13 * seed as u32;
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

/// An inverting copy that stands in the program is the INV, and its readers need no other.
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
    let outputs =
        vec![Output { name: "y".to_owned(), bits: vec![wire(6), wire(3)], per_cycle: false }];
    let circuit = Circuit { gates: gates.into_iter().collect(), outputs, ..circuit };
    let program = compile(circuit, Order::Given).unwrap();
    let shape = Shape { engines: 1, window: 16 };
    let code = lower(&program, shape, Lowering::BEST).unwrap();
    assert_eq!((code.stats.invs, code.stats.copies, code.stats.instructions()), (1, 0, 4));
    let code = lower(&program, shape, Lowering::PAPER);
    assert!(matches!(code, Err(LowerError::Inverted { gate: 1 })), "{code:?}");
}
