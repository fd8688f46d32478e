//! Models a small format as a table of all its numbers. To round an exact result, it searches the
//! table for the nearest number, without arithmetic on exponents or rounding bits.

use crate::float::Format;
use std::cmp::Ordering;

/// A format and its numbers.
pub(super) struct Model {
    format: Format,
    /// Magnitudes of the encodings with sign 0, from zero to infinity, times `denominator`.
    /// Infinity counts as the next number after the largest.
    magnitudes: Vec<u128>,
}

/// The meaning of an encoding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    Nan,
    /// Infinity; `true` if it is negative.
    Infinite(bool),
    /// A number whose magnitude is `numerator` over the model's denominator.
    Finite {
        negative: bool,
        numerator: u128,
    },
}

impl Model {
    pub(super) fn new(format: Format) -> Model {
        // Magnitudes are in units of the smallest subnormal number.
        let magnitude = |code: u64| {
            let (field, fraction) = (code >> format.fraction, code % (1 << format.fraction));
            let hidden = u64::from(field > 0) << format.fraction;
            u128::from(hidden + fraction) << field.saturating_sub(1)
        };
        let infinity = format.top_exponent() << format.fraction;
        Model { format, magnitudes: (0..=infinity).map(magnitude).collect() }
    }

    /// 1 divided by the smallest subnormal number.
    pub(super) fn denominator(&self) -> u128 {
        1 << (self.format.bias() as usize - 1 + self.format.fraction)
    }

    pub(super) fn value(&self, code: u64) -> Value {
        let negative = code >> (self.format.width() - 1) == 1;
        let code = code % (1 << (self.format.width() - 1));
        let infinity = self.magnitudes.len() as u64 - 1;
        match code.cmp(&infinity) {
            Ordering::Greater => Value::Nan,
            Ordering::Equal => Value::Infinite(negative),
            Ordering::Less => Value::Finite { negative, numerator: self.magnitudes[code as usize] },
        }
    }

    pub(super) fn nan(&self) -> u64 {
        self.infinity(false) | 1 << (self.format.fraction - 1)
    }

    pub(super) fn infinity(&self, negative: bool) -> u64 {
        self.with_sign(negative, self.magnitudes.len() as u64 - 1)
    }

    /// Returns the encoding nearest to `numerator / denominator`, ties to even.
    pub(super) fn nearest(&self, negative: bool, numerator: u128, denominator: u128) -> u64 {
        let exact = numerator * self.denominator();
        let distance = |code: usize| (self.magnitudes[code] * denominator).abs_diff(exact);
        let past = self.magnitudes.partition_point(|&magnitude| magnitude * denominator < exact);
        let next = [past.saturating_sub(1), past.min(self.magnitudes.len() - 1)];
        let code = next.into_iter().min_by_key(|&code| (distance(code), code % 2));
        self.with_sign(negative, code.unwrap() as u64)
    }

    pub(super) fn div(&self, x: u64, y: u64) -> u64 {
        use Value::{Finite, Infinite, Nan};
        let sign = (x ^ y) >> (self.format.width() - 1) == 1;
        match (self.value(x), self.value(y)) {
            (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => self.nan(),
            (Infinite(_), _) => self.infinity(sign),
            (_, Infinite(_)) => self.with_sign(sign, 0),
            (Finite { numerator: 0, .. }, Finite { numerator: 0, .. }) => self.nan(),
            (_, Finite { numerator: 0, .. }) => self.infinity(sign),
            (Finite { numerator, .. }, Finite { numerator: denominator, .. }) => {
                self.nearest(sign, numerator, denominator)
            }
        }
    }

    pub(super) fn sqrt(&self, x: u64) -> u64 {
        match self.value(x) {
            Value::Finite { numerator: 0, .. } | Value::Infinite(false) => x,
            Value::Finite { negative: false, numerator } => {
                // The square of twice the root, in units of the smallest number.
                let exact = 4 * numerator * self.denominator();
                let pairs = self.magnitudes.windows(2).enumerate();
                let above = |middle: u128, code: u64| match (middle * middle).cmp(&exact) {
                    Ordering::Less => true,
                    Ordering::Equal => code % 2 == 1,
                    Ordering::Greater => false,
                };
                // The encoding of the rounded root is the number of midpoints between neighbouring
                // numbers that lie below the exact root.
                pairs.filter(|&(code, pair)| above(pair[0] + pair[1], code as u64)).count() as u64
            }
            _ => self.nan(),
        }
    }

    /// Rounds `x`, which must be finite, with the function named `rounding`.
    pub(super) fn to_integer(&self, x: u64, rounding: &str) -> i128 {
        let Value::Finite { negative, numerator } = self.value(x) else { panic!("{x} is finite") };
        let numerator = if negative { -(numerator as i128) } else { numerator as i128 };
        let one = self.denominator() as i128;
        let floor = numerator.div_euclid(one);
        let rest = numerator.rem_euclid(one);
        let up = match rounding {
            "floor" => false,
            "ceil" => rest > 0,
            "trunc" => negative && rest > 0,
            _ => 2 * rest > one || 2 * rest == one && floor % 2 != 0,
        };
        floor + i128::from(up)
    }

    /// Compares two values; `None` if an operand is a NaN.
    pub(super) fn compare(&self, x: u64, y: u64) -> Option<Ordering> {
        let infinity = self.magnitudes[self.magnitudes.len() - 1] as i128;
        let number = |x| match self.value(x) {
            Value::Nan => None,
            Value::Infinite(negative) => Some(if negative { -infinity } else { infinity }),
            Value::Finite { negative, numerator } => {
                Some(if negative { -(numerator as i128) } else { numerator as i128 })
            }
        };
        Some(number(x)?.cmp(&number(y)?))
    }

    /// Returns the result of the function `name`: `min`, `max`, `minimum` or `maximum`.
    pub(super) fn extreme(&self, x: u64, y: u64, name: &str) -> u64 {
        let is_nan = |x| self.value(x) == Value::Nan;
        let Some(order) = self.compare(x, y) else {
            let number = if is_nan(x) { y } else { x };
            return if name.ends_with("imum") || is_nan(number) { self.nan() } else { number };
        };
        // Of two zeros, the negative one is the smaller; it has the larger encoding.
        let x_first = order.then(y.cmp(&x)).is_lt();
        if x_first == name.starts_with("min") { x } else { y }
    }

    fn with_sign(&self, negative: bool, code: u64) -> u64 {
        u64::from(negative) << (self.format.width() - 1) | code
    }
}
