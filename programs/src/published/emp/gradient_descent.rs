//! GradDesc: linear regression by gradient descent.

use super::float::{add, div, mul, sub, value};
use super::gadgets::Emp;
use crate::error::MakeError;
use crate::program::{check, check_size};
use halfgate_circuit::{Bit, Circuit};

/// `rounds` rounds on `points` points. All operations of the benchmark's source are in its order.
/// So rounding differs from our own program, which multiplies by a single factor.
///
/// 9 points and 20 rounds: 6,350.2k gates, 42.93 % ANDs and 101,667 levels; the table has 6,343k,
/// 42.91 % and 106,314. The paper does not give the number of points; by the gate counts of EMP's
/// own circuits it would be 6.
pub(super) fn circuit(points: u32, rounds: u32) -> Result<Circuit, MakeError> {
    check("POINTS", points.into(), 1..=1 << 16)?;
    check("ROUNDS", rounds.into(), 1..=1 << 16)?;
    check_size(&[points.into(), rounds.into(), 16_000])?;
    let (mut emp, x, y) = Emp::new(["x", "y"], [32 * points; 2], true);
    let n = &mut emp;
    let zero = value(0.0);
    let (mut weight, mut bias) = (zero.clone(), zero.clone());
    for _ in 0..rounds {
        let mut sum = zero.clone();
        for (x, y) in x.chunks(32).zip(y.chunks(32)) {
            let error = error(n, &weight, &bias, x, y);
            let term = mul(n, x, &error);
            sum = add(n, &sum, &term);
        }
        weight = moved(n, &weight, &sum, points);
        let mut sum = zero.clone();
        for (x, y) in x.chunks(32).zip(y.chunks(32)) {
            let error = error(n, &weight, &bias, x, y);
            sum = add(n, &sum, &error);
        }
        bias = moved(n, &bias, &sum, points);
    }
    emp.finish_all(vec![("weight", weight), ("bias", bias)])
}

/// `y - (weight x + bias)`.
fn error(n: &mut Emp, weight: &[Bit], bias: &[Bit], x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let slope = mul(n, weight, x);
    let line = add(n, &slope, bias);
    sub(n, y, &line)
}

/// `parameter - rate * ((-2 * sum) / points)`.
fn moved(n: &mut Emp, parameter: &[Bit], sum: &[Bit], points: u32) -> Vec<Bit> {
    let twice = mul(n, &value(-2.0), sum);
    let mean = div(n, &twice, &value(points as f32));
    let change = mul(n, &value(RATE), &mean);
    sub(n, parameter, &change)
}

/// The benchmark's learning rate.
const RATE: f32 = 0.001;

/// The same function in plain Rust, bit for bit except for NaNs. Returns weight and bias.
pub fn plain(points: &[(f32, f32)], rounds: usize) -> (f32, f32) {
    let moved = |parameter: f32, sum: f32| parameter - RATE * (-2.0 * sum / points.len() as f32);
    let (mut weight, mut bias) = (0.0, 0.0);
    for _ in 0..rounds {
        let terms = points.iter().map(|(x, y)| x * (y - (weight * x + bias)));
        weight = moved(weight, terms.fold(0.0, |sum: f32, term| sum + term));
        let terms = points.iter().map(|(x, y)| y - (weight * x + bias));
        bias = moved(bias, terms.fold(0.0, |sum: f32, term| sum + term));
    }
    (weight, bias)
}
