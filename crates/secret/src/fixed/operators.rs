//! Operators of fixed-point numbers, and conversion of plain numbers to secret ones.

use super::plain::{self, Format};
use super::{Fixed, UFixed};
use crate::integer::{Int, Uint};
use crate::trace::Tag;
use halfgate_circuit::{fixed as gadgets, int};
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A plain number.
trait Plain: Copy + std::fmt::Display {
    /// Returns the value as a number of multiples of `2^-fraction`, or `None` if it is out of
    /// range.
    fn raw(self, format: Format) -> Option<u128>;
}

macro_rules! plain {
    ($($plain:ty)* = $raw:expr;) => { $(
        impl Plain for $plain {
            #[track_caller]
            fn raw(self, format: Format) -> Option<u128> {
                let raw: fn($plain, Format) -> Option<u128> = $raw;
                raw(self, format)
            }
        }
    )* };
}

plain!(f64 = plain::raw_of_float;);
plain!(f32 = |value, format| plain::raw_of_float(value.into(), format););
plain!(u128 = |value, format| plain::raw_of_integer(false, value, format););
plain!(u8 u16 u32 u64 usize = |value, format| {
    plain::raw_of_integer(false, value as u128, format)
};);
plain!(i128 = |value, format| plain::raw_of_integer(value < 0, value.unsigned_abs(), format););
plain!(i8 i16 i32 i64 isize = |value, format| {
    plain::raw_of_integer(value < 0, value.unsigned_abs() as u128, format)
};);

/// Implementations that differ only in the type's name or by a flag.
macro_rules! operators {
    ($Type:ident, $Int:ident, $signed:literal) => {
        impl<const BITS: usize, const FRACTION: usize> $Type<BITS, FRACTION> {
            /// # Panics
            /// If the value is out of range.
            #[track_caller]
            fn constant(value: impl Plain) -> Self {
                let format = Format { bits: BITS, fraction: FRACTION, signed: $signed };
                let Some(raw) = value.raw(format) else {
                    let (least, most) = format.limits();
                    panic!("the constant {value} is out of range: it must be from {least} to {most}")
                };
                Self::from_raw($Int::from_slice(Tag::CONSTANT, &int::constant(BITS, raw)))
            }
        }

        operators!(@plain $Type:
            f32 f64 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

        operators!(@operators $Type:
            Add::add, AddAssign::add_assign = |x, y| Self::from_raw(x.raw + y.raw),
                "Exact; wraps. `n - 1` ANDs.";
            Sub::sub, SubAssign::sub_assign = |x, y| Self::from_raw(x.raw - y.raw),
                "Exact; wraps. `n - 1` ANDs.";
            Mul::mul, MulAssign::mul_assign = |x, y| x.binary(y, gadgets::mul),
                "Rounded; wraps. See [`Fixed`] for ANDs. `x * x` is a square, which takes about half.";
            Div::div, DivAssign::div_assign = |x, y| x.binary(y, gadgets::div),
                "Rounded; wraps. See [`Fixed`] for ANDs and for division by 0.";
        );

        impl<const BITS: usize, const FRACTION: usize, T> Sum<T> for $Type<BITS, FRACTION>
        where
            T: Into<$Type<BITS, FRACTION>>,
        {
            fn sum<I: Iterator<Item = T>>(values: I) -> Self {
                values.map(Into::into).reduce(|sum, value| sum + value).unwrap_or_else(|| 0.into())
            }
        }

        /// Multiplies in order, starting with the first two. Each product is rounded.
        impl<const BITS: usize, const FRACTION: usize, T> Product<T> for $Type<BITS, FRACTION>
        where
            T: Into<$Type<BITS, FRACTION>>,
        {
            fn product<I: Iterator<Item = T>>(values: I) -> Self {
                values.map(Into::into).reduce(|all, value| all * value).unwrap_or_else(|| 1.into())
            }
        }
    };
    (@plain $Type:ident: $($plain:ty)*) => { $(
        /// Makes a secret constant of a public value, rounded to the nearest multiple, ties to
        /// even.
        ///
        /// # Panics
        /// If the value is out of range.
        impl<const BITS: usize, const FRACTION: usize> From<$plain> for $Type<BITS, FRACTION> {
            fn from(value: $plain) -> Self {
                Self::constant(value)
            }
        }
    )* };
    (@operators $Type:ident: $(
        $Op:ident::$op:ident, $Assign:ident::$assign:ident = $f:expr, $cost:literal;
    )*) => { $(
        #[doc = $cost]
        impl<const BITS: usize, const FRACTION: usize, T> $Op<T> for $Type<BITS, FRACTION>
        where
            T: Into<$Type<BITS, FRACTION>>,
        {
            type Output = Self;
            #[track_caller]
            fn $op(self, other: T) -> Self {
                let f: fn(Self, Self) -> Self = $f;
                f(self, other.into())
            }
        }

        impl<const BITS: usize, const FRACTION: usize, T> $Op<T> for &$Type<BITS, FRACTION>
        where
            T: Into<$Type<BITS, FRACTION>>,
        {
            type Output = $Type<BITS, FRACTION>;
            #[track_caller]
            fn $op(self, other: T) -> Self::Output {
                (*self).$op(other)
            }
        }

        impl<const BITS: usize, const FRACTION: usize, T> $Assign<T> for $Type<BITS, FRACTION>
        where
            T: Into<$Type<BITS, FRACTION>>,
        {
            #[track_caller]
            fn $assign(&mut self, other: T) {
                *self = (*self).$op(other);
            }
        }

        operators!(@left $Type $Op::$op:
            f32 f64 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    )* };
    (@left $Type:ident $Op:ident::$op:ident: $($plain:ty)*) => { $(
        impl<const BITS: usize, const FRACTION: usize> $Op<$Type<BITS, FRACTION>> for $plain {
            type Output = $Type<BITS, FRACTION>;
            #[track_caller]
            fn $op(self, other: $Type<BITS, FRACTION>) -> Self::Output {
                $Type::<BITS, FRACTION>::from(self).$op(other)
            }
        }
    )* };
}

operators!(Fixed, Int, true);
operators!(UFixed, Uint, false);

/// Wraps. `n - 2` ANDs.
impl<const BITS: usize, const FRACTION: usize> Neg for Fixed<BITS, FRACTION> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        Self::from_raw(-self.raw)
    }
}
