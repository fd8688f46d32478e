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
//!
//! `gradient-descent-folded` is `gradient-descent` as a fold over the rounds, whose text grows with
//! POINTS only. A step is the end of a round and the beginning of the next one, because both
//! multiply the new weight with all `x`. The first rounds, in which weight or bias is 0, are
//! outside the fold, and so are the gates that depend on coordinates alone. The points of a round
//! are not a map: each lane would unpack the weight again, so there would be more ANDs. The fast
//! form has no structured one.

use super::hoisted;
use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::float::{self, BINARY32};
use halfgate_circuit::structured::StructuredCircuit;
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

/// `gradient-descent-folded`.
pub const FOLDED: ProgramInfo = ProgramInfo {
    name: "gradient-descent-folded",
    summary: "gradient-descent as a fold over the rounds: a short text at any number of ROUNDS",
    make: Make::Structured(|params: Params| {
        let (points, rounds) = params.two(["POINTS", "ROUNDS"], 'x')?;
        folded(points, rounds)
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

/// Maximum number of points of [`folded`]: a round is a body of gates.
pub const MAX_FOLDED_POINTS: u32 = 1 << 10;

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
    let [mut weight, mut bias] = [int::constant(32, 0), int::constant(32, 0)];
    for _ in 0..rounds {
        weight = next_weight(&mut b, order, &weight, &bias, [&x, &y]);
        bias = next_bias(&mut b, order, &weight, &bias, [&x, &y]);
    }
    b.output("weight", &weight);
    b.output("bias", &bias);
    Ok(b.finish()?)
}

/// The function of `gradient-descent` as a fold over rounds.
///
/// # Errors
/// If `points` is not 1 to [`MAX_FOLDED_POINTS`] or `rounds` not 1 to 2^20, or if the gates cannot
/// be stored.
pub fn folded(points: u32, rounds: u32) -> Result<StructuredCircuit, MakeError> {
    check("POINTS", points.into(), 1..=MAX_FOLDED_POINTS.into())?;
    check("ROUNDS", rounds.into(), 1..=1 << 20)?;
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 32 * points);
    let y = b.input("y", Party::Evaluator, 32 * points);
    let (order, points) = (Order::OneByOne, [&x[..], &y]);
    let mut bias = int::constant(32, 0);
    let mut weight = next_weight(&mut b, order, &bias, &bias, points);
    if rounds > 1 {
        bias = next_bias(&mut b, order, &weight, &bias, points);
        weight = next_weight(&mut b, order, &weight, &bias, points);
    }
    if rounds > 2 {
        let (start, shared) = ([weight, bias].concat(), [x.clone(), y.clone()].concat());
        let steps = u64::from(rounds) - 2;
        let state = hoisted::fold(&mut b, "round", steps, &start, &shared, |b, state, shared| {
            let (weight, bias) = state.split_at(32);
            let points = shared.split_at(shared.len() / 2).into();
            let bias = next_bias(b, order, weight, bias, points);
            let weight = next_weight(b, order, weight, &bias, points);
            [weight, bias].concat()
        })?;
        (weight, bias) = (state[..32].to_vec(), state[32..].to_vec());
    }
    let bias = next_bias(&mut b, order, &weight, &bias, points);
    b.output("weight", &weight);
    b.output("bias", &bias);
    Ok(b.finish_structured()?)
}

/// The weight after a round.
fn next_weight(
    b: &mut Builder,
    order: Order,
    weight: &[Bit],
    bias: &[Bit],
    [x, y]: [&[Bit]; 2],
) -> Vec<Bit> {
    let terms = x.chunks(32).zip(y.chunks(32)).map(|(x, y)| {
        let error = error(b, weight, bias, x, y);
        float::mul(b, BINARY32, x, &error)
    });
    let terms = terms.collect();
    moved(b, order, weight, terms)
}

/// The bias after a round that gave the weight `weight`.
fn next_bias(
    b: &mut Builder,
    order: Order,
    weight: &[Bit],
    bias: &[Bit],
    [x, y]: [&[Bit]; 2],
) -> Vec<Bit> {
    let points = x.chunks(32).zip(y.chunks(32));
    let terms = points.map(|(x, y)| error(b, weight, bias, x, y)).collect();
    moved(b, order, bias, terms)
}

/// `y - (weight x + bias)`.
fn error(b: &mut Builder, weight: &[Bit], bias: &[Bit], x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let slope = float::mul(b, BINARY32, weight, x);
    let line = float::add(b, BINARY32, &slope, bias);
    float::sub(b, BINARY32, y, &line)
}

/// `parameter + factor * (the sum of terms)`, where there is a term for each point.
fn moved(b: &mut Builder, order: Order, parameter: &[Bit], terms: Vec<Vec<Bit>>) -> Vec<Bit> {
    let factor = int::constant(32, factor(terms.len()).to_bits().into());
    let sum = order.sum(terms, |x, y| float::add(b, BINARY32, &x, &y)).unwrap_or_default();
    let change = float::mul(b, BINARY32, &sum, &factor);
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
