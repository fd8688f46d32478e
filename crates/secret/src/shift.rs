//! Shifts and rotations by plain and by secret amounts.

use crate::integer::{Binary, Int, Uint};
use crate::trace::{Tag, combine};
use halfgate_circuit::{Bit, int};
use std::ops::{Shl, ShlAssign, Shr, ShrAssign};

/// The amount of a shift or rotation. A plain amount, which is an integer, costs nothing. A secret
/// amount, a [`Uint`] of any width, costs one AND for each bit of the value and each relevant bit
/// of the amount.
pub trait Amount {
    #[doc(hidden)]
    fn amount(self) -> AmountBits;
}

/// An amount, plain or secret.
#[doc(hidden)]
pub enum AmountBits {
    /// Known while the circuit is written.
    Plain(usize),
    /// Known only to the circuit.
    Secret(SecretAmount),
}

/// The bits of a secret amount.
#[doc(hidden)]
pub struct SecretAmount(Tag, Vec<Bit>);

macro_rules! plain {
    ($($plain:ty)*) => { $(
        /// # Panics
        /// If the amount is negative.
        impl Amount for $plain {
            #[track_caller]
            fn amount(self) -> AmountBits {
                let amount = usize::try_from(self);
                AmountBits::Plain(amount.expect("a value cannot be shifted by less than 0 bits"))
            }
        }
    )* };
}
plain!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<const M: usize> Amount for Uint<M> {
    #[track_caller]
    fn amount(self) -> AmountBits {
        AmountBits::Secret(SecretAmount(self.tag, self.bits.to_vec()))
    }
}

macro_rules! shifts {
    ($Type:ident, $shr:path, $shr_const:path) => {
        impl<const N: usize> $Type<N> {
            #[track_caller]
            fn shift(
                self,
                amount: impl Amount,
                by_plain: fn(&[Bit], usize) -> Vec<Bit>,
                by_secret: Binary,
            ) -> Self {
                let (tag, bits) = match amount.amount() {
                    AmountBits::Plain(amount) => (self.tag, by_plain(&self.bits, amount)),
                    AmountBits::Secret(SecretAmount(tag, amount)) => {
                        combine(&[self.tag, tag], |b| by_secret(b, &self.bits, &amount))
                    }
                };
                $Type::from_slice(tag, &bits)
            }

            /// Rotates towards the highest bit by `amount`, modulo `n`.
            #[track_caller]
            pub fn rotate_left(self, amount: impl Amount) -> Self {
                self.shift(amount, int::rotl_const, int::rotl)
            }

            /// Rotates towards the lowest bit by `amount`, modulo `n`.
            #[track_caller]
            pub fn rotate_right(self, amount: impl Amount) -> Self {
                // A rotation of the reversed bits in the other direction.
                self.reverse_bits().rotate_left(amount).reverse_bits()
            }

            /// The bits in the opposite order. Free.
            #[track_caller]
            pub fn reverse_bits(mut self) -> Self {
                self.bits.reverse();
                self
            }
        }

        /// See [`Amount`] for the cost.
        impl<const N: usize, A: Amount> Shl<A> for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn shl(self, amount: A) -> $Type<N> {
                self.shift(amount, int::shl_const, int::shl)
            }
        }

        /// See [`Amount`] for the cost.
        impl<const N: usize, A: Amount> Shr<A> for $Type<N> {
            type Output = $Type<N>;
            #[track_caller]
            fn shr(self, amount: A) -> $Type<N> {
                self.shift(amount, $shr_const, $shr)
            }
        }

        impl<const N: usize, A: Amount> ShlAssign<A> for $Type<N> {
            #[track_caller]
            fn shl_assign(&mut self, amount: A) {
                *self = *self << amount;
            }
        }

        impl<const N: usize, A: Amount> ShrAssign<A> for $Type<N> {
            #[track_caller]
            fn shr_assign(&mut self, amount: A) {
                *self = *self >> amount;
            }
        }
    };
}

shifts!(Uint, int::shr, int::shr_const);
shifts!(Int, int::sar, int::sar_const);
