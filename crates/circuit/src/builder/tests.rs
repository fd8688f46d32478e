use super::*;
use crate::clear::evaluate;
use crate::gate::GateKind;
use crate::{Bits, Stats};
use proptest::prelude::*;

/// A builder with three input bits.
fn three() -> (Builder, [Bit; 3]) {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 3);
    (b, [x[0], x[1], x[2]])
}

#[test]
fn constants_and_repeats_make_no_gate() {
    let (mut b, [x, y, _]) = three();
    let (zero, one) = (Bit::FALSE, Bit::TRUE);
    let and = [(zero, x, zero), (x, zero, zero), (one, x, x), (x, one, x), (one, one, one)];
    for (p, q, expected) in and.into_iter().chain([(x, x, x), (x, !x, zero), (!x, !x, !x)]) {
        assert_eq!(b.and(p, q), expected, "{p:?} & {q:?}");
    }
    let xor = [(zero, x, x), (x, zero, x), (one, x, !x), (!x, one, x), (one, one, zero)];
    for (p, q, expected) in xor.into_iter().chain([(x, x, zero), (x, !x, one), (!x, !x, zero)]) {
        assert_eq!(b.xor(p, q), expected, "{p:?} ^ {q:?}");
    }
    assert_eq!(b.or(x, one), one);
    assert_eq!(b.or(x, !x), one);
    assert_eq!(b.mux(one, x, y), x);
    assert_eq!(b.mux(zero, x, y), y);
    assert_eq!(b.mux(x, y, y), y);
    assert_eq!(b.mux(x, one, zero), x);
    assert_eq!(b.mux(x, zero, one), !x);
    assert_eq!(b.gates(), 0);
}

#[test]
fn equal_gates_are_made_once() {
    let (mut b, [x, y, _]) = three();
    let and = b.and(x, !y);
    assert_eq!(b.and(!y, x), and);
    assert_eq!(b.or(!x, y), !and);
    let xor = b.xor(x, y);
    assert_eq!(b.xor(!y, x), !xor);
    assert_eq!(b.xnor(x, y), !xor);
    assert_eq!(b.gates(), 2);
    assert_ne!(b.and(x, y), and);
}

#[test]
fn a_mux_takes_one_and() {
    for constant in [None, Some(false), Some(true)] {
        for first in [true, false] {
            let (mut b, [x, y, z]) = three();
            let other = constant.map_or(z, Bit::constant);
            let (p, q) = if first { (other, y) } else { (y, other) };
            let chosen = b.mux(x, p, q);
            b.output("y", &[chosen]);
            let circuit = b.finish().unwrap();
            assert_eq!(circuit.gates.ands(), 1);
            for value in 0..8 {
                let input = Bits::from_integer(value, 3);
                let other = constant.unwrap_or(input.get(2));
                let expected = if input.get(0) == first { other } else { input.get(1) };
                let found = evaluate(&circuit, &[input], 1).unwrap();
                assert_eq!(found, [Bits::from_bools(&[expected])]);
            }
        }
    }
}

#[test]
fn mistakes_are_found_at_the_end() {
    let (mut b, [x, ..]) = three();
    b.set_next(x, x);
    assert!(matches!(b.finish(), Err(BuildError::NotAFlipFlop(bit)) if bit == x));

    let (mut b, [x, ..]) = three();
    let q = b.flip_flop(Init::Constant(false));
    b.flip_flop(Init::Constant(true));
    b.set_next(q, x);
    assert!(matches!(b.finish(), Err(BuildError::NoNextState(1))));

    let (mut b, [x, ..]) = three();
    b.output("y", &[x]);
    b.output("y", &[!x]);
    assert!(matches!(b.finish(), Err(BuildError::Invalid(VerifyError::SameName { .. }))));
}

#[test]
fn too_many_wires_is_an_error() {
    let mut b = Builder::new();
    // Pretends that a body has used up all wires but one.
    b.wires = Wire::MAX - 1;
    let x = (0..3).map(|i| Wire::new(i).bit()).collect::<Vec<_>>();
    b.and(x[0], x[1]);
    assert!(b.error.is_none());
    assert_eq!(b.and(x[1], x[2]), Bit::FALSE);
    assert!(matches!(b.finish(), Err(BuildError::TooManyWires)));
}

/// One step of a random construction: an operation on two earlier bits, perhaps inverted.
type Step = (u8, prop::sample::Index, prop::sample::Index, bool, bool);

proptest! {
    #[test]
    fn circuits_are_in_normal_form_and_compute_the_expression(
        steps in prop::collection::vec(any::<Step>(), 1..60),
        value in 0u128..32,
    ) {
        let input = Bits::from_integer(value, 5);
        let mut b = Builder::new();
        let mut bits = b.input("x", Party::Garbler, 5);
        let mut values: Vec<bool> = input.iter().collect();
        bits.extend([Bit::FALSE, Bit::TRUE]);
        values.extend([false, true]);
        for (operation, p, q, invert_p, invert_q) in steps {
            let (p, q) = (p.index(bits.len()), q.index(bits.len()));
            let (x, y) = (bits[p].invert_if(invert_p), bits[q].invert_if(invert_q));
            let (u, v) = (values[p] ^ invert_p, values[q] ^ invert_q);
            let (bit, value) = match operation % 7 {
                0 => (b.and(x, y), u & v),
                1 => (b.xor(x, y), u ^ v),
                2 => (b.or(x, y), u | v),
                3 => (b.nand(x, y), !(u & v)),
                4 => (b.nor(x, y), !(u | v)),
                5 => (b.xnor(x, y), u == v),
                _ => (b.mux(x, y, bits[0]), if u { v } else { values[0] }),
            };
            bits.push(bit);
            values.push(value);
        }
        b.output("y", &bits);
        let circuit = b.finish().unwrap();
        prop_assert_eq!(verify::verify(&circuit), Ok(()));
        prop_assert_eq!(Stats::of(&circuit).copies, 0);
        let mut seen = std::collections::HashSet::new();
        for gate in circuit.gates.iter() {
            let normal = match gate.kind() {
                GateKind::Xor { a, b, invert } => a < b && !invert,
                GateKind::And { a, b, invert } => a.wire() < b.wire() && !invert,
                GateKind::Copy { .. } => false,
            };
            prop_assert!(normal, "{gate:?}");
            prop_assert!(seen.insert(gate), "{gate:?} occurs twice");
        }
        prop_assert_eq!(evaluate(&circuit, &[input], 1).unwrap(), [Bits::from_bools(&values)]);
    }
}

#[test]
fn gates_that_share_a_cache_entry_stay_apart() {
    // Far more gates than the cache has entries. The test computes each bit's value as it is built.
    let input = Bits::from_integer(0b0110_1001, 8);
    let mut b = Builder::new();
    let mut bits = b.input("x", Party::Garbler, 8);
    let mut values: Vec<bool> = input.iter().collect();
    for i in 8..4usize << SeenGates::LOG_ENTRIES {
        let (p, q) = (i - 1, i * 7919 % (i - 1));
        let (bit, value) = match i % 3 {
            0 => (b.and(bits[p], !bits[q]), values[p] & !values[q]),
            _ => (b.xor(bits[p], bits[q]), values[p] ^ values[q]),
        };
        bits.push(bit);
        values.push(value);
    }
    assert!(b.gates() > 2 << SeenGates::LOG_ENTRIES);
    b.output("y", &bits);
    let circuit = b.finish().unwrap();
    assert!(evaluate(&circuit, &[input], 1).unwrap() == [Bits::from_bools(&values)]);
}

#[test]
#[should_panic(expected = "declare input \"late\" before")]
fn inputs_come_before_gates() {
    let (mut b, [x, y, _]) = three();
    b.and(x, y);
    b.input("late", Party::Garbler, 1);
}
