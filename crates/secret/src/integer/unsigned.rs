//! Secret unsigned integers.

use super::Constant;
use crate::boolean::Bool;
use crate::native::{Bitwidth, Native, ValueError, Width, one_port};
use crate::trace::{Tag, combine};
use halfgate_circuit::{Bit, int};

/// A secret unsigned integer of `N` bits.
///
/// Operators work between two integers of the same width. Either operand may instead be a plain
/// integer. Results wrap, like those of Rust's `wrapping_add`. AND counts are those of the gadgets
/// in [`halfgate_circuit::int`], and hold for operands that are not constant.
///
/// - If `y` is 0, `x / y` is all ones and `x % y` is `x`.
/// - `x << amount` and `x >> amount` are 0 if `amount` is `N` or more. The amount is plain (free)
///   or a secret [`Uint`] of any width.
/// - Comparisons are methods ([`lt`](Uint::lt), [`equals`](Uint::equals)…), because Rust's
///   comparison operators return a `bool`, whose value would have to be known while the circuit is
///   written.
///
/// Plain integers become secret constants by [`From`]. A plain integer that does not fit `N` bits
/// panics.
#[derive(Clone, Copy)]
pub struct Uint<const N: usize> {
    pub(crate) tag: Tag,
    pub(crate) bits: [Bit; N],
}

/// A secret `u8`.
pub type U8 = Uint<8>;
/// A secret `u16`.
pub type U16 = Uint<16>;
/// A secret `u32`.
pub type U32 = Uint<32>;
/// A secret `u64`.
pub type U64 = Uint<64>;
/// A secret `u128`.
pub type U128 = Uint<128>;

impl<const N: usize> Uint<N> {
    /// The largest value.
    pub const MAX: Uint<N> = Uint { tag: Tag::CONSTANT, bits: [Bit::TRUE; N] };
    /// Zero.
    pub const ZERO: Uint<N> = Uint { tag: Tag::CONSTANT, bits: [Bit::FALSE; N] };

    /// The same number in `M` bits, `x.cast::<64>()`, as `as` converts: zeros are added, or high
    /// bits are dropped. Free.
    #[track_caller]
    pub fn cast<const M: usize>(self) -> Uint<M> {
        Uint::from_slice(self.tag, &int::zero_extend(&self.bits, M))
    }

    /// Whether this is less than `other`. `n` ANDs.
    #[track_caller]
    pub fn lt(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), int::lt_unsigned)
    }

    /// The smaller of the two. `2n` ANDs.
    #[track_caller]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), int::min_unsigned)
    }

    /// The larger of the two. `2n` ANDs.
    #[track_caller]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), int::max_unsigned)
    }

    /// `|self - other|`. `2n - 1` ANDs.
    #[track_caller]
    pub fn abs_diff(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        let negative = self.lt(other);
        let difference = self - other;
        difference.unary_with(negative, int::negate_if)
    }

    /// `-self`, modulo `2^N`. `n - 2` ANDs.
    #[track_caller]
    pub fn wrapping_neg(self) -> Self {
        self.unary(int::neg)
    }

    /// The sum, and whether it wrapped. `n` ANDs.
    #[track_caller]
    pub fn overflowing_add(self, other: impl Into<Self>) -> (Self, Bool) {
        let other = other.into();
        let (tag, sum) =
            combine(&[self.tag, other.tag], |b| int::add_carry(b, &self.bits, &other.bits));
        (Uint::from_slice(tag, &sum[..N]), Bool::new(tag, sum[N]))
    }

    /// The sum, or the largest value if the sum is larger. `2n` ANDs.
    #[track_caller]
    pub fn saturating_add(self, other: impl Into<Self>) -> Self {
        let (sum, carry) = self.overflowing_add(other);
        carry.select(Uint::MAX, sum)
    }

    /// The difference, or 0 if it is negative. `2n` ANDs.
    #[track_caller]
    pub fn saturating_sub(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        self.lt(other).select(Uint::ZERO, self - other)
    }

    /// The full product, in `M` bits. No bits are lost if `M` is `2 * N` or more. `2n^2 - n` ANDs
    /// below 16 bits, fewer from there on: 1,609 for 32 bits, 5,233 for 64. A value times itself is
    /// a square, which takes about half the ANDs.
    #[track_caller]
    pub fn widening_mul<const M: usize>(self, other: impl Into<Self>) -> Uint<M> {
        let other = other.into();
        let square = self.bits == other.bits;
        let (tag, product) = combine(&[self.tag, other.tag], |b| match square {
            true => int::square_full(b, &self.bits),
            false => int::mul_full(b, &self.bits, &other.bits),
        });
        Uint::from_slice(tag, &int::zero_extend(&product, M))
    }

    /// Quotient and remainder at the cost of one division: 2,745 ANDs for 64 bits, far fewer for a
    /// public divisor, none for a power of two.
    #[track_caller]
    pub fn div_rem(self, divisor: impl Into<Self>) -> (Self, Self) {
        let divisor = divisor.into();
        let public = divisor.public().filter(|&divisor| divisor != 0);
        let (tag, (quotient, rest)) = combine(&[self.tag, divisor.tag], |b| match public {
            Some(divisor) => int::div_rem_constant(b, &self.bits, divisor),
            None => int::div_rem_unsigned(b, &self.bits, &divisor.bits),
        });
        (Uint::from_slice(tag, &quotient), Uint::from_slice(tag, &int::zero_extend(&rest, N)))
    }

    #[track_caller]
    pub(crate) fn quotient(self, divisor: Self) -> Self {
        match divisor.public() {
            Some(_) => self.div_rem(divisor).0,
            None => self.binary(divisor, int::div_unsigned),
        }
    }

    /// The value, if it is a constant of up to 128 bits.
    #[track_caller]
    fn public(self) -> Option<u128> {
        let bits = self.bits.iter().enumerate();
        bits.map(|(i, bit)| u128::from(bit.as_constant()?).checked_shl(i as u32))
            .try_fold(0, |value, bit| Some(value | bit?))
    }

    /// The number with the binary digits of `high` followed by those of `low`. Free.
    ///
    /// # Panics
    /// If `N` is not `A + B`.
    #[track_caller]
    pub fn concat<const A: usize, const B: usize>(high: Uint<A>, low: Uint<B>) -> Self {
        let bits = [&low.bits[..], &high.bits[..]].concat();
        Uint::from_slice(high.tag.join(low.tag), &bits)
    }
}

impl<const N: usize> Native for Uint<N>
where
    Bitwidth<N>: Width,
{
    type Clear = <Bitwidth<N> as Width>::Unsigned;

    #[track_caller]
    fn encode(_: &(), &value: &Self::Clear, to: &mut dyn FnMut(bool)) -> Result<(), ValueError> {
        let (value, most) = (value.into(), u128::MAX >> (128 - N));
        if value > most {
            return Err(ValueError::TooLarge { width: N, least: 0, most });
        }
        (0..N).for_each(|i| to(value >> i & 1 == 1));
        Ok(())
    }

    #[track_caller]
    fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> Self::Clear {
        let value = (0..N).fold(0, |value, i| value | u128::from(from()) << i);
        Self::Clear::try_from(value).ok().expect("as many bits as the plain type holds")
    }

    one_port!();
}

impl<const N: usize> Constant for Uint<N> {
    #[track_caller]
    fn of_unsigned(value: u128) -> Self {
        assert!(
            N >= 128 || value >> N == 0,
            "the constant {value} does not fit an unsigned integer of {N} bits"
        );
        Uint::from_slice(Tag::CONSTANT, &int::constant(N, value))
    }

    #[track_caller]
    fn of_signed(value: i128) -> Self {
        let value = u128::try_from(value);
        Self::of_unsigned(value.expect("an unsigned integer cannot be a negative constant"))
    }
}
