//! Small sequential circuits without randomness, each with one way to use flip-flops.

use crate::builder::Builder;
use crate::circuit::{Circuit, Init, Party};
use crate::id::Bit;

/// Named circuits whose flip-flops have every kind of initial value: shift registers, swaps, rings,
/// inverted and held values, counters, flip-flops that are outputs, and bodies without ANDs or
/// without gates. Each has one cycle by default and can run for any number.
pub fn machines() -> Vec<(&'static str, Circuit)> {
    vec![
        ("shift register", shift_register()),
        ("swap and ring", rings()),
        ("own value", own_values()),
        ("inputs and constants", inputs_and_constants()),
        ("counter", counter()),
        ("accumulator", accumulator()),
        ("shared next value", shared()),
        ("one garbler's flip-flop", single(Party::Garbler)),
        ("one evaluator's flip-flop", single(Party::Evaluator)),
    ]
}

/// An initial value of each kind: 0, 1, the garbler's bit, the evaluator's.
fn kinds(b: &mut Builder) -> [Init; 4] {
    let garbler = b.input("g", Party::Garbler, 1)[0];
    let evaluator = b.input("e", Party::Evaluator, 1)[0];
    let input = |bit: Bit| Init::Input(bit.wire().expect("inputs are wires"));
    [Init::Constant(false), Init::Constant(true), input(garbler), input(evaluator)]
}

fn finish(mut b: Builder, state: &[Bit]) -> Circuit {
    b.output_per_cycle("each", state);
    b.output("last", state);
    b.finish().expect("a short circuit needs no file")
}

/// A shift register, without gates.
fn shift_register() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let new = b.input_per_cycle("x", Party::Evaluator, 1)[0];
    let state: Vec<Bit> = (0..9).map(|i| b.flip_flop(kinds[i % 4])).collect();
    for (i, &q) in state.iter().enumerate() {
        let before = if i == 0 { new } else { state[i - 1].invert_if(i % 3 == 0) };
        b.set_next(q, before);
    }
    finish(b, &state)
}

/// Two flip-flops that exchange values, and a ring of five with inversions, without gates.
fn rings() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let state: Vec<Bit> = (0..7).map(|i| b.flip_flop(kinds[(i + 2) % 4])).collect();
    b.set_next(state[0], state[1]);
    b.set_next(state[1], state[0]);
    for i in 0..5 {
        b.set_next(state[2 + i], state[2 + (i + 1) % 5].invert_if(i % 2 == 0));
    }
    finish(b, &state)
}

/// Flip-flops that hold or invert their own value, for each kind of initial value.
fn own_values() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let state: Vec<Bit> = (0..8).map(|i| b.flip_flop(kinds[i / 2])).collect();
    for (i, &q) in state.iter().enumerate() {
        b.set_next(q, q.invert_if(i % 2 == 0));
    }
    finish(b, &state)
}

/// Next values that are constants and input bits, per run and per cycle.
fn inputs_and_constants() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let once = b.input("a", Party::Garbler, 1)[0];
    let each = b.input_per_cycle("x", Party::Garbler, 1)[0];
    let theirs = b.input_per_cycle("y", Party::Evaluator, 1)[0];
    let nexts = [
        Bit::constant(false),
        Bit::constant(true),
        once,
        once.invert_if(true),
        each,
        each.invert_if(true),
        theirs,
    ];
    let state: Vec<Bit> = (0..nexts.len()).map(|i| b.flip_flop(kinds[i % 4])).collect();
    for (&q, next) in state.iter().zip(nexts) {
        b.set_next(q, next);
    }
    finish(b, &state)
}

/// A counter of five bits. The ANDs of its carry read a flip-flop and the gate that drives it.
fn counter() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let mut carry = b.input_per_cycle("x", Party::Evaluator, 1)[0];
    let state: Vec<Bit> = (0..5).map(|i| b.flip_flop(kinds[i % 4])).collect();
    for &q in &state {
        let sum = b.xor(q, carry);
        carry = b.and(q, carry);
        b.set_next(q, sum);
    }
    finish(b, &state)
}

/// An AND drives the flip-flop that it reads. The outputs are gates, not flip-flops.
fn accumulator() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let x = b.input_per_cycle("x", Party::Garbler, 4);
    let y = b.input_per_cycle("y", Party::Evaluator, 4);
    let state: Vec<Bit> = kinds.iter().map(|kind| b.flip_flop(*kind)).collect();
    let mut outputs = Vec::new();
    for (i, q) in state.into_iter().enumerate() {
        let sum = b.xor(x[i], y[i]);
        let next = b.and(q.invert_if(i % 2 == 0), sum);
        b.set_next(q, next.invert_if(i < 2));
        outputs.push(next);
    }
    finish(b, &outputs)
}

/// One gate drives three flip-flops, one of them inverted. Flip-flops are read before this gate and
/// after it.
fn shared() -> Circuit {
    let mut b = Builder::new();
    let kinds = kinds(&mut b);
    let state: Vec<Bit> = (0..4).map(|i| b.flip_flop(kinds[i])).collect();
    let early = b.and(state[0], state[1]);
    let next = b.xor(early, state[2]);
    let late = b.and(next, state[0]);
    b.set_next(state[0], next);
    b.set_next(state[1], next.invert_if(true));
    b.set_next(state[2], next);
    b.set_next(state[3], late);
    finish(b, &[next, late, state[3]])
}

/// Only one flip-flop, which holds one party's bit.
fn single(party: Party) -> Circuit {
    let mut b = Builder::new();
    let bit = b.input("a", party, 1)[0];
    let q = b.flip_flop(Init::Input(bit.wire().expect("inputs are wires")));
    b.set_next(q, q);
    finish(b, &[q])
}

/// Inputs that are read long after their netlist cycle has begun, so that many cycles are in
/// progress at once.
pub fn late_inputs() -> Circuit {
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Garbler, 2);
    let y = b.input_per_cycle("y", Party::Evaluator, 3);
    let early = b.xor(x[0], y[0]);
    let mut late = b.xor(x[1], y[1]);
    for &y in &y {
        late = b.and(late, y);
    }
    let o = b.xor(early, late);
    b.output_per_cycle("o", &[o]);
    b.finish().expect("a short circuit needs no file")
}

/// Shift registers with different initial values, and inversions wherever possible.
pub fn gated_shift_register() -> Circuit {
    let mut b = Builder::new();
    let held = b.input("held", Party::Evaluator, 2);
    let x = b.input_per_cycle("x", Party::Garbler, 2);
    let inits = [
        Init::Constant(true),
        Init::Constant(false),
        Init::Input(held[1].wire().expect("inputs are wires")),
    ];
    let states: Vec<Bit> = (0..9).map(|place| b.flip_flop(inits[place % 3])).collect();
    let both = b.and(x[0].invert_if(true), states[8]);
    let first = b.xor(both, x[1]);
    let second = b.and(first, states[3].invert_if(true)).invert_if(true);
    let third = b.and(second, held[0]);
    let sum = b.xor(third, states[5]);
    for (place, &state) in states.iter().enumerate() {
        let next = if place == 0 { sum } else { states[place - 1].invert_if(place % 2 == 1) };
        b.set_next(state, next);
    }
    b.output_per_cycle("o", &[sum, second, states[7]]);
    b.finish().expect("a short circuit needs no file")
}

/// ANDs that depend only on inputs, and are all outputs. A machine can make their tables at its
/// highest rate.
pub fn many_ands() -> Circuit {
    const ANDS: u32 = 60;
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Garbler, ANDS);
    let y = b.input_per_cycle("y", Party::Evaluator, ANDS);
    let all: Vec<Bit> = x.iter().zip(&y).map(|(&x, &y)| b.and(x, y)).collect();
    b.output_per_cycle("all", &all);
    b.finish().expect("a short circuit needs no file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::verify;

    #[test]
    fn machines_are_valid_and_have_every_initial_kind() {
        for (name, circuit) in machines() {
            verify(&circuit).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(circuit.is_sequential(), "{name}");
        }
        let without_ands = machines().iter().filter(|(_, c)| c.gates.ands() == 0).count();
        assert!(without_ands >= 6);
    }
}
