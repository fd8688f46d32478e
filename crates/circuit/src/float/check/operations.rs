//! The operations to check, and their expected results.

use crate::builder::Builder;
use crate::circuit::{Circuit, Party};
use crate::float::{self, BINARY32, BINARY64, Format};
use crate::id::Bit;

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A value of a format of at most 64 bits.
    Float(Format),
    /// An integer of this many bits, at most 64.
    Integer(usize),
}

impl Kind {
    /// Width of an operand in bits.
    pub fn width(self) -> usize {
        match self {
            Kind::Float(format) => format.width(),
            Kind::Integer(width) => width,
        }
    }
}

/// An operation: its circuit, and the result that the processor computes.
pub struct Operation {
    /// Name and format of the operation, such as `binary64 add`.
    pub name: String,
    /// Types of the one, two or three operands.
    pub operands: Vec<Kind>,
    /// Adds the circuit's gates.
    pub build: fn(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>,
    /// Returns the expected result as bits. Ignores operands that the operation does not have.
    pub expected: fn([u64; 3]) -> u64,
}

impl Operation {
    /// Returns the operation's circuit. The garbler owns all operands, and there is one output.
    ///
    /// # Panics
    /// If the circuit cannot be built, which is a bug in the operation.
    pub fn circuit(&self) -> Circuit {
        let mut b = Builder::new();
        let inputs: Vec<Vec<Bit>> = (self.operands.iter().zip(["x", "y", "z"]))
            .map(|(kind, name)| b.input(name, Party::Garbler, kind.width() as u32))
            .collect();
        let result = (self.build)(&mut b, &inputs);
        b.output("result", &result);
        b.finish().expect("an operation is a valid circuit")
    }
}

/// Returns every operation on binary32 and binary64, and the conversions between them.
pub fn operations() -> Vec<Operation> {
    let mut list = binary32();
    list.extend(binary64());
    list.push(Operation {
        name: "binary32 to binary64".to_owned(),
        operands: vec![Kind::Float(BINARY32)],
        build: |b, x| float::convert(b, BINARY32, BINARY64, &x[0]),
        expected: |[x, ..]| canonical64(f64::from(f32::from_bits(x as u32))),
    });
    list.push(Operation {
        name: "binary64 to binary32".to_owned(),
        operands: vec![Kind::Float(BINARY64)],
        build: |b, x| float::convert(b, BINARY64, BINARY32, &x[0]),
        expected: |[x, ..]| canonical32(f64::from_bits(x) as f32),
    });
    list
}

/// Returns the bits of `x`; for any NaN, the bits of the canonical NaN.
fn canonical32(x: f32) -> u64 {
    u64::from(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() })
}

/// Like [`canonical32`].
fn canonical64(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
}

/// Defines the function `$list`, which returns the operations on `$float`. The format of `$float`
/// is `$format`, and its bits have type `$bits`.
macro_rules! operations_on {
    ($list:ident, $float:ident, $bits:ident, $format:ident, $name:literal, $canonical:ident) => {
        fn $list() -> Vec<Operation> {
            const FORMAT: Format = $format;
            const FLOAT: Kind = Kind::Float(FORMAT);

            /// Returns the operand with these bits.
            fn float(bits: u64) -> $float {
                <$float>::from_bits(bits as $bits)
            }

            /// Returns the larger or the smaller of two numbers; -0 is below +0.
            fn extreme(x: $float, y: $float, largest: bool) -> $float {
                let x_first = x < y || x == y && x.is_sign_negative();
                if x_first != largest { x } else { y }
            }

            fn number(x: u64, y: u64, largest: bool) -> u64 {
                let (x, y) = (float(x), float(y));
                $canonical(match (x.is_nan(), y.is_nan()) {
                    (true, _) => y,
                    (_, true) => x,
                    _ => extreme(x, y, largest),
                })
            }

            fn propagating(x: u64, y: u64, largest: bool) -> u64 {
                let (x, y) = (float(x), float(y));
                let nan = x.is_nan() || y.is_nan();
                $canonical(if nan { <$float>::NAN } else { extreme(x, y, largest) })
            }

            let mut list = Vec::new();
            let mut add = |name: &str, operands: &[Kind], build, expected| {
                let (name, operands) = (format!("{} {name}", $name), operands.to_vec());
                list.push(Operation { name, operands, build, expected });
            };

            macro_rules! arithmetic {
                ($op:ident, $expected:expr) => {
                    add(
                        stringify!($op),
                        &[FLOAT, FLOAT],
                        |b, x| float::$op(b, FORMAT, &x[0], &x[1]),
                        |[x, y, _]| $canonical($expected(float(x), float(y))),
                    )
                };
            }
            arithmetic!(add, |x, y| x + y);
            arithmetic!(sub, |x, y| x - y);
            arithmetic!(mul, |x, y| x * y);
            arithmetic!(div, |x, y| x / y);
            add(
                "fma",
                &[FLOAT, FLOAT, FLOAT],
                |b, x| float::fma(b, FORMAT, &x[0], &x[1], &x[2]),
                |[x, y, z]| $canonical(float(x).mul_add(float(y), float(z))),
            );

            macro_rules! unary {
                ($op:ident, $expected:ident) => {
                    add(
                        stringify!($op),
                        &[FLOAT],
                        |b, x| float::$op(b, FORMAT, &x[0]),
                        |[x, ..]| $canonical(float(x).$expected()),
                    )
                };
            }
            unary!(sqrt, sqrt);
            unary!(floor, floor);
            unary!(ceil, ceil);
            unary!(trunc, trunc);
            unary!(round_ties_even, round_ties_even);

            macro_rules! comparison {
                ($op:ident, $expected:expr) => {
                    add(
                        stringify!($op),
                        &[FLOAT, FLOAT],
                        |b, x| vec![float::$op(b, FORMAT, &x[0], &x[1])],
                        |[x, y, _]| u64::from($expected(&float(x), &float(y))),
                    )
                };
            }
            comparison!(eq, <$float>::eq);
            comparison!(lt, <$float>::lt);
            comparison!(le, <$float>::le);
            comparison!(gt, <$float>::gt);
            comparison!(ge, <$float>::ge);
            comparison!(unordered, |x: &$float, y: &$float| x.partial_cmp(y).is_none());
            comparison!(total_le, |x: &$float, y: &$float| x.total_cmp(y).is_le());

            macro_rules! extremes {
                ($op:ident, $expected:ident, $largest:literal) => {
                    add(
                        stringify!($op),
                        &[FLOAT, FLOAT],
                        |b, x| float::$op(b, FORMAT, &x[0], &x[1]),
                        |[x, y, _]| $expected(x, y, $largest),
                    )
                };
            }
            extremes!(min, number, false);
            extremes!(max, number, true);
            extremes!(minimum, propagating, false);
            extremes!(maximum, propagating, true);

            macro_rules! integers {
                ($int:ident, $unsigned:ident, $to:ident, $nearest:ident, $from:ident) => {
                    const WIDTH: usize = $int::BITS as usize;
                    add(
                        concat!("to ", stringify!($int)),
                        &[FLOAT],
                        |b, x| float::$to(b, FORMAT, &x[0], WIDTH),
                        |[x, ..]| float(x) as $int as $unsigned as u64,
                    );
                    add(
                        concat!("to nearest ", stringify!($int)),
                        &[FLOAT],
                        |b, x| float::$nearest(b, FORMAT, &x[0], WIDTH),
                        |[x, ..]| float(x).round_ties_even() as $int as $unsigned as u64,
                    );
                    add(
                        concat!("from ", stringify!($int)),
                        &[Kind::Integer(WIDTH)],
                        |b, x| float::$from(b, FORMAT, &x[0]),
                        |[x, ..]| u64::from((x as $int as $float).to_bits()),
                    );
                };
            }
            {
                integers!(i32, u32, to_signed, to_signed_nearest, from_signed);
            }
            {
                integers!(u32, u32, to_unsigned, to_unsigned_nearest, from_unsigned);
            }
            {
                integers!(i64, u64, to_signed, to_signed_nearest, from_signed);
            }
            {
                integers!(u64, u64, to_unsigned, to_unsigned_nearest, from_unsigned);
            }
            list
        }
    };
}

operations_on!(binary32, f32, u32, BINARY32, "binary32", canonical32);
operations_on!(binary64, f64, u64, BINARY64, "binary64", canonical64);
