//! Compares each function with Rust's integers, 64 pairs of values at a time, and counts its ANDs.

use super::*;
use crate::builder::Builder;
use crate::circuit::{Circuit, Party};
use crate::clear::evaluate_lanes;
use crate::verify::verify;
use proptest::prelude::*;

mod divide;
mod more;
mod products;
mod short;

/// A circuit of inputs of the given widths and one output value.
fn circuit<const N: usize>(
    widths: [usize; N],
    f: impl FnOnce(&mut Builder, [&[Bit]; N]) -> Vec<Bit>,
) -> Circuit {
    let mut b = Builder::new();
    let inputs: [Vec<Bit>; N] =
        std::array::from_fn(|i| b.input(format!("x{i}"), Party::Garbler, widths[i] as u32));
    let output = f(&mut b, inputs.each_ref().map(Vec::as_slice));
    b.output("y", &output);
    let circuit = b.finish().unwrap();
    verify(&circuit).unwrap();
    circuit
}

/// The output of a circuit for each of at most 64 sets of inputs.
fn outputs<const N: usize>(circuit: &Circuit, values: &[[u128; N]]) -> Vec<u128> {
    let column = |port: usize| {
        let bit = |bit: u32| {
            let lane = |(lane, set): (usize, &[u128; N])| ((set[port] >> bit & 1) as u64) << lane;
            [values.iter().enumerate().map(lane).sum::<u64>()]
        };
        (0..circuit.inputs[port].width).map(bit).collect()
    };
    let inputs: Vec<Vec<[u64; 1]>> = (0..N).map(column).collect();
    let output = evaluate_lanes(circuit, &inputs, 1).unwrap().remove(0);
    let value = |lane: usize| {
        let bit = |(i, word): (usize, &[u64; 1])| u128::from(word[0] >> lane & 1) << i;
        output.iter().enumerate().map(bit).sum()
    };
    (0..values.len()).map(value).collect()
}

/// Values of at most `width` bits that are often near the limits of the range.
fn value(width: usize) -> impl Strategy<Value = u128> {
    let mask = mask(width);
    prop_oneof![
        4 => any::<u128>().prop_map(move |value| value & mask),
        1 => (0u128..4).prop_map(move |value| value & mask),
        1 => (0u128..4).prop_map(move |value| (mask - value.min(mask)) & mask),
        1 => (0u128..4).prop_map(move |value| (mask / 2).wrapping_add(value) & mask),
    ]
}

fn mask(width: usize) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value as a number in two's complement.
fn signed(value: u128, width: usize) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

/// A width and up to 64 pairs of values of that width.
fn pairs(
    widths: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = (usize, Vec<[u128; 2]>)> {
    widths.prop_flat_map(|width| {
        let pair = (value(width), value(width)).prop_map(|(x, y)| [x, y]);
        (Just(width), prop::collection::vec(pair, 1..=64))
    })
}

type Binary = fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>;

/// Compares `f`, on two values of `width` bits, with `expected`, a function on integers.
fn check(
    width: usize,
    values: &[[u128; 2]],
    f: impl Fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>,
    expected: impl Fn(u128, u128) -> u128,
) {
    let circuit = circuit([width, width], |b, [x, y]| f(b, x, y));
    for ([x, y], found) in values.iter().zip(outputs(&circuit, values)) {
        assert_eq!(found, expected(*x, *y), "{x:#x} and {y:#x} of {width} bits");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sums((width, values) in pairs(1..=128)) {
        let mask = mask(width);
        check(width, &values, add, |x, y| x.wrapping_add(y) & mask);
        check(width, &values, sub, |x, y| x.wrapping_sub(y) & mask);
        check(width, &values, |b, x, _| neg(b, x), |x, _| x.wrapping_neg() & mask);
        check(width, &values, |_, x, _| not(x), |x, _| !x & mask);
        check(width, &values, |b, x, y| negate_if(b, y[0], x), |x, y| {
            if y & 1 == 1 { x.wrapping_neg() & mask } else { x }
        });
        check(width, &values, |b, x, y| increment_if(b, y[0], x), |x, y| {
            x.wrapping_add(y & 1) & mask
        });
        check(width, &values, |b, x, _| abs(b, x), |x, _| signed(x, width).unsigned_abs());
        if width < 128 {
            check(width, &values, add_carry, |x, y| x + y);
        }
    }

    #[test]
    fn comparisons((width, values) in pairs(1..=128)) {
        let signed = |x| signed(x, width);
        let mask = mask(width);
        check(width, &values, |b, x, y| vec![eq(b, x, y)], |x, y| (x == y).into());
        check(width, &values, |b, x, _| vec![is_zero(b, x)], |x, _| (x == 0).into());
        check(width, &values, |b, x, y| vec![lt_unsigned(b, x, y)], |x, y| (x < y).into());
        check(width, &values, |b, x, y| vec![le_unsigned(b, x, y)], |x, y| (x <= y).into());
        check(width, &values, |b, x, y| vec![lt_signed(b, x, y)], |x, y| {
            (signed(x) < signed(y)).into()
        });
        check(width, &values, min_unsigned, |x, y| x.min(y));
        check(width, &values, max_unsigned, |x, y| x.max(y));
        check(width, &values, min_signed, |x, y| signed(x).min(signed(y)) as u128 & mask);
        check(width, &values, max_signed, |x, y| signed(x).max(signed(y)) as u128 & mask);
        let equal: Vec<_> = values.iter().map(|&[x, _]| [x, x]).collect();
        check(width, &equal, |b, x, y| vec![eq(b, x, y), lt_unsigned(b, x, y)], |_, _| 1);
        check(width, &equal, |b, x, y| vec![le_unsigned(b, x, y), lt_signed(b, x, y)], |_, _| 1);
    }

    #[test]
    fn choices((width, values) in pairs(1..=64), condition: bool) {
        let bit = Bit::constant(condition);
        check(width, &values, xor, |x, y| x ^ y);
        check(width, &values, and, |x, y| x & y);
        check(width, &values, |b, x, y| select(b, x[0], x, y), |x, y| if x & 1 == 1 { x } else { y });
        check(width, &values, |b, x, y| { let (p, q) = swap_if(b, y[0], x, y); [p, q].concat() },
            |x, y| if y & 1 == 1 { y | x << width } else { x | y << width });
        let circuit = circuit([width, width], |b, [x, y]| select(b, bit, x, y));
        prop_assert_eq!(circuit.gates.len(), 0);
        prop_assert_eq!(outputs(&circuit, &values)[0], values[0][usize::from(!condition)]);
    }

    #[test]
    fn products_and_quotients((width, values) in pairs(1..=64)) {
        let mask = mask(width);
        check(width, &values, mul, |x, y| x.wrapping_mul(y) & mask);
        check(width, &values, mul_full, |x, y| x * y);
        check(width, &values, |b, x, y| {
            let (quotient, rest) = div_rem_unsigned(b, x, y);
            [quotient, rest].concat()
        }, |x, y| match x.checked_div(y) {
            Some(quotient) => quotient | (x % y) << width,
            None => mask | x << width,
        });
    }

    #[test]
    fn operands_of_different_widths(
        (wide, narrow) in (1usize..40, 1usize..40),
        x: u64, y: u64,
    ) {
        let (x, y) = (u128::from(x) & mask(wide), u128::from(y) & mask(narrow));
        let width = wide.max(narrow);
        let run = |f: Binary| {
            let circuit = circuit([wide, narrow], |b, [x, y]| f(b, x, y));
            outputs(&circuit, &[[x, y]])[0]
        };
        prop_assert_eq!(run(add), (x + y) & mask(width));
        prop_assert_eq!(run(sub), x.wrapping_sub(y) & mask(width));
        prop_assert_eq!(run(mul), (x * y) & mask(width));
        prop_assert_eq!(run(mul_full), x * y);
        prop_assert_eq!(run(|b, x, y| vec![eq(b, x, y), lt_unsigned(b, x, y)]),
            u128::from(x == y) | u128::from(x < y) << 1);
        let (sx, sy) = (signed(x, wide), signed(y, narrow));
        prop_assert_eq!(run(|b, x, y| vec![lt_signed(b, x, y)]), u128::from(sx < sy));
        prop_assert_eq!(run(max_signed), sx.max(sy) as u128 & mask(width));
        if let (Some(quotient), Some(rest)) = (x.checked_div(y), x.checked_rem(y)) {
            prop_assert_eq!(run(|b, x, y| div_rem_unsigned(b, x, y).0), quotient);
            prop_assert_eq!(run(|b, x, y| div_rem_unsigned(b, x, y).1), rest);
        }
    }

    #[test]
    fn constants_fold_and_agree((width, values) in pairs(1..=32), known in value(32)) {
        let known = known & mask(width);
        for constant_first in [false, true] {
            let circuit = circuit([width], |b, [x]| {
                let known = constant(width, known);
                let (p, q) = if constant_first { (&*known, x) } else { (x, &*known) };
                [mul(b, p, q), add(b, p, q), vec![lt_unsigned(b, p, q)]].concat()
            });
            for &[x, _] in &values {
                let (p, q) = if constant_first { (known, x) } else { (x, known) };
                let expected = ((p * q) & mask(width))
                    | ((p + q) & mask(width)) << width
                    | u128::from(p < q) << (2 * width);
                prop_assert_eq!(outputs(&circuit, &[[x]])[0], expected);
            }
        }
    }

    #[test]
    fn shifts((width, values) in pairs(1..=64), amount_width in 1usize..9) {
        let mask = mask(width);
        let values: Vec<[u128; 2]> =
            values.iter().map(|&[x, y]| [x, y & ((1 << amount_width) - 1)]).collect();
        let expected = |name: &str, x: u128, by: usize| match name {
            "shl" if by < width => x << by & mask,
            "shr" if by < width => x >> by,
            "sar" => (signed(x, width) >> by.min(127)) as u128 & mask,
            "rotl" => (x << (by % width) | x >> (width - by % width)) & mask,
            _ => 0,
        };
        type Constant = fn(&[Bit], usize) -> Vec<Bit>;
        let functions: [(&str, Binary, Constant); 4] = [
            ("shl", shl, shl_const), ("shr", shr, shr_const),
            ("sar", sar, sar_const), ("rotl", rotl, rotl_const),
        ];
        for (name, variable, by_constant) in functions {
            let shifter = circuit([width, amount_width], |b, [x, y]| variable(b, x, y));
            for ([x, by], found) in values.iter().zip(outputs(&shifter, &values)) {
                prop_assert_eq!(found, expected(name, *x, *by as usize), "{} by {}", name, by);
            }
            let [x, by] = values[0];
            let wiring = circuit([width], |_, [x]| by_constant(x, by as usize));
            prop_assert_eq!(wiring.gates.len(), 0);
            prop_assert_eq!(outputs(&wiring, &[[x]])[0], expected(name, x, by as usize));
        }
    }

    #[test]
    fn counts_and_extensions((width, values) in pairs(1..=128)) {
        let first: Vec<[u128; 1]> = values.iter().map(|&[x, _]| [x]).collect();
        let counter = circuit([width], |b, [x]| popcount(b, x));
        prop_assert_eq!(counter.output_bits() as u32, usize::BITS - width.leading_zeros());
        for (&[x], found) in first.iter().zip(outputs(&counter, &first)) {
            prop_assert_eq!(found, u128::from(x.count_ones()));
        }
        let wider = circuit([width], |_, [x]| sign_extend(x, 128));
        let narrower = circuit([width], |_, [x]| zero_extend(x, width / 2 + 1));
        for &[x] in &first {
            prop_assert_eq!(outputs(&wider, &[[x]])[0] as i128, signed(x, width));
            prop_assert_eq!(outputs(&narrower, &[[x]])[0], x & mask(width / 2 + 1));
        }
    }
}

/// ANDs of a function of two values of `n` bits.
fn ands(n: usize, f: Binary) -> usize {
    circuit([n, n], |b, [x, y]| f(b, x, y)).gates.ands() as usize
}

#[test]
fn ands_are_as_stated() {
    for n in [2usize, 3, 8, 31, 32, 64] {
        assert_eq!(ands(n, add), n - 1);
        assert_eq!(ands(n, add_carry), n);
        assert_eq!(ands(n, sub), n - 1);
        assert_eq!(ands(n, |b, x, _| neg(b, x)), n - 2);
        assert_eq!(ands(n, |b, x, y| negate_if(b, y[0], x)), n - 1);
        assert_eq!(ands(n, |b, x, y| increment_if(b, y[0], x)), n - 1);
        assert!(ands(n, |b, x, _| abs(b, x)) < n);
        assert_eq!(ands(n, |b, x, y| vec![eq(b, x, y)]), n - 1);
        assert_eq!(ands(n, |b, x, y| vec![lt_unsigned(b, x, y)]), n);
        assert_eq!(ands(n, |b, x, y| vec![le_unsigned(b, x, y)]), n);
        assert_eq!(ands(n, |b, x, y| vec![lt_signed(b, x, y)]), n);
        for f in [min_unsigned, max_unsigned, min_signed, max_signed] {
            assert_eq!(ands(n, f), 2 * n);
        }
        if n < 30 {
            assert_eq!(ands(n, mul), n * (n + 1) / 2 + (n - 1) * (n - 2) / 2);
        }
        if n < 16 {
            assert_eq!(ands(n, mul_full), n * n + n * (n - 1));
        }
        let condition = |f: fn(&mut Builder, Bit, &[Bit], &[Bit]) -> Vec<Bit>| {
            circuit([1, n, n], |b, [c, x, y]| f(b, c[0], x, y)).gates.ands() as usize
        };
        assert_eq!(condition(select), n);
        assert_eq!(condition(|b, c, x, y| swap_if(b, c, x, y).0), n);
        let log = n.next_power_of_two().ilog2() as usize;
        for (f, most) in [(shl as Binary, n * log), (shr, n * log), (sar, n * log), (rotl, n * log)]
        {
            let shifter = circuit([n, log], |b, [x, y]| f(b, x, y));
            assert!(shifter.gates.ands() as usize <= most, "shift of {n} bits");
        }
    }
    assert_eq!(ands(32, mul), 975);
}

#[test]
fn popcount_takes_the_fewest_ands() {
    for n in 1usize..200 {
        let ands = circuit([n], |b, [x]| popcount(b, x)).gates.ands();
        assert_eq!(ands, n as u64 - u64::from(n.count_ones()), "{n} bits");
    }
}

#[test]
fn no_bits_are_zero() {
    let mut b = Builder::new();
    let none: &[Bit] = &[];
    for f in [add, sub, mul, mul_full, xor, and, shl, shr, sar, rotl, min_signed] {
        assert_eq!(f(&mut b, none, none), []);
    }
    assert_eq!(add_carry(&mut b, none, none), [Bit::FALSE]);
    assert_eq!(eq(&mut b, none, none), Bit::TRUE);
    assert_eq!(lt_signed(&mut b, none, none), Bit::FALSE);
    assert_eq!(popcount(&mut b, none), []);
    assert_eq!(div_rem_unsigned(&mut b, none, none), (vec![], vec![]));
    assert_eq!(rotl_const(none, 3), []);
    assert_eq!(sign_extend(none, 2), [Bit::FALSE; 2]);
}
