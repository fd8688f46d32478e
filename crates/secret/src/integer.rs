//! The common part of unsigned and signed integers.

mod signed;
mod unsigned;

pub use signed::{I8, I16, I32, I64, I128, Int};
pub use unsigned::{U8, U16, U32, U64, U128, Uint};

use crate::boolean::Bool;
use crate::secret::Secret;
use crate::trace::{Pack, Tag, Unpack, combine};
use halfgate_circuit::{Bit, Builder, Element, ElementType, int};
use std::iter::{Product, Sum};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Not, Rem, RemAssign, Sub, SubAssign,
};

/// Conversion of public integers to secret constants.
pub(crate) trait Constant {
    fn of_unsigned(value: u128) -> Self;
    fn of_signed(value: i128) -> Self;
}

pub(crate) type Binary = fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>;

/// Implementations that differ only in the type's name.
macro_rules! integer {
    ($Type:ident, $element:ident) => {
        impl<const N: usize> $Type<N> {
            /// Number of bits.
            pub const BITS: usize = N;

            pub(crate) fn from_slice(tag: Tag, bits: &[Bit]) -> Self {
                let Ok(bits) = bits.try_into() else {
                    panic!("{} bits for an integer of {N}", bits.len())
                };
                $Type { tag, bits }
            }

            #[track_caller]
            pub(crate) fn unary(self, f: fn(&mut Builder, &[Bit]) -> Vec<Bit>) -> Self {
                let (tag, bits) = combine(&[self.tag], |b| f(b, &self.bits));
                Self::from_slice(tag, &bits)
            }

            #[track_caller]
            pub(crate) fn unary_with(
                self,
                condition: Bool,
                f: fn(&mut Builder, Bit, &[Bit]) -> Vec<Bit>,
            ) -> Self {
                let (condition_tag, condition) = condition.parts();
                let (tag, bits) =
                    combine(&[self.tag, condition_tag], |b| f(b, condition, &self.bits));
                Self::from_slice(tag, &bits)
            }

            #[track_caller]
            pub(crate) fn binary(self, other: Self, f: Binary) -> Self {
                let (tag, bits) =
                    combine(&[self.tag, other.tag], |b| f(b, &self.bits, &other.bits));
                Self::from_slice(tag, &bits)
            }

            #[track_caller]
            pub(crate) fn relate(
                self,
                other: Self,
                f: fn(&mut Builder, &[Bit], &[Bit]) -> Bit,
            ) -> Bool {
                let (tag, bit) =
                    combine(&[self.tag, other.tag], |b| f(b, &self.bits, &other.bits));
                Bool::new(tag, bit)
            }

            /// Whether this is greater than `other`. `n` ANDs.
            #[track_caller]
            pub fn gt(self, other: impl Into<Self>) -> Bool {
                other.into().lt(self)
            }

            /// Whether this is at most `other`. `n` ANDs.
            #[track_caller]
            pub fn le(self, other: impl Into<Self>) -> Bool {
                !other.into().lt(self)
            }

            /// Whether this is at least `other`. `n` ANDs.
            #[track_caller]
            pub fn ge(self, other: impl Into<Self>) -> Bool {
                !self.lt(other)
            }

            /// Whether the two are equal. `n - 1` ANDs.
            #[track_caller]
            pub fn equals(self, other: impl Into<Self>) -> Bool {
                self.relate(other.into(), int::eq)
            }

            /// Whether the two are different. `n - 1` ANDs.
            #[track_caller]
            pub fn differs(self, other: impl Into<Self>) -> Bool {
                !self.equals(other)
            }

            /// Whether this is 0. `n - 1` ANDs.
            #[track_caller]
            pub fn is_zero(self) -> Bool {
                let (tag, bit) = combine(&[self.tag], |b| int::is_zero(b, &self.bits));
                Bool::new(tag, bit)
            }

            /// The value, limited to `low` and `high`. `4n` ANDs.
            #[track_caller]
            pub fn clamp(self, low: impl Into<Self>, high: impl Into<Self>) -> Self {
                self.max(low).min(high)
            }

            /// The value to the power of a public number: at most `log2 exponent` squares and as
            /// many multiplications.
            #[track_caller]
            pub fn pow(self, exponent: u32) -> Self {
                let mut power = Self::from(1u8);
                for i in (0..u32::BITS - exponent.leading_zeros()).rev() {
                    // The first square is 1 * 1, which folds.
                    power *= power;
                    if exponent >> i & 1 == 1 {
                        power *= self;
                    }
                }
                power
            }

            /// Number of bits that are 1. `n - h` ANDs, where `h` is the number of ones in the
            /// binary form of `n`.
            #[track_caller]
            pub fn count_ones(self) -> U32 {
                let (tag, count) = combine(&[self.tag], |b| int::popcount(b, &self.bits));
                U32::from_slice(tag, &int::zero_extend(&count, 32))
            }

            /// Number of bits that are 0. ANDs as for [`count_ones`](Self::count_ones).
            #[track_caller]
            pub fn count_zeros(self) -> U32 {
                (!self).count_ones()
            }

            /// Bit `index`, the lowest being 0. Free.
            ///
            /// # Panics
            /// If there is no such bit.
            #[track_caller]
            pub fn bit(self, index: usize) -> Bool {
                Bool::new(self.tag, self.bits[index])
            }

            /// The bits, the lowest first. Free.
            #[track_caller]
            pub fn to_bools(self) -> [Bool; N] {
                self.bits.map(|bit| Bool::new(self.tag, bit))
            }

            /// The integer with these bits, the lowest first. Free.
            #[track_caller]
            pub fn from_bools(bools: [Bool; N]) -> Self {
                let parts = bools.map(Bool::parts);
                let tag = parts.iter().fold(Tag::CONSTANT, |tag, part| tag.join(part.0));
                $Type { tag, bits: parts.map(|part| part.1) }
            }

            /// `if_true` if `condition` is true, else `if_false`. `n` ANDs.
            #[track_caller]
            pub fn select(
                condition: Bool,
                if_true: impl Into<Self>,
                if_false: impl Into<Self>,
            ) -> Self {
                condition.select(if_true.into(), if_false)
            }
        }

        impl<const N: usize> Secret for $Type<N> {
            type Shape = ();

            fn shape(&self) {}

            fn width(&(): &()) -> usize {
                N
            }

            fn elements(&(): &()) -> Option<ElementType> {
                Some(ElementType { element: Element::$element, width: N as u32 })
            }

            fn pack(&self, to: &mut Pack) {
                to.push(self.tag, &self.bits);
            }

            fn unpack(&(): &(), from: &mut Unpack<'_>) -> Self {
                let (tag, bits) = from.take();
                $Type { tag, bits }
            }
        }

        /// Formats only the type: while the circuit is written, there is no value.
        impl<const N: usize> std::fmt::Debug for $Type<N> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($Type), "<{}>(secret)"), N)
            }
        }

        impl<const N: usize> From<&$Type<N>> for $Type<N> {
            fn from(value: &$Type<N>) -> $Type<N> {
                *value
            }
        }

        /// 1 for true, 0 for false. Free.
        impl<const N: usize> From<Bool> for $Type<N> {
            fn from(value: Bool) -> $Type<N> {
                let (tag, bit) = value.parts();
                let mut bits = [Bit::FALSE; N];
                *bits.first_mut().expect("an integer of no bits cannot be 1") = bit;
                $Type { tag, bits }
            }
        }

        /// Free.
        impl<const N: usize> Not for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn not(self) -> $Type<N> {
                $Type { tag: self.tag, bits: self.bits.map(|bit| !bit) }
            }
        }

        impl<const N: usize, T: Into<$Type<N>>> Sum<T> for $Type<N> {
            fn sum<I: Iterator<Item = T>>(values: I) -> $Type<N> {
                values.map(Into::into).reduce(|sum, value| sum + value).unwrap_or_else(|| 0.into())
            }
        }

        impl<const N: usize, T: Into<$Type<N>>> Product<T> for $Type<N> {
            fn product<I: Iterator<Item = T>>(values: I) -> $Type<N> {
                values.map(Into::into).reduce(|all, value| all * value).unwrap_or_else(|| 1.into())
            }
        }

        integer!(@plain $Type: of_unsigned u128: u8 u16 u32 u64 u128 usize);
        integer!(@plain $Type: of_signed i128: i8 i16 i32 i64 i128 isize);

        integer!(@operators $Type:
            Add::add, AddAssign::add_assign = int::add, "Wraps. `n - 1` ANDs.";
            Sub::sub, SubAssign::sub_assign = int::sub, "Wraps. `n - 1` ANDs.";
            Mul::mul, MulAssign::mul_assign = mul,
                "Wraps. `n^2 - n + 1` ANDs below 30 bits, fewer from there on: 975 for 32 bits, \
                 3,605 for 64. `x * x` is a square, which takes about half.";
            BitAnd::bitand, BitAndAssign::bitand_assign = int::and, "`n` ANDs.";
            BitOr::bitor, BitOrAssign::bitor_assign = or, "`n` ANDs.";
            BitXor::bitxor, BitXorAssign::bitxor_assign = int::xor, "Free.";
        );

        /// The quotient: 2,618 ANDs for 64 bits unsigned, 2,807 signed. See the type for division
        /// by 0.
        impl<const N: usize, T: Into<$Type<N>>> Div<T> for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn div(self, divisor: T) -> $Type<N> {
                self.quotient(divisor.into())
            }
        }
        integer!(@around $Type Div::div DivAssign::div_assign);

        /// The remainder. See the type for division by 0.
        impl<const N: usize, T: Into<$Type<N>>> Rem<T> for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn rem(self, divisor: T) -> $Type<N> {
                self.div_rem(divisor).1
            }
        }
        integer!(@around $Type Rem::rem RemAssign::rem_assign);
    };
    (@plain $Type:ident: $of:ident $wide:ty: $($plain:ty)*) => { $(
        /// Makes a secret constant of a public value.
        ///
        /// # Panics
        /// If the value does not fit.
        impl<const N: usize> From<$plain> for $Type<N> {
            fn from(value: $plain) -> $Type<N> {
                <$Type<N> as Constant>::$of(value as $wide)
            }
        }
    )* };
    (@operators $Type:ident: $(
        $Op:ident::$op:ident, $Assign:ident::$assign:ident = $f:expr, $cost:literal;
    )*) => { $(
        #[doc = $cost]
        impl<const N: usize, T: Into<$Type<N>>> $Op<T> for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn $op(self, other: T) -> $Type<N> {
                self.binary(other.into(), $f)
            }
        }
        integer!(@around $Type $Op::$op $Assign::$assign);
    )* };
    // The assigning form, and the forms with a reference or a plain integer on the left.
    (@around $Type:ident $Op:ident::$op:ident $Assign:ident::$assign:ident) => {
        impl<const N: usize, T: Into<$Type<N>>> $Assign<T> for $Type<N> {
            #[track_caller]
            fn $assign(&mut self, other: T) {
                *self = (*self).$op(other);
            }
        }
        impl<const N: usize, T: Into<$Type<N>>> $Op<T> for &$Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn $op(self, other: T) -> $Type<N> {
                (*self).$op(other)
            }
        }
        integer!(@left $Type $Op::$op:
            u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    };
    (@left $Type:ident $Op:ident::$op:ident: $($plain:ty)*) => { $(
        impl<const N: usize> $Op<$Type<N>> for $plain {
            type Output = $Type<N>;
            #[track_caller]
            fn $op(self, other: $Type<N>) -> $Type<N> {
                $Type::<N>::from(self).$op(other)
            }
        }
    )* };
}

integer!(Uint, Unsigned);
integer!(Int, Signed);

/// Makes a square if both factors are the same bits: in `x * x`, and in powers.
#[track_caller]
fn mul(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    if x == y { int::square(b, x) } else { int::mul(b, x, y) }
}

#[track_caller]
fn or(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    x.iter().zip(y).map(|(&x, &y)| b.or(x, y)).collect()
}
