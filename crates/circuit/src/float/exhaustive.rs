//! Compares every value, or every pair of values, of small formats with exact arithmetic.

mod model;

use super::check::{BATCH, Kind, WORDS, lanes};
use super::*;
use crate::builder::Builder;
use crate::circuit::Party;
use crate::clear::LanesEvaluator;
use crate::id::Bit;
use model::{Model, Value};

/// Formats small enough to try all pairs of values. Some have fewer exponents than fraction bits,
/// some have more. With 2 exponent bits, a third of the finite numbers is zero or subnormal.
const SMALL: [Format; 5] = [
    Format { exponent: 2, fraction: 2 },
    Format { exponent: 2, fraction: 4 },
    Format { exponent: 3, fraction: 2 },
    Format { exponent: 4, fraction: 3 },
    Format { exponent: 5, fraction: 2 },
];

/// Tries all operands of these widths and compares the results with `expected`.
fn try_all(
    what: &str,
    widths: &[usize],
    build: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>,
    expected: impl Fn(&[u64]) -> u64,
) {
    let mut b = Builder::new();
    let inputs: Vec<Vec<Bit>> = (widths.iter().enumerate())
        .map(|(i, &width)| b.input(format!("x{i}"), Party::Garbler, width as u32))
        .collect();
    let result = build(&mut b, &inputs);
    b.output("result", &result);
    let circuit = b.finish().unwrap();
    let mut evaluator = LanesEvaluator::<WORDS>::new(&circuit).unwrap();
    let kinds: Vec<Kind> = widths.iter().map(|&width| Kind::Integer(width)).collect();
    let operands = |index: u64| {
        let mut place = 0;
        let mut operands = [0; 3];
        for (operand, &width) in operands.iter_mut().zip(widths) {
            *operand = index >> place & ((1 << width) - 1);
            place += width;
        }
        operands
    };
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let all: Vec<[u64; 3]> = (0..1 << widths.iter().sum::<usize>()).map(operands).collect();
    for sets in all.chunks(BATCH) {
        lanes::spread(sets, &kinds, &mut inputs);
        evaluator.evaluate(&inputs, 1, &mut outputs).unwrap();
        for (operands, found) in sets.iter().zip(lanes::gather(&outputs[0])) {
            let operands = &operands[..widths.len()];
            assert_eq!(found, expected(operands), "{what} of {operands:?}");
        }
    }
}

type Unary = fn(&mut Builder, Format, &[Bit]) -> Vec<Bit>;
type Predicate = fn(&mut Builder, Format, &[Bit], &[Bit]) -> Bit;
type ToInt = fn(&mut Builder, Format, &[Bit], usize) -> Vec<Bit>;
type Binary = fn(&mut Builder, Format, &[Bit], &[Bit]) -> Vec<Bit>;

#[test]
fn quotients_and_roots() {
    for format in SMALL {
        let model = Model::new(format);
        let width = format.width();
        try_all(
            &format!("div {format:?}"),
            &[width; 2],
            |b, x| div(b, format, &x[0], &x[1]),
            |x| model.div(x[0], x[1]),
        );
        if format.fraction as u64 >= format.bias() {
            continue;
        }
        try_all(
            &format!("sqrt {format:?}"),
            &[width],
            |b, x| sqrt(b, format, &x[0]),
            |x| model.sqrt(x[0]),
        );
    }
}

#[test]
fn comparisons() {
    let predicates: [(&str, Predicate); 6] =
        [("eq", eq), ("lt", lt), ("le", le), ("gt", gt), ("ge", ge), ("unordered", unordered)];
    for format in SMALL {
        let model = Model::new(format);
        let width = format.width();
        for (name, f) in predicates {
            let expected = |x: &[u64]| {
                let order = model.compare(x[0], x[1]);
                u64::from(match name {
                    "eq" => order.is_some_and(|order| order.is_eq()),
                    "lt" => order.is_some_and(|order| order.is_lt()),
                    "le" => order.is_some_and(|order| order.is_le()),
                    "gt" => order.is_some_and(|order| order.is_gt()),
                    "ge" => order.is_some_and(|order| order.is_ge()),
                    _ => order.is_none(),
                })
            };
            let build = |b: &mut Builder, x: &[Vec<Bit>]| vec![f(b, format, &x[0], &x[1])];
            try_all(&format!("{name} {format:?}"), &[width; 2], build, expected);
        }
        let extremes: [(&str, Binary); 4] =
            [("min", min), ("max", max), ("minimum", minimum), ("maximum", maximum)];
        for (name, f) in extremes {
            let expected = |x: &[u64]| model.extreme(x[0], x[1], name);
            let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, format, &x[0], &x[1]);
            try_all(&format!("{name} {format:?}"), &[width; 2], build, expected);
        }
    }
}

#[test]
fn integral_values() {
    let functions: [(&str, Unary); 4] =
        [("floor", floor), ("ceil", ceil), ("trunc", trunc), ("round_ties_even", round_ties_even)];
    let wider =
        [Format { exponent: 5, fraction: 7 }, Format { exponent: 3, fraction: 8 }, BINARY16];
    for format in SMALL.into_iter().chain(wider) {
        let model = Model::new(format);
        for (name, f) in functions {
            let expected = |x: &[u64]| match model.value(x[0]) {
                Value::Nan => model.nan(),
                Value::Infinite(_) => x[0],
                Value::Finite { negative, .. } => {
                    let integer = model.to_integer(x[0], name);
                    model.nearest(negative, integer.unsigned_abs(), 1)
                }
            };
            let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, format, &x[0]);
            try_all(&format!("{name} {format:?}"), &[format.width()], build, expected);
        }
    }
}

#[test]
fn integers() {
    for format in SMALL.into_iter().chain([Format { exponent: 4, fraction: 6 }]) {
        let model = Model::new(format);
        for width in 1..=12 {
            to_and_from_integers(format, &model, width);
        }
    }
}

fn to_and_from_integers(format: Format, model: &Model, width: usize) {
    let mask = (1u64 << width) - 1;
    for signed in [true, false] {
        let to_int: [ToInt; 2] = match signed {
            true => [to_signed, to_signed_nearest],
            false => [to_unsigned, to_unsigned_nearest],
        };
        let (least, most) = match signed {
            true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            false => (0, (1i128 << width) - 1),
        };
        if !(signed && width == 1) {
            for (f, rounding) in to_int.into_iter().zip(["trunc", "round_ties_even"]) {
                let expected = |x: &[u64]| match model.value(x[0]) {
                    Value::Nan => 0,
                    Value::Infinite(negative) => {
                        (if negative { least } else { most }) as u64 & mask
                    }
                    Value::Finite { .. } => {
                        model.to_integer(x[0], rounding).clamp(least, most) as u64 & mask
                    }
                };
                let build = |b: &mut Builder, x: &[Vec<Bit>]| f(b, format, &x[0], width);
                let what = format!("{rounding} {format:?} to {width} bits, signed {signed}");
                try_all(&what, &[format.width()], build, expected);
            }
        }
        let from_int: Unary = if signed { from_signed } else { from_unsigned };
        let expected = |x: &[u64]| {
            let negative = signed && x[0] >> (width - 1) == 1;
            let magnitude = if negative { (mask + 1) - x[0] } else { x[0] };
            model.nearest(negative, magnitude.into(), 1)
        };
        let build = |b: &mut Builder, x: &[Vec<Bit>]| from_int(b, format, &x[0]);
        try_all(
            &format!("{width} bits, signed {signed}, to {format:?}"),
            &[width],
            build,
            expected,
        );
    }
}

#[test]
fn formats() {
    let more = [
        Format { exponent: 3, fraction: 9 },
        Format { exponent: 6, fraction: 5 },
        Format { exponent: 4, fraction: 2 },
    ];
    for from in SMALL.into_iter().chain(more) {
        let model = Model::new(from);
        for to in SMALL.into_iter().chain(more) {
            let other = Model::new(to);
            let expected = |x: &[u64]| match model.value(x[0]) {
                Value::Nan => other.nan(),
                Value::Infinite(negative) => other.infinity(negative),
                Value::Finite { negative, numerator } => {
                    other.nearest(negative, numerator, model.denominator())
                }
            };
            let build = |b: &mut Builder, x: &[Vec<Bit>]| convert(b, from, to, &x[0]);
            try_all(&format!("{from:?} to {to:?}"), &[from.width()], build, expected);
        }
    }
}
