//! GradDesc: linear regression, `y = weight x + bias`, by gradient descent in binary32.
//!
//! A round sums `x (y - (weight x + bias))` over all points and adds `2 rate / POINTS` times the
//! sum to the weight. Then it sums `y - (weight x + bias)` with the new weight and updates the bias
//! in the same way. This takes three multiplications and six additions per point. The constants,
//! with the benchmark's rate of 0.001, are a single factor; the benchmark multiplies, divides and
//! multiplies again. Weight and bias start at 0, as in the benchmark.
//!
//! **Size.** 20 rounds, as in the paper, of 6 points. The paper uses EMP's circuits for binary32,
//! which have 2,456 gates for a sum, 2,457 for a difference, 8,854 for a product and about 10,700
//! for a quotient, inverters included. A round of the benchmark's loop takes three products, four
//! sums and two differences per point, and in addition twice two products, a quotient and a
//! difference. In 20 rounds this is 6.2 million gates with 6 points, and 5.4 or 7.0 million with 5
//! or 7; the table has 6.3 million.
//!
//! `gradient-descent-fast` has the shortest path. It adds the points in pairs, then pairs of pairs
//! and so on, so sums are rounded differently. It adds and multiplies significands by circuits of
//! logarithmic depth, which takes a fourth more ANDs.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::float::{self, BINARY32};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `gradient-descent`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "gradient-descent",
    params: "POINTSxROUNDS",
    default: "6x20",
    summary: "linear regression by gradient descent in binary32 (VIP-Bench)",
    ports: "garbler x, evaluator y: coordinates of POINTS points; outputs weight and bias: all \
            binary32",
    types: &[
        PortType::list("x", Element::Float32, Width::Bits(32)),
        PortType::list("y", Element::Float32, Width::Bits(32)),
        PortType::one("weight", Element::Float32),
        PortType::one("bias", Element::Float32),
    ],
    make: Make::Flat(|params: Params| {
        let (points, rounds) = params.two(["POINTS", "ROUNDS"], 'x')?;
        circuit(points, rounds, Order::OneByOne)
    }),
};

/// `gradient-descent-fast`.
pub const FAST: ProgramInfo = ProgramInfo {
    name: "gradient-descent-fast",
    summary: "gradient-descent with a shorter path: sums in pairs, at more ANDs",
    make: Make::Flat(|params: Params| {
        let (points, rounds) = params.two(["POINTS", "ROUNDS"], 'x')?;
        circuit(points, rounds, Order::Pairs)
    }),
    ..INFO
};

/// The order in which the points' terms are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first two terms, then the third, and so on.
    OneByOne,
    /// Neighbouring terms, then neighbouring sums, and so on.
    Pairs,
}

impl Order {
    /// The sum of `terms` by `add`; `None` if there are no terms.
    fn sum<T>(self, mut terms: Vec<T>, mut add: impl FnMut(T, T) -> T) -> Option<T> {
        match self {
            Order::OneByOne => terms.into_iter().reduce(add),
            Order::Pairs => {
                while terms.len() > 1 {
                    let mut rest = terms.into_iter();
                    let mut sums = Vec::new();
                    while let Some(x) = rest.next() {
                        sums.push(match rest.next() {
                            Some(y) => add(x, y),
                            None => x,
                        });
                    }
                    terms = sums;
                }
                terms.pop()
            }
        }
    }
}

/// The benchmark's learning rate.
const RATE: f32 = 0.001;

/// The factor of a sum over all points.
fn factor(points: usize) -> f32 {
    2.0 * RATE / points as f32
}

/// Garbler's `x` and evaluator's `y`, the coordinates of `points` points; outputs `weight` and
/// `bias` after `rounds` rounds; all binary32. With `Order::Pairs`, the builder also prefers short
/// paths.
fn circuit(points: u32, rounds: u32, order: Order) -> Result<Circuit, MakeError> {
    check("POINTS", points.into(), 1..=1 << 16)?;
    check("ROUNDS", rounds.into(), 1..=1 << 16)?;
    check_size(&[points.into(), rounds.into(), 8_000])?;
    let mut b = Builder::new();
    if order == Order::Pairs {
        b.prefer_short_paths();
    }
    let x = b.input("x", Party::Garbler, 32 * points);
    let y = b.input("y", Party::Evaluator, 32 * points);
    let points: Vec<(&[Bit], &[Bit])> = x.chunks(32).zip(y.chunks(32)).collect();
    let factor = int::constant(32, factor(points.len()).to_bits().into());
    let [mut weight, mut bias] = [int::constant(32, 0), int::constant(32, 0)];
    for _ in 0..rounds {
        let terms = points.iter().map(|&(x, y)| {
            let error = error(&mut b, &weight, &bias, x, y);
            float::mul(&mut b, BINARY32, x, &error)
        });
        let terms = terms.collect();
        weight = moved(&mut b, order, &weight, terms, &factor);
        let terms = points.iter().map(|&(x, y)| error(&mut b, &weight, &bias, x, y)).collect();
        bias = moved(&mut b, order, &bias, terms, &factor);
    }
    b.output("weight", &weight);
    b.output("bias", &bias);
    Ok(b.finish()?)
}

/// `y - (weight x + bias)`.
fn error(b: &mut Builder, weight: &[Bit], bias: &[Bit], x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let slope = float::mul(b, BINARY32, weight, x);
    let line = float::add(b, BINARY32, &slope, bias);
    float::sub(b, BINARY32, y, &line)
}

/// `parameter + factor * (the sum of terms)`.
fn moved(
    b: &mut Builder,
    order: Order,
    parameter: &[Bit],
    terms: Vec<Vec<Bit>>,
    factor: &[Bit],
) -> Vec<Bit> {
    let sum = order.sum(terms, |x, y| float::add(b, BINARY32, &x, &y)).unwrap_or_default();
    let change = float::mul(b, BINARY32, &sum, factor);
    float::add(b, BINARY32, parameter, &change)
}

/// The same function in plain Rust, bit for bit except for NaNs. Returns weight and bias.
pub fn plain(points: &[(f32, f32)], rounds: usize, order: Order) -> (f32, f32) {
    let factor = factor(points.len());
    let (mut weight, mut bias) = (0.0, 0.0);
    for _ in 0..rounds {
        let terms = points.iter().map(|(x, y)| x * (y - (weight * x + bias)));
        let sum = order.sum(terms.collect(), |x: f32, y| x + y);
        weight += sum.unwrap_or_default() * factor;
        let terms = points.iter().map(|(x, y)| y - (weight * x + bias));
        let sum = order.sum(terms.collect(), |x: f32, y| x + y);
        bias += sum.unwrap_or_default() * factor;
    }
    (weight, bias)
}
