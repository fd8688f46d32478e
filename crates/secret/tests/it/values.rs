//! Tests of all secret values: selection, states, and errors.

use crate::common::run;
use halfgate_circuit::{Bits, clear};
use halfgate_secret::{
    Bool, I16, Length, List, Native, Party, Secret, State, U8, U32, Uint, ValueError, input,
    input_each_cycle, list, output, output_each_cycle, trace, when, with_builder,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Mixed = (U8, [Bool; 3], (I16, U32));

proptest! {
    #[test]
    fn anything_can_be_selected(c: bool, x: (u8, [bool; 3], (i16, u32)), y: (u8, [bool; 3], (i16, u32))) {
        let found = run(|c: Bool, (x, y): (Mixed, Mixed)| {
            let mut z = x;
            z.assign_if(c, y);
            (c.select(x, y), c.swap(x, y), z)
        }, c, (x, y));
        let (first, second) = if c { (x, y) } else { (y, x) };
        prop_assert_eq!(found, (first, (second, first), second));
    }

    #[test]
    fn when_reads_like_if(x: u32) {
        let found = run(|x: U32, (): ()| when!(if x.lt(1 << 10) {
            x * 2
        } else if x.lt(1 << 20) & x.bit(0) {
            let y = x + 1;
            y / 3
        } else {
            0
        }), x, ());
        let expected = if x < 1 << 10 {
            x * 2
        } else if x < 1 << 20 && x % 2 == 1 {
            (x + 1) / 3
        } else {
            0
        };
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn iterators_just_work(xs: [u32; 9]) {
        let found = run(|xs: [U32; 9], (): ()| (
            xs.iter().sum::<U32>(),
            xs.into_iter().reduce(U32::max).unwrap(),
            xs.iter().map(|x| U8::from(x.gt(1 << 30))).sum::<U8>(),
            xs.iter().take(2).product::<U32>(),
        ), xs, ());
        let large = xs.iter().filter(|&&x| x > 1 << 30).count() as u8;
        let sum = xs.iter().fold(0, |sum: u32, &x| sum.wrapping_add(x));
        let expected = (sum, *xs.iter().max().unwrap(), large, xs[0].wrapping_mul(xs[1]));
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn lists_have_a_length_at_run_time() {
    let sum = |xs: &[u32]| {
        let circuit = trace(|| {
            let xs: Vec<U32> = list("xs", Party::Garbler, xs.len());
            output("sum", &xs.iter().sum::<U32>());
        })
        .unwrap();
        let mut bits = Bits::new();
        Vec::<U32>::encode(&Length(xs.len()), &xs.to_vec(), &mut |bit| bits.push(bit)).unwrap();
        clear::evaluate(&circuit, &[bits], 1).unwrap()[0].to_integer().unwrap()
    };
    assert_eq!(sum(&[7]), 7);
    assert_eq!(sum(&[1, 2, 3, 4, 5]), 15);
}

#[test]
fn state_is_carried_from_cycle_to_cycle() {
    let circuit = trace(|| {
        let start: U8 = input("start", Party::Garbler);
        let step: U8 = input_each_cycle("step", Party::Evaluator);
        // One starts from a constant, one from an input, one from an inverted input.
        let count = State::new(&U8::from(3));
        let sum = State::new(&start);
        let mirrored = State::new(&!start);
        count.set_next(&(count.value() + 1));
        sum.set_next(&(sum.value() + step));
        mirrored.set_next(&(mirrored.value() - step));
        output_each_cycle("sum", &sum.value());
        output("end", &(count.value(), sum.value(), mirrored.value()));
    })
    .unwrap();
    let inputs = [Bits::from_bytes(&[100]), Bits::from_bytes(&[1, 10, 50])];
    let outputs = clear::evaluate(&circuit, &inputs, 3).unwrap();
    assert_eq!(outputs[0].to_bytes(), [100, 101, 111]);
    assert_eq!(outputs[1].to_bytes(), [5, 111, !100 - 11]);
}

#[test]
fn gadgets_compute_on_the_bits_of_values() {
    let found = run(
        |x: U8, y: U8| {
            let (x, y) = (x.to_bits(), y.to_bits());
            U8::from_bits(&(), &with_builder(|b| halfgate_circuit::int::add(b, &x, &y)))
        },
        20,
        22,
    );
    assert_eq!(found, 42);
}

#[test]
fn plain_values_that_do_not_fit_are_refused() {
    let mut bits = |_| ();
    let error = Uint::<20>::encode(&(), &(1 << 20), &mut bits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the value does not fit in 20 bits: it must be from 0 to 1048575"
    );
    type Small = halfgate_secret::Int<3>;
    assert!(
        Small::encode(&(), &3, &mut bits).is_ok() && Small::encode(&(), &-4, &mut bits).is_ok()
    );
    let error = Small::encode(&(), &-5, &mut bits).unwrap_err();
    assert_eq!(error.to_string(), "the value does not fit in 3 bits: it must be from -4 to 3");
    assert_eq!(Small::encode(&(), &4, &mut bits), Err(error));
    let error = Vec::<(U8, Small)>::encode(&Length(2), &vec![(1, 0), (0, 9)], &mut bits);
    assert_eq!(
        error.unwrap_err().to_string(),
        "element 1: element 1: the value does not fit in 3 bits: it must be from -4 to 3"
    );
    let error = Vec::<U8>::encode(&Length(2), &vec![1], &mut bits);
    assert_eq!(error, Err(ValueError::Length { expected: 2, found: 1 }));
}

/// Returns the panic message of `f`.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).err().expect("it panics");
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string())
}

#[test]
fn values_stay_in_their_circuit() {
    let smuggled = Cell::new(None);
    trace(|| smuggled.set(Some(input::<U8>("x", Party::Garbler)))).unwrap();
    let smuggled = smuggled.get().unwrap();
    let text = panic_of(|| trace(|| output("y", &(smuggled + 1))));
    assert!(text.contains("another circuit"), "{text}");
    let text = panic_of(|| trace(|| output("y", &smuggled)));
    assert!(text.contains("another circuit"), "{text}");
    let text = panic_of(|| smuggled + 1);
    assert!(text.contains("no circuit is being written on this thread"), "{text}");
    // The panic has left no circuit behind. A circuit written inside another is separate.
    let circuit = trace(|| {
        let x: U8 = input("x", Party::Garbler);
        let inner = trace(|| output("y", &input::<U8>("y", Party::Garbler).is_zero())).unwrap();
        assert_eq!(inner.gates.ands(), 7);
        output("x", &x.equals(1));
    });
    assert_eq!(circuit.unwrap().gates.ands(), 7);
}

#[test]
fn mistakes_have_clear_messages() {
    let text = panic_of(|| U8::from(256));
    assert_eq!(text, "the constant 256 does not fit an unsigned integer of 8 bits");
    assert!(panic_of(|| U8::from(-1)).contains("negative"));
    assert!(panic_of(|| I16::from(32768)).contains("does not fit a signed integer of 16 bits"));
    let text = panic_of(|| trace(|| output("x", &with_builder(|_| U8::from(1) + 1))));
    assert!(text.contains("use the builder and no secret values"), "{text}");
    let text = panic_of(|| {
        trace(|| {
            let xs: Vec<U8> = list("xs", Party::Garbler, 2);
            Bool::from(true).select(xs.clone(), vec![xs[0]]);
        })
    });
    assert!(text.contains("same length"), "{text}");
    assert_eq!(format!("{:?} {:?}", U8::from(7), Bool::from(true)), "Uint<8>(secret) Bool(secret)");
}

/// Returns the lines of a circuit's ANDs, each once, with `?` for an AND without a line.
fn lines_of(circuit: &halfgate_circuit::Circuit) -> Vec<String> {
    let sources = circuit.gates.sources().expect("lines");
    let ands = circuit.gates.iter().enumerate().filter(|(_, gate)| gate.is_and());
    let mut lines: Vec<_> =
        ands.map(|(gate, _)| sources.line(gate as u64).unwrap_or("?").to_owned()).collect();
    lines.dedup();
    lines
}

#[test]
fn gates_know_the_line_that_made_them() {
    let first = line!() + 4;
    let circuit = trace(|| {
        let x: Vec<U32> = list("x", Party::Garbler, 4);
        let y: U32 = input("y", Party::Evaluator);
        let sum = x[0] + y;
        let mut best = when!(if sum.gt(x[1]) { sum } else { x[1] });
        best.assign_if(y.bit(0), x[2].min(x[3]));
        let place = y.cast::<2>();
        let read = x.read(place);
        output("best", &(best / 3 + read));
        output("all", &x.iter().sum::<U32>());
    });
    let at = |line: u32| format!("{}:{}", file!(), first + line);
    // The standard library calls the sum of an iterator, and does not pass on the caller's
    // location.
    let expected = [at(0), at(1), at(2), at(4), at(5), "?".to_owned()];
    assert_eq!(lines_of(&circuit.expect("a circuit")), expected);
}
