//! Random circuits and values for tests, the same for the same seed on every computer.
//!
//! A random circuit contains every gate kind with every inversion, gates whose operands are the
//! same wire, wires that nothing reads, and outputs that are inputs, constants, inverted or
//! repeated. Its flip-flops start from constants and from bits of either party. Their next value is
//! a constant, an input bit, their own value, or the value of another flip-flop or of a gate.
//! [`machines`] are small circuits that contain each of these cases separately.

use crate::bits::Bits;
use crate::circuit::{Circuit, FlipFlop, Init, Input, Output, Party};
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};

/// The size of a random circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Input bits of both parties together; at least 1.
    pub input_bits: u32,
    /// Flip-flops. If there are any, the circuit also has per-cycle ports and several cycles.
    pub flip_flops: u32,
    /// Gates.
    pub gates: u32,
    /// Average percentage of ANDs among the gates. One in eight of the other gates is a copy.
    pub and_percent: u32,
    /// Output bits; at least 1.
    pub output_bits: u32,
}

impl Default for Shape {
    /// A combinational circuit of 200 gates, 30 percent of them ANDs.
    fn default() -> Shape {
        Shape { input_bits: 16, flip_flops: 0, gates: 200, and_percent: 30, output_bits: 12 }
    }
}

/// Returns a valid circuit of the given shape.
///
/// The inputs are `garbler` and `evaluator`, or only `evaluator` if there is one bit. With
/// flip-flops there are also `garbler_cycle` and `evaluator_cycle`, as far as there are bits for
/// them. Outputs are `out` and, with flip-flops and more than one bit, the per-cycle `out_cycle`.
/// Bits are distributed evenly between the ports.
///
/// # Panics
/// If the shape has no input bits or no output bits.
pub fn circuit(seed: u64, shape: &Shape) -> Circuit {
    assert!(shape.input_bits > 0 && shape.output_bits > 0, "{shape:?} lacks inputs or outputs");
    let mut random = Random::new(seed);
    let inputs = inputs(shape);
    let flip_flop_inits = flip_flop_inits(shape, &inputs, &mut random);
    let first_gate_wire = shape.input_bits + shape.flip_flops;
    let gates: Gates =
        (0..shape.gates).map(|i| gate(first_gate_wire + i, shape, &mut random)).collect();
    let wires = first_gate_wire + shape.gates;
    let next = |(index, init)| {
        let own = Wire::new(shape.input_bits + index);
        FlipFlop { init, next: next_bit(own, shape, wires, &mut random) }
    };
    let flip_flops: Vec<FlipFlop> = (0..).zip(flip_flop_inits).map(next).collect();
    let outputs = outputs(shape, wires, &mut random);
    let cycles = if flip_flops.is_empty() { 1 } else { 2 + random.below(6) };
    Circuit { inputs, flip_flops, gates, outputs, cycles }
}

/// Returns `len` random bits.
pub fn bits(seed: u64, len: usize) -> Bits {
    let mut random = Random::new(seed);
    (0..len).map(|_| random.next() >> 63 == 1).collect()
}

/// Returns a random value for each input port of `circuit` for `cycles` cycles, in the form that
/// [`clear::evaluate`](crate::clear::evaluate) takes.
pub fn inputs_for(circuit: &Circuit, seed: u64, cycles: u64) -> Vec<Bits> {
    let mut random = Random::new(seed);
    let times = |input: &Input| if input.per_cycle { cycles as usize } else { 1 };
    let value = |input: &Input| bits(random.next(), input.width as usize * times(input));
    circuit.inputs.iter().map(value).collect()
}

fn inputs(shape: &Shape) -> Vec<Input> {
    let ports = [
        ("evaluator", Party::Evaluator, false),
        ("garbler", Party::Garbler, false),
        ("evaluator_cycle", Party::Evaluator, true),
        ("garbler_cycle", Party::Garbler, true),
    ];
    let count = if shape.flip_flops > 0 { 4 } else { 2 };
    let widths = share(shape.input_bits, count);
    let input = |((name, party, per_cycle), width): ((&str, Party, bool), u32)| Input {
        name: name.to_owned(),
        party,
        width,
        per_cycle,
        elements: None,
        is_set: false,
    };
    ports.into_iter().zip(widths).map(input).collect()
}

fn flip_flop_inits(shape: &Shape, inputs: &[Input], random: &mut Random) -> Vec<Init> {
    let per_run = inputs.iter().filter(|input| !input.per_cycle);
    let per_run_bits: u32 = per_run.map(|input| input.width).sum();
    let init = |_| match random.below(3) {
        0 => Init::Constant(random.coin()),
        _ => Init::Input(Wire::new(random.below(per_run_bits.into()) as u32)),
    };
    (0..shape.flip_flops).map(init).collect()
}

/// Returns a gate that drives wire `wire`.
fn gate(wire: u32, shape: &Shape, random: &mut Random) -> Gate {
    let (a, b) = (operand(wire, random), operand(wire, random));
    if random.below(100) < u64::from(shape.and_percent) {
        Gate::and(a, b, random.coin())
    } else if random.below(8) == 0 {
        Gate::copy(a, random.coin())
    } else {
        Gate::xor(a, b, random.coin())
    }
}

/// Returns a wire below `wires`, perhaps inverted. In half of the cases it is one of the sixteen
/// newest wires, so that the circuit is deep. Otherwise it is any wire.
fn operand(wires: u32, random: &mut Random) -> Bit {
    let reach = if random.coin() { wires.min(16) } else { wires };
    let wire = wires - 1 - random.below(reach.into()) as u32;
    Bit::new(Wire::new(wire), random.coin())
}

/// Like [`operand`], but in one case of eight returns a constant.
fn loose_bit(wires: u32, random: &mut Random) -> Bit {
    if random.below(8) == 0 { Bit::constant(random.coin()) } else { operand(wires, random) }
}

/// Returns the next value of a flip-flop: a constant, an input bit, itself, a flip-flop, or any
/// wire. All but the constant may be inverted.
fn next_bit(own: Wire, shape: &Shape, wires: u32, random: &mut Random) -> Bit {
    let wire = match random.below(8) {
        0 => return Bit::constant(random.coin()),
        1 => Wire::new(random.below(shape.input_bits.into()) as u32),
        2 => own,
        3 => Wire::new(shape.input_bits + random.below(shape.flip_flops.into()) as u32),
        _ => return operand(wires, random),
    };
    Bit::new(wire, random.coin())
}

fn outputs(shape: &Shape, wires: u32, random: &mut Random) -> Vec<Output> {
    let ports = [("out", false), ("out_cycle", true)];
    let widths = share(shape.output_bits, if shape.flip_flops > 0 { 2 } else { 1 });
    let mut output = |((name, per_cycle), width): ((&str, bool), u32)| {
        let mut bits: Vec<Bit> = Vec::new();
        for _ in 0..width {
            let bit = match (random.below(8), bits.last()) {
                (0, Some(&last)) => last.invert_if(random.coin()),
                (1, _) => {
                    let wire = Wire::new(random.below(shape.input_bits.into()) as u32);
                    Bit::new(wire, random.coin())
                }
                _ => loose_bit(wires, random),
            };
            bits.push(bit);
        }
        Output { name: name.to_owned(), bits: bits.into(), per_cycle, elements: None }
    };
    ports.into_iter().zip(widths).map(&mut output).collect()
}

/// Divides `total` into at most `parts` parts, none of them empty.
fn share(total: u32, parts: u32) -> Vec<u32> {
    let parts = parts.min(total);
    (0..parts).map(|i| total / parts + u32::from(i < total % parts)).collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): good enough for tests, but not for secrets.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, distributed evenly enough for tests.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}

mod machines;
pub use machines::{gated_shift_register, late_inputs, machines, many_ands};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateKind;
    use crate::verify::verify;

    #[test]
    fn circuits_of_many_shapes_are_valid() {
        for seed in 0..400u64 {
            let small = |n: u64| (seed * 7919 % n) as u32;
            let shape = Shape {
                input_bits: 1 + small(23),
                flip_flops: small(5),
                gates: small(131),
                and_percent: small(101),
                output_bits: 1 + small(17),
            };
            let circuit = circuit(seed, &shape);
            verify(&circuit).unwrap_or_else(|e| panic!("seed {seed}, {shape:?}: {e}"));
            assert_eq!(circuit.input_bits(), shape.input_bits as usize);
            assert_eq!(circuit.output_bits(), shape.output_bits as usize);
        }
    }

    #[test]
    fn every_gate_with_every_inversion_occurs() {
        let circuit = circuit(1, &Shape { gates: 2000, ..Shape::default() });
        let mut seen = std::collections::HashSet::new();
        for gate in circuit.gates.iter() {
            seen.insert(match gate.kind() {
                GateKind::Xor { invert, .. } => (0, false, false, invert),
                GateKind::And { a, b, invert } => (1, a.is_inverted(), b.is_inverted(), invert),
                GateKind::Copy { invert, .. } => (2, false, false, invert),
            });
        }
        assert_eq!(seen.len(), 2 + 8 + 2);
    }

    #[test]
    fn every_sort_of_output_and_flip_flop_occurs() {
        let shape = Shape { flip_flops: 150, output_bits: 200, ..Shape::default() };
        let circuit = circuit(1, &shape);
        let [out, out_cycle] = &circuit.outputs[..] else { panic!("two outputs") };
        assert!(!out.per_cycle && out_cycle.per_cycle);
        let is_input = |bit: Bit| bit.wire().is_some_and(|w| w.index() < circuit.input_bits());
        let bits: Vec<Bit> = out.bits.iter().collect();
        for inverted in [false, true] {
            let of_sort = |bit: Bit| bit.is_inverted() == inverted;
            let next = |f: &FlipFlop| f.next == Bit::constant(inverted);
            assert!(bits.contains(&Bit::constant(inverted)));
            assert!(bits.iter().any(|&bit| of_sort(bit) && is_input(bit)));
            assert!(bits.iter().any(|&bit| of_sort(bit) && !is_input(bit)));
            assert!(bits.windows(2).any(|pair| pair[1] == pair[0].invert_if(inverted)));
            assert!(circuit.flip_flops.iter().any(|f| f.init == Init::Constant(inverted)));
            assert!(circuit.flip_flops.iter().any(next));
        }
        for party in [Party::Garbler, Party::Evaluator] {
            let owner = |wire| {
                let ports = circuit.inputs_with_wires();
                ports.filter(|(first, _)| *first <= wire).last().map(|(_, input)| input.party)
            };
            let from = |f: &FlipFlop| match f.init {
                Init::Input(wire) => owner(wire) == Some(party),
                Init::Constant(_) => false,
            };
            assert!(circuit.flip_flops.iter().any(from), "{party}");
        }
        let inputs = circuit.input_bits();
        let mut seen = std::collections::HashSet::new();
        for (own, flip_flop) in (inputs..).zip(&circuit.flip_flops) {
            let Some(wire) = flip_flop.next.wire() else { continue };
            let sort = match wire.index() {
                index if index == own => "itself",
                index if index < inputs => "input",
                index if index < circuit.first_gate_wire() => "flip-flop",
                _ => "gate",
            };
            seen.insert((sort, flip_flop.next.is_inverted()));
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
    }
}
