//! Compares small formats exhaustively with exact integer arithmetic.

use super::*;

/// A value. Finite numbers are integers, so their sums and products are exact. Rounding searches
/// for the two nearest encodings: it does not shift, count zeros or use guard bits.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Nan,
    Infinite {
        negative: bool,
    },
    /// A number, in units of the format's smallest subnormal number or of the square of that
    /// number. `negative` is the sign, also of zero.
    Finite {
        units: i128,
        negative: bool,
    },
}

use Value::{Finite, Infinite, Nan};

/// Returns the value of an encoding, in units of the smallest subnormal number.
fn decode(format: Format, bits: u64) -> Value {
    let negative = bits >> (format.width() - 1) & 1 == 1;
    let field = bits >> format.fraction & format.top_exponent();
    let fraction = bits & ((1 << format.fraction) - 1);
    if field == format.top_exponent() {
        return if fraction == 0 { Infinite { negative } } else { Nan };
    }
    let hidden = u64::from(field > 0) << format.fraction;
    let magnitude = i128::from(fraction + hidden) << field.saturating_sub(1);
    Finite { units: if negative { -magnitude } else { magnitude }, negative }
}

/// Returns the encoding nearest to a value with `scale` units per smallest subnormal number.
fn encode(format: Format, value: Value, scale: i128) -> u64 {
    let sign = |negative: bool| u64::from(negative) << (format.width() - 1);
    let infinity = format.top_exponent() << format.fraction;
    match value {
        Nan => infinity | 1 << (format.fraction - 1),
        Infinite { negative } => sign(negative) | infinity,
        Finite { units, negative } => {
            // Magnitudes grow with encodings. Infinity counts as the next number after the largest.
            let magnitude = |bits: u64| match decode(format, bits) {
                Finite { units, .. } => units * scale,
                _ => i128::from(1 << format.fraction) * (scale << (format.top_exponent() - 1)),
            };
            let (mut below, mut above) = (0, infinity);
            let units = units.abs();
            if units >= magnitude(infinity) {
                return sign(negative) | infinity;
            }
            while above - below > 1 {
                let middle = (below + above) / 2;
                *(if magnitude(middle) <= units { &mut below } else { &mut above }) = middle;
            }
            let (down, up) = (units - magnitude(below), magnitude(above) - units);
            let even = if below % 2 == 0 { below } else { above };
            sign(negative)
                | if down < up {
                    below
                } else if up < down {
                    above
                } else {
                    even
                }
        }
    }
}

/// Returns the exact sum. The sum of opposite numbers is +0.
fn sum(x: Value, y: Value) -> Value {
    match (x, y) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => Nan,
        (Infinite { negative }, _) | (_, Infinite { negative }) => Infinite { negative },
        (Finite { units: x, negative: n }, Finite { units: y, negative: m }) => {
            let units = x + y;
            Finite { units, negative: if units == 0 { n && m } else { units < 0 } }
        }
    }
}

/// Returns the exact product, in units of the square of the smallest subnormal number.
fn product(x: Value, y: Value) -> Value {
    let negative = |value| match value {
        Finite { negative, .. } | Infinite { negative } => negative,
        Nan => false,
    };
    let zero = |value| matches!(value, Finite { units: 0, .. });
    let negative = negative(x) != negative(y);
    match (x, y) {
        (Finite { units: x, .. }, Finite { units: y, .. }) => Finite { units: x * y, negative },
        (Nan, _) | (_, Nan) => Nan,
        _ if zero(x) || zero(y) => Nan,
        _ => Infinite { negative },
    }
}

/// Number of units of a product per smallest subnormal number.
fn product_scale(format: Format) -> i128 {
    1 << (format.bias() + format.fraction as u64 - 1)
}

/// Tries every pair of values, in formats with more exponents than fraction bits and in formats
/// with fewer.
#[test]
fn all_pairs_of_small_formats() {
    let formats = [(4, 3), (3, 4), (2, 2), (2, 5), (5, 2)];
    for format in formats.map(|(exponent, fraction)| Format { exponent, fraction }) {
        let all = 0..1 << format.width();
        let pairs: Vec<_> = all.clone().flat_map(|x| all.clone().map(move |y| [x, y, 0])).collect();
        let check = |name: &str, operation: Operation, exact: &dyn Fn(Value, Value) -> u64| {
            let found = results(&circuit(format, 2, operation), &pairs);
            for (&[x, y, _], found) in pairs.iter().zip(found) {
                let expected = exact(decode(format, x), decode(format, y));
                assert_eq!(found, expected, "{name} {x:#x} {y:#x} in {format:?}");
            }
        };
        let negated = |x: Value| match x {
            Finite { units, negative } => Finite { units: -units, negative: !negative },
            Infinite { negative } => Infinite { negative: !negative },
            Nan => Nan,
        };
        check("add", add_of, &|x, y| encode(format, sum(x, y), 1));
        check("sub", sub_of, &|x, y| encode(format, sum(x, negated(y)), 1));
        let scale = product_scale(format);
        check("mul", mul_of, &|x, y| encode(format, product(x, y), scale));
    }
}

/// Tries every triple of values of tiny formats.
#[test]
fn all_triples_of_tiny_formats() {
    for format in [(2, 2), (3, 2), (2, 3)] {
        let format = Format { exponent: format.0, fraction: format.1 };
        let scale = product_scale(format);
        let all = 0..1u64 << format.width();
        let pairs = all.clone().flat_map(|x| all.clone().map(move |y| [x, y]));
        let triples: Vec<_> =
            pairs.flat_map(|[x, y]| all.clone().map(move |z| [x, y, z])).collect();
        let found = results(&circuit(format, 3, fma_of), &triples);
        for (&[x, y, z], found) in triples.iter().zip(found) {
            let addend = match decode(format, z) {
                Finite { units, negative } => Finite { units: units * scale, negative },
                other => other,
            };
            let exact = sum(product(decode(format, x), decode(format, y)), addend);
            let expected = encode(format, exact, scale);
            assert_eq!(found, expected, "fma {x:#x} {y:#x} {z:#x} in {format:?}");
        }
    }
}
