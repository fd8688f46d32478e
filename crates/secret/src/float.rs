//! Secret floating-point numbers.

use crate::boolean::Bool;
use crate::integer::{Int, Uint};
use crate::list::Ordered;
use crate::native::{Native, ValueError, one_port};
use crate::secret::Secret;
use crate::trace::{Pack, Tag, Unpack, combine};
use halfgate_circuit::float::{self, BINARY16, BINARY32, BINARY64, Format};
use halfgate_circuit::{Bit, Builder, Element, ElementType, int};
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A secret floating-point number of `N` bits: [`F32`], [`F64`], or half precision with 16.
///
/// Every operation gives the result of `f32` and `f64`, bit for bit: rounded to nearest, ties to
/// even, with subnormal numbers, infinities and signed zeros. The exception is NaNs: a NaN result
/// is always the canonical one. No operation is an error: an invalid operation gives a NaN, and
/// division by 0 gives an infinity. AND counts are in [`halfgate_circuit::float`].
///
/// Operators work between two floats of the same width. Either operand may instead be a plain `f32`
/// or `f64`, which is rounded to `N` bits. A literal such as `1.5` is an `f64`.
#[derive(Clone, Copy)]
pub struct Float<const N: usize> {
    tag: Tag,
    bits: [Bit; N],
}

/// A secret `f32`.
pub type F32 = Float<32>;
/// A secret `f64`.
pub type F64 = Float<64>;

type Binary = fn(&mut Builder, Format, &[Bit], &[Bit]) -> Vec<Bit>;
type Unary = fn(&mut Builder, Format, &[Bit]) -> Vec<Bit>;
type Relation = fn(&mut Builder, Format, &[Bit], &[Bit]) -> Bit;

impl<const N: usize> Float<N> {
    const FORMAT: Format = match N {
        16 => BINARY16,
        32 => BINARY32,
        64 => BINARY64,
        _ => panic!("a secret float has 16, 32 or 64 bits"),
    };

    fn from_slice(tag: Tag, bits: &[Bit]) -> Self {
        let bits = bits.try_into();
        Float { tag, bits: bits.expect("an operation gives a value of its format") }
    }

    #[track_caller]
    fn unary(self, f: Unary) -> Self {
        let (tag, bits) = combine(&[self.tag], |b| f(b, Self::FORMAT, &self.bits));
        Self::from_slice(tag, &bits)
    }

    #[track_caller]
    fn binary(self, other: Self, f: Binary) -> Self {
        let (tag, bits) =
            combine(&[self.tag, other.tag], |b| f(b, Self::FORMAT, &self.bits, &other.bits));
        Self::from_slice(tag, &bits)
    }

    #[track_caller]
    fn relate(self, other: Self, f: Relation) -> Bool {
        let (tag, bit) =
            combine(&[self.tag, other.tag], |b| f(b, Self::FORMAT, &self.bits, &other.bits));
        Bool::new(tag, bit)
    }

    /// Whether this is less than `other`; false if an operand is a NaN.
    #[track_caller]
    pub fn lt(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), float::lt)
    }

    /// Whether this is at most `other`; false if an operand is a NaN.
    #[track_caller]
    pub fn le(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), float::le)
    }

    /// Whether this is greater than `other`; false if an operand is a NaN.
    #[track_caller]
    pub fn gt(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), float::gt)
    }

    /// Whether this is at least `other`; false if an operand is a NaN.
    #[track_caller]
    pub fn ge(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), float::ge)
    }

    /// Whether the two are equal: zeros of either sign are equal, NaNs are not.
    #[track_caller]
    pub fn equals(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), float::eq)
    }

    /// Whether the two are not equal.
    #[track_caller]
    pub fn differs(self, other: impl Into<Self>) -> Bool {
        !self.equals(other)
    }

    /// Whether this is a NaN.
    #[track_caller]
    pub fn is_nan(self) -> Bool {
        let (tag, bit) = combine(&[self.tag], |b| float::is_nan(b, Self::FORMAT, &self.bits));
        Bool::new(tag, bit)
    }

    /// The smaller of the two. If one operand is a NaN, returns the other operand. -0 is smaller
    /// than 0.
    #[track_caller]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), float::min)
    }

    /// The larger of the two. If one operand is a NaN, returns the other operand. 0 is larger than
    /// -0.
    #[track_caller]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), float::max)
    }

    /// `self * factor + addend`, rounded once.
    #[track_caller]
    pub fn mul_add(self, factor: impl Into<Self>, addend: impl Into<Self>) -> Self {
        let (factor, addend) = (factor.into(), addend.into());
        let (tag, bits) = combine(&[self.tag, factor.tag, addend.tag], |b| {
            float::fma(b, Self::FORMAT, &self.bits, &factor.bits, &addend.bits)
        });
        Self::from_slice(tag, &bits)
    }

    /// The square root; a NaN for numbers below 0.
    #[track_caller]
    pub fn sqrt(self) -> Self {
        self.unary(float::sqrt)
    }

    /// The largest integer that is not above this.
    #[track_caller]
    pub fn floor(self) -> Self {
        self.unary(float::floor)
    }

    /// The smallest integer that is not below this.
    #[track_caller]
    pub fn ceil(self) -> Self {
        self.unary(float::ceil)
    }

    /// The value without its fraction.
    #[track_caller]
    pub fn trunc(self) -> Self {
        self.unary(float::trunc)
    }

    /// The nearest integer, ties to even.
    #[track_caller]
    pub fn round_ties_even(self) -> Self {
        self.unary(float::round_ties_even)
    }

    /// The absolute value. Free.
    #[track_caller]
    pub fn abs(self) -> Self {
        Self::from_slice(self.tag, &float::abs(Self::FORMAT, &self.bits))
    }

    /// The value with the sign of `sign`. Free.
    #[track_caller]
    pub fn copysign(self, sign: impl Into<Self>) -> Self {
        let sign = sign.into();
        let bits = float::copysign(Self::FORMAT, &self.bits, &sign.bits);
        Self::from_slice(self.tag.join(sign.tag), &bits)
    }

    /// The nearest number of `M` bits.
    #[track_caller]
    pub fn cast<const M: usize>(self) -> Float<M> {
        let (tag, bits) = combine(&[self.tag], |b| {
            float::convert(b, Self::FORMAT, Float::<M>::FORMAT, &self.bits)
        });
        Float::from_slice(tag, &bits)
    }

    /// The bits as an integer. Free.
    #[track_caller]
    pub fn to_bits(self) -> Uint<N> {
        Uint { tag: self.tag, bits: self.bits }
    }

    /// The number with these bits. Free.
    #[track_caller]
    pub fn from_bits(bits: Uint<N>) -> Self {
        Float { tag: bits.tag, bits: bits.bits }
    }
}

impl<const N: usize> Uint<N> {
    /// The nearest float of `M` bits.
    #[track_caller]
    pub fn to_float<const M: usize>(self) -> Float<M> {
        let (tag, bits) =
            combine(&[self.tag], |b| float::from_unsigned(b, Float::<M>::FORMAT, &self.bits));
        Float::from_slice(tag, &bits)
    }

    /// `x` without its fraction, as `as` converts: a number out of range becomes the least or the
    /// largest value, a NaN becomes 0.
    #[track_caller]
    pub fn from_float<const M: usize>(x: Float<M>) -> Self {
        let (tag, bits) =
            combine(&[x.tag], |b| float::to_unsigned(b, Float::<M>::FORMAT, &x.bits, N));
        Uint::from_slice(tag, &bits)
    }
}

impl<const N: usize> Int<N> {
    /// The nearest float of `M` bits.
    #[track_caller]
    pub fn to_float<const M: usize>(self) -> Float<M> {
        let (tag, bits) =
            combine(&[self.tag], |b| float::from_signed(b, Float::<M>::FORMAT, &self.bits));
        Float::from_slice(tag, &bits)
    }

    /// `x` without its fraction, as `as` converts: a number out of range becomes the least or the
    /// largest value, a NaN becomes 0.
    #[track_caller]
    pub fn from_float<const M: usize>(x: Float<M>) -> Self {
        let (tag, bits) =
            combine(&[x.tag], |b| float::to_signed(b, Float::<M>::FORMAT, &x.bits, N));
        Int::from_slice(tag, &bits)
    }
}

/// Makes a secret constant of a public value, rounded to `N` bits.
impl<const N: usize> From<f64> for Float<N> {
    fn from(value: f64) -> Self {
        let constant = |width: usize, bits: u64| int::constant(width, u128::from(bits));
        let bits = match N {
            64 => constant(64, value.to_bits()),
            32 => constant(32, (value as f32).to_bits().into()),
            // Conversions of constants fold.
            _ => float::convert(
                &mut Builder::new(),
                BINARY64,
                Self::FORMAT,
                &constant(64, value.to_bits()),
            ),
        };
        Self::from_slice(Tag::CONSTANT, &bits)
    }
}

/// Makes a secret constant of a public value, rounded to `N` bits.
impl<const N: usize> From<f32> for Float<N> {
    fn from(value: f32) -> Self {
        Float::from(f64::from(value))
    }
}

impl<const N: usize> From<&Float<N>> for Float<N> {
    fn from(value: &Float<N>) -> Self {
        *value
    }
}

/// Free.
impl<const N: usize> Neg for Float<N> {
    type Output = Float<N>;
    #[track_caller]
    fn neg(self) -> Float<N> {
        Self::from_slice(self.tag, &float::neg(Self::FORMAT, &self.bits))
    }
}

macro_rules! operators {
    ($($Op:ident::$op:ident, $Assign:ident::$assign:ident, $gadget:path;)*) => { $(
        impl<const N: usize, T: Into<Float<N>>> $Op<T> for Float<N> {
            type Output = Float<N>;
            #[track_caller]
            fn $op(self, other: T) -> Float<N> {
                self.binary(other.into(), $gadget)
            }
        }

        impl<const N: usize, T: Into<Float<N>>> $Op<T> for &Float<N> {
            type Output = Float<N>;
            #[track_caller]
            fn $op(self, other: T) -> Float<N> {
                (*self).$op(other)
            }
        }

        impl<const N: usize> $Op<Float<N>> for f64 {
            type Output = Float<N>;
            #[track_caller]
            fn $op(self, other: Float<N>) -> Float<N> {
                Float::<N>::from(self).$op(other)
            }
        }

        impl<const N: usize> $Op<Float<N>> for f32 {
            type Output = Float<N>;
            #[track_caller]
            fn $op(self, other: Float<N>) -> Float<N> {
                Float::<N>::from(self).$op(other)
            }
        }

        impl<const N: usize, T: Into<Float<N>>> $Assign<T> for Float<N> {
            #[track_caller]
            fn $assign(&mut self, other: T) {
                *self = (*self).$op(other);
            }
        }
    )* };
}

operators! {
    Add::add, AddAssign::add_assign, float::add;
    Sub::sub, SubAssign::sub_assign, float::sub;
    Mul::mul, MulAssign::mul_assign, float::mul;
    Div::div, DivAssign::div_assign, float::div;
}

/// Adds in order, starting with the first two. The sum of no elements is -0, as in Rust.
impl<const N: usize, T: Into<Float<N>>> Sum<T> for Float<N> {
    fn sum<I: Iterator<Item = T>>(values: I) -> Float<N> {
        values.map(Into::into).reduce(|sum, value| sum + value).unwrap_or_else(|| (-0.0).into())
    }
}

/// Multiplies in order, starting with the first two.
impl<const N: usize, T: Into<Float<N>>> Product<T> for Float<N> {
    fn product<I: Iterator<Item = T>>(values: I) -> Float<N> {
        values.map(Into::into).reduce(|all, value| all * value).unwrap_or_else(|| 1.0.into())
    }
}

impl<const N: usize> Secret for Float<N> {
    type Shape = ();

    fn shape(&self) {}

    fn width(&(): &()) -> usize {
        N
    }

    fn elements(&(): &()) -> Option<ElementType> {
        let element = match N {
            32 => Element::Float32,
            64 => Element::Float64,
            _ => return None,
        };
        Some(ElementType { element, width: N as u32 })
    }

    fn pack(&self, to: &mut Pack) {
        to.push(self.tag, &self.bits);
    }

    fn unpack(&(): &(), from: &mut Unpack<'_>) -> Self {
        let (tag, bits) = from.take();
        Float { tag, bits }
    }
}

/// As unsigned numbers, the encodings of negative floats are in reverse order and above all others.
/// So all bits of a negative float are inverted, and only the sign bit of every other float.
impl<const N: usize> Ordered for Float<N> {
    #[track_caller]
    fn to_order(&self) -> Vec<Bit> {
        let (_, bits) = combine(&[self.tag], |b| {
            let negative = self.bits[N - 1];
            let mut bits: Vec<Bit> = self.bits.iter().map(|&bit| b.xor(bit, negative)).collect();
            bits[N - 1] = !negative;
            bits
        });
        bits
    }
}

/// Formats only the type: while the circuit is written, there is no value.
impl<const N: usize> std::fmt::Debug for Float<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Float<{N}>(secret)")
    }
}

macro_rules! native {
    ($($n:literal $plain:ty;)*) => { $(
        impl Native for Float<$n> {
            type Clear = $plain;

            #[track_caller]
            fn encode(
                _: &(),
                value: &$plain,
                to: &mut dyn FnMut(bool),
            ) -> Result<(), ValueError> {
                let bits = value.to_bits();
                (0..$n).for_each(|i| to(bits >> i & 1 == 1));
                Ok(())
            }

            #[track_caller]
            fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> $plain {
                let zero = <$plain>::from_bits(0).to_bits();
                <$plain>::from_bits((0..$n).fold(zero, |bits, i| {
                    if from() { bits | 1 << i } else { bits }
                }))
            }

            one_port!();
        }
    )* };
}

native! {
    32 f32;
    64 f64;
}
