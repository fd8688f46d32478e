//! Inference by logistic regression: one party has the weights of a model, the other has the
//! features of a case. The results are the probability `sigmoid(bias + sum of weight * feature)`
//! and the more likely of the two classes.
//!
//! **Numbers** are in fixed point: 16 bits, 12 of them after the point, from -8 to 8 in steps of
//! 2^-12. This range and precision suffice if features are scaled before the model is trained.
//! Products and their sum are exact in 40 bits, so the result does not depend on the order of
//! additions. A multiplication takes about a third of the ANDs of one in binary32, and an addition
//! a twentieth.
//!
//! **The sigmoid** is approximated by straight lines between its values at the 33 multiples of 1/4
//! from 0 to 8. Beyond 8 it is the value at 8, and for negative numbers `sigmoid(-z) = 1 -
//! sigmoid(z)`. The lookup of a line takes 26 ANDs; then a product of 12 by 10 bits follows.
//!
//! **Error.** The probability has 16 bits after the point and is within 2^-10 of the sigmoid of the
//! exact sum. Lines lie below the sigmoid by up to (1/4)^2 / 8 times its greatest second
//! derivative, sqrt(3) / 18, which is 0.00076. Truncation and rounding add 0.0001. Beyond 8 the
//! error is at most 0.0004: the difference between the sigmoid at 8 and its limit 1.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Bool, Function, I16, I32, Length};
//!
//! /// Whether the probability is at least one half. This needs no sigmoid, only the sum's sign.
//! fn is_likely(weights: &[I16], bias: I16, x: &[I16]) -> Bool {
//!     let products = weights.iter().zip(x).map(|(w, x)| w.cast::<32>() * x.cast::<32>());
//!     let sum: I32 = products.sum();
//!     // Products have 8 bits after the point, where the bias has 4.
//!     (sum + (bias.cast::<32>() << 4)).ge(0)
//! }
//!
//! let shape = (Length(2), ());
//! let function = Function::with_shapes("is_likely", shape, Length(2), |model, x: Vec<I16>| {
//!     let (weights, bias): (Vec<I16>, I16) = model;
//!     is_likely(&weights, bias, &x)
//! });
//! let program = function.compile()?;
//! let fixed = |numbers: &[f64]| -> Vec<i16> { numbers.iter().map(|x| (x * 16.0) as i16).collect()
//! }; assert!(program.run((fixed(&[2.0, -2.0]), -16), fixed(&[1.5, 0.5]))?);
//! assert!(!program.run((fixed(&[2.0, -2.0]), -16), fixed(&[0.5, 1.5]))?);
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Circuit, Party, array};
use halfgate_secret::{
    Bool, I16, I32, Int, Secret, U16, U32, Uint, input, list, output, trace, with_builder,
};

/// `logistic`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "logistic",
    params: "FEATURES",
    default: "16",
    summary: "probability by the garbler's logistic regression for the evaluator's case",
    ports: "garbler weights (FEATURES) and bias, evaluator x (FEATURES): fixed point of 16 bits, 12 \
            after the point; outputs probability:16, all after the point, and positive:1 (whether \
            it is at least one half)",
    types: &[
        PortType::list("weights", NUMBER, Width::Bits(16)),
        PortType::list("bias", NUMBER, Width::Bits(16)),
        PortType::list("x", NUMBER, Width::Bits(16)),
        PortType::one("probability", Element::FixedUnsigned { fraction: 16 }),
    ],
    make: Make::Flat(|params: Params| circuit(params.one("FEATURES")?)),
};

const NUMBER: Element = Element::Fixed { fraction: FRACTION as u32 };
/// Bits after the point of weights and features; their products have twice as many.
const FRACTION: usize = 12;

/// The sigmoid times 65,536, at the multiples of 1/4 from 0 to 8.
const NODES: [u16; 33] = [
    32768, 36843, 40793, 44511, 47911, 50941, 53581, 55834, 57724, 59287, 60565, 61598, 62428,
    63090, 63615, 64030, 64357, 64614, 64816, 64974, 65097, 65194, 65269, 65328, 65374, 65410,
    65438, 65459, 65476, 65489, 65500, 65508, 65514,
];

/// Garbler's `weights` and `bias`, evaluator's `x`; outputs `probability` and `positive`, as
/// described in the module. At most 597 ANDs per feature, and about 320 more; 9,393 for 16
/// features.
///
/// # Errors
/// If `features` is not 1 to 128, or the gates cannot be stored.
pub fn circuit(features: u32) -> Result<Circuit, MakeError> {
    // The sum of 128 products of 31 bits and the bias fits in 39 bits and a sign.
    check("FEATURES", features.into(), 1..=128)?;
    Ok(trace(|| {
        let weights: Vec<I16> = list("weights", Party::Garbler, features as usize);
        let bias: I16 = input("bias", Party::Garbler);
        let x: Vec<I16> = list("x", Party::Evaluator, features as usize);

        let products = weights.iter().zip(&x).map(|(&weight, &x)| product(weight, x));
        let bias: Int<40> = bias.cast() << FRACTION;
        let sum = products.fold(bias, |sum, product| sum + product.cast::<40>());
        output("probability", &sigmoid(sum));
        output("positive", &!sum.is_negative());
    })?)
}

/// The full product `x * y`. 558 ANDs: an unsigned product, corrected. A negative factor that is
/// read as unsigned is `2^16` too large, so the product is too large by `2^16` times the other
/// factor.
fn product(x: I16, y: I16) -> I32 {
    let (x_read, y_read) = (x.as_unsigned(), y.as_unsigned());
    let excess = x.is_negative().select(y_read, 0) + y.is_negative().select(x_read, 0);
    let product: U32 = x_read.widening_mul(y_read);
    (product - (excess.cast::<32>() << 16)).as_signed()
}

/// The sigmoid of a number with 24 bits after the point, by straight lines.
fn sigmoid(z: Int<40>) -> U16 {
    let size = z.unsigned_abs();
    let beyond: Bool = (27..40).map(|place| size.bit(place)).fold(false.into(), |x, y| x | y);
    // From 8 on, all bits are 1: the end of the last line.
    let bits = |from: usize| move |i: usize| size.bit(from + i) | beyond;
    let line: Uint<5> = Uint::from_bools(std::array::from_fn(bits(22)));
    let part: Uint<10> = Uint::from_bools(std::array::from_fn(bits(12)));

    // Each line's start (16 bits, low) and its rise (12 bits, high).
    let lines: Vec<u128> = NODES
        .windows(2)
        .map(|ends| u128::from(ends[0]) | u128::from(ends[1] - ends[0]) << 16)
        .collect();
    let line = with_builder(|b| array::lookup(b, &lines, 28, &line.to_bits()));
    let start: U16 = U16::from_bits(&(), &line[..16]);
    let rise: Uint<12> = Uint::from_bits(&(), &line[16..]);
    let climbed = (rise.cast::<22>() * part.cast::<22>()) >> 10;
    let above_half = start + climbed.cast::<16>();
    z.is_negative().select(above_half.wrapping_neg(), above_half)
}

/// The same function in plain Rust, bit for bit. Arguments are numbers times 4,096; the result is
/// the probability times 65,536, and whether it is at least one half.
pub fn plain(weights: &[i16], bias: i16, x: &[i16]) -> (u16, bool) {
    let products = weights.iter().zip(x).map(|(&w, &x)| i64::from(w) * i64::from(x));
    let sum = i64::from(bias) * 4096 + products.sum::<i64>();
    let size = sum.abs().min((8 << 24) - 1);
    let (line, part) = ((size >> 22) as usize, size >> 12 & 1023);
    let (start, end) = (i64::from(NODES[line]), i64::from(NODES[line + 1]));
    let above_half = start + (end - start) * part / 1024;
    (if sum < 0 { 65536 - above_half } else { above_half } as u16, sum >= 0)
}
