//! Compares the formats of `f32` and `f64` with hardware.

use super::*;
use crate::random;

/// Returns the hardware's result, in which the canonical NaN replaces every NaN.
type Hardware = fn([u64; 3]) -> u64;

fn single(f: fn(f32, f32, f32) -> f32, [x, y, z]: [u64; 3]) -> u64 {
    let value = |bits: u64| f32::from_bits(bits as u32);
    let result = f(value(x), value(y), value(z));
    u64::from(if result.is_nan() { 0x7fc0_0000 } else { result.to_bits() })
}

fn double(f: fn(f64, f64, f64) -> f64, [x, y, z]: [u64; 3]) -> u64 {
    let result = f(f64::from_bits(x), f64::from_bits(y), f64::from_bits(z));
    if result.is_nan() { 0x7ff8 << 48 } else { result.to_bits() }
}

/// Returns zero, the limits of the subnormal and normal ranges and their neighbours, one and its
/// neighbours, numbers whose products and sums are halfway cases, infinity, NaNs; both signs.
fn special(format: Format) -> Vec<u64> {
    let (f, one) = (format.fraction, format.bias() << format.fraction);
    let infinity = format.top_exponent() << f;
    let half = f as u64 + 1;
    let positive = [
        0,
        1,
        2,
        3,
        (1 << f) - 1,
        1 << f,
        (1 << f) + 1,
        (half << f) + 1,
        one / 2,
        one - 1,
        one,
        one + 1,
        one + (1 << (f - 1)),
        one + (1 << f) - 1,
        one + (1 << f),
        one - (half << f),
        one - (half << f) + 1,
        one + (half << f) - 1,
        one + (half << f) + 1,
        infinity - (half << f),
        infinity - (half << f) - 1,
        infinity - (1 << f),
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + (1 << (f - 1)),
    ];
    positive.iter().flat_map(|&x| [x, x | 1 << (format.width() - 1)]).collect()
}

/// Returns random sets of operands. Some have arbitrary bits. In others the exponents are close, or
/// the product is near the third operand or near the limits of the range. Short significands give
/// halfway cases.
fn random_sets(format: Format, count: u64) -> Vec<[u64; 3]> {
    let mask = !0 >> (64 - format.width());
    let top = format.top_exponent();
    let set = |seed: u64| {
        let words = random::bits(seed, 256);
        let &[x, y, z, choice] = words.words() else { unreachable!("four words") };
        let mut set = [x & mask, y & mask, z & mask];
        let field = |x: u64| x >> format.fraction & top;
        let at = |x: u64, field: u64| {
            let field = field.clamp(0, top - 1);
            x & !(top << format.fraction) | field << format.fraction
        };
        // Some significands get few bits.
        for (i, x) in set.iter_mut().enumerate() {
            if choice >> (8 + i) & 1 == 1 {
                *x &= !0 << (format.fraction as u64).saturating_sub(choice >> (16 + 4 * i) & 15);
            }
        }
        let near = choice >> 32 & 127;
        let around = |center: u64| (center + near).saturating_sub(64);
        match choice & 7 {
            0 => {}
            // Sums: the exponents are close.
            1 | 2 => set[1] = at(set[1], around(field(set[0]))),
            3 => set[1] = at(set[1], (field(set[0]) + near % 4).saturating_sub(2)),
            // Products: near the smallest or the largest numbers.
            4 => set[1] = at(set[1], around(format.bias().saturating_sub(field(set[0])))),
            5 => set[1] = at(set[1], around((format.bias() + top).saturating_sub(field(set[0])))),
            // Subnormal operands.
            6 => set[0] = at(set[0], 0) >> (near % format.fraction as u64),
            _ => set[2] = at(set[2], 0),
        }
        if choice >> 40 & 1 == 1 {
            let product = (field(set[0]) + field(set[1])).saturating_sub(format.bias());
            let far = 2 * format.fraction as u64;
            set[2] = at(set[2], (product + (choice >> 48) % (2 * far)).saturating_sub(far));
        }
        set
    };
    (0..count).map(set).collect()
}

fn check(name: &str, format: Format, operation: Operation, sets: &[[u64; 3]], expected: Hardware) {
    let operands = if name == "fma" { 3 } else { 2 };
    let found = results(&circuit(format, operands, operation), sets);
    for (&[x, y, z], found) in sets.iter().zip(found) {
        let expected = expected([x, y, z]);
        assert_eq!(
            found, expected,
            "{name} {x:#x} {y:#x} {z:#x} in {format:?}: {found:#x}, not {expected:#x}"
        );
    }
}

fn pairs(format: Format) -> Vec<[u64; 3]> {
    let special = special(format);
    let pairs = special.iter().flat_map(|&x| special.iter().map(move |&y| [x, y, 0]));
    pairs.chain(random_sets(format, 20_000)).collect()
}

#[test]
fn sums_and_products_of_binary32() {
    let (format, sets) = (BINARY32, pairs(BINARY32));
    check("add", format, add_of, &sets, |x| single(|x, y, _| x + y, x));
    check("sub", format, sub_of, &sets, |x| single(|x, y, _| x - y, x));
    check("mul", format, mul_of, &sets, |x| single(|x, y, _| x * y, x));
}

#[test]
fn sums_and_products_of_binary64() {
    let (format, sets) = (BINARY64, pairs(BINARY64));
    check("add", format, add_of, &sets, |x| double(|x, y, _| x + y, x));
    check("sub", format, sub_of, &sets, |x| double(|x, y, _| x - y, x));
    check("mul", format, mul_of, &sets, |x| double(|x, y, _| x * y, x));
}

/// Returns every `step`-th triple of special values, and random triples.
fn triples(format: Format, step: usize) -> Vec<[u64; 3]> {
    let special = &special(format);
    let pairs = special.iter().flat_map(|&x| special.iter().map(move |&y| [x, y]));
    let triples = pairs.flat_map(|[x, y]| special.iter().map(move |&z| [x, y, z]));
    triples.step_by(step).chain(random_sets(format, 20_000)).collect()
}

#[test]
fn fused_multiply_add_of_binary32() {
    check("fma", BINARY32, fma_of, &triples(BINARY32, 1), |x| single(f32::mul_add, x));
}

#[test]
fn fused_multiply_add_of_binary64() {
    check("fma", BINARY64, fma_of, &triples(BINARY64, 3), |x| double(f64::mul_add, x));
}
