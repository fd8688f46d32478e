//! Secret fixed-point numbers: integers that count multiples of a power of two.

mod operators;
mod plain;

pub(crate) use plain::Format;

use crate::boolean::Bool;
use crate::float::Float;
use crate::integer::{Int, Uint};
use crate::list::Ordered;
use crate::native::{Native, ValueError, one_port};
use crate::secret::Secret;
use crate::trace::{Pack, Tag, Unpack, combine};
use halfgate_circuit::{Bit, Element, ElementType, fixed as gadgets};

/// A secret signed fixed-point number: `BITS` bits in two's complement, `FRACTION` of them after
/// the point. It counts multiples of `2^-FRACTION`, from `-2^(BITS - 1 - FRACTION)` to one multiple
/// below `2^(BITS - 1 - FRACTION)`: `Fixed<32, 16>` holds -32,768 to 32,767.99998.
///
/// ```
/// use halfgate_secret::{Fixed, Party, input, output, trace};
///
/// type Money = Fixed<32, 8>;
///
/// let circuit = trace(|| {
///     let price: Money = input("price", Party::Garbler);
///     let rate: Money = input("rate", Party::Evaluator);
///     output("sum", &(price * (1 + rate)));
///     output("cheap", &price.lt(9.75));
/// })?;
/// # assert!(circuit.gates.ands() > 0);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
///
/// **Rounding.** Sums and differences are exact. A product, a quotient, [`cast`](Fixed::cast) and
/// [`round`](Fixed::round) are rounded to the nearest multiple, ties to the upper one: -1.5 becomes
/// -1, 1.5 becomes 2. A plain number that becomes a secret one is rounded to the nearest multiple,
/// ties to even, like the numbers that the `halfgate` command reads.
///
/// **Overflow.** Results wrap, like those of [`Int`]. [`saturating_add`](Fixed::saturating_add) and
/// similar methods return the nearest representable number. Division by 0 gives the largest value
/// if the dividend is at least 0, else the least.
///
/// **Operators** work between two numbers of the same type. Either operand may instead be a plain
/// number: an integer, an `f32` or an `f64`. A plain number out of range panics while the circuit
/// is written, because it is known at that time.
///
/// **ANDs** for operands that are not constant:
///
/// | | `x + y` | `x * y` | `x * x` | `x / y` | `x.saturating_mul(y)` |
/// |---|---|---|---|---|---|
/// | `Fixed<32, 16>` | 31 | 1,684 | 940 | 1,544 | 1,815 |
/// | `UFixed<32, 16>` | 31 | 1,654 | 909 | 1,449 | 1,705 |
/// | `Fixed<64, 32>` | 63 | 5,534 | 3,086 | 5,270 | 5,663 |
#[derive(Clone, Copy)]
pub struct Fixed<const BITS: usize, const FRACTION: usize> {
    raw: Int<BITS>,
}

/// A secret unsigned fixed-point number: `BITS` bits, `FRACTION` of them after the point, from 0 to
/// one multiple of `2^-FRACTION` below `2^(BITS - FRACTION)`. `UFixed<16, 16>` holds probabilities.
///
/// Rounding, overflow and operators are as for [`Fixed`].
///
/// ```
/// use halfgate_secret::{Party, UFixed, input, output, trace};
///
/// let circuit = trace(|| {
///     let p: UFixed<16, 16> = input("p", Party::Garbler);
///     let q: UFixed<16, 16> = input("q", Party::Evaluator);
///     output("both", &(p * q));
/// })?;
/// # assert!(circuit.gates.ands() > 0);
/// # Ok::<(), halfgate_circuit::builder::BuildError>(())
/// ```
#[derive(Clone, Copy)]
pub struct UFixed<const BITS: usize, const FRACTION: usize> {
    raw: Uint<BITS>,
}

/// Implementations that differ only in the type's name or by a flag.
macro_rules! fixed {
    ($Type:ident, $Int:ident, $signed:literal, $Element:ident) => {
        impl<const BITS: usize, const FRACTION: usize> $Type<BITS, FRACTION> {
            const CHECK: () = assert!(
                BITS >= 1 && BITS <= 128 && FRACTION <= BITS && FRACTION < 128,
                "a number of fixed point has 1 to 128 bits, and at most as many after the point"
            );

            /// The number that is `raw` multiples of `2^-FRACTION`. Free.
            #[track_caller]
            pub fn from_raw(raw: $Int<BITS>) -> Self {
                let () = Self::CHECK;
                $Type { raw }
            }

            /// The number of multiples of `2^-FRACTION`. Free.
            #[track_caller]
            pub fn raw(self) -> $Int<BITS> {
                self.raw
            }

            fn from_slice(tag: Tag, bits: &[Bit]) -> Self {
                Self::from_raw($Int::from_slice(tag, bits))
            }

            #[track_caller]
            fn binary(self, other: Self, f: gadgets::Binary) -> Self {
                let (tag, bits) = combine(&[self.raw.tag, other.raw.tag], |b| {
                    f(b, &self.raw.bits, &other.raw.bits, FRACTION, $signed)
                });
                Self::from_slice(tag, &bits)
            }

            /// Converts an integer, with zeros after the point. Wraps. Free.
            #[track_caller]
            pub fn from_int<const M: usize>(x: $Int<M>) -> Self {
                let bits = [&[Bit::FALSE; FRACTION][..], &x.bits[..]].concat();
                Self::from_slice(x.tag, &gadgets::extend(&bits, BITS, $signed))
            }

            /// The largest integer that is not above this. Free.
            #[track_caller]
            pub fn floor(self) -> $Int<BITS> {
                self.raw >> FRACTION
            }

            /// The smallest integer that is not below this. `BITS - 1` ANDs.
            #[track_caller]
            pub fn ceil(self) -> $Int<BITS> {
                self.to_int(gadgets::ceil)
            }

            /// The nearest integer, ties to the upper one. `BITS - FRACTION` ANDs.
            #[track_caller]
            pub fn round(self) -> $Int<BITS> {
                self.to_int(gadgets::round)
            }

            #[track_caller]
            fn to_int(self, f: gadgets::ToInt) -> $Int<BITS> {
                let (tag, bits) =
                    combine(&[self.raw.tag], |b| f(b, &self.raw.bits, FRACTION, $signed, BITS));
                $Int::from_slice(tag, &bits)
            }

            /// The same number in another format. Free if no bits after the point are lost, else
            /// rounded to the nearest multiple at `B - 1` ANDs. Wraps if there are too few bits
            /// before the point.
            #[track_caller]
            pub fn cast<const B: usize, const F: usize>(self) -> $Type<B, F> {
                let (tag, bits) = combine(&[self.raw.tag], |b| match FRACTION.checked_sub(F) {
                    Some(less) => gadgets::round(b, &self.raw.bits, less, $signed, B),
                    None => {
                        let zeros = vec![Bit::FALSE; F - FRACTION];
                        let bits = [&zeros, &self.raw.bits[..]].concat();
                        gadgets::extend(&bits, B, $signed)
                    }
                });
                $Type::from_slice(tag, &bits)
            }

            /// The nearest `f64`, or `f32` if `M` is 32; exact if the float has enough bits. Costs
            /// a conversion of the integer and a product of floats.
            ///
            /// # Panics
            /// If `M` is neither 32 nor 64.
            #[track_caller]
            pub fn to_float<const M: usize>(self) -> Float<M> {
                assert!(M == 32 || M == 64, "a number of fixed point becomes an F32 or an F64");
                self.raw.to_float::<M>() * 2f64.powi(-(FRACTION as i32))
            }

            /// The fixed-point number nearest to `x`, ties to even. A number out of range becomes
            /// the least or the largest value, a NaN becomes 0. Costs a product of floats, its
            /// rounding, and a conversion to an integer.
            ///
            /// # Panics
            /// If `M` is neither 32 nor 64.
            #[track_caller]
            pub fn from_float<const M: usize>(x: Float<M>) -> Self {
                assert!(M == 32 || M == 64, "a number of fixed point is made of an F32 or an F64");
                let scaled = x * 2f64.powi(FRACTION as i32);
                Self::from_raw($Int::from_float(scaled.round_ties_even()))
            }

            /// Whether this is less than `other`. `n` ANDs.
            #[track_caller]
            pub fn lt(self, other: impl Into<Self>) -> Bool {
                self.raw.lt(other.into().raw)
            }

            /// Whether this is at most `other`. `n` ANDs.
            #[track_caller]
            pub fn le(self, other: impl Into<Self>) -> Bool {
                self.raw.le(other.into().raw)
            }

            /// Whether this is greater than `other`. `n` ANDs.
            #[track_caller]
            pub fn gt(self, other: impl Into<Self>) -> Bool {
                self.raw.gt(other.into().raw)
            }

            /// Whether this is at least `other`. `n` ANDs.
            #[track_caller]
            pub fn ge(self, other: impl Into<Self>) -> Bool {
                self.raw.ge(other.into().raw)
            }

            /// Whether the two are equal. `n - 1` ANDs.
            #[track_caller]
            pub fn equals(self, other: impl Into<Self>) -> Bool {
                self.raw.equals(other.into().raw)
            }

            /// Whether the two are different. `n - 1` ANDs.
            #[track_caller]
            pub fn differs(self, other: impl Into<Self>) -> Bool {
                self.raw.differs(other.into().raw)
            }

            /// Whether this is 0. `n - 1` ANDs.
            #[track_caller]
            pub fn is_zero(self) -> Bool {
                self.raw.is_zero()
            }

            /// The smaller of the two. `2n` ANDs.
            #[track_caller]
            pub fn min(self, other: impl Into<Self>) -> Self {
                Self::from_raw(self.raw.min(other.into().raw))
            }

            /// The larger of the two. `2n` ANDs.
            #[track_caller]
            pub fn max(self, other: impl Into<Self>) -> Self {
                Self::from_raw(self.raw.max(other.into().raw))
            }

            /// The value, limited to `low` and `high`. `4n` ANDs.
            #[track_caller]
            pub fn clamp(self, low: impl Into<Self>, high: impl Into<Self>) -> Self {
                self.max(low).min(high)
            }

            /// The sum, or the nearest representable value. `2n` ANDs, and one more if signed.
            #[track_caller]
            pub fn saturating_add(self, other: impl Into<Self>) -> Self {
                self.binary(other.into(), gadgets::saturating_add)
            }

            /// The difference, or the nearest representable value. `2n` ANDs, and one more if
            /// signed.
            #[track_caller]
            pub fn saturating_sub(self, other: impl Into<Self>) -> Self {
                self.binary(other.into(), gadgets::saturating_sub)
            }

            /// The rounded product, or the nearest representable value. The ANDs of a full product
            /// ([`widening_mul`](Uint::widening_mul)), and at most `4n` more.
            #[track_caller]
            pub fn saturating_mul(self, other: impl Into<Self>) -> Self {
                self.binary(other.into(), gadgets::saturating_mul)
            }
        }

        impl<const BITS: usize, const FRACTION: usize> Secret for $Type<BITS, FRACTION> {
            type Shape = ();

            fn shape(&self) {}

            fn width(&(): &()) -> usize {
                BITS
            }

            fn elements(&(): &()) -> Option<ElementType> {
                let element = Element::$Element { fraction: FRACTION as u32 };
                Some(ElementType { element, width: BITS as u32 })
            }

            fn pack(&self, to: &mut Pack) {
                self.raw.pack(to);
            }

            fn unpack(&(): &(), from: &mut Unpack<'_>) -> Self {
                Self::from_raw($Int::unpack(&(), from))
            }
        }

        /// The plain number is an `f64`, which holds 53 bits. A number with more bits is decoded to
        /// the nearest `f64`; [`raw`](Self::raw) as a separate output is exact.
        impl<const BITS: usize, const FRACTION: usize> Native for $Type<BITS, FRACTION> {
            type Clear = f64;

            #[track_caller]
            fn encode(_: &(), &value: &f64, to: &mut dyn FnMut(bool)) -> Result<(), ValueError> {
                let format = plain::Format { bits: BITS, fraction: FRACTION, signed: $signed };
                let raw = plain::raw_of_float(value, format);
                let raw = raw.ok_or(ValueError::FixedRange {
                    bits: BITS,
                    fraction: FRACTION,
                    signed: $signed,
                })?;
                (0..BITS).for_each(|i| to(raw >> i & 1 == 1));
                Ok(())
            }

            #[track_caller]
            fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> f64 {
                let raw = (0..BITS).fold(0, |raw, i| raw | u128::from(from()) << i);
                let format = plain::Format { bits: BITS, fraction: FRACTION, signed: $signed };
                plain::float_of_raw(raw, format)
            }

            one_port!();
        }

        impl<const BITS: usize, const FRACTION: usize> Ordered for $Type<BITS, FRACTION> {
            #[track_caller]
            fn to_order(&self) -> Vec<Bit> {
                self.raw.to_order()
            }
        }

        /// Formats only the type: while the circuit is written, there is no value.
        impl<const BITS: usize, const FRACTION: usize> std::fmt::Debug for $Type<BITS, FRACTION> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($Type), "<{}, {}>(secret)"), BITS, FRACTION)
            }
        }

        impl<const BITS: usize, const FRACTION: usize> From<&$Type<BITS, FRACTION>>
            for $Type<BITS, FRACTION>
        {
            fn from(value: &$Type<BITS, FRACTION>) -> Self {
                *value
            }
        }
    };
}

fixed!(Fixed, Int, true, Fixed);
fixed!(UFixed, Uint, false, FixedUnsigned);

impl<const BITS: usize, const FRACTION: usize> Fixed<BITS, FRACTION> {
    /// Whether this is less than 0. Free.
    #[track_caller]
    pub fn is_negative(self) -> Bool {
        self.raw.is_negative()
    }

    /// The absolute value; the least value wraps to itself. `n - 1` ANDs.
    #[track_caller]
    pub fn abs(self) -> Self {
        Self::from_raw(self.raw.abs())
    }

    /// The same bits as an unsigned number. Free.
    #[track_caller]
    pub fn as_unsigned(self) -> UFixed<BITS, FRACTION> {
        UFixed::from_raw(self.raw.as_unsigned())
    }
}

impl<const BITS: usize, const FRACTION: usize> UFixed<BITS, FRACTION> {
    /// The same bits as a signed number. Free.
    #[track_caller]
    pub fn as_signed(self) -> Fixed<BITS, FRACTION> {
        Fixed::from_raw(self.raw.as_signed())
    }
}
