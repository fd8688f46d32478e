//! Secret signed integers, in two's complement.

use super::{Constant, Uint};
use crate::boolean::Bool;
use crate::native::{Bitwidth, Native, ValueError, Width, one_port};
use crate::trace::{Tag, combine};
use halfgate_circuit::{Bit, int};

/// A secret signed integer of `N` bits, in two's complement.
///
/// Like [`Uint`], with these differences:
///
/// - Division rounds towards 0, and the remainder has the dividend's sign, as in Rust. The least
///   value divided by -1 wraps to itself. `x / 0` is -1 if `x` is not negative and 1 otherwise;
///   `x % 0` is `x`.
/// - `x >> amount` shifts in copies of the sign.
#[derive(Clone, Copy)]
pub struct Int<const N: usize> {
    pub(crate) tag: Tag,
    pub(crate) bits: [Bit; N],
}

/// A secret `i8`.
pub type I8 = Int<8>;
/// A secret `i16`.
pub type I16 = Int<16>;
/// A secret `i32`.
pub type I32 = Int<32>;
/// A secret `i64`.
pub type I64 = Int<64>;
/// A secret `i128`.
pub type I128 = Int<128>;

impl<const N: usize> Int<N> {
    /// The same number in `M` bits, as `as` converts: copies of the sign are added, or high bits
    /// are dropped. Free.
    #[track_caller]
    pub fn cast<const M: usize>(self) -> Int<M> {
        Int::from_slice(self.tag, &int::sign_extend(&self.bits, M))
    }

    /// The same bits as an unsigned number. Free.
    #[track_caller]
    pub fn as_unsigned(self) -> Uint<N> {
        Uint { tag: self.tag, bits: self.bits }
    }

    /// Whether this is less than 0. Free.
    #[track_caller]
    pub fn is_negative(self) -> Bool {
        Bool::new(self.tag, self.bits.last().copied().unwrap_or(Bit::FALSE))
    }

    /// Whether this is less than `other`. `n` ANDs.
    #[track_caller]
    pub fn lt(self, other: impl Into<Self>) -> Bool {
        self.relate(other.into(), int::lt_signed)
    }

    /// The smaller of the two. `2n` ANDs.
    #[track_caller]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), int::min_signed)
    }

    /// The larger of the two. `2n` ANDs.
    #[track_caller]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(other.into(), int::max_signed)
    }

    /// The absolute value; the least value wraps to itself. `n - 1` ANDs.
    #[track_caller]
    pub fn abs(self) -> Self {
        self.unary(int::abs)
    }

    /// The absolute value, which always fits an unsigned integer. `n - 1` ANDs.
    #[track_caller]
    pub fn unsigned_abs(self) -> Uint<N> {
        self.abs().as_unsigned()
    }

    /// `|self - other|`, which always fits an unsigned integer. `2n - 1` ANDs.
    #[track_caller]
    pub fn abs_diff(self, other: impl Into<Self>) -> Uint<N> {
        let other = other.into();
        let negative = self.lt(other);
        (self - other).unary_with(negative, int::negate_if).as_unsigned()
    }

    /// -1, 0 or 1. `n - 1` ANDs.
    #[track_caller]
    pub fn signum(self) -> Self {
        // In the result, all bits above the lowest are copies of the sign. The lowest bit is 1 if
        // the value is not 0.
        let (_, negative) = self.is_negative().parts();
        let (tag, differs) = self.differs(0).parts();
        let bit = |i| if i == 0 { differs } else { negative };
        Int { tag, bits: std::array::from_fn(bit) }
    }

    /// The full product, in `M` bits. No bits are lost if `M` is `2 * N` or more; the product is
    /// then sign-extended. Factors of different widths can be [cast](Int::cast) to one width for
    /// free. About `4n` ANDs more than [`Uint::widening_mul`]: 1,719 for 32 bits, 5,471 for 64. A
    /// value times itself is a square, which takes about half the ANDs.
    #[track_caller]
    pub fn widening_mul<const M: usize>(self, other: impl Into<Self>) -> Int<M> {
        let other = other.into();
        let square = self.bits == other.bits;
        let (tag, product) = combine(&[self.tag, other.tag], |b| match square {
            true => {
                let magnitude = int::abs(b, &self.bits);
                int::square_full(b, &magnitude)
            }
            false => int::mul_full_signed(b, &self.bits, &other.bits),
        });
        Int::from_slice(tag, &int::sign_extend(&product, M))
    }

    /// Quotient and remainder at the cost of one division: 2,997 ANDs for 64 bits.
    #[track_caller]
    pub fn div_rem(self, divisor: impl Into<Self>) -> (Self, Self) {
        let divisor = divisor.into();
        let (tag, (quotient, rest)) = combine(&[self.tag, divisor.tag], |b| {
            int::div_rem_signed(b, &self.bits, &divisor.bits)
        });
        (Int::from_slice(tag, &quotient), Int::from_slice(tag, &rest))
    }

    #[track_caller]
    pub(crate) fn quotient(self, divisor: Self) -> Self {
        self.binary(divisor, int::div_signed)
    }
}

impl<const N: usize> Uint<N> {
    /// The same bits as a signed number. Free.
    #[track_caller]
    pub fn as_signed(self) -> Int<N> {
        Int { tag: self.tag, bits: self.bits }
    }
}

/// `n - 2` ANDs.
impl<const N: usize> std::ops::Neg for Int<N> {
    type Output = Int<N>;
    #[track_caller]
    fn neg(self) -> Int<N> {
        self.unary(int::neg)
    }
}

impl<const N: usize> Native for Int<N>
where
    Bitwidth<N>: Width,
{
    type Clear = <Bitwidth<N> as Width>::Signed;

    #[track_caller]
    fn encode(_: &(), &value: &Self::Clear, to: &mut dyn FnMut(bool)) -> Result<(), ValueError> {
        let (value, most): (i128, _) = (value.into(), i128::MAX >> (128 - N));
        if !(!most..=most).contains(&value) {
            let most = most.unsigned_abs();
            return Err(ValueError::TooLarge { width: N, least: !(most as i128), most });
        }
        (0..N).for_each(|i| to(value >> i & 1 == 1));
        Ok(())
    }

    #[track_caller]
    fn decode(_: &(), from: &mut dyn FnMut() -> bool) -> Self::Clear {
        let value = (0..N).fold(0, |value, i| value | i128::from(from()) << i);
        let value = value << (128 - N) >> (128 - N);
        Self::Clear::try_from(value).ok().expect("as many bits as the plain type holds")
    }

    one_port!();
}

impl<const N: usize> Constant for Int<N> {
    #[track_caller]
    fn of_unsigned(value: u128) -> Self {
        let small = i128::try_from(value);
        Self::of_signed(small.unwrap_or_else(|_| {
            panic!("the constant {value} does not fit a signed integer of {N} bits")
        }))
    }

    #[track_caller]
    fn of_signed(value: i128) -> Self {
        assert!(
            N >= 128 || (N > 0 && value >> (N - 1) == value >> 127) || value == 0,
            "the constant {value} does not fit a signed integer of {N} bits"
        );
        let bits = (0..N).map(|i| Bit::constant(value >> i.min(127) & 1 == 1));
        Int::from_slice(Tag::CONSTANT, &bits.collect::<Vec<_>>())
    }
}
