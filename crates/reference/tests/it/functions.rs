//! Compares the flattening of structured circuits with that of `halfgate-circuit`, which follows
//! the other wording of `spec/functions.md`, and garbles it.

use halfgate_circuit as circuit;
use halfgate_circuit::random::{bits, inputs_for};
use halfgate_circuit::structured::clear::evaluate as evaluate_clear;
use halfgate_circuit::structured::random::Shape;
use halfgate_circuit::structured::{self, FunctionId, Sizes, StructuredCircuit, random};
use halfgate_circuit::{Bits, GateKind, Init};
use halfgate_reference::functions::{Bit, Call, Flat, Form, Function, Item, flatten, sizes};
use halfgate_reference::{Cycle, Gate, Key, Suite, colour, evaluate, garble};

const SEEDS: u64 = 100;

/// Shapes of different nesting, with and without flip-flops.
fn shapes() -> [Shape; 6] {
    let shape = Shape::default();
    [
        shape,
        Shape { functions: 0, ..shape },
        Shape { flip_flops: 3, ..shape },
        Shape { functions: 12, gates: 2, calls: 2, most_gates: 40_000, ..shape },
        Shape { functions: 7, gates: 4, calls: 5, most_gates: 20_000, flip_flops: 2 },
        Shape { functions: 3, gates: 0, calls: 4, ..shape },
    ]
}

#[test]
fn random_circuits_flatten_alike() {
    // Functions whose block has 16 lanes; 1 because of their lanes; 1 because of wide maps.
    let mut kinds = [0; 3];
    let mut gates = 0;
    for (index, shape) in (0..).zip(shapes()) {
        for seed in 0..SEEDS {
            let structured = random::circuit(1_000 * index + seed, &shape);
            let what = format!("shape {index}, seed {seed}");
            let expected = structured::flatten(&structured).expect("a valid circuit");
            let functions = functions_of(&structured);
            let flat = flat_of(&structured, &functions);

            let their_gates = expected.gates.iter().zip(expected.first_gate_wire()..);
            let their_gates: Vec<Gate> =
                their_gates.map(|(gate, out)| to_gate(gate, out)).collect();
            assert!(flat.gates == their_gates, "{what}: gates");
            gates += flat.gates.len();

            for (ours, theirs) in structured.outputs.iter().zip(&expected.outputs) {
                let ours = ours.bits.iter().map(|bit| flatten_bit(&flat, bit));
                assert!(ours.eq(theirs.bits.iter()), "{what}: output {}", theirs.name);
            }
            for (ours, theirs) in structured.flip_flops.iter().zip(&expected.flip_flops) {
                assert_eq!(flatten_bit(&flat, ours.next), theirs.next, "{what}: a flip-flop");
            }
            check_sizes(&structured, &functions, &what, &mut kinds);
        }
    }
    assert!(kinds.iter().all(|&count| count > 20), "kinds of functions: {kinds:?}");
    assert!(gates > 1_000_000, "only {gates} gates");
}

/// Compares the sizes of functions, and counts the functions by the reason for their block.
fn check_sizes(
    structured: &StructuredCircuit,
    functions: &[Function],
    what: &str,
    kinds: &mut [usize; 3],
) {
    let expected = Sizes::of(&structured.functions).expect("gates that 64 bits can count");
    for (number, ours) in (0..).zip(sizes(functions)) {
        let theirs = expected.get(FunctionId(number));
        let theirs = (theirs.ands, theirs.lanes, theirs.wide_ands, theirs.block);
        let ours_too = (ours.ands, ours.lanes, ours.wide, ours.block());
        assert_eq!(ours_too, theirs, "{what}: function {number}");
        let kind = if ours.block() == 16 { 0 } else { 2 - usize::from(ours.lanes > 16) };
        kinds[kind] += 1;
    }
}

#[test]
fn flattenings_garble_to_the_structured_value() {
    for (index, shape) in (0..).zip(shapes()) {
        let shape = Shape { most_gates: shape.most_gates.min(1_000), ..shape };
        for seed in 0..3 {
            let structured = random::circuit(500 + 10 * index + seed, &shape);
            let flat = flat_of(&structured, &functions_of(&structured));
            let expected = structured::flatten(&structured).expect("a valid circuit");
            let cycles = structured.cycles;
            let inputs = inputs_for(&expected, seed, cycles);
            let clear = evaluate_clear(&structured, &inputs, cycles).expect("valid inputs");
            for suite in Suite::ALL {
                let decoded = Run::new(suite, seed).run(&structured, &flat, &inputs);
                assert_eq!(decoded, clear, "shape {index}, seed {seed}, {}", suite.name());
            }
        }
    }
}

/// A wire's false label and its active label.
#[derive(Clone, Copy)]
struct Labels {
    false_label: u128,
    active: u128,
}

/// A garbler and an evaluator.
struct Run {
    key: Key,
    delta: u128,
    seed: u64,
}

impl Run {
    fn new(suite: Suite, seed: u64) -> Run {
        let point = bits(seed, 128).to_integer().expect("128 bits");
        let mut run = Run { key: Key { suite, point }, delta: 0, seed: 1_000 * (seed + 1) };
        run.delta = run.random_label() | 1;
        run
    }

    fn random_label(&mut self) -> u128 {
        self.seed += 1;
        self.key.suite.clip(bits(self.seed, 128).to_integer().expect("128 bits"))
    }

    /// Labels of a new wire with this value.
    fn labels(&mut self, value: bool) -> Labels {
        let false_label = self.random_label();
        Labels { false_label, active: false_label ^ if value { self.delta } else { 0 } }
    }

    /// Garbles and evaluates all cycles of a circuit with this flattening. Returns the outputs.
    fn run(&mut self, circuit: &StructuredCircuit, flat: &Flat, inputs: &[Bits]) -> Vec<Bits> {
        let mut outputs = vec![Bits::new(); circuit.outputs.len()];
        let mut ports: Vec<Vec<Labels>> = vec![Vec::new(); inputs.len()];
        let mut state: Vec<Labels> = Vec::new();
        let mut cycle = Cycle::default();
        for number in 0..circuit.cycles {
            for ((port, values), labels) in circuit.inputs.iter().zip(inputs).zip(&mut ports) {
                let width = port.width as usize;
                if port.per_cycle || number == 0 {
                    let values = values.slice(number as usize * width, width);
                    *labels = values.iter().map(|value| self.labels(value)).collect();
                }
            }
            let mut wires = ports.concat();
            if number == 0 {
                state.extend(circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
                    Init::Constant(value) => self.labels(value),
                    Init::Input(wire) => wires[wire.index()],
                }));
            }
            wires.append(&mut state);
            let wires = self.cycle(cycle, &flat.gates, &wires);
            for (output, values) in circuit.outputs.iter().zip(&mut outputs) {
                if output.per_cycle || number + 1 == circuit.cycles {
                    output.bits.iter().for_each(|bit| values.push(self.decode(flat, &wires, bit)));
                }
            }
            let next = |flip_flop: &circuit::FlipFlop| {
                let Bit { wire, invert } = flat_bit(flat, flip_flop.next);
                let Labels { false_label, active } = wires[wire];
                Labels { false_label: false_label ^ if invert { self.delta } else { 0 }, active }
            };
            state.extend(circuit.flip_flops.iter().map(next));
            cycle = cycle.next(&flat.gates);
        }
        outputs
    }

    /// Garbles and evaluates one cycle. Returns the labels of all wires.
    fn cycle(&self, cycle: Cycle, gates: &[Gate], wires: &[Labels]) -> Vec<Labels> {
        let false_labels: Vec<u128> = wires.iter().map(|wire| wire.false_label).collect();
        let active: Vec<u128> = wires.iter().map(|wire| wire.active).collect();
        let garbled = garble(self.key, self.delta, cycle, gates, &false_labels);
        let active = evaluate(self.key, cycle, gates, &garbled.tables, &active);
        let labels = garbled.false_labels.into_iter().zip(active);
        labels.map(|(false_label, active)| Labels { false_label, active }).collect()
    }

    /// The value of a bit of the outermost body.
    fn decode(&self, flat: &Flat, wires: &[Labels], bit: circuit::Bit) -> bool {
        if let Some(constant) = bit.as_constant() {
            return constant;
        }
        let Bit { wire, invert } = flat_bit(flat, bit);
        let Labels { false_label, active } = wires[wire];
        assert!([0, self.delta].contains(&(false_label ^ active)), "a label of neither value");
        colour(false_label) ^ colour(active) ^ invert
    }
}

/// The functions of a circuit, in the reference's types.
fn functions_of(circuit: &StructuredCircuit) -> Vec<Function> {
    let function = |function: &structured::Function| Function {
        inputs: function.inputs as usize,
        items: circuit.items_of(function).map(|item| to_item(circuit, item)).collect(),
        outputs: function.outputs.iter().copied().map(to_bit).collect(),
    };
    circuit.functions.iter().map(function).collect()
}

/// The reference's flattening of a circuit with these functions.
fn flat_of(circuit: &StructuredCircuit, functions: &[Function]) -> Flat {
    let items: Vec<Item> = circuit.items().map(|item| to_item(circuit, item)).collect();
    flatten(functions, circuit.first_item_wire(), &items)
}

fn to_item(circuit: &StructuredCircuit, item: structured::Item<'_>) -> Item {
    match item {
        structured::Item::Gate(wire, gate) => Item::Gate(to_gate(gate, wire.index())),
        structured::Item::Call(_, call) => {
            let form = match call.form {
                structured::Form::Once => Form::Once,
                structured::Form::Map { .. } => Form::Map,
                structured::Form::Fold { state, .. } => Form::Fold { state: state as usize },
            };
            let run = |l| {
                let bits = call.arguments.iter();
                let bits = bits.flat_map(|argument| {
                    (0..argument.width()).map(move |j| to_bit(argument.bit(l, j)))
                });
                let bits: Vec<Bit> = bits.collect();
                assert_eq!(bits.len(), circuit.functions[call.function.index()].inputs as usize);
                bits
            };
            let runs = (0..call.form.runs()).map(run).collect();
            Item::Call(Call { function: call.function.index(), form, runs })
        }
    }
}

fn to_gate(gate: circuit::Gate, out: usize) -> Gate {
    match gate.kind() {
        GateKind::Xor { a, b, invert } => Gate::Xor { a: a.index(), b: b.index(), out, invert },
        GateKind::Copy { a, invert } => Gate::Copy { a: a.index(), out, invert },
        GateKind::And { a, b, invert: invert_out } => {
            let (a, b) = (to_bit(a), to_bit(b));
            let (invert_a, invert_b) = (a.invert, b.invert);
            Gate::And { a: a.wire, b: b.wire, out, invert_a, invert_b, invert_out }
        }
    }
}

fn to_bit(bit: circuit::Bit) -> Bit {
    Bit { wire: bit.wire().expect("not a constant").index(), invert: bit.is_inverted() }
}

/// The bit of the flattening for a bit of the outermost body that is not a constant.
fn flat_bit(flat: &Flat, bit: circuit::Bit) -> Bit {
    let bit = to_bit(bit);
    let Bit { wire, invert } = flat.wires[bit.wire];
    Bit { wire, invert: invert ^ bit.invert }
}

/// As [`flat_bit`], in the types of the circuit crate, in which it may be a constant.
fn flatten_bit(flat: &Flat, bit: circuit::Bit) -> circuit::Bit {
    if bit.as_constant().is_some() {
        return bit;
    }
    let Bit { wire, invert } = flat_bit(flat, bit);
    circuit::Bit::new(circuit::Wire::new(wire as u32), invert)
}
