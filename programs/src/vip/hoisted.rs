//! A fold whose steps leave out the gates that have the same result in each of them.

use halfgate_circuit::builder::{Arg, BuildError};
use halfgate_circuit::{Bit, Builder, Gate, GateKind, Party, Wire};

/// Folds `step`, which gets a builder, the state and the `shared` bits, and returns the next state.
/// Gates that depend on `shared` bits alone are written once, before the fold. Returns the last
/// state.
///
/// Memory: 16 bytes for each gate of a step.
///
/// # Errors
/// If the gates of a step cannot be stored.
pub(super) fn fold(
    b: &mut Builder,
    name: &str,
    steps: u64,
    state: &[Bit],
    shared: &[Bit],
    step: impl FnOnce(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Result<Vec<Bit>, BuildError> {
    let mut alone = Builder::new();
    let own_state = alone.input("state", Party::Garbler, state.len() as u32);
    let own_shared = alone.input("shared", Party::Garbler, shared.len() as u32);
    let next = step(&mut alone, &own_state, &own_shared);
    alone.output("next", &next);
    let circuit = alone.finish()?;

    // For each wire of the step, the bit before the fold that has its value.
    let mut before: Vec<Option<Bit>> = vec![None; state.len()];
    before.extend(shared.iter().copied().map(Some));
    let mut is_read = vec![false; circuit.wires()];
    for gate in circuit.gates.iter() {
        let bit = write(b, gate, |wire| before[wire.index()]);
        if bit.is_none() {
            gate.operands().for_each(|wire| is_read[wire.index()] = true);
        }
        before.push(bit);
    }
    next.iter().filter_map(|bit| bit.wire()).for_each(|wire| is_read[wire.index()] = true);

    let read = |&wire: &usize| is_read[wire] && before[wire].is_some();
    let passed: Vec<usize> = (0..circuit.wires()).filter(read).collect();
    let arguments: Vec<Bit> = passed.iter().filter_map(|&wire| before[wire]).collect();
    let folded = b.fold(name, steps, state, &[Arg::Shared(&arguments)], |b, state, shared| {
        let mut inside: Vec<Option<Bit>> = vec![None; circuit.wires()];
        inside[..state.len()].iter_mut().zip(state).for_each(|(to, &bit)| *to = Some(bit));
        passed.iter().zip(&shared[0]).for_each(|(&wire, &bit)| inside[wire] = Some(bit));
        for (wire, gate) in (circuit.first_gate_wire()..).zip(circuit.gates.iter()) {
            if before[wire].is_none() {
                inside[wire] = write(b, gate, |operand| inside[operand.index()]);
            }
        }
        let bit = |&bit: &Bit| of_wires(bit, |wire| inside[wire.index()]).unwrap_or(bit);
        (next.iter().map(bit).collect(), Vec::new())
    });
    Ok(folded.state)
}

/// Writes a gate whose operands are the bits of its wires; none if a wire has no bit.
fn write(b: &mut Builder, gate: Gate, bit_of: impl Fn(Wire) -> Option<Bit>) -> Option<Bit> {
    let (bit, invert) = match gate.kind() {
        GateKind::Xor { a, b: other, invert } => {
            let (x, y) = (bit_of(a)?, bit_of(other)?);
            (b.xor(x, y), invert)
        }
        GateKind::And { a, b: other, invert } => {
            let (x, y) = (of_wires(a, &bit_of)?, of_wires(other, &bit_of)?);
            (b.and(x, y), invert)
        }
        GateKind::Copy { a, invert } => (bit_of(a)?, invert),
    };
    Some(if invert { !bit } else { bit })
}

/// The bit of a wire that is perhaps inverted; none for a constant and a wire without a bit.
fn of_wires(bit: Bit, bit_of: impl Fn(Wire) -> Option<Bit>) -> Option<Bit> {
    let of_wire = bit_of(bit.wire()?)?;
    Some(if bit.is_inverted() { !of_wire } else { of_wire })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::int;
    use halfgate_circuit::structured::clear;
    use halfgate_circuit::{Bits, Party};

    /// `state = (state ^ (x * x)) + x`, and a bit of the state that is `x`'s own.
    #[test]
    fn shared_gates_are_written_once() {
        let mut b = Builder::new();
        let start = b.input("start", Party::Garbler, 8);
        let x = b.input("x", Party::Evaluator, 8);
        let steps = 5;
        let state = fold(&mut b, "step", steps, &start, &x, |b, state, x| {
            let square = int::square(b, x);
            let mixed = int::xor(b, state, &square);
            let mut next = int::add(b, &mixed, x);
            next[7] = !x[3];
            next
        });
        b.output("state", &state.expect("stored"));
        let circuit = b.finish_structured().expect("a circuit");
        assert_eq!(circuit.functions[0].body.gates.ands(), 7, "an addition of 8 bits");
        for (start, x) in [(0u8, 0u8), (17, 201), (255, 255), (90, 8)] {
            let inputs = [Bits::from_bytes(&[start]), Bits::from_bytes(&[x])];
            let found = clear::evaluate(&circuit, &inputs, 1).expect("evaluated");
            let expected = (0..steps).fold(start, |state, _| {
                let next = (state ^ x.wrapping_mul(x)).wrapping_add(x);
                next & 0x7f | (u8::from(x & 8 == 0) << 7)
            });
            assert_eq!(found[0].to_bytes(), [expected], "{start} {x}");
        }
    }
}
